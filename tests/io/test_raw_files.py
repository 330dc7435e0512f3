"""CSV files without a line of names, as the UCI repository has them."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st
from pyarrow.parquet import write_table

import shoal
from shoal import InputError
from shoal.engines.scan import Scan
from shoal.io import files
from shoal.io.csv import stream_csv
from shoal.io.csv_dialect import csv_header

ADULT = [
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
TEST = "|1x3 Cross validator\n25, Private, 11th, <=50K.\n38, ?, HS-grad, <=50K.\n44, Private, a.b., >50K.\n\n"
NAMES = ["age", "work", "education", "income"]
READ = {
    "age": ["25", "38", "44"],
    "work": ["Private", "?", "Private"],
    "education": ["11th", "HS-grad", "a.b."],
    "income": ["<=50K", "<=50K", ">50K"],
}
ROW = "line 1: this line seems to be a row, not the names of the columns"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.data"


def write(path, content, encoding="utf-8"):
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def both(path, names, encoding="utf-8", separator=None):
    """Read a file whole and part by part, which must give the same; return its columns."""
    table, dialect = files.read(path, names=names, encoding=encoding, separator=separator)
    again, columns = csv_header(path, separator, encoding, names)
    batches = [batch for batch, _ in stream_csv(path, again, columns)]
    assert (again, columns) == (dialect, table.column_names)
    if batches:
        kinds = [field.type for field in batches[0].schema]
        assert all(pa.types.is_dictionary(kind) for kind in kinds)
        parts = pa.Table.from_batches(batches).cast(table.schema)
        assert parts.to_pydict() == table.to_pydict()
        for batch in batches:  # no category is there twice
            for column in batch.columns:
                assert len(column.dictionary.unique()) == len(column.dictionary)
    return table.to_pydict()


def refusal(call, *arguments, **options):
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_the_form_of_the_repository_is_read(path, end, encoding):
    write(path, TEST.replace("\n", end), encoding)
    assert both(path, NAMES, encoding="utf-8" if encoding == "utf-8-sig" else encoding) == READ
    assert both(path, False, encoding="utf-8" if encoding == "utf-8-sig" else encoding) == {
        f"column{number}": values for number, values in enumerate(READ.values(), start=1)
    }


def test_what_is_no_value_is_stated(path):
    source = shoal.read(write(path, TEST), names=NAMES)
    assert source.notes == [
        "The table has no line of names; 1 line of comment at the top, the space after each separator and the full "
        "stop at the end of each row are not part of its values."
    ]
    assert shoal.read(write(path, "1,a\n2,b\n"), names=False).notes == [
        "The table has no line of names: its first line is a row."
    ]
    named = write(path, "a, b\n1, x.\n")
    assert shoal.read(named).notes == []
    assert shoal.read(named).columns == ["a", " b"]


@pytest.mark.parametrize(
    ("content", "last"),
    [
        ("1, I came.\n2, I saw\n", ["I came.", "I saw"]),  # not every row
        ("1,I came.\n2,I saw.\n", ["I came.", "I saw."]),  # not the form of the repository
        ("1, 5..\n2, 6.\n", ["5.", "6"]),  # one full stop
        ("1, a \n2,  b\n", ["a ", " b"]),  # one space, and only before a value
        ("1, a\n2,b\n", [" a", "b"]),  # not after each separator
        ("1, a\n2, b\n3,c\n", ["a", "b", "c"]),
    ],
)
def test_values_stay_as_they_are_otherwise(path, content, last):
    assert both(write(path, content), ["n", "text"])["text"] == last


def test_spaces_that_made_two_values_of_one_are_no_second_category(path):
    content = "1, a\n2, a\n3,a\n4, b\n"
    assert both(write(path, content), ["n", "v"])["v"] == ["a", "a", "a", "b"]


def test_quotes_are_read_without_a_line_of_names(path):
    content = '1,"a\nb"\n2,"c"",d"\n'
    assert both(write(path, content), ["n", "v"]) == {"n": ["1", "2"], "v": ["a\nb", 'c",d']}
    assert both(write(path, "| comment\n" + content), ["n", "v"]) == {"n": ["1", "2"], "v": ["a\nb", 'c",d']}
    assert both(write(path, '"1"\n"2"\n'), False) == {"column1": ["1", "2"]}
    said = refusal(files.read, write(path, '1, "a"\n2, "b"\n'), names=False)
    assert "both quotes and a space after each separator" in said


def test_one_row_and_one_column(path):
    assert both(write(path, "5, x."), ["n", "v"]) == {"n": ["5"], "v": ["x"]}
    assert both(write(path, "5\n"), ["n"]) == {"n": ["5"]}
    assert both(write(path, "|a|b\n|c|d\n"), False) == {
        "column1": ["", ""],
        "column2": ["a", "c"],
        "column3": ["b", "d"],
    }
    assert both(write(path, "|a|b\n"), ["x", "y", "z"], separator="|") == {"x": [""], "y": ["a"], "z": ["b"]}


@given(
    rows=st.lists(st.tuples(*[st.text(st.sampled_from("ab.|é5"), min_size=1, max_size=4)] * 3), min_size=1, max_size=8),
    comments=st.integers(0, 2),
    spaced=st.booleans(),
    stopped=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_every_table_in_this_form_is_read_as_it_was_written(tmp_path_factory, rows, comments, spaced, stopped):
    rows = [(f"x{first}", *rest) for first, *rest in rows]
    stopped = stopped and (spaced or comments > 0)
    if (spaced or comments) and not stopped and all(row[-1].endswith(".") for row in rows):
        rows.append(("x", "y", "z"))  # otherwise the full stops would end the rows
    lines = ["| comment"] * comments + [("," + " " * spaced).join(row) + "." * stopped for row in rows]
    path = write(tmp_path_factory.mktemp("raw") / "t.data", "\n".join(lines) + "\n\n")
    columns = both(path, ["a", "b", "c"], separator=",")
    assert list(zip(*columns.values(), strict=True)) == rows


def test_refusals(path):
    write(path, "1,a\n2,b\n")
    assert refusal(files.read, path, names=["n"]) == (
        f"{path}: 1 column is named, and the first row has 2 values. Name each column once, in the order of the file."
    )
    assert refusal(shoal.read, path, names=["n", "n"]) == "The column name 'n' is given twice: name each column once."
    assert refusal(shoal.read, path, names="n,v") == (
        "names = 'n,v' must be the names of all columns in their order, True or False."
    )
    assert refusal(shoal.read, write(path, "n, v\n1, a\n"), names=["n", "v"]).endswith(
        "the first line has these names itself. Leave them out (--names, names=…)."
    )
    assert refusal(shoal.read, write(path, "| c\n1,a\n2\n"), names=["n", "v"]).startswith(
        f"{path}, line 3: the row has 1 field, the first row 2."
    )
    assert "the file is empty" in refusal(shoal.read, write(path, ""), names=False)
    parquet = path.with_name("t.parquet")
    write_table(pa.table({"a": [1]}), parquet)
    assert "only a CSV file may be without names" in refusal(shoal.read, parquet, names=["b"])
    assert "only a CSV file may be without names" in refusal(Scan.of, parquet, names=False)
    for frame in (pa.table({"a": [1]}), shoal.read(parquet)):
        for names in (["b"], False):
            assert "this is a data frame. Leave names out, and rename the columns of" in refusal(
                shoal.read, frame, names=names
            )
        assert shoal.read(frame, names=True).columns == ["a"]
    assert "the columns of a database table have names" in refusal(shoal.read, "sqlite:///x.db#t", names=["b"])


@pytest.mark.parametrize("names", [False, ["years", "employer", "z"]])
@pytest.mark.parametrize(
    ("content", "seems"),
    [
        ("age,workclass,zip\n" + 5 * "39,Private,13053\n50,State-gov,\n", "age"),
        ("age,workclass,zip\n" + 5 * "?,Private,a1\n50,Private,b2\n", "age"),
        ("unknown,Private,a1\n" + 5 * "39,Private,b2\n50,State-gov,c3\n", None),  # Private occurs again
        ("?,Local-gov,a1\n" + 10 * "39,Private,b2\n", None),
        ("39,Local-gov,a1\n" + 10 * "40,Private,b2\n", None),
        ("x,Local-gov,a1\n" + 10 * "y,Private,b2\n", None),  # no column of numbers
        ("age,a,b\n" + 9 * "30,m,x\n", None),  # too few rows to tell
    ],
)
def test_a_first_row_that_looks_like_names_is_refused(path, content, seems, names):
    write(path, content)
    for call in (shoal.read, Scan.of):
        if seems is None:
            assert len(call(path, names=names).columns) == 3
        else:
            assert refusal(call, path, names=names) == (
                f"{path}: its first line seems to name the columns, as {seems!r} stands above numbers. Then leave out "
                f"--names and --no-header (names=…). If it is a row, write a line of names above it instead."
            )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("39, State-gov, 13\n50, Private, 13\n38, State-gov, 9\n", ROW),
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n", ROW),
        ("39,m,7.\n40,f,8.\n", f"{ROW}: 2 of its 3 names look like values of the columns, such as '39', '7.'. Name"),
        ("0,0,a\n1,0,b\n", f"{ROW}: '0' is there twice. Name the columns (--names"),
        ("|1x3 Cross validator\n25, Private\n38, Private\n", "line 1: this line begins with |, like a comment"),
    ],
)
def test_a_first_line_that_looks_like_a_row_is_refused_with_what_to_do(path, content, said):
    write(path, content)
    for call in (shoal.read, Scan.of):
        found = refusal(call, path)
        assert said in found
        assert "--no-header" in found


@pytest.mark.parametrize(
    "content",
    [
        "age,sex\n30,f\n31,m\n",
        "country,2019,2020,2021\nNorway,5,6,7\n",  # years
        "0,1,2,3\n5,6,7,8\n",  # as pandas numbers columns
        "sex,age,town\nsex,30,Rome\nf,31,Oslo\n",  # one of three
        "sex,age\nf,30\nsex,age\nm,31\n",  # two files in one
    ],
)
def test_names_are_no_row(path, content):
    write(path, content)
    assert shoal.read(path).columns == content.split("\n")[0].split(",") == Scan.of(path).columns


def test_numbers_that_are_there_twice_are_names_if_that_is_said(path):
    write(path, "0,0,a\n1,0,b\n")
    for call in (shoal.read, Scan.of):
        assert refusal(call, path, names=True).endswith("the column name '0' appears twice. Rename one of the two.")


def test_names_that_look_like_a_row_are_taken_if_they_are_said_to_be_names(path):
    write(path, "1.5,a\n1.5,a\n2,a\n")
    assert ROW in refusal(shoal.read, path)
    assert shoal.read(path, names=True).columns == ["1.5", "a"] == Scan.of(path, names=True).columns


def test_a_release_whose_columns_look_like_values_is_written_and_read_back(tmp_path):
    table = pa.table({"30": [30, 30, 31, 31], "a": ["a", "a", "b", "b"]})
    release = shoal.anonymize(table, quasi_identifiers="30", keep="a", model=shoal.KAnonymity(2))
    release.save(tmp_path / "safe.csv")
    assert (tmp_path / "safe.csv").read_text() == "30,a\n30,a\n30,a\n31,b\n31,b\n"


def test_the_files_of_a_folder_are_alike(tmp_path):
    write(tmp_path / "a.data", "1, x.\n2, y.\n")
    write(tmp_path / "b.data", "3, z.\n")
    scan = Scan.of(tmp_path, names=["n", "v"])
    rows = [
        row for batch in scan.batches(["n", "v"]) for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)
    ]
    assert rows == [("1", "x"), ("2", "y"), ("3", "z")]
    write(tmp_path / "b.data", "3, z\n")
    assert "the ends of its rows, spaces or lines of comment are not those of a.data" in refusal(
        Scan.of, tmp_path, names=["n", "v"]
    )


def test_the_first_rows_and_a_sample(path):
    write(path, "n,v\n" + "".join(f"{number},x\n" for number in range(100)))
    assert shoal.read(path, rows=3).to_arrow()["n"].to_pylist() == ["0", "1", "2"]
    drawn = shoal.read(path, sample=20, seed=3)
    numbers = [int(number) for number in drawn.to_arrow()["n"].to_pylist()]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 20
    assert numbers == [int(n) for n in shoal.read(path, sample=20, seed=3).to_arrow()["n"].to_pylist()]
    assert numbers != [int(n) for n in shoal.read(path, sample=20, seed=4).to_arrow()["n"].to_pylist()]
    assert drawn.notes == ["Only 20 rows of the table were taken, drawn at random."]
    assert shoal.read(path, sample=100).to_arrow()["n"].to_pylist() == [str(number) for number in range(100)]
    assert refusal(shoal.read, path, rows=101) == "rows = 101 is more than the table has, which is 100 rows: lower it."
    assert (
        refusal(shoal.read, path, rows=1, sample=1) == "rows = 1 and sample = 1 both choose rows: give one of the two."
    )
    assert refusal(shoal.read, path, rows=0) == "rows = 0 must be a whole number of at least 1."
    assert refusal(shoal.read, path, sample=5, seed=-1) == "seed = -1 must be a whole number from 0 to 4294967295."


@pytest.mark.skipif("SHOAL_REFERENCE_DATA" not in os.environ, reason="needs the reference tables")
@pytest.mark.parametrize(("name", "test", "rows"), [("adult.data", False, 32_561), ("adult.test", True, 16_281)])
def test_the_adult_files_are_read_as_they_come(name, test, rows):
    path = Path(os.environ["SHOAL_REFERENCE_DATA"]) / "uci" / name
    columns = both(path, ADULT)
    shipped = shoal.datasets.adult(test=test)[32_561 * test :]  # the second file after the first
    assert len(columns["age"]) == rows == shipped.num_rows
    for column in ADULT:
        assert columns[column] == [str(value) for value in shipped[column].to_pylist()], column
    assert "Name the columns" in refusal(shoal.read, path)
