"""The full-domain family where people are counted, against brute force over all nodes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from full_domain_tables import heights, judging, trees_only
from oracles import lattice as oracle
from people_tables import RELEASED, owned, rows_of
from shoal import InfeasibleError
from shoal.algorithms import BottomUp, Datafly, FullDomain, Incognito, Samarati

# The trees of these tables have the values a, b and c.
MODELS = [pair for pair in RELEASED if getattr(pair[0], "distance", "equal") == "equal"]


@given(table=owned(trees_only()), pair=st.sampled_from(MODELS), budget=st.integers(0, 6))
@settings(max_examples=300, deadline=None)
def test_the_best_node_is_that_of_brute_force(table, pair, budget):
    model, definition = pair
    top = heights(table)
    found = oracle.solutions([0] * len(top), top, judging(table, definition, budget, secret=rows_of(table)))
    if not found:
        for algorithm in (BottomUp(), Samarati(), Incognito(), FullDomain(), Datafly()):
            with pytest.raises(InfeasibleError):
                algorithm.recode(table, model, max_suppressed=budget)
        return

    def least(verdicts):
        return min(verdicts, key=lambda verdict: (verdict.loss, verdict.node)).node

    assert FullDomain().recode(table, model, max_suppressed=budget).node == least(found)
    assert BottomUp().recode(table, model, max_suppressed=budget).node == least(oracle.lowest(found))
    assert Samarati().recode(table, model, max_suppressed=budget).node == least(oracle.lowest(found))
    minimal = Incognito().recode(table, model, max_suppressed=budget).minimal
    assert list(minimal) == sorted(verdict.node for verdict in oracle.minimal(found))


@given(table=owned(trees_only()), pair=st.sampled_from(MODELS), budget=st.integers(0, 6))
@settings(max_examples=150, deadline=None)
def test_the_classes_of_a_node_are_those_of_brute_force(table, pair, budget):
    model, definition = pair
    verdict = judging(table, definition, budget, secret=rows_of(table))
    try:
        made = FullDomain().recode(table, model, max_suppressed=budget)
    except InfeasibleError:
        return
    expected = verdict(made.node)
    ids = made.ids.tolist()
    found = {frozenset(r for r, own in enumerate(ids) if own == g) for g in set(ids) - {-1}}
    assert found == set(map(frozenset, expected.groups.values()))
    assert [r for r, own in enumerate(ids) if own < 0] == expected.suppressed
    assert made.sizes.sum() == len(ids) - len(expected.suppressed)
