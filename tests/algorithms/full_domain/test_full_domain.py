"""The full-domain family against vectors and against brute force over the lattice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from contract.lists import DEFINITIONS
from full_domain_tables import cost, heights, judging, same, trees_only
from oracles import lattice as oracle
from shoal import DistinctDiversity, InfeasibleError, InputError, KAnonymity
from shoal.algorithms import BottomUp, Datafly, FullDomain, Incognito, Samarati
from shoal.algorithms.full_domain.lattice import Lattice
from shoal.algorithms.full_domain.objectives import OBJECTIVES, WEIGHTED
from shoal.data.domain import SetDomain
from shoal.data.encoding import encode
from shoal.data.table import Table


@given(
    table=trees_only(),
    pair=st.sampled_from(DEFINITIONS),
    budget=st.integers(0, 6),
    lowest=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_the_lowest_level_with_a_solution(table, pair, budget, lowest):
    model, definition = pair
    top = heights(table)
    found = oracle.solutions([0] * len(top), top, judging(table, definition, budget))
    chosen = Samarati("lowest-loss" if lowest else "first")
    if not found:
        for algorithm in (BottomUp(), chosen, Incognito(), FullDomain()):
            with pytest.raises(InfeasibleError):
                algorithm.recode(table, model, max_suppressed=budget)
        return
    level = oracle.lowest(found)
    least = min(level, key=lambda verdict: (verdict.loss, verdict.node))
    made = BottomUp().recode(table, model, max_suppressed=budget)
    assert same(made, least, table)
    expected = least if lowest else min(level, key=lambda verdict: verdict.node)
    assert same(chosen.recode(table, model, max_suppressed=budget), expected, table)


@given(table=trees_only(), pair=st.sampled_from(DEFINITIONS), budget=st.integers(0, 6))
@settings(max_examples=200, deadline=None)
def test_all_minimal_nodes(table, pair, budget):
    model, definition = pair
    top = heights(table)
    found = oracle.solutions([0] * len(top), top, judging(table, definition, budget))
    assume(found)
    minimal = oracle.minimal(found)
    made = Incognito().recode(table, model, max_suppressed=budget)
    assert list(made.minimal) == sorted(verdict.node for verdict in minimal)
    assert same(made, min(minimal, key=lambda verdict: (verdict.loss, verdict.node)), table)


@given(table=trees_only(), pair=st.sampled_from(DEFINITIONS), budget=st.integers(0, 6))
@settings(max_examples=150, deadline=None)
def test_datafly_goes_up_where_there_are_most_values(table, pair, budget):
    model, definition = pair
    verdict = judging(table, definition, budget)
    node, top = [0] * len(table.quasi), heights(table)
    while (expected := verdict(tuple(node))) is None and node != list(top):
        shown = [
            len({int(d.hierarchy.ancestors(d.hierarchy.leaf_nodes[[code]], step)[0]) for code in codes})
            for d, codes, step in zip(table.domains, table.codes.T.tolist(), node, strict=True)
        ]
        open_ = [j for j in range(len(node)) if node[j] < top[j]]
        node[max(open_, key=lambda j: (shown[j], -j))] += 1
    if expected is None:
        with pytest.raises(InfeasibleError):
            Datafly().recode(table, model, max_suppressed=budget)
    else:
        assert same(Datafly().recode(table, model, max_suppressed=budget), expected, table)


@given(
    table=trees_only(),
    pair=st.sampled_from(DEFINITIONS),
    budget=st.integers(0, 16),
    objective=st.sampled_from(list(OBJECTIVES)),
    data=st.data(),
)
@settings(max_examples=600, deadline=None)
def test_the_optimum(table, pair, budget, objective, data):
    model, definition = pair
    limits = {}
    for name, height in zip(table.quasi, heights(table), strict=True):
        low = data.draw(st.integers(0, height))
        limits[name] = data.draw(st.sampled_from([(0, height), (0, height), (low, height), (0, low)]))
    weights = {name: data.draw(st.sampled_from([1, 1, 0.25, 3])) for name in table.quasi}
    algorithm = FullDomain(objective, weights=weights if objective in WEIGHTED else None, levels=limits)
    bottom, top = zip(*limits.values(), strict=True)
    found = oracle.solutions(bottom, top, judging(table, definition, budget))
    if not found:
        with pytest.raises(InfeasibleError):
            algorithm.recode(table, model, max_suppressed=budget)
        return
    costs = {verdict.node: cost(table, verdict, objective, weights) for verdict in found}
    made = algorithm.recode(table, model, max_suppressed=budget)
    least = min(costs.values())
    assert costs[made.node] == pytest.approx(least, abs=1e-9)
    near = least if objective == "loss_rank" else least + 1e-13 * max(1, abs(least))
    assert made.node == min(node for node, value in costs.items() if value <= near)
    assert same(made, next(verdict for verdict in found if verdict.node == made.node), table)
    assert made.bound == made.value
    assert not made.stopped
    assert made.closed == made.lattice.nodes


def huang(reference_data):
    """The quasi-identifiers and hierarchies of Huang's report: sex, race, marital status, age in steps from 16."""
    adult = shoal.datasets.adult(drop_missing=True)
    files = {"sex": "gender", "race": "race", "marital-status": "marital_status"}
    folder = reference_data / "ustc"
    trees = {name: shoal.Hierarchy.from_pairs(folder / f"adult_{file}.txt") for name, file in files.items()}
    trees["age"] = shoal.Hierarchy.intervals(adult["age"].to_pylist(), widths=[5, 10, 20], origin=16)
    columns = {name: adult[name] for name in trees}
    return encode(columns, quasi=list(trees), sensitive=[], guides=trees, style=shoal.Style())


