"""Local recoding: its boxes are those of the literal version, and its classes cost no more than others'."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from oracles import local_recoding as oracle
from shoal.algorithms.local_recoding import NODES, WINDOWS, LocalRecoding, limits, moved
from shoal.boxes import lattice, steps_of
from shoal.encoding import encode
from shoal.errors import InputError
from shoal.labels import Style
from shoal.metrics import METRICS
from shoal.models import DistinctDiversity, EntropyDiversity, FrequencyDiversity, KAnonymity
from shoal.recoding import Recoding
from shoal.source import Source
from strategies import tables


def partition(ids):
    """The rows of each class, rows left over each alone."""
    found = {}
    for row, number in enumerate(ids):
        found.setdefault(("left", row) if number < 0 else number, set()).add(row)
    return sorted(map(sorted, found.values()))


@settings(max_examples=100, deadline=None)
@given(table=tables(max_attributes=2), k=st.integers(2, 5))
def test_the_boxes_are_those_of_the_literal_version(table, k):
    small, _ = table.distinct(sensitive=False)
    steps, heights, full = steps_of(small)
    nodes, _ = lattice(steps, heights, small, NODES)
    ends = limits(full * len(small.quasi))

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
        by_level(steps.block),
        by_level(steps.cost),
        ends,
        lambda box: sum(weights[row] for row in box) >= k,
    )
    found = LocalRecoding().released(small, KAnonymity(k), lambda share: None)
    assert partition(found.tolist()) == partition(expected)


@settings(max_examples=100, deadline=None)
@given(table=tables())
def test_boxes_cost_what_they_show(table):
    small, _ = table.distinct(sensitive=False)
    steps, heights, full = steps_of(small)
    for a, domain in enumerate(small.domains):
        for level in range(heights[a]):
            block = steps.block[steps.at[a, level] :][: len(domain)]
            cost = steps.cost[steps.at[a, level] :][: len(domain)] / full
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


@pytest.mark.parametrize("k", [2, 5, 20])
def test_it_loses_less_than_the_others(adult, k):
    model = KAnonymity(k)
    fast, balanced, *others = (
        METRICS["loss"](adult, algorithm.recode(adult, model))
        for algorithm in (LocalRecoding(), LocalRecoding("balanced"), shoal.KMember(), shoal.Mondrian())
    )
    assert balanced <= fast < min(others)


@pytest.mark.parametrize(
    "model",
    [
        KAnonymity(5),
        KAnonymity(5) & FrequencyDiversity(2, sensitive="occupation"),
        KAnonymity(4) & DistinctDiversity(3),
    ],
    ids=str,
)
def test_moves_lower_the_loss_and_keep_the_promise(adult, model):
    before = shoal.Mondrian().recode(adult, model)
    ids = moved(adult, before.ids, model)
    after = Recoding.of_groups(adult, ids)
    assert model.satisfied(adult.classes(after.ids)).all()
    plain = not isinstance(model.parts[-1], DistinctDiversity)
    assert METRICS["loss"](adult, after) < METRICS["loss"](adult, before) if plain else (ids == before.ids).all()


def test_the_best_of_three_is_kept(adult):
    model = KAnonymity(5) & EntropyDiversity(3)
    fast, balanced, mondrian = (
        METRICS["loss"](adult, algorithm.recode(adult, model))
        for algorithm in (LocalRecoding(), LocalRecoding("balanced"), shoal.Mondrian())
    )
    assert balanced == min(fast, balanced, mondrian)


def test_a_large_lattice_is_looked_at_in_part():
    rows = [[(row * (column + 3)) ** 2 % 5 for row in range(200)] for column in range(16)]
    source = Source.of(pa.table({f"q{column}": values for column, values in enumerate(rows)}))
    columns = {name: source.arrow(name) for name in source.columns}
    table = encode(columns, quasi=tuple(columns), sensitive=(), guides={}, style=Style())
    steps, heights, _ = steps_of(table)
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
        ({"effort": "best"}, "LocalRecoding's effort is fast or balanced, not 'best'."),
        ({"effort": 3}, "LocalRecoding's effort is fast or balanced, not 3."),
        ({"seed": -1}, "LocalRecoding's seed is a whole number from 0 to 4294967295, not -1."),
    ],
)
def test_wrong_parameters_are_refused(parameters, sentence):
    with pytest.raises(InputError) as refused:
        LocalRecoding(**parameters)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("k", "loss"), [(2, 0.0115), (5, 0.0282), (10, 0.0432), (50, 0.0944), (100, 0.1287)])
def test_no_other_tool_is_known_to_lose_less(reference_data, k, loss):
    folder = reference_data / "arx"
    source = Source.of(folder / "adult.csv")
    quasi = tuple(name for name in source.columns if name != "occupation")
    trees = {name: shoal.Hierarchy.from_file(folder / f"adult_hierarchy_{name}.csv") for name in quasi}
    columns = {name: source.arrow(name) for name in quasi}
    table = encode(columns, quasi=quasi, sensitive=(), guides=trees, style=Style())
    assert METRICS["loss"](table, LocalRecoding().recode(table, KAnonymity(k))) <= loss
