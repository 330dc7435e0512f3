"""Every type of Arrow in every role, in memory and part by part: released, or refused with the column and the type."""

from __future__ import annotations

import datetime as dt
import decimal
from itertools import cycle, islice

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from depth import every

TEXTS = ["a", "b", "a", "b", "c", "c", "a", "b"]
NUMBERS = pa.array([1, 2, 1, 2, 3, 3, 1, 2])
BYTES = [text.encode() for text in TEXTS]
LISTS = [[text] for text in TEXTS]
ROLES = {
    "quasi-identifier": {"quasi_identifiers": "x"},
    "sensitive": {"quasi_identifiers": "q", "sensitive": "x"},
    "no role": {"quasi_identifiers": "q", "keep": "x"},
    "identifying": {"quasi_identifiers": "q", "identifying": "x"},
    "pseudonym": {"quasi_identifiers": "q", "pseudonymize": "x", "key": "sixteen bytes and more"},
}


def decimals(kind):
    return pa.array(islice(cycle([decimal.Decimal("1.5"), decimal.Decimal(2)]), 8), kind)


def by_places(values):
    return pa.DictionaryArray.from_arrays(pa.array([0, 1] * 4, pa.int8()), values)


COLUMNS = {
    "string_view": pa.array(TEXTS, pa.string_view()),
    "large_string": pa.array(TEXTS, pa.large_string()),
    "binary": pa.array(BYTES, pa.binary()),
    "binary_view": pa.array(BYTES, pa.binary_view()),
    "large_binary": pa.array(BYTES, pa.large_binary()),
    "fixed_size_binary": pa.array(BYTES, pa.binary(1)),
    "list": pa.array(LISTS),
    "large_list": pa.array(LISTS, pa.large_list(pa.string())),
    "list_view": pa.array(LISTS, pa.list_view(pa.string())),
    "large_list_view": pa.array(LISTS, pa.large_list_view(pa.string())),
    "fixed_size_list": pa.array([[1, 2]] * 8, pa.list_(pa.int8(), 2)),
    "list of views": pa.array(LISTS, pa.list_(pa.string_view())),
    "map": pa.array([[("k", 1)]] * 8, pa.map_(pa.string(), pa.int64())),
    "struct": pa.array([{"x": 1}] * 8),
    "halffloat": NUMBERS.cast(pa.float32()).cast(pa.float16()),
    "run_end_encoded": pa.RunEndEncodedArray.from_arrays(pa.array([4, 8], pa.int32()), pa.array(["a", "b"])),
    "null": pa.nulls(8),
    "decimal32": decimals(pa.decimal32(5, 2)),
    "decimal64": decimals(pa.decimal64(5, 2)),
    "decimal128": decimals(pa.decimal128(5, 2)),
    "decimal256": decimals(pa.decimal256(50, 2)),
    "decimal of hundreds": pa.array([decimal.Decimal(100), decimal.Decimal(200)] * 4, pa.decimal128(5, -2)),
    "sparse_union": pa.UnionArray.from_sparse(pa.array([0] * 8, pa.int8()), [NUMBERS]),
    "dense_union": pa.UnionArray.from_dense(pa.array([0] * 8, pa.int8()), pa.array(range(8), pa.int32()), [NUMBERS]),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16)] * 8, pa.binary(16))),
    "json": pa.ExtensionArray.from_storage(pa.json_(), pa.array(TEXTS)),
    "bool8": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1] * 4, pa.int8())),
    "month_day_nano_interval": pa.array([pa.MonthDayNano([1, 2, 3])] * 8, pa.month_day_nano_interval()),
    "duration": pa.array([1, 2] * 4, pa.duration("ns")),
    "time32": pa.array([1, 2] * 4, pa.time32("s")),
    "date64": pa.array([dt.date(2020, 1, 1), dt.date(2020, 1, 2)] * 4, pa.date64()),
    "timestamp": pa.array([dt.datetime(2020, 1, 1)] * 8, pa.timestamp("s", tz="UTC")),
    "uint64": pa.array([2**63, 2**63 + 1] * 4, pa.uint64()),
    "dictionary of numbers": by_places(pa.array([5, 6])),
    "dictionary of views": by_places(pa.array(["a", "b"], pa.string_view())),
    "dictionary of binary_view": by_places(pa.array([b"a", b"b"], pa.binary_view())),
    "dictionary of binary": by_places(pa.array([b"a", b"b"])),
    "dictionary of dictionaries": by_places(pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["x", "y"]))),
}


