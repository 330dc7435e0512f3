"""The memory of a released frame holds only the values of its rows: none of rows that were cut off or under nulls."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, strategies as st

import shoal
from depth import every
from shoal.data.arrow_categories import own_cells, plain_type, taken

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

ROWS, HALF = 60, 30
MARK = b"secret value"
TEXTS = [f"note {row % 5}" if row < HALF else f"secret value {row}" for row in range(ROWS)]
STAYS = pa.array([row < HALF for row in range(ROWS)])
ENDS = pa.array(range(ROWS + 1), pa.int32())
LONG_ENDS = ENDS.cast(pa.int64())
HOW = {"quasi_identifiers": "age", "model": shoal.KAnonymity(2)}


def noted(given) -> dict:
    """How tables are released, with their notes, whatever these hold."""
    columns = getattr(given, "column_names", None) or list(given.columns)
    return HOW | ({"keep": "note"} if "note" in columns else {})


def coded(*, ordered: bool = False) -> pa.DictionaryArray:
    encoded = pa.array(TEXTS).dictionary_encode()
    return pa.DictionaryArray.from_arrays(encoded.indices, encoded.dictionary, ordered=ordered)


def under_nulls(array: pa.Array) -> pa.Array:
    """The array with its second half missing, whose values stay in memory."""
    bits = pa.py_buffer(np.packbits(STAYS.to_numpy(zero_copy_only=False), bitorder="little").tobytes())
    inner = [array.field(at) for at in range(array.type.num_fields)] if pa.types.is_struct(array.type) else []
    if not inner and array.type.num_fields:
        inner = [array.values]
    own = [None, *array.buffers()[1 : array.type.num_buffers]]
    return pa.Array.from_buffers(array.type, len(array), [bits, *own[1:]], children=inner or None)


COLUMNS = {
    "text": pa.array(TEXTS),
    "long text": pa.array(TEXTS, pa.large_string()),
    "bytes": pa.array([text.encode() for text in TEXTS]),
    "fixed bytes": pa.array([text.ljust(15).encode() for text in TEXTS], pa.binary(15)),
    "view": pa.array(TEXTS, pa.string_view()),
    "view of bytes": pa.array([text.encode() for text in TEXTS], pa.binary_view()),
    "category": coded(),
    "ordered category": coded(ordered=True),
    "list": pa.ListArray.from_arrays(ENDS, pa.array(TEXTS)),
    "list of views": pa.ListArray.from_arrays(ENDS, pa.array(TEXTS, pa.string_view())),
    "large list": pa.LargeListArray.from_arrays(LONG_ENDS, pa.array(TEXTS)),
    "list view": pa.ListViewArray.from_arrays(ENDS[:-1], pa.array([1] * ROWS, pa.int32()), pa.array(TEXTS)),
    "large list view": pa.LargeListViewArray.from_arrays(LONG_ENDS[:-1], pa.array([1] * ROWS), pa.array(TEXTS)),
    "list view of categories": pa.ListViewArray.from_arrays(ENDS[:-1], pa.array([1] * ROWS, pa.int32()), coded()),
    "fixed list": pa.FixedSizeListArray.from_arrays(pa.array(TEXTS), 1),
    "fixed list of views": pa.FixedSizeListArray.from_arrays(pa.array(TEXTS, pa.string_view()), 1),
    "struct": pa.StructArray.from_arrays([pa.array(TEXTS), pa.array(range(ROWS))], ["a", "b"]),
    "struct of views": pa.StructArray.from_arrays([pa.array(TEXTS, pa.string_view())], ["a"]),
    "struct of categories": pa.StructArray.from_arrays([coded()], ["a"]),
    "list of structs": pa.ListArray.from_arrays(ENDS, pa.StructArray.from_arrays([pa.array(TEXTS)], ["a"])),
    "struct of lists": pa.StructArray.from_arrays([pa.ListArray.from_arrays(ENDS, pa.array(TEXTS))], ["a"]),
    "map": pa.MapArray.from_arrays(ENDS, pa.array(TEXTS), pa.array(TEXTS)),
    "map of views": pa.MapArray.from_arrays(ENDS, pa.array(TEXTS), pa.array(TEXTS, pa.string_view())),
    "json": pa.ExtensionArray.from_storage(pa.json_(), pa.array([f'"{text}"' for text in TEXTS])),
}  # fmt: skip
HIDDEN = [
    kind
    for kind, column in COLUMNS.items()
    if kind not in ("category", "ordered category", "json", "map", "map of views") and "view" not in kind
]


def table(column: pa.Array) -> pa.Table:
    return pa.table({"age": [20 + row % 3 for row in range(len(column))], "note": column})


def tells(frame) -> list[str]:
    """The forms in which the bytes of a frame have what is not in its cells."""
    forms = {"pickle": pickle.dumps(frame)}
    out = io.BytesIO()
    if isinstance(frame, pa.Table):
        with pa.ipc.new_file(out, frame.schema) as writer:
            writer.write_table(frame)
    if isinstance(frame, pl.DataFrame):
        frame.write_ipc(out)
    forms["ipc"] = out.getvalue()
    return [form for form, content in forms.items() if MARK in content]


@pytest.mark.parametrize("order", every(2, ["rows", "classes", "shuffled"]))
@pytest.mark.parametrize("kind", COLUMNS)
def test_a_slice_of_a_longer_table(kind, order):
    given = table(COLUMNS[kind]).slice(0, HALF)
    assert tells(given)
    frame = shoal.anonymize(given, **noted(given), order=order).frame
    assert frame["note"].type == given["note"].type
    assert sorted(map(str, frame["note"].to_pylist())) == sorted(map(str, given["note"].to_pylist()))
    assert not tells(frame)


@pytest.mark.parametrize("kind", COLUMNS)
def test_rows_that_are_dropped(kind):
    ages = [20 + row % 3 if row < HALF else None for row in range(ROWS)]
    given = pa.table({"age": ages, "note": COLUMNS[kind]})
    for order in ("rows", "classes", "shuffled"):
        assert not tells(shoal.anonymize(given, **noted(given), drop_missing=True, order=order).frame)
    ages = [20 + row % 3 if row < HALF else 1000 + 7 * row for row in range(ROWS)]
    given = pa.table({"age": ages, "note": COLUMNS[kind]})
    how = noted(given) | {"algorithm": "full-domain", "hierarchies": {"age": "intervals:1,2"}, "max_suppression": 0.5}
    assert not tells(shoal.anonymize(given, **how, suppressed="drop").frame)


@pytest.mark.parametrize("kind", HIDDEN)
def test_values_under_nulls(kind):
    given = table(under_nulls(COLUMNS[kind]))
    assert tells(given)
    assert given["note"].null_count == HALF
    frame = shoal.anonymize(given, **noted(given)).frame
    assert frame["note"].to_pylist() == given["note"].to_pylist()
    assert not tells(frame)


def test_numbers_under_nulls():
    number = 7_777_777_777
    for column in (under_nulls(pa.array([number] * ROWS)), under_nulls(pa.array([[number]] * ROWS))):
        frame = shoal.anonymize(table(column), keep="note", **HOW).frame
        assert pickle.dumps(frame).count(number.to_bytes(8, "little")) == HALF


def polars_cases():
    whole = pl.DataFrame({"age": [20 + row % 3 for row in range(ROWS)], "note": TEXTS})
    first = pl.int_range(ROWS) < HALF
    note, nested = pl.col("note"), pl.struct("note", "age")
    yield "slice", whole.head(HALF)
    yield "categories", whole.with_columns(note.cast(pl.Categorical)).head(HALF)
    yield "enumeration", whole.with_columns(note.cast(pl.Enum(sorted(set(TEXTS))))).head(HALF)
    for name, expression in {
        "text": note,
        "bytes": note.cast(pl.Binary),
        "categories": note.cast(pl.Categorical),
        "struct": nested,
        "list": pl.concat_list(note),
        "list of structs": pl.concat_list(nested),
        "array": pl.concat_list(note).list.to_array(1),
        "enumeration": pl.concat_list(note).cast(pl.List(pl.Enum(sorted(set(TEXTS))))),
    }.items():
        made = whole.with_columns(expression.alias("note"))
        yield f"{name} under nulls", made.with_columns(pl.when(first).then("note").alias("note"))
        yield f"slice of {name}", made.head(HALF)


@pytest.mark.parametrize(("name", "given"), [pytest.param(*case, id=case[0]) for case in polars_cases()])
def test_frames_of_polars(name, given):
    frame = shoal.anonymize(given, **noted(given)).frame
    assert frame["note"].to_list() == given["note"].to_list()
    if "enum" not in name:
        assert frame["note"].dtype == given["note"].dtype
    assert not tells(frame)


def test_wide_numbers_of_polars_keep_their_type():
    wide = pl.Series([2**100, None, 1, 2], dtype=pl.Int128)
    for column in (wide, wide.reshape((4, 1)).arr.to_list()):
        given = pl.DataFrame({"age": [1, 1, 2, 2], "n": column})
        frame = shoal.anonymize(given, **noted(given)).frame
        assert frame["n"].dtype == column.dtype
        assert frame["n"].to_list() == column.to_list()


def pandas_cases():
    whole = table(pa.array(TEXTS)).to_pandas()
    for name, kind in {"str": "str", "object": object, "string": "string", "arrow": pd.ArrowDtype(pa.string())}.items():
        for form in ("slice", "filter", "nulls"):
            given = whole.astype({"note": kind})
            if form == "nulls":
                given.loc[HALF:, "note"] = None
            else:
                given = given.iloc[:HALF] if form == "slice" else given[given.index < HALF]
            yield f"{name}, {form}", given
    yield "categories", whole.astype({"note": "category"}).iloc[:HALF]
    yield "ordered", whole.astype({"note": pd.CategoricalDtype(sorted(set(TEXTS)), ordered=True)}).iloc[:HALF]
    kind = pd.ArrowDtype(coded().type)
    yield "categories of Arrow", whole.astype({"note": kind}).iloc[:HALF]
    only = whole[["age"]]
    yield "index", only.set_index(pd.Index(TEXTS)).iloc[:HALF]
    yield "index of categories", only.set_index(pd.CategoricalIndex(TEXTS)).iloc[:HALF]
    yield "index of levels", only.set_index(pd.MultiIndex.from_arrays([TEXTS, TEXTS])).iloc[:HALF]


@pytest.mark.parametrize("given", [pytest.param(given, id=name) for name, given in pandas_cases()])
def test_frames_of_pandas(given):
    before = given.copy()
    frame = shoal.anonymize(given, **noted(given)).frame
    for name in given.columns[1:]:
        assert frame[name].astype(object).equals(given[name].astype(object))
        if given[name].dtype != "category":
            assert frame[name].dtype == given[name].dtype
    assert frame.index.tolist() == given.index.tolist()
    assert not tells(frame)
    pd.testing.assert_frame_equal(given, before)


@pytest.mark.parametrize(("kind", "value"), [("Int64", 7_777_777_777), ("Float64", 7777.25), ("boolean", True)])
def test_masked_numbers_of_pandas(kind, value):
    given = pd.DataFrame({"age": [1, 1, 2, 2], "n": pd.array([value] * 4, dtype=kind)})
    given.loc[1:, "n"] = None
    frame = shoal.anonymize(given, **HOW | {"keep": "n"}).frame
    pd.testing.assert_series_equal(frame["n"], given["n"])
    raw = np.array(value, frame["n"].dtype.numpy_dtype).tobytes()
    if len(raw) > 1:
        assert pickle.dumps(given["n"].array).count(raw) == 4
        assert pickle.dumps(frame["n"].array).count(raw) == 1


def test_the_frame_that_was_given_stays_as_it_is():
    given = pd.DataFrame({"age": [1, 1, 2, 2], "c": pd.Categorical(list("aabb"), categories=list("abc"))})
    given.attrs["note"] = "mine"
    shoal.anonymize(given, **noted(given))
    assert list(given["c"].cat.categories) == list("abc")
    assert given.attrs == {"note": "mine"}


@st.composite
def columns(draw):
    """A column of some type, with gaps at any depth, as a slice or some rows of a longer one."""
    texts = st.sampled_from(["a", "secret value that is long", "b"]) | st.none()
    array = pa.array(
        draw(st.lists(texts, min_size=8, max_size=8)), draw(st.sampled_from([pa.string(), pa.string_view()]))
    )
    for _ in range(draw(st.integers(0, 3))):
        gaps = pa.array(draw(st.lists(st.booleans(), min_size=8, max_size=8)))
        wrap = draw(st.sampled_from(["struct", "list", "large", "view", "fixed", "map"]))
        if wrap == "struct":
            array = pa.StructArray.from_arrays([array], ["d"], mask=gaps)
        elif wrap == "fixed":
            array = pa.FixedSizeListArray.from_arrays(array, 1, mask=gaps)
        elif wrap == "map":
            array = pa.MapArray.from_arrays(list(range(9)), pa.array(range(8)), array)
        elif wrap == "view":
            starts = draw(st.lists(st.integers(0, 7), min_size=8, max_size=8))
            sizes = [draw(st.integers(0, 8 - start)) for start in starts]
            places = [pa.array(one, pa.int32()) for one in (starts, sizes)]
            array = pa.ListViewArray.from_arrays(*places, array, mask=gaps)
        else:
            kind = pa.ListArray if wrap == "list" else pa.LargeListArray
            array = kind.from_arrays(pa.array(range(9), "int32" if wrap == "list" else "int64"), array, mask=gaps)
    start, length = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    rows = draw(st.lists(st.integers(0, 7), max_size=8))
    return [array.slice(start, length), taken(array, pa.array(rows, pa.int64()))][draw(st.integers(0, 1))]


@given(columns())
def test_any_column_keeps_its_rows_and_nothing_else(array):
    own = own_cells(pa.chunked_array([array]))
    own.validate(full=True)
    assert own.to_pylist() == array.to_pylist()
    assert own.type.equals(plain_type(array.type), check_metadata=True)
    if "secret" not in str(array.to_pylist()):
        assert b"secret" not in pickle.dumps(own)


def test_values_of_other_rows_are_gone_after_a_choice():
    given = table(pc.if_else(STAYS, pa.array(TEXTS), pa.scalar(None, pa.string())))
    assert not tells(shoal.anonymize(given, **noted(given)).frame)


def test_texts_that_fill_their_memory_are_not_copied():
    texts = pa.array(["a", "bc", "a"]).take(pa.array([0, 1, 1, 2]))
    assert own_cells(pa.chunked_array([texts])).chunk(0).buffers()[2].address == texts.buffers()[2].address
    _, places, held = texts.buffers()
    longer = pa.py_buffer(held.to_pybytes() + b"secret")
    for array in (
        pa.StringArray.from_buffers(4, places, longer),
        pa.StringArray.from_buffers(4, places, longer.slice(0, held.size)),
        pa.StringArray.from_buffers(3, places, held),
        texts.slice(1),
        texts.slice(0, 3),
    ):
        own = own_cells(pa.chunked_array([array]))
        assert own.to_pylist() == array.to_pylist()
        assert own.chunk(0).buffers()[2].address != array.buffers()[2].address
