"""The least loss: below every release, its shares paid by every box, and no less than known for known tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from depth import every
from oracles import bounds as oracle
from shoal.algorithms import ALGORITHMS
from shoal.algorithms.local_recoding import attribute_parts, lower_bound
from shoal.algorithms.local_recoding.lower_bound import WORK, Certificate, least_loss, shares_of
from shoal.algorithms.row_moves import measure_of
from shoal.data.domain import SetDomain
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.io.source import Source
from shoal.kernels.local_recoding.row_clusters import cell_cost
from shoal.metrics import METRICS
from shoal.models import KAnonymity
from strategies import tables

TINY = 1e-6
NAMES = st.sampled_from(["loss", "entropy"])
WORKS = st.sampled_from([1, 20, WORK])


@st.composite
def weighted(draw, max_rows=6, max_attributes=3):
    """A small table whose rows may stand for several."""
    table = draw(tables(max_rows=max_rows, max_attributes=max_attributes))
    rows = len(table.weights)
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=rows, max_size=rows)), np.int64)
    return replace(table, weights=np.where(np.cumsum(weights) + rows <= 9, weights, 1))


def unit(table, name):
    """What one of the oracle's costs is as an integer."""
    measure = measure_of(table, name)
    return measure, int(measure.space.full[0]) if name == "loss" else 1 << 30


@st.composite
def full_of_gaps(draw):
    """A tiny table of numbers, orders and trees in which about every third value is missing, and weights."""
    rows, attributes = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    guides = [draw(st.sampled_from(["number", "number", "order", "tree"])) for _ in range(attributes)]
    cells = st.lists(st.sampled_from([None, None, "1", "2", "4", "7"]), min_size=rows, max_size=rows).filter(any)
    columns = {f"q{number}": draw(cells) for number in range(attributes)}
    trees = {
        "order": shoal.Ordered(["1", "2", "4", "7"]),
        "tree": shoal.Hierarchy.from_parents(["*", "low", "high", "1", "2", "4", "7"], [-1, 0, 0, 1, 1, 2, 2]),
    }
    table = encoded(
        pa.table(
            {
                name: pa.array(values, pa.string()).cast(pa.int64() if guide == "number" else pa.string())
                for guide, (name, values) in zip(guides, columns.items(), strict=True)
            }
        ),
        tuple(columns),
        {name: trees[guide] for guide, name in zip(guides, columns, strict=True) if guide != "number"},
    )
    weights = st.none() | st.lists(st.integers(0, 3), min_size=attributes, max_size=attributes).filter(any)
    return table, draw(weights)


@settings(max_examples=200, deadline=None)
@given(
    drawn=full_of_gaps(),
    name=st.sampled_from(["loss", "certainty_penalty", "entropy"]),
    smallest=st.integers(1, 4),
    rounds=st.integers(0, 4),
)
def test_no_release_of_a_table_full_of_gaps_costs_less(drawn, name, smallest, rounds):
    table, weights = drawn
    measure = measure_of(table, name, weights)
    one = 1 << 30 if name == "entropy" else int(measure.space.full.sum()) / sum(weights or [1] * len(table.quasi))
    found = least_loss(table, measure, smallest, rounds=rounds)
    assert found / one <= oracle.best(table, name, smallest, weights) + TINY


def test_a_class_may_mix_missing_values_with_any_others():
    columns = {"c0": [7, 2, 4, 9], "c1": [None, None, 1, 7], "c2": [6, None, None, 8]}
    release = shoal.anonymize(pa.table(columns), quasi_identifiers=[*columns], model=KAnonymity(2), algorithm="local")
    certificate = release.report.certificate
    assert certificate["bound"] <= certificate["loss"] == pytest.approx(25 / 42)


def shares(table, name, smallest, rounds):
    measure, one = unit(table, name)
    found = shares_of(table, measure, range(len(table.quasi)), smallest, rounds, WORK, lambda share: None)
    return np.repeat(found, table.weights) / one


