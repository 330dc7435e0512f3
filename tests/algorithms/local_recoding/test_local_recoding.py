"""Local recoding: its boxes are those of the literal version, and its classes cost no more than others'."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from depth import every
from oracles import local_recoding as oracle
from shoal.algorithms.local_recoding.boxes import MAX_NODES, WINDOWS, lattice, limits, released, steps_of
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.algorithms.row_moves import measure_of
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.metrics import METRICS
from shoal.models import KAnonymity
from strategies import tables


def partition(ids):
    """The rows of each class, rows left over each alone."""
    found = {}
    for row, number in enumerate(ids):
        found.setdefault(("left", row) if number < 0 else number, set()).add(row)
    return sorted(map(sorted, found.values()))


@settings(max_examples=100, deadline=None)
@given(
    table=tables(max_attributes=2),
    k=st.integers(2, 5),
    objective=st.sampled_from(["loss", "certainty_penalty", "entropy"]),
)
def test_the_boxes_are_those_of_the_literal_version(table, k, objective):
    small, _ = table.distinct(sensitive=False)
    measure = measure_of(small, objective)
    steps, heights = steps_of(small, measure)
    nodes, costs = lattice(steps, heights, small, MAX_NODES)
    ends = limits(int(costs.max()))

    def by_level(values):
        return [
            [values[steps.at[a, level] :][: len(domain)].tolist() for level in range(heights[a])]
            for a, domain in enumerate(small.domains)
        ]

    weights = small.weights.tolist()
    expected = oracle.released(
        small.codes.tolist(),
        weights,
        nodes.tolist(),
        by_level(steps.key),
        by_level(steps.cost),
        ends,
        lambda box: sum(weights[row] for row in box) >= k,
    )
    found = released(small, KAnonymity(k), measure, lambda share: None)
    assert partition(found.tolist()) == partition(expected)


@settings(max_examples=100, deadline=None)
@given(table=tables())
def test_boxes_cost_what_they_show(table):
    small, _ = table.distinct(sensitive=False)
    measure = measure_of(small, "loss")
    steps, heights = steps_of(small, measure)
    for a, domain in enumerate(small.domains):
        for level in range(heights[a]):
            block = steps.key[steps.at[a, level] :][: len(domain)]
            cost = steps.cost[steps.at[a, level] :][: len(domain)] / measure.space.full[a]
            for number in np.unique(block):
                codes = np.flatnonzero(block == number).astype(np.int32)
                shown = domain.join(codes, np.zeros(codes.size, np.int32), 1)
                assert domain.loss(shown)[0] <= cost[codes[0]] + 1e-6
                assert (cost[codes] == cost[codes[0]]).all()
        assert (
            np.diff([steps.cost[steps.at[a, level] :][: len(domain)] for level in range(heights[a])], axis=0) >= 0
        ).all()


@pytest.fixture(scope="module")
def adult():
    quasi = ("age", "education", "sex", "race", "native-country")
    source = Source.of(shoal.datasets.adult().slice(0, 3000))
    trees = shoal.datasets.adult_hierarchies()
    del trees["age"]
    columns = {name: source.arrow(name) for name in (*quasi, "occupation")}
    return encode(columns, quasi=quasi, sensitive=("occupation",), guides=trees, style=Style())


@pytest.mark.parametrize("k", every(3, [5, 2, 20]))
def test_it_loses_less_than_the_others(adult, k):
    model = KAnonymity(k)
    fast, balanced, *others = (
        METRICS["loss"](adult, algorithm.recode(adult, model))
        for algorithm in (LocalRecoding("fast"), LocalRecoding(), shoal.KMember(), shoal.Mondrian())
    )
    assert balanced <= fast < min(others)


def test_a_large_lattice_is_looked_at_in_part():
    rows = [[(row * (column + 3)) ** 2 % 5 for row in range(200)] for column in range(16)]
    source = Source.of(pa.table({f"q{column}": values for column, values in enumerate(rows)}))
    columns = {name: source.arrow(name) for name in source.columns}
    table = encode(columns, quasi=tuple(columns), sensitive=(), guides={}, style=Style())
    steps, heights = steps_of(table, measure_of(table, "loss"))
    nodes, ends = lattice(steps, heights, table, 1000)
    assert len(nodes) == 1001
    assert nodes[-1].tolist() == [height - 1 for height in heights]
    assert (ends[:, 0] <= ends[:, 1]).all()


def test_windows_grow_in_whole_numbers():
    ends = limits(10**6)
    assert ends == pytest.approx([10**6 * (number / WINDOWS) ** 1.5 for number in range(WINDOWS + 1)], abs=1)
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (0, 10**6)


def test_a_tree_may_be_deep():
    depth = 90
    labels = [*(f"group {number}" for number in range(depth)), *(f"v{number}" for number in range(depth))]
    parents = [-1, *range(depth - 1), *range(depth)]
    tree = shoal.Hierarchy.from_parents(labels, parents)
    data = pa.table({"a": [f"v{number}" for number in range(depth)] * 2, "b": ["x", "y"] * depth})
    release = shoal.anonymize(
        data, quasi_identifiers=["a", "b"], hierarchies={"a": tree}, model=shoal.KAnonymity(3), algorithm="local"
    )
    assert release.report.k >= 3


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {"effort": "slow"},
            "The effort is fast, balanced, best or a number of seconds above 0, not 'slow'.",
        ),
        ({"effort": 0}, "The effort is fast, balanced, best or a number of seconds above 0, not 0."),
        (
            {"effort": 1e12},
            "The effort is fast, balanced, best or a number of seconds above 0 and up to 1,000,000,000, "
            "not 1000000000000.0.",
        ),
        ({"effort": True}, "The effort is fast, balanced, best or a number of seconds above 0, not True."),
        ({"cells": "tree"}, "LocalRecoding's cells are free or nodes, not 'tree'."),
        (
            {"objective": "distortion"},
            "LocalRecoding's objective is one of loss, certainty_penalty, entropy, not 'distortion'.",
        ),
        ({"weights": ["age"]}, "Weights are numbers by attribute, such as {'age': 3}, not ['age']."),
        ({"weights": {"age": -1}}, "The weight of 'age' must be a number of at least 0, not -1."),
        ({"seed": -1}, "LocalRecoding's seed is a whole number from 0 to 4294967295, not -1."),
    ],
)
def test_wrong_parameters_are_refused(parameters, sentence):
    with pytest.raises(InputError) as refused:
        LocalRecoding(**parameters)
    assert str(refused.value) == sentence


@pytest.mark.deep("30,162 rows")
@pytest.mark.parametrize(("k", "loss"), [(2, 0.0115), (5, 0.0282), (10, 0.0432), (50, 0.0944), (100, 0.1287)])
def test_no_other_tool_is_known_to_lose_less(reference_data, k, loss):
    folder = reference_data / "arx"
    source = Source.of(folder / "adult.csv")
    quasi = tuple(name for name in source.columns if name != "occupation")
    trees = {name: shoal.Hierarchy.from_file(folder / f"adult_hierarchy_{name}.csv") for name in quasi}
    columns = {name: source.arrow(name) for name in quasi}
    table = encode(columns, quasi=quasi, sensitive=(), guides=trees, style=Style())
    assert METRICS["loss"](table, LocalRecoding("fast").recode(table, KAnonymity(k))) <= loss


@pytest.mark.parametrize(("weights", "bound"), [({"a": 1, "b": 7}, 0.125), ({"a": 1, "b": 10**7}, 0.0)])
def test_the_certificate_is_one_of_the_very_weights(weights, bound):
    data = pa.table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    release = shoal.anonymize(
        data,
        quasi_identifiers=["a", "b"],
        model=shoal.KAnonymity(2),
        algorithm=LocalRecoding("fast", weights=weights),
    )
    found = release.report.certificate
    assert found["bound"] == bound
    assert found["objective"] == "weighted loss"
    assert found["sentence"] == (
        "This is the best possible." if bound else "How far this is from the best possible is not known."
    )


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize(
    "model",
    [shoal.DistinctDiversity(2), shoal.EntropyDiversity(1.5), shoal.AlphaK(0.8, 2), shoal.Closeness(0.4)],
    ids=str,
)
def test_mondrian_is_never_better(model):
    for seed in range(8):
        random = np.random.RandomState(seed)
        rows = 6 + 5 * seed
        data = pa.table({"a": random.randint(0, 20, rows), "s": random.choice(list("pqqrrr"), rows)})
        losses = [
            shoal.anonymize(data, quasi_identifiers="a", sensitive="s", model=model, algorithm=algorithm).report.metrics
            for algorithm in (LocalRecoding("fast"), "mondrian")
        ]
        assert losses[0]["loss"] <= losses[1]["loss"] + 1e-9


def test_the_highest_risk_is_a_size(adult):
    by_risk, by_size = (LocalRecoding("fast").recode(adult, model) for model in (shoal.HighestRisk(0.2), KAnonymity(5)))
    assert (by_risk.ids == by_size.ids).all()


def test_rows_that_stand_for_several_are_judged_as_several(adult):
    model = KAnonymity(4) & shoal.DistinctDiversity(3)
    often, _ = adult.distinct(sensitive=True)
    assert often.weights.max() > 1
    assert model.satisfied(often.classes(LocalRecoding("fast").recode(often, model).ids)).all()