REFUSED = {
    "decimal of hundreds": COLUMNS["decimal of hundreds"],
    "dictionary of views": COLUMNS["dictionary of views"],
    "dictionary of binary_view": COLUMNS["dictionary of binary_view"],
    "run_end_encoded": COLUMNS["run_end_encoded"],
    "sparse_union": COLUMNS["sparse_union"],
    "dense_union": COLUMNS["dense_union"],
    "union in a struct": pa.StructArray.from_arrays([COLUMNS["dense_union"]], ["u"]),
    "runs in a list": pa.ListArray.from_arrays(list(range(9)), COLUMNS["run_end_encoded"]),
    "dictionary of lists": by_places(pa.array([["a"], ["b"]])),
    "dictionary of structs": by_places(pa.array([{"a": 1}, {"a": 2}])),
    "dictionary of uuid": by_places(COLUMNS["uuid"].slice(0, 2)),
    "two fields of one name": pa.StructArray.from_arrays([NUMBERS, NUMBERS], ["a", "a"]),
    "time zone that nobody knows": pa.array([1] * 8).cast(pa.timestamp("s")).view(pa.timestamp("s", "No/Where")),
    "lists of no values": pa.array([[]] * 8, pa.list_(pa.string(), 0)),
    "extension of a dictionary": pa.ExtensionArray.from_storage(
        pa.opaque(pa.dictionary("int8", pa.string()), "x", "y"), by_places(pa.array(["a", "b"]))
    ),
}
ROWS = {"dropped": {"quasi_identifiers": "m", "drop_missing": True}, "shuffled": {"order": "shuffled"}}


@pytest.mark.parametrize("name", REFUSED)
def test_a_type_that_cannot_be_worked_with_is_refused_at_once(name):
    table = pa.table({"q": [1] * 8, "x": REFUSED[name]})
    with pytest.raises(shoal.InputError, match=r"Column 'x' is of type .*, which shoal cannot work with"):
        shoal.anonymize(table, quasi_identifiers="q", model=shoal.KAnonymity(2))


def test_an_extension_of_a_dictionary_in_a_file_is_refused(tmp_path):
    pq.write_table(pa.table({"q": [1] * 8, "x": REFUSED["extension of a dictionary"]}), tmp_path / "in.parquet")
    options = {"quasi_identifiers": "q", "model": shoal.KAnonymity(2)}
    with pytest.raises(shoal.InputError, match=r"Column 'x' is of type .*an extension of categories"):
        shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **options)
    with pytest.raises(shoal.InputError, match=r"Column 'x' is of type .*an extension of categories"):
        shoal.anonymize(tmp_path / "in.parquet", **options)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in REFUSED])
def test_rows_of_every_type_are_dropped_and_shuffled(name, rows):
    table = pa.table({"q": [1] * 8, "m": ["a"] * 7 + [None], "x": COLUMNS[name]})
    release = shoal.anonymize(
        table, **{"quasi_identifiers": "q", "keep": "x", "model": shoal.KAnonymity(2)} | ROWS[rows]
    )
    assert release.frame.num_rows == (7 if rows == "dropped" else 8)
    assert release.frame["x"].type == COLUMNS[name].type