@settings(max_examples=150, deadline=None)
@given(table=weighted(), name=NAMES, smallest=st.integers(1, 4), rounds=st.integers(0, 5))
def test_no_release_costs_less(table, name, smallest, rounds):
    measure, one = unit(table, name)
    found = least_loss(table, measure, smallest, rounds=rounds)
    assert found / one <= oracle.best(table, name, smallest) + TINY
    assert found >= least_loss(table, measure, smallest, rounds=0)


@settings(max_examples=60, deadline=None)
@given(table=weighted(max_rows=10, max_attributes=2), name=NAMES, smallest=st.integers(1, 5), rounds=st.integers(0, 5))
def test_every_box_can_pay_the_shares_of_its_rows(table, name, smallest, rounds):
    assert oracle.most_unpaid(table, name, smallest, shares(table, name, smallest, rounds)) <= TINY


@settings(max_examples=100, deadline=None)
@given(table=weighted(max_rows=8, max_attributes=2), name=NAMES, smallest=st.integers(1, 5))
def test_without_rounds_a_row_counts_with_its_cheapest_box(table, name, smallest):
    assume(table.rows >= smallest and not any(isinstance(domain, SetDomain) for domain in table.domains))
    assert shares(table, name, smallest, 0) == pytest.approx(oracle.cheapest(table, name, smallest), abs=TINY)


@settings(max_examples=100, deadline=None)
@given(
    table=weighted(),
    name=NAMES,
    smallest=st.integers(1, 4),
    steps=st.integers(1, 2),
    work=st.sampled_from([1, 20, WORK]),
)
def test_what_is_left_out_of_large_tables_only_lowers_the_bound(table, name, smallest, steps, work):
    measure, one = unit(table, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attribute_parts, "FINE", steps)
        patch.setattr(attribute_parts, "COARSE", steps)
        patch.setattr(lower_bound, "WORK", work)
        found = least_loss(table, measure, smallest, rounds=3)
    assert found / one <= oracle.best(table, name, smallest) + TINY


@settings(max_examples=100, deadline=None)
@given(table=tables(), name=NAMES)
def test_a_larger_part_costs_no_less(table, name):
    measure = measure_of(table, name)
    for attribute, domain in enumerate(table.domains):
        start = int(measure.space.codes_at[attribute])
        weights = measure.weight[start : start + len(domain)].tolist()

        def cost(low, high, attribute=attribute, weights=weights):
            return cell_cost(measure, attribute, low, high, sum(weights[low : high + 1]))

        for low in range(len(domain)):
            for high in range(low, len(domain)):
                assert high == low or max(cost(low, high - 1), cost(low + 1, high)) <= cost(low, high)


@settings(max_examples=200, deadline=None)
@given(table=tables(max_attributes=1), name=NAMES, steps=st.integers(1, 2))
def test_no_two_values_share_a_part_that_is_dearer_than_in_a_release(table, name, steps):
    measure = measure_of(table, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attribute_parts, "FINE", steps)
        (column,) = attribute_parts.columns_of(table, measure, [0])
    codes = table.codes[:, 0].tolist()
    for (low, own), (high, other) in itertools.combinations(sorted(zip(codes, column.codes.tolist(), strict=True)), 2):
        if low == high:
            continue
        cost = cell_cost(measure, 0, low, high, measure.weight[low] + measure.weight[high])
        if column.depths:
            block = column.block.reshape(column.depths, column.size)
            shared = max(depth for depth in range(column.depths) if block[depth, own] == block[depth, other])
            assert column.cost[shared * column.size + own] <= cost
        else:
            assert own <= other
            assert column.cost[own * column.size + other] <= cost


def test_many_rows_of_many_kinds_are_split_by_attributes():
    columns = {f"q{column}": [row * (2 * column + 3) % 61 % 7 for row in range(61)] for column in range(5)}
    table = encoded(pa.table(columns), tuple(columns), {})
    measure = measure_of(table, "loss")
    whole = least_loss(table, measure, 5, rounds=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lower_bound, "WORK", 40_000)
        some = least_loss(table, measure, 5, rounds=0)
    assert 0 < some < whole


