"""Frames: a release is of the caller's own kind, with rows, index, columns and other types as they were."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest

import shoal
from shoal import InputError, KAnonymity
from shoal.io.source import Source

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

AGES = [30, 31, 32, 47, 48, 49]
SHOWN = ["30-32"] * 3 + ["47-49"] * 3


def release(data, **options):
    return shoal.anonymize(data, **{"quasi_identifiers": "age", "model": KAnonymity(3), **options})


def frame(index=None, **columns):
    return pd.DataFrame({"age": AGES, "note": list("abcdef"), **columns}, index=index)


INDEXES = {
    "default": None,
    "shifted": range(10, 16),
    "backwards": [5, 4, 3, 2, 1, 0],
    "duplicated": [7] * 6,
    "text": pd.Index(list("uvwxyz"), name="part"),
    "dates": pd.date_range("2020-01-01", periods=6),
    "many": pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["x", None]),
    "many duplicated": pd.MultiIndex.from_tuples([("a", 1)] * 6),
}


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_pandas_keeps_its_index_and_the_input_is_untouched(index):
    data = frame(index)
    before = data.copy(deep=True)
    released = release(data).frame
    assert list(released["age"]) == SHOWN
    pd.testing.assert_frame_equal(released[["note"]], before[["note"]])
    assert list(released.columns) == ["age", "note"]
    pd.testing.assert_frame_equal(data, before)


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_a_pandas_index_is_never_written(tmp_path, index):
    saved = release(frame(index))
    assert saved.save(tmp_path / "out.csv").read_text().splitlines()[:2] == ["age,note", "30-32,a"]
    assert pd.read_parquet(saved.save(tmp_path / "out.parquet")).columns.tolist() == ["age", "note"]


@pytest.mark.parametrize("index", [INDEXES["text"], INDEXES["duplicated"]], ids=["text", "duplicated"])
def test_pandas_keeps_its_index_where_rows_are_dropped(index):
    data = frame(index, age=[30, 31, np.nan, 47, 48, 49])
    released = release(data, drop_missing=True, model=KAnonymity(2)).frame
    assert list(released["age"]) == ["30-31", "30-31", "47-49", "47-49", "47-49"]
    pd.testing.assert_frame_equal(released[["note"]], data[["note"]].iloc[[0, 1, 3, 4, 5]])


PANDAS = {
    "numbers": [1, 2, 3, 4, 5, 6],
    "small numbers": np.arange(6, dtype=np.uint8),
    "floats": [0.5, np.nan, 1, 2, 3, 4],
    "nullable": pd.array([1, None, 3, 4, 5, 6], dtype="Int64"),
    "booleans": [True, False] * 3,
    "nullable booleans": pd.array([True, None] * 3, dtype="boolean"),
    "str": pd.array(["a", None] * 3, dtype="str"),
    "string": pd.array(["a", None] * 3, dtype="string"),
    "string[pyarrow]": pd.array(["a", None] * 3, dtype="string[pyarrow]"),
    "objects": np.array(["a", None] * 3, dtype=object),
    "mixed": np.array([1, "a"] * 3, dtype=object),
    "lists": [[1], [2]] * 3,
    "category": pd.Categorical(["b", None, "a"] * 2, categories=["b", "a"], ordered=True),
    "timestamps": pd.to_datetime(["2020-01-01 12:00", None] * 3),
    "zones": pd.date_range("2020-01-01", periods=6, tz="Europe/Paris"),
    "periods": pd.period_range("2020", periods=6, freq="D"),
    "intervals": pd.interval_range(0, 6),
    "decimals": [Decimal("1.50"), None] * 3,
}


@pytest.mark.parametrize("column", PANDAS.values(), ids=PANDAS)
def test_pandas_keeps_the_type_and_values_of_other_columns(column):
    data = frame(other=column)
    pd.testing.assert_frame_equal(release(data).frame[["other"]], data[["other"]])


POLARS = {
    "numbers": pl.Series([1, None, 3, 4, 5, 6], dtype=pl.Int8),
    "nan and null": pl.Series([0.5, float("nan"), None, 1, 2, 3]),
    "booleans": pl.Series([True, None] * 3),
    "category": pl.Series(["a", None] * 3, dtype=pl.Categorical),
    "enum": pl.Series(["a", None, "b"] * 2, dtype=pl.Enum(["b", "a"])),
    "dates": pl.Series([dt.date(2020, 1, 1), None] * 3),
    "zones": pl.Series([dt.datetime(2020, 1, 1, 5)] * 6, dtype=pl.Datetime("ns", "UTC")),
    "times": pl.Series([dt.time(5), None] * 3),
    "durations": pl.Series([dt.timedelta(5), None] * 3),
    "decimals": pl.Series([Decimal("1.50"), None] * 3),
    "lists": pl.Series([[1], None] * 3),
    "structs": pl.Series([{"a": 1}, None] * 3),
    "objects": pl.Series([object()] * 6, dtype=pl.Object),
    "nothing": pl.Series([None] * 6),
}


@pytest.mark.parametrize("column", POLARS.values(), ids=POLARS)
def test_polars_keeps_the_type_and_values_of_other_columns(column):
    data = pl.DataFrame({"other": column, "age": AGES})
    released = release(data).frame
    assert released["age"].to_list() == SHOWN
    assert released.columns == ["other", "age"]
    assert released["other"].dtype == column.dtype
    assert str(released["other"].to_list()) == str(column.to_list())
    assert data["age"].to_list() == AGES


def test_polars_frames_are_equal_but_for_the_quasi_identifiers():
    data = pl.DataFrame({"age": AGES, "note": list("abcdef")})
    polars.testing.assert_frame_equal(release(data).frame.drop("age"), data.drop("age"))


def test_pyarrow_keeps_the_type_and_values_of_other_columns():
    other = pa.chunked_array([["a", None, "b"], ["c", "a", ""]]).dictionary_encode()
    data = pa.table({"age": AGES, "other": other})
    released = release(data).frame
    assert isinstance(released, pa.Table)
    assert released["age"].to_pylist() == SHOWN
    assert released["other"].equals(other)
    assert data["age"].to_pylist() == AGES


def test_a_narwhals_frame_is_taken_too():
    assert isinstance(release(nw.from_native(frame())).frame, pd.DataFrame)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_identifying_columns_go_and_the_order_of_the_others_stays(kind):
    data = kind({"name": list("uvwxyz"), "age": AGES, "note": list("abcdef")})
    released = release(data, identifying="name").frame
    assert list(nw.from_native(released, eager_only=True).columns) == ["age", "note"]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_makes_the_same_release_whatever_its_kind(kind):
    released = release(kind({"age": AGES, "note": list("abcdef")})).frame
    assert nw.from_native(released, eager_only=True)["age"].to_list() == SHOWN


def test_an_object_of_polars_has_no_text_to_save(tmp_path):
    data = pl.DataFrame({"age": AGES, "other": POLARS["objects"]})
    with pytest.raises(InputError, match=r"^Column 'other' (holds values of the type|mixes values of different types)"):
        release(data).save(tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


# What is no table


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([1, 2], "A list is not a table that shoal can read; give a pandas, polars or pyarrow table."),
        ({"age": AGES}, "A dict is not a table that shoal can read; give a pandas, polars or pyarrow table."),
        (None, "A NoneType is not a table that shoal can read; give a pandas, polars or pyarrow table."),
        (pd.Series(AGES), "A Series is not a table that shoal can read; give a pandas, polars or pyarrow table."),
        (pd.DataFrame({"age": []}), "The table has no rows."),
        (pl.DataFrame({"age": []}), "The table has no rows."),
        (pa.table({"age": []}), "The table has no rows."),
        (pd.DataFrame(index=range(3)), "The table has no columns."),
        (
            pd.DataFrame({7: AGES}),
            "The column name 7 is not text: rename the column. For all columns of a pandas frame: "
            "df.columns = df.columns.map(str)",
        ),
        (
            pd.DataFrame({None: AGES}),
            "The column name None is not text: rename the column. For all columns of a pandas frame: "
            "df.columns = df.columns.map(str)",
        ),
        (
            pd.DataFrame({("a", "b"): AGES}),
            "The column name ('a', 'b') is not text: rename the column. For all columns of a "
            "pandas frame: df.columns = ['_'.join(map(str, name)) for name in df.columns]",
        ),
        (
            pd.DataFrame([AGES[:2]], columns=[0, "0"]),
            "The column name 0 is not text: rename the column. For all columns of a pandas frame: "
            "df.columns = [f'{name}_{at}' for at, name in enumerate(df.columns)]",
        ),
        (
            pd.DataFrame({"age": pd.arrays.SparseArray([0, 0, 1])}),
            "Column 'age' has the type Sparse[int64, 0], which Arrow does not hold: convert it to text.",
        ),
        (
            pd.DataFrame({"age": [1 + 2j, 2]}),
            "Column 'age' has the type complex128, which Arrow does not hold: convert it to text.",
        ),
        (
            pd.DataFrame({"age": [10**30, None]}, dtype=object),
            "Column 'age' holds whole numbers of more than 64 bits, which Arrow does not hold: convert it to text.",
        ),
        (
            pd.DataFrame({"age": [1 + 2j, None]}, dtype=object),
            "Column 'age' holds values of the type complex, which Arrow does not hold: convert it to text.",
        ),
        (
            pd.DataFrame([AGES[:1]], columns=pd.Index(["a\ud800"], dtype=object)),
            "The column name 'a\\ud800' has half of a character, which no file can hold: rename it.",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["age", "age"]),
            "The column name 'age' appears twice in the table: rename one of the two.",
        ),
        (
            pa.table([AGES, AGES], names=["age", "age"]),
            "The column name 'age' appears twice in the table: rename one of the two.",
        ),
    ],
)
def test_what_is_no_table_is_refused(data, sentence):
    with pytest.raises(InputError) as error:
        release(data)
    assert str(error.value) == sentence


def test_a_source_of_a_source_is_itself():
    source = Source.of(frame())
    assert Source.of(source) is source


MANY = list(map(str, range(2**15 + 1)))
COLUMNS = {
    "text": pa.chunked_array([["b", "a"], [], [None, "a", "c"]]),
    "numbers": pa.chunked_array([[2, None], [2, -1]]),
    "zeros": pa.chunked_array([[0.0, -0.0, float("nan"), None]]),
    "dates": pa.chunked_array([[dt.date(2024, 2, 29), None]]),
    "categories": pa.chunked_array([pa.array(["b", "a", None]).dictionary_encode()]),
    "texts as views": pa.chunked_array([["b", "a", None]], pa.string_view()),
    "nothing": pa.chunked_array([pa.nulls(2)]),
    "the most that are kept": pa.chunked_array([MANY[1:]]),
    "more": pa.chunked_array([MANY]),
    "no chunk": pa.chunked_array([], pa.string()),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_a_column_as_categories_has_the_same_values(column):
    source = Source(nw.from_native(pa.table({"x": column}), eager_only=True))
    for _ in range(2):
        assert repr(source.encoded("x").to_pylist()) == repr(column.to_pylist())


def test_few_values_of_an_immutable_table_are_looked_for_once():
    source = Source.of(pa.table({"few": MANY[1:]}))
    assert source.encoded("few") is source.encoded("few")
    assert source.encoded("few").type == pa.dictionary(pa.int16(), pa.string())
    assert source.keep(np.arange(2**15) < 3).encoded("few").to_pylist() == ["1", "2", "3"]
    assert Source.of(pa.table({"many": MANY})).encoded("many").type == pa.dictionary(pa.int32(), pa.string())


def test_a_frame_that_its_owner_changes_is_read_anew():
    data = frame()
    made = release(data, algorithm="full-domain", hierarchies={"age": "intervals:20"})
    assert made.frame["age"].tolist() == ["20-39"] * 3 + ["40-59"] * 3
    data["age"] = AGES[::-1]
    with pytest.raises(shoal.VerificationError, match="does not cover that row's value"):
        made.lattice.apply([1])


def test_the_checksum_is_that_of_the_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"age\n30\n30\n")
    assert Source.of(path).checksum() == "c760ec83b667d902070c47ded4b7fcbb7191260999361178aa517942b4f513ab"
    assert Source.of(frame()).checksum() is None


def test_a_file_is_read_as_it_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_bytes("a;b,c\né;1\n".encode("latin-1"))
    source = shoal.read("x.csv", separator=";", encoding="latin-1")
    assert (source.columns, len(source), source.dialect.encoding) == (["a", "b,c"], 1, "latin-1")
    assert source.to_arrow().to_pylist() == [{"a": "é", "b,c": "1"}]
    assert dict(source.options) == {"separator": ";", "encoding": "latin-1"}
    assert dict(shoal.read(Path("x.csv"), encoding="latin-1").options) == {"encoding": "latin-1"}
    assert shoal.assess(source, quasi_identifiers="a").k == 1


def test_a_query_needs_a_database():
    with pytest.raises(shoal.InputError, match=r"^A query needs a database, and 'x.csv' is not one; write an address"):
        shoal.read("x.csv", query="SELECT 1")


# What stands beside the cells

RARE = ["kept", "kept", "kept", "rare", "kept", "kept"]
ORDER = ["rare", "kept", "never"]
DICTIONARY = pa.dictionary(pa.int32(), pa.string())


def with_notes():
    field = pa.field("note", pa.string(), metadata={"from": "rare"})
    schema = pa.schema([pa.field("age", pa.int64(), metadata={"from": "rare"}), field], metadata={"from": "rare"})
    return pa.table([AGES, list("abcdef")], schema=schema)


def test_metadata_of_arrow_tables_and_fields_goes():
    released = release(with_notes()).frame
    assert released.schema.metadata is None
    assert [field.metadata for field in released.schema] == [None, None]
    assert released["note"].to_pylist() == list("abcdef")
    assert with_notes().schema.field("note").metadata


def test_attributes_of_pandas_frames_go():
    data = frame()
    data.attrs["from"] = "rare"
    assert release(data).frame.attrs == {}
    assert data.attrs == {"from": "rare"}


CATEGORIES = {
    "pandas": (
        lambda: pd.DataFrame({"c": pd.Categorical(RARE, ORDER, ordered=True)}),
        lambda frame: frame["c"].cat.categories.tolist(),
    ),
    "pandas on Arrow": (
        lambda: pd.DataFrame({"c": pd.array(RARE, dtype=pd.ArrowDtype(DICTIONARY))}),
        lambda frame: frame["c"].array.__arrow_array__().chunk(0).dictionary.to_pylist(),
    ),
    "index of pandas": (
        lambda: pd.DataFrame({"c": RARE}, index=pd.CategoricalIndex(RARE, ORDER)),
        lambda frame: frame.index.categories.tolist(),
    ),
    "levels of an index": (
        lambda: pd.DataFrame(
            {"c": RARE}, index=pd.MultiIndex.from_arrays([pd.Categorical(RARE, ORDER), RARE], names=["x", "y"])
        ),
        lambda frame: [*frame.index.levels[0].categories, *frame.index.levels[1]],
    ),
    "polars": (
        lambda: pl.DataFrame({"c": pl.Series(RARE, dtype=pl.Categorical)}),
        lambda frame: frame["c"].to_arrow().dictionary.to_pylist(),
    ),
    "polars enum": (
        lambda: pl.DataFrame({"c": pl.Series(RARE, dtype=pl.Enum(ORDER))}),
        lambda frame: list(frame["c"].dtype.categories),
    ),
    "pyarrow": (
        lambda: pa.table({"c": pa.array(RARE).dictionary_encode()}),
        lambda frame: frame["c"].chunk(0).dictionary.to_pylist(),
    ),
}
LOST = {
    "suppressed": (
        [30, 30, 31, 70, 31, 30],
        {"max_suppression": 1, "suppressed": "drop", "model": KAnonymity(2), "algorithm": "datafly"},
    ),
    "missing": ([30, 30, 31, None, 31, 30], {"drop_missing": True, "model": KAnonymity(2)}),
}


def with_ages(data, ages):
    if isinstance(data, pd.DataFrame):
        return data.assign(age=ages)
    if isinstance(data, pl.DataFrame):
        return data.with_columns(age=pl.Series(ages))
    return data.append_column("age", pa.array(ages))


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("kind", CATEGORIES)
def test_values_that_only_dropped_rows_had_are_no_categories(kind, lost):
    make, categories = CATEGORIES[kind]
    ages, options = LOST[lost]
    released = release(with_ages(make(), ages), **options).frame
    assert len(released) == 5
    assert set(categories(released)) == {"kept"}
    assert "rare" in categories(make())


@pytest.mark.parametrize("kind", CATEGORIES)
def test_categories_that_no_row_has_go_where_no_row_is_dropped(kind):
    make, categories = CATEGORIES[kind]
    assert set(categories(release(with_ages(make(), AGES)).frame)) == {"kept", "rare"}


def test_a_shuffled_frame_of_pandas_on_arrow_has_its_categories_by_appearance():
    data = pd.DataFrame({"age": AGES, "c": pd.array(list("uvwxyz"), dtype=pd.ArrowDtype(DICTIONARY))})
    released = release(data, order="shuffled").frame
    held = released["c"].array.__arrow_array__().combine_chunks()
    assert held.dictionary.to_pylist() == released["c"].tolist()
    assert sorted(released["c"]) == list("uvwxyz")
