"""No output of shoal contains values of rows that are left out: not in dictionaries of any depth, not in metadata."""

from __future__ import annotations

import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal import KAnonymity, VerificationError
from shoal.data.arrow_categories import by_appearance, plain_type, used_values, without_notes
from shoal.release.verification.cells import dictionaries

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

ROWS = 12
AGES = [None, *[30, 31] * 5, None]
NOTES = ["secret one", *["flu", "cold"] * 5, "secret two"]
MASK = pa.array([False, False, True, *[False] * 9])
ENDS = list(range(ROWS + 1))
HOW = {"quasi_identifiers": "age", "model": KAnonymity(2), "drop_missing": True}


def coded(values=NOTES, *, ordered=False, kind="int8") -> pa.DictionaryArray:
    different = sorted(set(values))
    places = pa.array([different.index(value) for value in values], kind)
    return pa.DictionaryArray.from_arrays(places, different, ordered=ordered)


def noted(kind: pa.DataType) -> pa.Field:
    return pa.field("note", kind, metadata={"first": "secret one"})


def struct(values: pa.Array) -> pa.StructArray:
    return pa.StructArray.from_arrays(
        [values, pa.array(range(ROWS))], fields=[noted(values.type), pa.field("n", "int64")]
    )


KINDS = {
    "category": coded(),
    "struct": struct(coded()),
    "struct with gaps": pa.StructArray.from_arrays([coded()], names=["note"], mask=MASK),
    "list": pa.ListArray.from_arrays(ENDS, coded()),
    "list with notes": pa.ListArray.from_arrays(ENDS, coded(), type=pa.list_(noted(coded().type))),
    "large list": pa.LargeListArray.from_arrays(ENDS, coded(kind="uint32")),
    "ordered": pa.ListArray.from_arrays(ENDS, coded(ordered=True)),
    "fixed list": pa.FixedSizeListArray.from_arrays(coded(), 1, mask=MASK),
    "map": pa.MapArray.from_arrays(ENDS, pa.array(NOTES), coded()),
    "map of keys": pa.MapArray.from_arrays(ENDS, coded(), pa.array(range(ROWS))),
    "list of structs": pa.ListArray.from_arrays(ENDS, struct(coded())),
    "struct of lists": struct(pa.ListArray.from_arrays(ENDS, coded())),
    "notes alone": struct(pa.array(["plain"] * ROWS)),
    "number": struct(pa.DictionaryArray.from_arrays(pa.array([0, *[1, 2] * 5, 3]), pa.array([777, 1, 2, 888]))),
    "bytes": struct(pa.DictionaryArray.from_arrays(coded().indices, coded().dictionary.cast(pa.binary()))),
}  # fmt: skip


def table(values: pa.Array) -> pa.Table:
    return pa.table({"age": pa.array(AGES), "note": values})


