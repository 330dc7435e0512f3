"""Models whose caps bound what can be released, with every objective, against brute force over the lattice."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from full_domain_tables import cost, heights, judging, same, trees_only
from oracles import lattice as oracle, models
from shoal import AlphaK, BetaLikeness, Closeness, FrequencyDiversity, Hierarchy, InfeasibleError, KAnonymity
from shoal.algorithms import BottomUp, FullDomain, Incognito
from shoal.algorithms.full_domain.lattice import Lattice
from shoal.algorithms.full_domain.objectives import OBJECTIVES
from shoal.data.classes import Overall

TREE = Hierarchy.from_parents(["*", "g", "a", "b", "c"], [-1, 0, 1, 1, 0])


def in_tree(one, other):
    """The distance of two values in the tree above: half its height within g."""
    return Fraction(0) if one == other else Fraction(1, 2) if {one, other} == {0, 1} else Fraction(1)


CAPPED = [
    *(
        (Closeness(t), lambda values, table, t=t: models.equal_distance(values, table) <= Fraction(str(t)))
        for t in (0.1, 0.25, 0.5)
    ),
    *(
        (
            Closeness(t, "ordered", order=["a", "b", "c"]),
            lambda values, table, t=t: models.ordered_distance(values, table, [0, 1, 2]) <= Fraction(str(t)),
        )
        for t in (0.1, 0.3)
    ),
    *(
        (
            Closeness(t, "hierarchical", hierarchy=TREE),
            lambda values, table, t=t: models.earth_movers_distance(values, table, in_tree) <= Fraction(str(t)),
        )
        for t in (0.125, 0.3)
    ),
    *(
        (
            BetaLikeness(beta, enhanced=enhanced),
            lambda values, table, beta=beta, enhanced=enhanced: models.beta(values, table, beta, enhanced=enhanced),
        )
        for beta in (0.25, 1)
        for enhanced in (False, True)
    ),
    (FrequencyDiversity(1.5), lambda values, table: models.frequency(values, 1.5)),
    (AlphaK(0.6, 2), lambda values, table: len(values) >= 2 and models.alpha(values, 0.6)),
    (
        KAnonymity(3) & Closeness(0.3) & BetaLikeness(0.5),
        lambda values, table: (
            len(values) >= 3
            and models.equal_distance(values, table) <= Fraction("0.3")
            and models.beta(values, table, 0.5, enhanced=False)
        ),
    ),
]


@given(
    table=trees_only(max_rows=24),
    pair=st.sampled_from(CAPPED),
    limit=st.sampled_from([0, 0.05, 0.3, 1]),
    objective=st.sampled_from(list(OBJECTIVES)),
)
@settings(max_examples=1500, deadline=None)
def test_the_optimum(table, pair, limit, objective):
    model, definition = pair
    budget = int(limit * table.rows)
    found = oracle.solutions([0] * len(table.quasi), heights(table), judging(table, definition, budget))
    if not found:
        with pytest.raises(InfeasibleError):
            FullDomain(objective).recode(table, model, max_suppressed=budget)
        return
    costs = {verdict.node: cost(table, verdict, objective, dict.fromkeys(table.quasi, 1)) for verdict in found}
    made = FullDomain(objective).recode(table, model, max_suppressed=budget)
    least = min(costs.values())
    near = least if objective == "loss_rank" else least + 1e-13 * max(1, abs(least))
    assert made.node == min(node for node, value in costs.items() if value <= near)
    assert same(made, next(verdict for verdict in found if verdict.node == made.node), table)
    assert made.closed == made.lattice.nodes
    if objective == "loss":
        minimal = Incognito().recode(table, model, max_suppressed=budget).minimal
        assert list(minimal) == sorted(verdict.node for verdict in oracle.minimal(found))
        lowest = BottomUp().recode(table, model, max_suppressed=budget).node
        assert lowest == min(oracle.lowest(found), key=lambda verdict: (verdict.loss, verdict.node)).node


@given(table=trees_only(max_rows=24), number=st.integers(0, len(CAPPED) - 1), limit=st.sampled_from([0.05, 1]))
@settings(max_examples=200, deadline=None)
def test_values_that_the_whole_table_lacks_are_not_bounded(table, number, limit):
    whole = np.array([5, 3, 0], np.int64)
    other = replace(table, everything={"s": Overall(("a", "b", "c"), whole)})
    lattice = Lattice.of(other, CAPPED[number][0], int(limit * table.rows))
    assert not lattice.caps or (table.sensitive_codes < 2).all()
    if np.unique(table.sensitive_codes).size > 1:  # an order of one value has no cuts
        assert Lattice.of(table, CAPPED[number][0], table.rows).caps
