"""Information loss against the worked examples of the thesis: a distance in a tree, and nine records."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from shoal import Hierarchy, Style
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.metrics import information_loss

NINE = {
    "age": [39, 50, 38, 53, 28, 37, 49, 52, 31],
    "workclass": ["State-gov", "Self-emp", *["Private"] * 5, "Self-emp", "Private"],
    "education-num": [13, 13, 9, 7, 13, 14, 5, 9, 14],
    "marital-status": ["Never", "Civ", "Divorced", "Civ", "Civ", "Civ", "Absent", "Civ", "Never"],
    "occupation": ["Clerical", "Exec", "Cleaner", "Cleaner", "Prof", "Exec", "Service", "Exec", "Prof"],
    "race": ["White", "White", "White", "Black", "Black", "White", "Black", "White", "White"],
    "sex": ["M", "M", "M", "M", "F", "F", "F", "M", "F"],
    "country": ["US", "US", "US", "US", "Cuba", "US", "Jamaica", "US", "US"],
}


def table_of(columns, trees):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides=trees, style=Style())


@pytest.fixture(scope="module")
def nine():
    words = {name: values for name, values in NINE.items() if isinstance(values[0], str)}
    return table_of(NINE, {name: Hierarchy.flat(set(values)) for name, values in words.items()})


def loss_of(table, groups):
    """The information loss of groups of record numbers, counted from 1."""
    ids = np.empty(len(table.weights), np.int32)
    for number, group in enumerate(groups):
        ids[np.array(group) - 1] = number
    return information_loss(table, Recoding.of_groups(table, ids))


def triples(records):
    """Every partition of the records into triples."""
    if not records:
        yield []
        return
    first, *others = records
    for pair in combinations(others, 2):
        for rest in triples([record for record in others if record not in pair]):
            yield [(first, *pair), *rest]


@pytest.mark.parametrize(
    ("groups", "loss"),
    [
        ([(2, 4, 8), (1, 3, 6), (5, 7, 9)], Fraction(3209, 75)),
        ([(1, 3, 8), (5, 6, 9), (2, 4, 7)], Fraction(3493, 75)),
        ([(1, 2, 8), (5, 7, 9), (3, 4, 6)], Fraction(137, 3)),
    ],
    ids=["figure 7.1", "figure 7.2", "page 43"],
)
def test_the_groups_of_the_thesis(nine, groups, loss):
    assert loss_of(nine, groups) == pytest.approx(float(loss), abs=1e-12)


def test_the_best_of_all_partitions_into_triples(nine):
    every = list(triples(list(range(1, 10))))
    assert len(every) == 280
    best = min(every, key=lambda groups: loss_of(nine, groups))
    assert best == [(1, 2, 8), (3, 6, 9), (4, 5, 7)]
    assert loss_of(nine, best) == pytest.approx(float(Fraction(616, 15)), abs=1e-12)


def test_the_distance_of_north_and_mexico():
    # North and Mexico first meet at America, which lies three steps above the deepest value of a tree of height four.
    labels = ["country", "America", "North", "Latin", "Mexico", "Capital", "District", "Asia"]
    tree = Hierarchy.from_parents(labels, [-1, 0, 1, 1, 3, 3, 5, 0])
    assert tree.height == 4
    table = table_of({"country": ["North", "Mexico"]}, {"country": tree})
    assert loss_of(table, [(1, 2)]) == 2 * 3 / 4


def test_a_suppressed_row_costs_one_for_each_attribute(nine):
    everything = Recoding.of_groups(nine, np.full(9, -1, np.int32))
    assert information_loss(nine, everything) == 9 * 8