def tells(content: pa.Table) -> bool:
    """Return whether the bytes of a table contain values that only the rows that were left out have."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, content.schema) as writer:
        writer.write_table(content)
    return any(word in out.getvalue().to_pybytes() for word in (b"secret", b"\x09\x03\0\0", b"\x78\x03\0\0"))


def file_tells(path) -> bool:
    metadata = pq.read_metadata(path)
    leaves = [metadata.schema.column(at).path for at in range(metadata.num_columns)]
    with pq.ParquetFile(path, read_dictionary=leaves) as file:
        return any(tells(file.read_row_group(group)) for group in range(metadata.num_row_groups))


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_of_these_tests_do_tell(kind):
    assert tells(table(KINDS[kind]))


@pytest.mark.parametrize("order", ["rows", "shuffled"])
@pytest.mark.parametrize("kind", KINDS)
def test_frames_of_arrow(kind, order):
    released = shoal.anonymize(table(KINDS[kind]), **HOW, order=order).frame
    assert released.num_rows == ROWS - 2
    assert released["note"].type == KINDS[kind].type
    assert not tells(released)


@pytest.mark.parametrize("kind", KINDS)
def test_files_from_memory(kind, tmp_path):
    shoal.anonymize(table(KINDS[kind]), **HOW).save(tmp_path / "safe.parquet")
    assert not file_tells(tmp_path / "safe.parquet")


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_any_size(kind, tmp_path):
    pq.write_table(table(KINDS[kind]), tmp_path / "given.parquet")
    shoal.anonymize_files(tmp_path / "given.parquet", tmp_path / "safe.parquet", **HOW, memory="1GB")
    assert not file_tells(tmp_path / "safe.parquet")


@pytest.mark.parametrize("kind", KINDS)
def test_frames_of_pandas_that_arrow_holds(kind):
    held = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([KINDS[kind]])))
    given = pd.DataFrame({"age": pd.Series(AGES, dtype="Int64"), "note": held})
    released = shoal.anonymize(given, **HOW).frame
    assert not tells(pa.table({"note": pa.chunked_array(released["note"].array.__arrow_array__())}))


POLARS = {
    "list": ([[note] for note in NOTES], pl.List(pl.Categorical)),
    "list of an enumeration": ([[note] for note in NOTES], pl.List(pl.Enum(sorted(set(NOTES))))),
    "array": ([[note] for note in NOTES], pl.Array(pl.Enum(sorted(set(NOTES))), 1)),
    "struct": ([{"d": note} for note in NOTES], pl.Struct({"d": pl.Enum(sorted(set(NOTES)))})),
    "struct of categories": ([{"d": note} for note in NOTES], pl.Struct({"d": pl.Categorical})),
    "list of structs": ([[{"d": note}] for note in NOTES], pl.List(pl.Struct({"d": pl.Enum(sorted(set(NOTES)))}))),
}


@pytest.mark.parametrize("order", ["rows", "shuffled"])
@pytest.mark.parametrize("kind", POLARS)
def test_frames_of_polars(kind, order, tmp_path):
    values, dtype = POLARS[kind]
    given = pl.DataFrame({"age": AGES, "note": pl.Series(values, dtype=dtype)})
    release = shoal.anonymize(given, **HOW, order=order)
    assert type(release.frame["note"].dtype) is type(dtype)
    assert sorted(map(str, release.frame["note"].to_list())) == sorted(map(str, values[1:-1]))
    assert b"secret" not in pickle.dumps(release.frame)
    assert not tells(release.frame.to_arrow())
    release.save(tmp_path / "safe.parquet")
    assert not file_tells(tmp_path / "safe.parquet")


def test_enumerations_of_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(tmp_path / "given.duckdb") as given:
        words = ", ".join(f"'{word}'" for word in sorted(set(NOTES)))
        given.execute(f"CREATE TYPE note AS ENUM ({words})")
        given.execute("CREATE TABLE t (age INTEGER, alone note, several note[], inner_one STRUCT(d note))")
        for age, note in zip(AGES, NOTES, strict=True):
            given.execute("INSERT INTO t VALUES (?, ?, [?], {'d': ?})", [age, note, note, note])
    release = shoal.anonymize(f"duckdb:///{tmp_path}/given.duckdb#t", **HOW)
    release.save(f"duckdb:///{tmp_path}/safe.duckdb#t")
    release.save(tmp_path / "safe.parquet")
    assert not file_tells(tmp_path / "safe.parquet")
    assert b"secret" not in (tmp_path / "safe.duckdb").read_bytes()
    assert not tells(release.frame)


def wide_given(path, rows=30_000) -> None:
    """A file of one part that is read in several batches, in the first of which all rows to drop are."""
    ages = [None if row < 5 else row % 50 for row in range(rows)]
    notes = [f"secret {row}" if row < 5 else f"note {row % 7}" for row in range(rows)]
    wide = pa.array([f"{row % 11}" * 3000 for row in range(rows)])
    pq.write_table(pa.table({"age": ages, "note": notes, "wide": wide}), path, use_dictionary=["note"])


def test_a_dictionary_that_several_batches_share(tmp_path):
    wide_given(tmp_path / "given.parquet")
    shoal.anonymize_files(tmp_path / "given.parquet", tmp_path / "safe.parquet", **HOW, memory="1GB")
    assert not file_tells(tmp_path / "safe.parquet")


def test_suppressed_rows_that_are_dropped_from_a_csv(tmp_path):
    wide = "w" * 3000
    rows = [f"{900 if row == 3 else row % 50},{'secret' if row == 3 else row % 7},{wide}" for row in range(30_000)]
    (tmp_path / "given.csv").write_text("\n".join(["age,note,wide", *rows, ""]))
    how = {"quasi_identifiers": "age", "model": KAnonymity(2), "suppressed": "drop", "max_suppression": 0.01}
    how["algorithm"] = shoal.FullDomain()
    how["hierarchies"] = {"age": shoal.Hierarchy.flat([*map(str, range(50)), "900"])}
    shoal.anonymize_files(tmp_path / "given.csv", tmp_path / "safe.parquet", **how, memory="1GB")
    assert pq.read_metadata(tmp_path / "safe.parquet").num_rows == 29_999
    assert not file_tells(tmp_path / "safe.parquet")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("notes alone", "number")])
def test_a_file_with_a_value_that_no_row_has_is_refused(kind, tmp_path, monkeypatch):
    for module in ("shoal.release.release", "shoal.engines.streams.sink"):
        monkeypatch.setattr(f"{module}.used_values", without_notes)
    pq.write_table(table(KINDS[kind]), tmp_path / "given.parquet")
    with pytest.raises(VerificationError, match="no released row has"):
        shoal.anonymize_files(tmp_path / "given.parquet", tmp_path / "safe.parquet", **HOW, memory="1GB")
    release = shoal.anonymize(table(KINDS[kind]), **HOW)
    told = pa.table({"age": release.frame["age"], "note": KINDS[kind].slice(1, ROWS - 2)})
    monkeypatch.setattr("shoal.io.source.Source.to_arrow", lambda self: told)
    with pytest.raises(VerificationError, match="no released row has"):
        release.save(tmp_path / "safe.parquet")
    assert [one.name for one in tmp_path.iterdir()] == ["given.parquet"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("notes alone", "category")])
def test_a_frame_with_a_value_that_no_row_has_is_refused(kind, monkeypatch):
    for change in ("used_values", "own_cells"):
        monkeypatch.setattr(f"shoal.data.frames.{change}", without_notes)
    with pytest.raises(VerificationError, match="names categories of rows that are not in the release"):
        shoal.anonymize(table(KINDS[kind]), **HOW)


def test_a_file_with_notes_on_a_field_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.release.release.without_notes", lambda column: column)
    monkeypatch.setattr("shoal.data.arrow_categories.without_notes", lambda column: column)
    monkeypatch.setattr("shoal.data.frames.own_cells", lambda column: column)
    with pytest.raises(VerificationError, match="Column 'note' has metadata beside its type"):
        shoal.anonymize(table(KINDS["notes alone"]), **HOW).save(tmp_path / "safe.parquet")


def test_whole_numbers_are_written_from_rows_alone(tmp_path):
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([5, 6, 7_777_777_777]))
    pq.write_table(pa.table({"n": column}), tmp_path / "t.parquet", compression="none", store_schema=False)
    assert (7_777_777_777).to_bytes(8, "little") not in (tmp_path / "t.parquet").read_bytes()


@st.composite
def nested(draw):
    """A column with categories somewhere, some of its rows, and how these are taken."""
    values = draw(st.lists(st.sampled_from("abcde") | st.none(), min_size=8, max_size=8))
    array = pa.DictionaryArray.from_arrays(
        pa.array([None if value is None else "abcde".index(value) for value in values], pa.int16()),
        list("abcde"),
        ordered=draw(st.booleans()),
    )
    for _ in range(draw(st.integers(0, 3))):
        gaps = pa.array(draw(st.lists(st.booleans(), min_size=8, max_size=8)))
        wrap = draw(st.sampled_from(["struct", "list", "large", "fixed", "map"]))
        if wrap == "struct":
            fields = [pa.field("d", array.type, metadata=draw(st.sampled_from([None, {"a": "b"}])))]
            array = pa.StructArray.from_arrays([array], fields=fields, mask=gaps)
        elif wrap == "fixed":
            array = pa.FixedSizeListArray.from_arrays(array, 1, mask=gaps)
        elif wrap == "map":
            array = pa.MapArray.from_arrays(list(range(9)), pa.array(range(8)), array)
        else:
            kind = pa.ListArray if wrap == "list" else pa.LargeListArray
            array = kind.from_arrays(pa.array(range(9), "int32" if wrap == "list" else "int64"), array, mask=gaps)
    start, length = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    rows = draw(st.lists(st.integers(0, 7), max_size=8))
    return [array.slice(start, length), array.take(pa.array(rows, pa.int64()))][draw(st.integers(0, 1))]


@given(nested(), nested().map(lambda array: array.slice(0, 3)))
def test_any_column_keeps_its_rows_and_no_other_values(array, other):
    column = pa.chunked_array([array, other] if array.type == other.type else [array])
    for change in (used_values, by_appearance):
        changed = change(column)
        changed.validate(full=True)
        assert changed.to_pylist() == column.to_pylist()
        assert changed.type.equals(plain_type(column.type), check_metadata=True)
        for chunk in changed.chunks:
            for one in dictionaries(chunk):
                assert set(one.dictionary.to_pylist()) == set(one.to_pylist()) - {None}
                if change is used_values or one.type.ordered:
                    assert one.dictionary.to_pylist() == sorted(one.dictionary.to_pylist())
