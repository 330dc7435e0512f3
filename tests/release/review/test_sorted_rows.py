"""Rows in an order that tells more than their labels, and an index that may identify."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import shoal
from release.review.warned import MIXED, ROWS, table, warned
from shoal import KAnonymity

EXCEPT_INDEX = ("small-k", "range-ends", "rare-value")
SHUFFLE = "Release them shuffled (order='shuffled', --shuffle)."


def test_a_pandas_index_that_may_identify():
    frame = pd.DataFrame(table(), index=[f"p{i:03}" for i in range(ROWS)])
    expected = (
        "The index of the frame is released unchanged, with 40 different values in 40 rows: "
        "it may identify people. Drop it if so; saved files do not contain it."
    )
    assert warned(frame, accept=EXCEPT_INDEX) == [expected]
    named = pd.DataFrame(table(), index=pd.RangeIndex(100, 100 + ROWS, name="patient"))
    assert warned(named, accept=EXCEPT_INDEX) == [expected]
    pairs = pd.DataFrame(table(), index=pd.MultiIndex.from_product([range(10), list("abcd")]))
    assert warned(pairs, accept=EXCEPT_INDEX) == [expected]


def test_a_pandas_index_that_names_people_stops_a_release():
    frame = pd.DataFrame(table(), index=[f"ann.{i}@example.org" for i in range(ROWS)])
    with pytest.raises(shoal.ReviewError, match="The index of the frame holds e-mail addresses"):
        warned(frame)
    assert warned(frame.reset_index(drop=True), accept=EXCEPT_INDEX) == []


def test_an_index_that_repeats_what_is_removed_stops_a_release():
    numbers = np.random.RandomState(1).permutation(9000)[:ROWS]
    frame = pd.DataFrame(table(number=numbers), index=numbers)
    expected = "The index of the frame repeats column 'number', which is removed or pseudonymized"
    for options in ({"identifying": "number"}, {"pseudonymize": "number", "key": "a secret of at least 16 bytes"}):
        with pytest.raises(shoal.ReviewError, match=expected):
            warned(frame, **options)
        with pytest.raises(shoal.ReviewError, match=expected):
            warned(frame.set_index(frame["number"].astype(float)), **options)
        assert warned(frame.reset_index(drop=True), accept=EXCEPT_INDEX, **options) == []
    rows = pd.DataFrame(table(number=range(ROWS)))  # which the order of the rows tells anyway
    warned(rows, identifying="number")


def test_the_name_of_an_index_is_evidence_like_that_of_a_column():
    codes = [f"p{i * 7919 % 1000:03}" for i in range(ROWS)]
    named = pd.DataFrame(table(), index=pd.Index(codes, name="patient_id"))
    with pytest.raises(shoal.ReviewError, match="The index of the frame holds codes that tell people apart"):
        warned(named)
    numbered = pd.DataFrame(table(), index=pd.RangeIndex(1, 1 + ROWS, name="patient_id"))
    assert len(warned(numbered, accept=EXCEPT_INDEX)) == 1  # the warning of an index with many values


@pytest.mark.parametrize("index", [None, range(ROWS, 0, -1), [0] * ROWS, ["a", "b"] * 20])
def test_row_numbers_and_groups_are_no_identifiers(index):
    assert warned(pd.DataFrame(table(), index=index), accept=EXCEPT_INDEX) == []


@pytest.mark.parametrize("ages", [range(ROWS), range(ROWS, 0, -1)])
def test_sorted_rows_tell_more_than_ranges(ages):
    expected = "The rows are sorted by 'age' and keep their order, which reveals more than the released labels. "
    assert warned(pa.table({"age": ages})) == [expected + SHUFFLE]
    within = expected.replace("their order", "their order within the classes")
    assert warned(pa.table({"age": ages}), order="classes") == [within + SHUFFLE]
    assert warned(pa.table({"age": ages}), order="shuffled") == []


TOWNS = {"n": ["Oslo", "Ytre"], "s": ["Rome", "Bari"]}


@pytest.mark.parametrize(
    "hierarchies",
    [None, {"town": shoal.Hierarchy.from_nested(TOWNS)}, {"town": shoal.Ordered(["Ytre", "Rome", "Bari", "Oslo"])}],
)
def test_rows_sorted_by_text_under_any_kind_of_hierarchy(hierarchies):
    towns = ["Bari"] * 13 + ["Oslo"] * 13 + ["Rome"] * 7 + ["Ytre"] * 7
    options = {"quasi_identifiers": "town", "hierarchies": hierarchies, "model": KAnonymity(10)}
    assert any("sorted by 'town'" in one for one in warned(pa.table({"town": towns}), **options))
    assert warned(pa.table({"town": towns[::2] + towns[1::2]}), **options) == []


def test_an_order_by_the_tree_or_by_an_order_of_ones_own_is_noticed():
    tree = shoal.Hierarchy.from_nested(TOWNS)
    towns = [town for group in TOWNS.values() for town in group for _ in range(10)]
    options = {"quasi_identifiers": "town", "hierarchies": {"town": tree}, "model": KAnonymity(15)}
    assert any("sorted by 'town'" in one for one in warned(pa.table({"town": towns}), **options))


def test_an_order_that_the_release_shows_anyway_is_no_weak_point():
    assert warned(pa.table({"age": sorted(MIXED)})) == []
    assert warned(pa.table(table(disease=sorted(MIXED))), sensitive="disease") == []
    assert warned(pa.table(table(kind=sorted(MIXED)))) == []


NAMES = [f"name {i:02}" for i in range(ROWS)]


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1], [None, *NAMES[1:]], [str(i) for i in range(ROWS)]])
def test_rows_sorted_by_what_is_removed_tell_whose_they_are(names):
    expected = f"The rows are sorted by 'id' and keep their order, which reveals whose rows they are. {SHUFFLE}"
    frame = pa.table(table(id=names))
    assert warned(frame, identifying="id") == warned(frame, pseudonymize="id", key="x" * 16) == [expected]
    assert warned(frame, identifying="id", order="shuffled") == []
    largely = expected.replace("sorted by", "largely sorted by")
    assert warned(pa.table(table(id=[*names[1:], names[0] or "a"])), identifying="id") == [largely]
    mixed = [names[at] for at in np.random.RandomState(0).permutation(len(names))]
    assert warned(pa.table(table(id=mixed)), identifying="id") == []


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
        accept="suppressed-rows",
    )
    assert found.report.suppressed_rows == 3
    assert [one.split(" and ")[0] for one in found.report.warnings] == [
        "The rows are sorted by 'age'",
        "The rows are sorted by 'id'",
    ]
    assert all(one in found.to_html().replace("&#x27;", "'") for one in found.report.warnings)


def test_rows_sorted_by_lists_or_objects_stop_no_release():
    assert warned(pa.table(table(id=[[i] for i in range(ROWS)])), identifying="id") == []
    assert warned(pd.DataFrame(table(id=np.array([1, "a"] * 20, dtype=object))), identifying="id") == []