def test_one_class_is_all_that_too_few_rows_can_be():
    table = encoded(pa.table({"a": ["x", "x", "y"], "b": [1, 2, 9]}), ("a", "b"), {})
    measure = measure_of(table, "loss")
    assert least_loss(table, measure, 3, rounds=2) == 3 * 2 * int(measure.space.full[0])
    assert least_loss(table, measure, 4, rounds=2) == 3 * 2 * int(measure.space.full[0])
    assert least_loss(table, measure, 1, rounds=2) == 0


def test_rounds_tell_their_progress():
    table = encoded(shoal.datasets.adult().slice(0, 200), ("age", "sex"), {})
    told = []
    least_loss(table, measure_of(table, "loss"), 5, rounds=4, progress=told.append)
    assert told == [0, 0.25, 0.5, 0.75]


@pytest.fixture(scope="module")
def adult():
    trees = shoal.datasets.adult_hierarchies()
    quasi = ("age", "education", "sex", "race", "native-country")
    return encoded(shoal.datasets.adult().slice(0, 600), quasi, {name: trees[name] for name in quasi})


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_algorithm_loses_less(adult, name):
    for k in (2, 7):
        measure = measure_of(adult, "loss")
        least = least_loss(adult, measure, k, rounds=4) / (adult.rows * len(adult.quasi) * int(measure.space.full[0]))
        recoding = ALGORITHMS[name]().recode(adult, KAnonymity(k))
        assert 0 < least <= METRICS["loss"](adult, recoding)


def encoded(data, quasi, guides):
    """A table of the quasi-identifiers alone."""
    source = Source.of(data)
    columns = {name: source.arrow(name) for name in quasi}
    return encode(columns, quasi=quasi, sensitive=(), guides=guides, style=Style())


@pytest.mark.parametrize(
    ("certificate", "gap", "sentence"),
    [
        (
            Certificate(loss=0.3, bound=0.2),
            0.5,
            "No release of this table with these rules can lose less than 0.20 (a lower bound that may be out of "
            "reach).",
        ),
        (Certificate(loss=0.2001, bound=0.2), 0.0005, "This is at most 1 % above the best possible."),
        (Certificate(loss=0.2, bound=0.2), 0, "This is the best possible."),
        (Certificate(loss=0, bound=0), 0, "This is the best possible."),
        (Certificate(loss=0.1, bound=0), None, "How far this is from the best possible is not known."),
    ],
)
def test_a_certificate_puts_the_gap_into_words(certificate, gap, sentence):
    assert certificate.gap == (gap if gap is None else pytest.approx(gap))
    assert certificate.sentence() == sentence


@pytest.mark.parametrize(
    ("free", "rounds", "least"),
    every(4, [(None, 0, 0.0242), (None, 5, 0.0364), ("age", 0, 0.0188), ("age", 3, 0.0291)]),
)
def test_bounds_of_a_known_table(reference_data, free, rounds, least):
    folder = reference_data / "arx"
    data = Source.of(folder / "adult.csv").to_arrow()
    quasi = tuple(name for name in data.column_names if name != "occupation")
    guided = [name for name in quasi if name != free]
    trees = {name: shoal.Hierarchy.from_file(folder / f"adult_hierarchy_{name}.csv") for name in guided}
    if free:
        data = data.set_column(data.column_names.index(free), free, data[free].cast(pa.int64()))
    table = encoded(data, quasi, trees)
    measure = measure_of(table, "loss")
    assert least_loss(table, measure, 10, rounds=rounds) >= least * table.rows * len(quasi) * int(measure.space.full[0])


def test_many_attributes_are_told_apart_in_groups_that_are_soon_examined():
    draw = np.random.RandomState(7)
    table = pa.table({f"c{column}": draw.randint(4, size=60) for column in range(50)})
    release = shoal.anonymize(
        table, quasi_identifiers=table.column_names, model=KAnonymity(3), algorithm=shoal.LocalRecoding(0.5)
    )
    certificate = release.report.certificate
    assert 0 < certificate["bound"] <= certificate["loss"]
    whole = encoded(table, tuple(table.column_names), {})
    halves = [encoded(table, tuple(table.column_names[half::2]), {}) for half in (0, 1)]

    def bound(part):
        return least_loss(part, measure_of(part, "loss"), 3, rounds=3)

    assert bound(whole) == sum(map(bound, halves))