@pytest.mark.parametrize(("k", "node"), [(10, (0, 1, 2, 1)), (20, None)])
def test_the_table_of_huangs_report(reference_data, k, node):
    table = huang(reference_data)
    model = KAnonymity(k)
    made = Samarati().recode(table, model, max_suppressed=20)
    lattice = Lattice.of(table, model, 20)
    reached = [n for n in lattice.level(4) if lattice.judge(n) is not None]
    if node is not None:
        assert node in reached
        assert made.sizes.size == 30
        assert not made.suppressed.any()
    else:
        assert not reached, "the report's height 6 and any below 5 are wrong: the lowest is 5"
        assert any(lattice.judge(n) is not None for n in lattice.level(5))


def test_columns_without_a_hierarchy_show_a_value_or_nothing():
    adult = shoal.datasets.adult(drop_missing=True).select(["age", "sex", "race", "occupation"]).slice(0, 2000)
    for algorithm in ("bottom-up", "samarati"):
        made = shoal.anonymize(
            adult,
            quasi_identifiers=["age", "sex", "race"],
            sensitive="occupation",
            model=KAnonymity(5) & DistinctDiversity(2),
            algorithm=algorithm,
            max_suppression=0.1,
        )
        assert made.report.k >= 5
        assert set(made.frame["age"].to_pylist()) == {"*"} or "*" not in made.frame["sex"].to_pylist()


def test_refusals():
    with pytest.raises(InputError) as refusal:
        Samarati(choice="best")
    assert str(refusal.value) == "Samarati's choice is lowest-loss, lowest-loss-huang or first, not 'best'."
    domain = SetDomain(("a", "b"))
    codes = np.zeros((3, 1), np.int32)
    table = Table(("x",), (domain,), codes, (), (), codes[:, :0], np.ones(3, np.int64))
    with pytest.raises(InputError, match="Column 'x' needs a hierarchy"):
        BottomUp().recode(table, KAnonymity(2))


@given(table=trees_only())
@settings(max_examples=20, deadline=None)
def test_what_cannot_be_reached_is_said(table):
    for algorithm in (BottomUp(), Samarati()):
        with pytest.raises(InfeasibleError, match="No full-domain generalization satisfies k = 99"):
            algorithm.recode(table, KAnonymity(99))


def test_the_average_risk_is_for_algorithms_that_see_all_classes():
    adult = shoal.datasets.adult(drop_missing=True).select(["age", "sex", "race"]).slice(0, 500)
    options = {"quasi_identifiers": ["age", "sex", "race"], "model": shoal.AverageRisk(0.05), "accept": "small-k"}
    trees = shoal.datasets.adult_hierarchies()
    made = shoal.anonymize(adult, hierarchies=trees, algorithm="bottom-up", **options)
    assert made.report.classes / 500 <= 0.05
    with pytest.raises(InputError) as refusal:
        shoal.anonymize(adult, hierarchies=trees, algorithm="mondrian", **options)
    assert (
        str(refusal.value)
        == "Mondrian looks at one class at a time and cannot satisfy average risk = 0.05: choose full-domain."
    )
