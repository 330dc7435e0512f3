"""Cautions: what a release may still reveal is stated once, as a warning and in the report."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal import DistinctDiversity, KAnonymity, PrivacyWarning

ROWS = 40
MIXED = [i % 2 for i in range(ROWS)]  # in no order, two classes


def said(data, **options):
    options = {"quasi_identifiers": "age", "model": KAnonymity(2), **options}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        release = shoal.anonymize(data, **options)
    assert all(warning.category is PrivacyWarning for warning in caught)
    assert [str(warning.message) for warning in caught] == release.report.warnings
    return release.report.warnings


def table(**columns):
    return {"age": MIXED, **columns}


def test_a_release_without_weak_points_says_nothing():
    assert said(pa.table(table(kind=["a", "b", "c", "d"] * 10))) == []


def test_classes_of_one_sensitive_value():
    diseases = ["flu", "flu", "flu", "cold"] * 10
    assert said(pa.table(table(disease=diseases)), sensitive="disease") == [
        "k = 2 does not protect 'disease': 1 class (20 rows) holds one value. Ask for diversity too."
    ]
    spread = ["flu", "flu", "cold", "cold"] * 10
    assert said(pa.table(table(disease=spread)), sensitive="disease") == []
    model = KAnonymity(2) & DistinctDiversity(2)
    assert said(pa.table(table(disease=spread)), sensitive="disease", model=model) == []


IDENTIFIERS = {
    "numbers": range(ROWS),
    "text": [f"name {i}" for i in range(ROWS)],
    "floats": [i / 7 for i in range(ROWS)],
    "decimals": pa.array(range(ROWS), pa.decimal128(5)),
    "dictionary": pa.array([f"name {i}" for i in range(ROWS)]).dictionary_encode(),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes([i]) * 16 for i in range(ROWS)], pa.binary(16))),
    "views": pa.array([f"name {i}" for i in range(ROWS)]).cast(pa.string_view()),
}


@pytest.mark.parametrize("column", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_a_column_that_may_identify(column):
    assert said(pa.table(table(id=column))) == [
        "Column 'id' is released unchanged, with 40 different values in 40 rows: "
        "it may identify people. Give it a role if so."
    ]


@pytest.mark.parametrize("kind", [pd.Categorical, lambda values: pl.Series(values, dtype=pl.Categorical)])
def test_a_category_that_may_identify(kind):
    names = kind([f"name {i * 7 % ROWS}" for i in range(ROWS)])
    frame = (pl.DataFrame if isinstance(names, pl.Series) else pd.DataFrame)(table(id=names))
    assert len(said(frame)) == 1
    assert said(frame, identifying="id") == said(frame, pseudonymize="id", key="x" * 16) == []


def test_half_the_rows_is_not_too_many_different_values():
    assert said(pa.table(table(kind=[i // 2 for i in range(ROWS)]))) == []


UNCOUNTED = {
    "lists": [[1], [2]] * 20,
    "nothing": pa.nulls(ROWS),
    "structs": [{"a": 1}] * ROWS,
}


@pytest.mark.parametrize("column", UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_cannot_be_counted_stops_no_release(column):
    assert said(pa.table(table(other=column))) == []


def test_objects_of_different_types_stop_no_release():
    assert said(pd.DataFrame(table(other=np.array([1, "a"] * 20, dtype=object)))) == []


def test_a_pandas_index_that_may_identify():
    frame = pd.DataFrame(table(), index=[f"name {i}" for i in range(ROWS)])
    expected = (
        "The index of the frame is released unchanged, with 40 different values in 40 rows: "
        "it may identify people. Drop it if so; saved files do not contain it."
    )
    assert said(frame) == [expected]
    assert said(pd.DataFrame(table(), index=pd.RangeIndex(100, 100 + ROWS, name="patient"))) == [expected]
    assert said(pd.DataFrame(table(), index=pd.MultiIndex.from_product([range(10), list("abcd")]))) == [expected]


@pytest.mark.parametrize("index", [None, range(ROWS, 0, -1), [0] * ROWS, ["a", "b"] * 20])
def test_row_numbers_and_groups_are_no_identifiers(index):
    assert said(pd.DataFrame(table(), index=index)) == []


SHUFFLE = "Release them shuffled (order='shuffled', --shuffle)."


@pytest.mark.parametrize("ages", [range(ROWS), range(ROWS, 0, -1)])
def test_sorted_rows_tell_more_than_ranges(ages):
    expected = "The rows are sorted by 'age' and keep their order, which reveals more than the released labels. "
    assert said(pa.table({"age": ages})) == [expected + SHUFFLE]
    within = expected.replace("their order", "their order within the classes")
    assert said(pa.table({"age": ages}), order="classes") == [within + SHUFFLE]
    assert said(pa.table({"age": ages}), order="shuffled") == []


TOWNS = {"n": ["Oslo", "Ytre"], "s": ["Rome", "Bari"]}


@pytest.mark.parametrize(
    "hierarchies",
    [None, {"town": shoal.Hierarchy.from_nested(TOWNS)}, {"town": shoal.Ordered(["Ytre", "Rome", "Bari", "Oslo"])}],
)
def test_rows_sorted_by_text_under_any_kind_of_hierarchy(hierarchies):
    towns = ["Bari"] * 13 + ["Oslo"] * 13 + ["Rome"] * 7 + ["Ytre"] * 7
    options = {"quasi_identifiers": "town", "hierarchies": hierarchies, "model": KAnonymity(10)}
    assert any("sorted by 'town'" in one for one in said(pa.table({"town": towns}), **options))
    assert said(pa.table({"town": towns[::2] + towns[1::2]}), **options) == []


def test_an_order_by_the_tree_or_by_an_order_of_ones_own_is_noticed():
    tree = shoal.Hierarchy.from_nested(TOWNS)
    towns = [town for group in TOWNS.values() for town in group for _ in range(10)]
    options = {"quasi_identifiers": "town", "hierarchies": {"town": tree}, "model": KAnonymity(15)}
    assert any("sorted by 'town'" in one for one in said(pa.table({"town": towns}), **options))


def test_an_order_that_the_release_shows_anyway_is_no_weak_point():
    assert said(pa.table({"age": sorted(MIXED)})) == []
    assert said(pa.table(table(disease=sorted(MIXED))), sensitive="disease") == []
    assert said(pa.table(table(kind=sorted(MIXED)))) == []


NAMES = [f"name {i:02}" for i in range(ROWS)]


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1], [None, *NAMES[1:]], [str(i) for i in range(ROWS)]])
def test_rows_sorted_by_what_is_removed_tell_whose_they_are(names):
    expected = f"The rows are sorted by 'id' and keep their order, which reveals whose rows they are. {SHUFFLE}"
    frame = pa.table(table(id=names))
    assert said(frame, identifying="id") == said(frame, pseudonymize="id", key="x" * 16) == [expected]
    assert said(frame, identifying="id", order="shuffled") == []
    assert said(pa.table(table(id=[*names[1:], names[0] or "a"])), identifying="id") == []


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_an_order_of_the_rows_in_classes_whatever_suppressed_rows_hold():
    ages = [*range(20, 60), 200, 0, 100]  # the last three are suppressed
    found = shoal.anonymize(
        pa.table({"age": ages, "town": ["Rome"] * 40 + ["Oslo", "Bari", "Ytre"], "id": ages}),
        quasi_identifiers=["age", "town"],
        identifying="id",
        hierarchies={"age": "intervals:10", "town": "flat"},
        model=KAnonymity(5),
        algorithm=shoal.FullDomain(levels={"age": 1, "town": 0}),
        max_suppression=3,
    )
    assert found.report.suppressed_rows == 3
    assert [one.split(" and ")[0] for one in found.report.warnings] == [
        "The rows are sorted by 'age'",
        "The rows are sorted by 'id'",
    ]
    assert all(one in found.to_html().replace("&#x27;", "'") for one in found.report.warnings)


def test_rows_sorted_by_lists_or_objects_stop_no_release():
    assert said(pa.table(table(id=[[i] for i in range(ROWS)])), identifying="id") == []
    assert said(pd.DataFrame(table(id=np.array([1, "a"] * 20, dtype=object))), identifying="id") == []


def test_a_tiny_table():
    assert said(pa.table({"age": [30, 31, 32]})) == [
        "The table has 3 rows, too few for two classes under k = 2: all rows are one class."
    ]
    assert said(pa.table({"age": [30, 31, 32, 33]})) == []
