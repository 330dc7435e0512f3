"""The Adult table and its hierarchies."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import shoal.datasets
from shoal.datasets import adult, adult_hierarchies

FOLDER = Path(shoal.datasets.__file__).parent / "adult"
COLUMNS = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
]
NUMERIC = {"age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"}
HIERARCHIES = [
    "age",
    "education",
    "education-num",
    "hours-per-week",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "relationship",
    "sex",
    "workclass",
]
# Leaves that no row holds: hours of work are complete from 1 to 99.
UNUSED = {"hours-per-week": {"71", "83", "93"}}


def tree(column: str) -> list[tuple[int, str]]:
    """Return (depth, label) of each line of a hierarchy's file."""
    text = (FOLDER / f"{column}.txt").read_bytes().decode("ascii")
    assert text.endswith("\n")
    assert "\r" not in text
    return [(len(line) - len(line.lstrip("\t")), line.lstrip("\t")) for line in text[:-1].split("\n")]


def values(column: str) -> set[str]:
    return {str(value) for value in adult(test=True)[column].unique().to_pylist()}


@pytest.mark.parametrize(
    ("test", "drop_missing", "rows"),
    [(False, False, 32_561), (True, False, 48_842), (False, True, 30_162), (True, True, 45_222)],
)
def test_row_counts(test: bool, drop_missing: bool, rows: int) -> None:
    assert adult(test=test, drop_missing=drop_missing).num_rows == rows


@pytest.mark.parametrize("test", [False, True])
@pytest.mark.parametrize("drop_missing", [False, True])
def test_columns_and_types(test: bool, drop_missing: bool) -> None:
    expected = pa.schema([(name, pa.int64() if name in NUMERIC else pa.string()) for name in COLUMNS])
    assert adult(test=test, drop_missing=drop_missing).schema.equals(expected)


def test_first_training_row() -> None:
    assert list(adult().slice(0, 1).to_pylist()[0].values()) == [
        39,
        "State-gov",
        77_516,
        "Bachelors",
        13,
        "Never-married",
        "Adm-clerical",
        "Not-in-family",
        "White",
        "Male",
        2_174,
        0,
        40,
        "United-States",
        "<=50K",
    ]


def test_training_rows_come_first_then_test_rows() -> None:
    both = adult(test=True)
    assert both.slice(0, 32_561).equals(adult())
    assert list(both.slice(32_561, 1).to_pylist()[0].values()) == [
        25,
        "Private",
        226_802,
        "11th",
        7,
        "Never-married",
        "Machine-op-inspct",
        "Own-child",
        "Black",
        "Male",
        0,
        0,
        40,
        "United-States",
        "<=50K",
    ]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (False, {"workclass": 1_836, "occupation": 1_843, "native-country": 583}),
        (True, {"workclass": 2_799, "occupation": 2_809, "native-country": 857}),
    ],
)
def test_missing_values(test: bool, expected: dict[str, int]) -> None:
    table = adult(test=test)
    assert all(column.null_count == 0 for column in table.columns)
    text = [name for name in COLUMNS if name not in NUMERIC]
    counts = {name: pc.sum(pc.equal(table[name], "?")).as_py() for name in text}
    assert {name: count for name, count in counts.items() if count} == expected


@pytest.mark.parametrize("test", [False, True])
def test_drop_missing_leaves_no_mark_and_keeps_the_order(test: bool) -> None:
    complete = [row for row in adult(test=test).to_pylist() if "?" not in row.values()]
    assert adult(test=test, drop_missing=True).to_pylist() == complete


def test_income_labels() -> None:
    assert Counter(adult()["income"].to_pylist()) == {"<=50K": 24_720, ">50K": 7_841}
    assert Counter(adult(test=True)["income"].to_pylist()) == {"<=50K": 37_155, ">50K": 11_687}


def test_hierarchy_for_each_quasi_identifier() -> None:
    assert list(adult_hierarchies()) == HIERARCHIES


@pytest.mark.parametrize("column", HIERARCHIES)
def test_leaves_are_the_values(column: str) -> None:
    leaves = adult_hierarchies()[column].leaves
    assert len(set(leaves)) == len(leaves)
    assert set(leaves) == values(column) | UNUSED.get(column, set())
    assert not values(column) & UNUSED.get(column, set())


@pytest.mark.parametrize("column", HIERARCHIES)
def test_file_is_one_tree_without_repeated_labels(column: str) -> None:
    lines = tree(column)
    assert lines[0] == (0, "*")
    assert all(1 <= depth <= before + 1 for (before, _), (depth, _) in pairwise(lines))
    assert [label for label, count in Counter(label for _, label in lines).items() if count > 1] == []
    assert all(label and label == label.strip() for _, label in lines)


@pytest.mark.parametrize("column", HIERARCHIES)
def test_leaves_share_a_depth_except_the_missing_mark(column: str) -> None:
    lines = tree(column)
    after = [depth for depth, _ in lines[1:]] + [0]
    pairs = zip(lines, after, strict=True)
    leaves = {label: depth for (depth, label), following in pairs if following <= depth}
    assert set(leaves) == values(column) | UNUSED.get(column, set())
    assert leaves.pop("?", 1) == 1
    assert len(set(leaves.values())) == 1


@pytest.mark.parametrize("column", ["age", "education-num", "hours-per-week"])
def test_range_labels_contain_their_leaves(column: str) -> None:
    path: list[str] = []
    for depth, label in tree(column):
        path[depth:] = [label]
        if "-" not in label and depth:
            bounds = [tuple(map(int, group.split("-"))) for group in path[1:-1]]
            assert bounds
            assert all(low <= int(label) <= high for low, high in bounds)


def test_education_and_its_number_are_grouped_alike() -> None:
    names, numbers = (adult(test=True)[column].to_pylist() for column in ("education", "education-num"))
    pairs = set(zip(names, map(str, numbers), strict=True))
    assert len(pairs) == 16
    number = dict(pairs)
    by_name, by_number = tree("education"), tree("education-num")
    assert [depth for depth, _ in by_name] == [depth for depth, _ in by_number]
    assert [number[label] for _, label in by_name if label in number] == [
        label for depth, label in by_number if depth == 3
    ]