def test_moments_before_year_1_are_saved(tmp_path):
    moments = pa.array([-62_200_000_000 + row for row in range(8)]).cast(pa.timestamp("s"))
    table = pa.table({"q": [1] * 8, "x": moments})
    shoal.anonymize(table, quasi_identifiers="q", model=shoal.KAnonymity(2)).save(tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet")["x"].cast(pa.timestamp("s")).equals(pa.chunked_array([moments]))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize(
    "column",
    [
        pa.ListArray.from_arrays(list(range(9)), by_places(pa.array(["a", "b"]))),
        pa.StructArray.from_arrays([by_places(pa.array(["a", "b"]))], ["a"]),
        pa.MapArray.from_arrays(list(range(9)), pa.array(TEXTS), by_places(pa.array(["a", "b"]))),
        pa.array([[None]] * 8, pa.list_(pa.null())),
        pa.array(TEXTS, pa.string_view()),
        pa.array(LISTS, pa.list_(pa.string_view())),
    ],
    ids=["list", "struct", "map", "nulls", "views", "list of views"],
)
@pytest.mark.parametrize("drop", [False, True])
def test_several_row_groups_are_read_part_by_part(column, drop, tmp_path):
    table = pa.table({"q": [1] * 7 + [None if drop else 1], "x": column})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=3)
    options = {"quasi_identifiers": "q", "model": shoal.KAnonymity(2), "drop_missing": drop}
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "out.parquet", **options)
    assert pq.read_table(tmp_path / "out.parquet")["x"].to_pylist() == column.to_pylist()[: 7 if drop else 8]


def ways(table, folder):
    """The ways of a table to a release."""
    options = {"model": shoal.KAnonymity(2)}
    yield lambda asked: shoal.anonymize(table, **options, **asked)
    for ending in ("csv", "parquet"):
        yield lambda asked, ending=ending: shoal.anonymize(table, **options, **asked).save(folder / f"frame.{ending}")
    try:
        pq.write_table(table, folder / "in.parquet")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid, OSError):
        return  # no file has such a column
    for ending in ("csv", "parquet"):
        place = folder / f"file.{ending}"
        yield lambda asked, place=place: shoal.anonymize(folder / "in.parquet", **options, **asked).save(place)
        yield lambda asked, ending=ending: shoal.anonymize_files(
            folder / "in.parquet", folder / f"parts.{ending}", **options, **asked
        )


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("name", every(2, COLUMNS))
def test_a_type_is_released_or_refused_by_its_name(name, tmp_path):
    table = pa.table({"q": [1, 1, 2, 2, 1, 1, 2, 2], "x": COLUMNS[name]})
    done = 0
    for asked in ROLES.values():
        for way in ways(table, tmp_path):
            try:
                way(asked)
            except shoal.InputError as error:
                sentence = str(error)
                assert "'x'" in sentence
                assert " type " in sentence or "only missing" in sentence or "holds times" in sentence
            else:
                done += 1
    assert done or name in REFUSED


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_texts_as_views_are_released_part_by_part(tmp_path):
    table = pa.table({"q": COLUMNS["string_view"], "s": COLUMNS["string_view"], "o": COLUMNS["string_view"]})
    pq.write_table(table, tmp_path / "in.parquet")
    options = {"quasi_identifiers": "q", "sensitive": "s", "model": shoal.KAnonymity(2)}
    shoal.anonymize_files(tmp_path / "in.parquet", tmp_path / "parts.parquet", **options)
    shoal.anonymize(tmp_path / "in.parquet", **options).save(tmp_path / "whole.parquet")
    parts, whole = pq.read_table(tmp_path / "parts.parquet"), pq.read_table(tmp_path / "whole.parquet")
    assert parts.to_pylist() == whole.to_pylist()
    assert parts["s"].to_pylist() == TEXTS


def test_decimals_of_hundreds_in_pandas_are_refused():
    kind = pd.ArrowDtype(pa.decimal128(5, -2))
    frame = pd.DataFrame({"q": [1, 1], "x": pd.array([decimal.Decimal(100)] * 2, dtype=kind)})
    with pytest.raises(shoal.InputError, match=r"Column 'x' is of type decimal128\(5, -2\)"):
        shoal.anonymize(frame, quasi_identifiers="q", model=shoal.KAnonymity(2))
