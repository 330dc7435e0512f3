"""What must hold for the content of any column."""

from __future__ import annotations

import random
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from release.review.columns import MUST, MUST_NOT, arrow
from shoal.release.review.content import content_of
from shoal.release.review.sampling import SAMPLE_ROWS, Sample, spread

ANY = [(name, values) for name, values, _ in MUST] + MUST_NOT
NAMES = st.sampled_from(["x", "name", "id", "patient_id", "dob", "lat", "phone", "city", "", "?", "a\nb"])
TYPES = st.sampled_from([
    pa.null(), pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.string(),
    pa.large_string(), pa.string_view(), pa.binary(), pa.binary(4), pa.binary_view(), pa.date32(), pa.date64(),
    pa.timestamp("s"), pa.timestamp("ns", "Europe/Berlin"), pa.time32("s"), pa.time64("ns"), pa.duration("ms"),
    pa.decimal128(8, 2), pa.decimal256(40, 3), pa.list_(pa.string()), pa.list_(pa.list_(pa.int8())),
    pa.list_(pa.int8(), 2), pa.large_list(pa.float32()),
    pa.struct([("a", pa.string())]), pa.map_(pa.string(), pa.int8()),
    pa.dictionary(pa.int8(), pa.string()), pa.month_day_nano_interval(),
])  # fmt: skip
VALUES = {
    pa.types.is_boolean: st.booleans(),
    pa.types.is_integer: st.integers(0, 127),
    pa.types.is_floating: st.floats(width=16),
    pa.types.is_decimal: st.decimals(-999, 999, places=2, allow_nan=False),
    pa.types.is_date: st.dates(),
    pa.types.is_timestamp: st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)),
    pa.types.is_time: st.times(),
    pa.types.is_duration: st.timedeltas(timedelta(-99), timedelta(99)),
    pa.types.is_fixed_size_binary: st.binary(min_size=4, max_size=4),
    pa.types.is_binary: st.binary(max_size=40),
    pa.types.is_binary_view: st.binary(max_size=40),
}


def values_of(kind: pa.DataType) -> st.SearchStrategy[object]:
    if pa.types.is_null(kind) or pa.types.is_interval(kind):
        return st.none()
    if pa.types.is_fixed_size_list(kind):
        return st.lists(values_of(kind.value_type), min_size=2, max_size=2)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return st.none() | st.lists(values_of(kind.value_type), max_size=3)
    if pa.types.is_struct(kind):
        return st.fixed_dictionaries({"a": st.text()})
    if pa.types.is_map(kind):
        return st.lists(st.tuples(st.text(), st.integers(0, 9)), max_size=2)
    for of, values in VALUES.items():
        if of(kind):
            return st.none() | values
    return st.none() | st.text(max_size=30) | st.sampled_from(["John Smith", "ann@example.org", "1990-01-01", "P0017"])


@st.composite
def columns(draw: st.DrawFn) -> pa.ChunkedArray:
    kind = draw(TYPES)
    values = values_of(kind.value_type if pa.types.is_dictionary(kind) else kind)
    chunks = draw(st.lists(st.lists(values, max_size=30), max_size=3))
    if pa.types.is_dictionary(kind):
        encoded = [pa.array(chunk, kind.value_type).dictionary_encode().cast(kind) for chunk in chunks]
        return pa.chunked_array(encoded, kind)
    return pa.chunked_array([pa.array(chunk, kind) for chunk in chunks], kind)


@given(NAMES, columns())
def test_any_column_is_looked_at_without_an_error(name: str, column: pa.ChunkedArray) -> None:
    found = content_of(name, column, missing=["-"])
    if found is not None:
        assert 0 < found.share <= 1
        assert found.code in ("identifying-column", "free-text")


@given(st.sampled_from(ANY), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(column: tuple[str, list[object]], order: random.Random) -> None:
    name, values = column
    shuffled = order.sample(values, len(values))
    assert content_of(name, arrow(values)) == content_of(
        name, pa.chunked_array([pa.array(shuffled, arrow(values).type)])
    )


def repeated(column: pa.ChunkedArray, times: int) -> pa.ChunkedArray:
    return pa.chunked_array(column.chunks * times)


@pytest.mark.parametrize(
    ("name", "values", "kind"), [one for one in MUST if one[2] not in ("codes that tell people apart", "free text")]
)
def test_values_that_repeat_are_what_they_were(name: str, values: list[object], kind: str) -> None:
    found = content_of(name, repeated(arrow(values), 15))
    assert found == content_of(name, arrow(values))
    assert found is not None


@pytest.mark.parametrize(("name", "values"), MUST_NOT)
def test_no_repeats_alarm(name: str, values: list[object]) -> None:
    assert content_of(name, repeated(arrow(values), 40)) is None


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())])
def test_all_types_of_text_are_read(kind: pa.DataType) -> None:
    texts = pa.array(["John Smith", "Mary Jones", None])
    column = texts.dictionary_encode() if pa.types.is_dictionary(kind) else texts.cast(kind)
    found = content_of("x", pa.chunked_array([column]))
    assert found is not None
    assert found.kind == "names of people"


def test_missing_values_do_not_count() -> None:
    column = arrow(["ann@example.org", "bob@example.org", *["none given"] * 40, None, "?"])
    found = content_of("x", column, missing=["none given"])
    assert found is not None
    assert found.share == 1


def test_rows_are_taken_from_the_whole_column() -> None:
    late = pa.chunked_array([["a"] * SAMPLE_ROWS, [f"u{at}@example.org" for at in range(SAMPLE_ROWS)]])
    found = content_of("x", late)
    assert found is not None
    assert found.kind == "e-mail addresses"
    taken = spread(pa.chunked_array([list(range(15_000)), [], list(range(15_000, 50_000))])).to_pylist()
    assert len(taken) == SAMPLE_ROWS
    assert max(later - earlier for earlier, later in pairwise(taken)) <= 4


@pytest.mark.parametrize("rows", [20, 500, 30_000])
def test_numbers_that_count_the_rows_are_found_in_any_order(rows: int) -> None:
    order = random.Random(rows).sample(range(rows), rows)
    assert content_of("x", pa.array(order)) is not None
    assert content_of("x", pa.array([number // 2 for number in order])) is None


def test_numbers_of_a_large_table_that_repeat_do_not_count_its_rows() -> None:
    draw = random.Random(1)
    assert content_of("x", pa.array([draw.randrange(400_000) for _ in range(400_000)])) is None


def test_typed_values_are_read_as_they_are_written() -> None:
    assert Sample.of(pa.array([1.0, 2.5, None, float("nan")])).texts == ("1", "2.5")
    assert Sample.of(pa.array([Decimal("1.50")])).texts == ("1.50",)
    assert Sample.of(pa.array([date(1990, 1, 2)])).texts == ("1990-01-02",)
    assert Sample.of(pa.array([time(8, 30)])).texts == ("08:30:00",)
    assert Sample.of(pa.array([b"text", b"\0" * 5, bytes(range(16))])).texts == (
        "000102030405060708090a0b0c0d0e0f",
        "text",
    )
