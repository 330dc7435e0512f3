"""What a caller can choose of objectives: the factor between generalization and suppression, and the target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from contract.lists import DEFINITIONS
from full_domain_tables import cost, heights, judging, recoded, trees_only
from oracles import lattice as oracle
from shoal import FullDomain, InfeasibleError, InputError, KAnonymity
from shoal.algorithms.full_domain.objectives import FACTORED, OBJECTIVES
from shoal.data.domain import SetDomain
from shoal.metrics import METRICS


@given(
    table=trees_only(),
    pair=st.sampled_from(DEFINITIONS),
    budget=st.integers(0, 16),
    objective=st.sampled_from(FACTORED),
    factor=st.sampled_from([0, 0.05, 0.25, 0.4, 0.6, 0.75, 1]),
)
@settings(max_examples=600, deadline=None)
def test_the_factor_of_suppression(table, pair, budget, objective, factor):
    model, definition = pair
    weights = dict.fromkeys(table.quasi, 1)
    algorithm = FullDomain(objective, suppression_factor=factor)
    found = oracle.solutions([0] * len(table.quasi), heights(table), judging(table, definition, budget))
    if not found:
        with pytest.raises(InfeasibleError):
            algorithm.recode(table, model, max_suppressed=budget)
        return
    costs = {verdict.node: cost(table, verdict, objective, weights, factor) for verdict in found}
    made = algorithm.recode(table, model, max_suppressed=budget)
    least = min(costs.values())
    near = least if objective == "loss_rank" else least + 1e-13
    assert made.node == min(node for node, value in costs.items() if value <= near)
    assert made.closed == made.lattice.nodes


@given(table=trees_only(), k=st.integers(1, 4), budget=st.integers(0, 16), data=st.data())
@settings(max_examples=200, deadline=None)
def test_the_target(table, k, budget, data):
    rows = len(table.weights)
    other = data.draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    two = replace(
        table,
        sensitive=("s", "income"),
        sensitive_domains=(*table.sensitive_domains, SetDomain(("1", "2", "3", "4"))),
        sensitive_codes=np.column_stack([table.sensitive_codes, np.array(other, np.int32)]),
    )
    found = oracle.solutions(
        [0] * len(table.quasi), heights(table), judging(table, lambda values, whole: len(values) >= k, budget)
    )
    if not found:
        return
    alone = replace(
        two,
        sensitive=("income",),
        sensitive_domains=two.sensitive_domains[1:],
        sensitive_codes=two.sensitive_codes[:, 1:],
    )
    costs = {verdict.node: METRICS["classification"](alone, recoded(alone, verdict)) for verdict in found}
    made = FullDomain("classification", target="income").recode(two, KAnonymity(k), max_suppressed=budget)
    assert made.value == pytest.approx(min(costs.values()))
    assert made.node == min(node for node, value in costs.items() if value <= min(costs.values()) + 1e-12)


def test_the_factor_changes_what_is_suppressed():
    quasi = ["age", "education", "race", "sex"]
    adult = shoal.datasets.adult(drop_missing=True).select(quasi)
    lost = []
    for factor in (0.0, 0.5, 1.0):
        made = shoal.anonymize(
            adult,
            quasi_identifiers=quasi,
            hierarchies={name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in quasi},
            model=KAnonymity(10),
            algorithm=FullDomain(suppression_factor=factor),
            max_suppression=0.5,
        )
        lost.append(made.report.suppressed_rows)
        named = "loss" if factor == 0.5 else f"loss with suppression factor {factor:g}"
        assert made.report.search["objective"] == named
    assert lost[0] > lost[1] > lost[2] == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"suppression_factor": 1.5}, "FullDomain's suppression_factor is a number from 0 to 1, not 1.5."),
        ({"suppression_factor": True}, "FullDomain's suppression_factor is a number from 0 to 1, not True."),
        (
            {"objective": "height", "suppression_factor": 0.2},
            "A suppression_factor is for the objectives loss, loss_geometric, loss_maximum, loss_rank, precision: "
            "height takes none.",
        ),
        ({"target": "income"}, "A target is for the objective classification: loss takes none."),
    ],
)
def test_refusals(options, said):
    with pytest.raises(InputError) as refusal:
        FullDomain(**options)
    assert str(refusal.value) == said


def test_targets_are_sensitive_attributes():
    adult = shoal.datasets.adult(drop_missing=True).select(["age", "sex", "income"]).slice(0, 300)
    options = {"quasi_identifiers": ["age", "sex"], "model": KAnonymity(2), "accept": "small-k"}
    with pytest.raises(InputError) as refusal:
        shoal.anonymize(adult, sensitive="income", algorithm=FullDomain("classification", target="sex"), **options)
    assert str(refusal.value) == "The target 'sex' is not a sensitive attribute: choose from income."
    with pytest.raises(InputError, match="classification needs a sensitive attribute and none is named"):
        shoal.anonymize(adult, keep="income", algorithm=FullDomain("classification"), **options)


def test_every_objective_is_explained():
    assert all(f'"{name}"' in FullDomain.__doc__ for name in OBJECTIVES)
