"""Encoding: which values a column has, in which order, and that a missing value is one of them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import Hierarchy, HierarchyError, InputError, KAnonymity, Ordered, Style
from shoal.data.column import read_column
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain, TreeDomain
from shoal.data.encoding import domain_of, encode
from strategies import histogram

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

NOON = dt.datetime(2020, 1, 2, 12)
PARIS = dt.timezone(dt.timedelta(hours=1))


def column(values, missing=()):
    array = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([pa.array(values)])
    return read_column("c", array, missing)


def shown(values, guide=None, missing=(), style=Style()):  # noqa: B008
    """The domain of the values and the label of each."""
    read = column(values, missing)
    domain, codes = domain_of(read, guide, style)
    places = np.append(codes, domain.missing)[read.places]
    return domain, [domain.labels[code] for code in places]


# Types


@pytest.mark.parametrize(
    ("values", "kind", "labels"),
    [
        ([10, 9, 10], NumericDomain, ["10", "9", "10"]),
        (["10", "9", "10"], NumericDomain, ["10", "9", "10"]),
        (["007", "9"], SetDomain, ["007", "9"]),
        (["1,5", "9"], SetDomain, ["1,5", "9"]),
        ([2.0, 0.5], NumericDomain, ["2", "0.5"]),
        (pa.array([0.1, 2], pa.float32()), NumericDomain, ["0.1", "2"]),
        ([True, False], SetDomain, ["true", "false"]),
        (["b", "a"], SetDomain, ["b", "a"]),
        ([dt.date(2020, 1, 2), dt.date(2019, 1, 1)], NumericDomain, ["2020-01-02", "2019-01-01"]),
        ([dt.datetime(2020, 1, 2)], NumericDomain, ["2020-01-02"]),
        ([NOON], NumericDomain, ["2020-01-02 12:00:00"]),
        (pa.array([NOON.replace(tzinfo=PARIS)]), NumericDomain, ["2020-01-02 12:00:00+01:00"]),
        (pa.array([1000], pa.timestamp("ns")), NumericDomain, ["1970-01-01 00:00:00.000001"]),
        (pa.array([1], pa.timestamp("ns")), SetDomain, ["1970-01-01 00:00:00.000000001"]),
        ([dt.time(9, 30), dt.time(8)], NumericDomain, ["09:30:00", "08:00:00"]),
        ([dt.timedelta(hours=3)], NumericDomain, ["3:00:00"]),
        ([Decimal("1.50"), Decimal("0.25")], NumericDomain, ["1.50", "0.25"]),
        (pa.array(["b", "a"], pa.large_string()), SetDomain, ["b", "a"]),
        (pa.array(["b", "a"]).cast(pa.string_view()), SetDomain, ["b", "a"]),
    ],
)
@pytest.mark.parametrize("as_dictionary", [False, True])
def test_every_type_has_its_labels_as_such_and_as_a_dictionary(values, kind, labels, as_dictionary):
    array = pa.array(values)
    domain, found = shown(array.dictionary_encode() if as_dictionary else array)
    assert (type(domain), found) == (kind, labels)


def test_numbers_dates_and_times_are_in_their_order():
    assert shown([10, 9, -1])[0].labels == ("-1", "9", "10")
    assert shown(["10", "9", "-1"])[0].labels == ("-1", "9", "10")
    assert shown([dt.time(10), dt.time(9)])[0].labels == ("09:00:00", "10:00:00")
    assert shown([dt.timedelta(10), dt.timedelta(9)])[0].labels == ("9 days, 0:00:00", "10 days, 0:00:00")
    early, late = NOON.replace(tzinfo=PARIS), NOON.replace(tzinfo=dt.UTC)
    assert shown(pa.array([late, early], pa.timestamp("us", "UTC")))[0].labels[0] == "2020-01-02 11:00:00+00:00"


def test_whole_numbers_too_large_for_floats_stay_apart():
    numbers = [2**60, 2**60 + 1, 2**60 + 2]
    assert shown(numbers)[1] == [str(number) for number in numbers]
    assert shown(pa.array([2**63 + 1, 2**63], pa.uint64()))[1] == [str(2**63 + 1), str(2**63)]
    assert shown([str(number) for number in numbers])[1] == [str(number) for number in numbers]


def test_of_two_spellings_of_a_number_the_shorter_is_shown():
    assert shown(["1.50", "1.5", "2"])[1] == ["1.5", "1.5", "2"]
    assert shown(["1.50", "2.25"])[1] == ["1.50", "2.25"]


def test_chunks_with_different_dictionaries_are_read_as_one():
    chunks = pa.chunked_array([pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()])
    assert shown(chunks)[1] == ["a", "b", "c", "a"]


@pytest.mark.parametrize("index", [pa.int8(), pa.uint8(), pa.uint32()])
def test_a_dictionary_may_have_missing_values_repeats_and_leftovers(index):
    indices = pa.array([0, None, 1, 2, 3], index)
    values = pa.DictionaryArray.from_arrays(indices, pa.array(["a", None, "a", "b", "never"]))
    domain, labels = shown(values)
    assert labels == ["a", "?", "?", "a", "b"]
    assert set(domain.labels) == {"a", "b", "?"}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pa.array([[1]]), "list<item: int64>"),
        (pa.array([{"a": 1}]), "struct<a: int64>"),
        (pa.array([b"x"]), "binary"),
        (pa.array([b"x"], pa.large_binary()), "large_binary"),
        (pa.array([b"x"], pa.binary(1)), "fixed_size_binary[1]"),
        (pa.array([b"x"]).dictionary_encode(), "binary"),
        (pa.array([pa.MonthDayNano([1, 2, 3])]), "month_day_nano_interval"),
        (pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"x" * 16], pa.binary(16))), "extension<arrow.uuid>"),
    ],
)
def test_what_cannot_be_grouped_is_refused_by_its_type(values, kind):
    with pytest.raises(InputError) as error:
        column(values)
    assert str(error.value) == (
        f"Column 'c' holds values of type {kind}, which shoal cannot group: convert it to text."
    )


@pytest.mark.parametrize("number", [float("inf"), float("-inf")])
def test_infinite_numbers_are_refused(number):
    with pytest.raises(InputError) as error:
        column([1.0, number])
    expected = f"Column 'c' holds the value {number}: replace it by a number or a missing value."
    assert str(error.value) == expected


def test_a_time_outside_the_calendar_is_refused():
    with pytest.raises(InputError) as error:
        column(pa.array([2**62], pa.timestamp("s")))
    assert str(error.value) == (
        "Column 'c' holds a time before the year 1 or after 9999: replace it by a missing value."
    )


FRAMES = {
    "pandas floats": pd.DataFrame({"c": [1, 2, np.nan] * 2}),
    "pandas Int64": pd.DataFrame({"c": pd.array([1, 2, None] * 2, dtype="Int64")}),
    "pandas objects": pd.DataFrame({"c": np.array(["1", "2", None] * 2, dtype=object)}),
    "pandas str": pd.DataFrame({"c": pd.array(["1", "2", None] * 2, dtype="str")}),
    "pandas string": pd.DataFrame({"c": pd.array(["1", "2", None] * 2, dtype="string")}),
    "pandas arrow": pd.DataFrame({"c": pd.array([1, 2, None] * 2, dtype="int64[pyarrow]")}),
    "pandas category": pd.DataFrame({"c": pd.Categorical([1, 2, None] * 2)}),
    "polars null": pl.DataFrame({"c": [1, 2, None] * 2}),
    "polars NaN": pl.DataFrame({"c": [1.0, 2.0, float("nan")] * 2}),
    "polars both": pl.DataFrame({"c": [1.0, 2.0, float("nan"), 1.0, 2.0, None]}),
    "polars category": pl.DataFrame({"c": pl.Series(["1", "2", None] * 2, dtype=pl.Categorical)}),
    "polars enum": pl.DataFrame({"c": pl.Series(["1", "2", None] * 2, dtype=pl.Enum(["2", "1"]))}),
    "pyarrow": pa.table({"c": [1, 2, None] * 2}),
    "pyarrow dictionary": pa.table({"c": pa.array(["1", "2", None] * 2).dictionary_encode()}),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_missing_is_missing_in_every_kind_of_frame(frame):
    release = shoal.anonymize(frame, quasi_identifiers="c", model=KAnonymity(2))
    assert list(pa.array(release.frame["c"]).to_pylist()) == ["1", "2", "?"] * 2


# Missing values


DOMAINS = {
    "numeric": (["1", "2", "3", "4"], None, NumericDomain),
    "set": (["a", "b", "c", "d"], None, SetDomain),
    "tree": (["a", "b", "c", "d"], Hierarchy.by_order("abcd"), TreeDomain),
    "flat": (["a", "b", "c", "d"], Hierarchy.flat("abcd"), TreeDomain),
    "ordered": (["a", "b", "c", "d"], Ordered(list("abcd")), RangeDomain),
}


@pytest.mark.parametrize(("values", "guide", "kind"), DOMAINS.values(), ids=DOMAINS)
@pytest.mark.parametrize("mark", [None, "?", "", "NA"])
def test_a_missing_value_is_a_value_of_its_own(values, guide, kind, mark):
    domain, labels = shown([*values, mark], guide, missing=["?", "", "NA"], style=Style(missing="unknown"))
    assert (type(domain), labels) == (kind, [*values, "unknown"])
    assert domain.labels[domain.missing] == "unknown"


@pytest.mark.parametrize("mark", ["?", "", "NA"])
def test_what_looks_missing_is_a_value_unless_named(mark):
    domain, labels = shown(["a", mark])
    assert (labels, domain.missing) == (["a", mark], -1)


def test_a_number_can_mean_missing():
    assert shown([30, 999, 31], missing=["999"])[1] == ["30", "?", "31"]


def test_a_label_for_missing_that_the_data_has_is_the_same_value():
    assert shown(["a", "?", None])[1] == ["a", "?", "?"]
    assert set(shown(["a", "?", None])[0].labels) == {"a", "?"}


@pytest.mark.parametrize(("values", "guide", "kind"), DOMAINS.values(), ids=DOMAINS)
@pytest.mark.parametrize("suppressed", ["keep", "drop"])
def test_one_row_with_a_missing_value_never_stands_alone(values, guide, kind, suppressed):
    table = pa.table({"q": values * 3 + [None], "r": ["x", "y"] * 6 + ["x"]})
    guides = {"q": guide} if guide else {}
    release = shoal.anonymize(
        table, quasi_identifiers=["q", "r"], hierarchies=guides, model=KAnonymity(2), suppressed=suppressed
    )
    sizes = Counter(zip(release.frame["q"].to_pylist(), release.frame["r"].to_pylist(), strict=True))
    assert min(sizes.values()) >= 2
    assert release.frame.num_rows == 13
    assert release.frame["q"][12].as_py() not in {*values, "?"}


@pytest.mark.parametrize(("values", "guide", "kind"), DOMAINS.values(), ids=DOMAINS)
def test_rows_that_all_miss_a_value_may_show_that(values, guide, kind):
    table = pa.table({"q": values * 2 + [None, None]})
    guides = {"q": guide} if guide else {}
    release = shoal.anonymize(table, quasi_identifiers="q", hierarchies=guides, model=KAnonymity(2))
    assert release.frame["q"].to_pylist() == [*values * 2, "?", "?"]


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=4, max_size=20),
    kind=st.sampled_from(["number", "set", "tree", "ordered"]),
    k=st.integers(2, 4),
)
def test_classes_count_missing_values_in_every_domain(values, kind, k):
    texts = [None if value is None else f"v{value}" for value in values]
    if all(value is None for value in values):
        return
    domain = [f"v{i}" for i in range(6)]
    guide = {"tree": Hierarchy.by_order(domain), "ordered": Ordered(domain)}.get(kind)
    table = pa.table({"q": values if kind == "number" else texts, "r": [i % 2 for i in range(len(values))]})
    release = shoal.anonymize(
        table, quasi_identifiers=["q", "r"], hierarchies={"q": guide} if guide else None, model=KAnonymity(k)
    )
    shown = zip(release.frame["q"].to_pylist(), release.frame["r"].to_pylist(), strict=True)
    assert min(Counter(shown).values()) >= k
    assert not release.frame["q"].null_count


def test_dropping_rows_with_missing_values_says_how_many():
    table = pa.table({"q": ["1", "2", None, "?", "1", "2"], "r": ["x", "x", "x", "x", "x", None]})
    release = shoal.anonymize(
        table, quasi_identifiers=["q", "r"], model=KAnonymity(3), missing_values="?", drop_missing=True
    )
    assert (release.report.dropped_rows, release.report.rows, release.report.input["rows"]) == (3, 3, 6)
    assert release.frame["q"].to_pylist() == ["1-2"] * 3


def test_a_missing_sensitive_value_stays_missing_and_counts_as_a_value():
    table = pa.table({"q": ["1", "1"], "s": ["flu", None]})
    model = KAnonymity(2) & shoal.DistinctDiversity(2)
    release = shoal.anonymize(table, quasi_identifiers="q", sensitive="s", model=model)
    assert release.frame.to_pydict() == {"q": ["1", "1"], "s": ["flu", None]}


def test_nothing_left_after_dropping_is_refused():
    with pytest.raises(InputError) as error:
        shoal.anonymize(
            pa.table({"q": ["1", None], "r": [None, "x"]}),
            quasi_identifiers=["q", "r"],
            model=KAnonymity(2),
            drop_missing=True,
        )
    assert (
        str(error.value)
        == "Every row misses a quasi-identifying or sensitive value: nothing is left when such rows are dropped."
    )


def test_a_column_of_missing_values_is_no_quasi_identifier():
    for values in ([None, None], ["?", None]):
        with pytest.raises(InputError) as error:
            shoal.anonymize(
                pa.table({"q": pa.array(values, pa.string())}),
                quasi_identifiers="q",
                model=KAnonymity(2),
                missing_values=["?"],
            )
        expected = "Column 'q' has only missing values: leave it out of the quasi-identifiers."
        assert str(error.value) == expected


def test_missing_values_are_a_class_of_their_own_for_an_assessment():
    found = shoal.assess(pa.table({"q": ["a", "a", None]}), quasi_identifiers="q")
    assert (found.k, found.classes, found.unique_rows) == (1, 2, 1)


# Guides


@pytest.mark.parametrize(("guide", "what"), [(Hierarchy.flat("ab"), "hierarchy"), (Ordered(list("ab")), "order")])
def test_unknown_values_are_named_with_their_column_and_rows(guide, what):
    with pytest.raises(HierarchyError) as error:
        shown([*"abcdefc"], guide)
    assert str(error.value) == (
        f"Column 'c': the {what} lacks 'c', 'd', 'e', … (4 values, 5 rows). "
        f"Add the missing values, or name them as missing."
    )


def test_one_unknown_value_is_told_in_the_singular():
    with pytest.raises(HierarchyError, match=r"lacks 'x' \(1 value, 1 row\)\."):
        shown(["a", "x"], Hierarchy.flat("a"))


def test_numbers_and_dates_are_looked_up_as_they_are_written():
    assert shown([30.0, 31.0], Hierarchy.flat(["30", "31"]))[1] == ["30", "31"]
    assert shown([dt.datetime(2020, 1, 2)], Hierarchy.flat(["2020-01-02"]))[1] == ["2020-01-02"]
    assert shown([True], Hierarchy.flat(["true"]))[1] == ["true"]


def test_a_builder_is_given_the_values_in_their_order_with_their_counts():
    given = {}

    def build(counts):
        given.update(counts)
        return Hierarchy.flat(counts)

    shown([10, 9, 10, None], build)
    assert list(given.items()) == [("9", 1), ("10", 2)]


def test_a_table_has_one_row_of_codes_for_each_row():
    columns = {"q": pa.chunked_array([["b", "a", None]]), "s": pa.chunked_array([[1, 1, 2]])}
    table = encode(columns, quasi=["q"], sensitive=["s"], guides={}, style=Style())
    assert table.codes.tolist() == [[2], [1], [0]]
    assert table.sensitive_codes.tolist() == [[0], [0], [1]]
    assert table.weights.tolist() == [1, 1, 1]


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 3)), min_size=1, max_size=40))
def test_different_values_are_counted_as_a_histogram_would(rows):
    columns = {"q": pa.chunked_array([[0] * len(rows)]), "s": pa.chunked_array([[str(value) for _, value in rows]])}
    table = encode(columns, quasi=["q"], sensitive=["s"], guides={}, missing_values=(), style=Style())
    classes = table.classes(np.array([number for number, _ in rows], np.int32))
    expected = np.zeros((len(classes), len(table.overall["s"].labels)), np.int64)
    for (number, _), code in zip(rows, table.sensitive_codes[:, 0], strict=True):
        if number >= 0:
            expected[number, code] += 1
    assert histogram(classes, "s").tolist() == expected.tolist()
    assert classes.distinct("s").tolist() == np.count_nonzero(expected, axis=1).tolist()
    every = np.arange(len(classes)) % 2 == 0
    assert classes.some(every).distinct("s").tolist() == classes.distinct("s")[every].tolist()
