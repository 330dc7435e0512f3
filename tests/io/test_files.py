"""Files: reading returns the content, and writing leaves a complete file or none."""

from __future__ import annotations

import csv
import datetime as dt
import os
import signal
import stat
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from shoal import InputError
from shoal.io import files
from shoal.io.csv_dialect import SEPARATORS, Dialect
from shoal.system import atomic_files

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
AWKWARD = st.text(st.sampled_from(list('ab0",;\t|\n\r \u2028\x85\x0cé?*-')), max_size=6)


def read(tmp_path, content, **options):
    path = tmp_path / "table.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return files.read(path, **options)


def rows(table):
    return [table.column_names, *(list(row.values()) for row in table.to_pylist())]


def refusal(tmp_path, content, **options):
    with pytest.raises(InputError) as error:
        read(tmp_path, content, **options)
    return str(error.value).replace(str(tmp_path / "table.csv"), "table.csv")


# Reading


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path, sign):
    table, dialect = read(tmp_path, f"age{sign}sex\n30{sign}f\n")
    assert rows(table) == [["age", "sex"], ["30", "f"]]
    assert dialect.separator == sign


def test_the_separator_is_the_one_that_cuts_the_first_two_rows_alike(tmp_path):
    table, _ = read(tmp_path, "name;job, title\nAnn;cook\n")
    assert rows(table) == [["name", "job, title"], ["Ann", "cook"]]


def test_a_separator_in_quotes_is_none(tmp_path):
    table, dialect = read(tmp_path, '"a;b;c",d\n"1;2;3",4\n')
    assert (rows(table), dialect.separator) == ([["a;b;c", "d"], ["1;2;3", "4"]], ",")


def test_a_separator_can_be_named(tmp_path):
    table, dialect = read(tmp_path, "a:b,c\n1:2\n", separator=":")
    assert (rows(table), dialect.separator) == ([["a", "b,c"], ["1", "2"]], ":")


def test_a_tab_can_be_named_as_people_write_it(tmp_path):
    assert read(tmp_path, "a,b\tc\n1\t2\n", separator="\\t")[1].separator == "\t"


@pytest.mark.parametrize("sign", ["", "::", '"', "\n", "§"])
def test_a_separator_that_cannot_be_one_is_refused(tmp_path, sign):
    expected = f"The separator {sign!r} cannot be used: give one character such as , ; | or \\t."
    assert refusal(tmp_path, "a,b\n1,2\n", separator=sign) == expected


def test_all_values_stay_text(tmp_path):
    values = ["007", "1.50", "1e3", "true", "NA", "null", "", " x ", "2020-01-01", "-0"]
    table, _ = read(tmp_path, ",".join(f"c{i}" for i in range(len(values))) + "\n" + ",".join(values) + "\n")
    assert rows(table)[1] == values


@pytest.mark.parametrize("before", ["", "\n\n", "\r\n"])
def test_blank_lines_count_for_nothing(tmp_path, before):
    table, _ = read(tmp_path, before + "a,b\n007,NA\n\n008,x\n\n\n")
    assert rows(table) == [["a", "b"], ["007", "NA"], ["008", "x"]]


@pytest.mark.parametrize("name", ["a\u2028x", "a\x85x", "a\x0cx", "\u00fcnï code", "日本", '5" disk'])
def test_odd_column_names_leave_the_values_alone(tmp_path, name):
    table, _ = read(tmp_path, f"{name},b\n007,NA\n")
    assert rows(table) == [[name, "b"], ["007", "NA"]]


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-8", "utf8", "utf-8-sig"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path, encoding):
    table, dialect = read(tmp_path, b"\xef\xbb\xbfage,b\n007,x\n", encoding=encoding)
    assert (rows(table), dialect.encoding) == ([["age", "b"], ["007", "x"]], "utf-8-sig")


def test_quoted_separators_line_ends_and_quotes(tmp_path):
    table, _ = read(tmp_path, 'a,"b\nb"\r\n"x,y","he said ""no"""\r\n"1\r\n2",5" disk\r\n')
    assert rows(table) == [["a", "b\nb"], ["x,y", 'he said "no"'], ["1\r\n2", '5" disk']]


def test_one_column(tmp_path):
    table, _ = read(tmp_path, 'age\n30\n""\n31\n')
    assert rows(table) == [["age"], ["30"], [""], ["31"]]


def test_two_hundred_columns(tmp_path):
    names = [f"c{i}" for i in range(200)]
    table, _ = read(tmp_path, ";".join(names) + "\n" + ";".join(["00"] * 200))
    assert rows(table) == [names, ["00"] * 200]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le"])
def test_another_encoding_on_request(tmp_path, encoding):
    table, dialect = read(tmp_path, "näme,b\né,007\n".encode(encoding), encoding=encoding)
    assert rows(table) == [["näme", "b"], ["é", "007"]]
    assert dialect.encoding == encoding


def test_a_record_longer_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.io.csv.BLOCK", 64)
    table, _ = read(tmp_path, 'a,b\n1,"' + "x\n" * 500 + '"\n2,y\n')
    assert [len(value) for value in table["b"].to_pylist()] == [1000, 1]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.text(st.sampled_from(list('ab0,;"\n\r')), min_size=1, max_size=14))
def test_what_is_read_is_what_the_csv_module_reads(tmp_path, content):
    try:
        table, dialect = read(tmp_path, content)
    except InputError:
        return
    with (tmp_path / "table.csv").open(newline="") as file:
        found = list(csv.reader(file, delimiter=dialect.separator))
    # In a table of one column an empty line after the header is a row with an empty value.
    header = next(row for row in found if row)
    after = found[found.index(header) + 1 :]
    wanted = [row or [""] for row in after] if len(header) == 1 else [row for row in after if row]
    assert rows(table) == [header, *wanted]


# Refusals


def test_an_empty_file(tmp_path):
    expected = "table.csv: the file is empty: it has neither names of columns nor rows."
    assert refusal(tmp_path, "") == refusal(tmp_path, "\n\r\n") == expected


def test_a_header_without_rows(tmp_path):
    assert refusal(tmp_path, "age,sex\n") == "table.csv: the table has column names but no rows."


@pytest.mark.parametrize(("row", "count"), [("1,2,3", "3 fields"), ("1", "1 field")])
def test_a_ragged_row_is_named_by_its_line(tmp_path, row, count):
    assert refusal(tmp_path, f'a,b\n"x\ny",2\n\n{row}\n5,6\n') == (
        f"table.csv, line 5: the row has {count}, the header 2. Fix the row, or name the separator if it is not ','."
    )


@pytest.mark.parametrize("content", ['a,b\n1,"x\n2,y\n3,z\n', 'a,b\n1,"x""\n2,y\n', 'a,b\n5" x,"\n2,y'])
def test_a_quote_that_is_never_closed_swallows_no_rows(tmp_path, content):
    assert refusal(tmp_path, content) == (
        "table.csv, line 2: a quote opens in this row and is never closed. "
        'Close it, or write "" if the quote is part of the value.'
    )


def test_a_last_value_that_ends_with_a_line_end_is_fine(tmp_path):
    assert rows(read(tmp_path, 'a,b\n1,"x\n"\n')[0]) == [["a", "b"], ["1", "x\n"]]


def test_a_name_that_stands_twice(tmp_path):
    expected = "table.csv: the column name 'a' appears twice. Rename one of the two."
    assert refusal(tmp_path, "a,b,a\n1,2,3\n") == expected


@pytest.mark.parametrize(
    ("content", "encoding", "line", "said"),
    [
        ("a,b\n1,2\nx,é\n".encode("latin-1"), "utf-8", 3, "UTF-8"),
        (b"a,b\n" + b"1,2\n" * 10_000 + b"x,\xe9\n", "utf-8", 10_002, "UTF-8"),
        ("a,b\nx,é\n".encode("utf-16"), "utf-8", 1, "UTF-8"),
        ("a,b\n1,2\n".encode("utf-16-le"), "utf-8", 1, "UTF-8"),
        (b"a,b\n1,2\n", "utf-16", 1, "UTF-16"),
        ("a,b\n1,é\n".encode(), "ascii", 2, "ASCII"),
        (b"a,b\n" + b"1,2\n" * 10_000 + b"x,\xe9\n", "ascii", 10_002, "ASCII"),
    ],
)
def test_a_wrong_encoding_is_named_with_its_line(tmp_path, content, encoding, line, said):
    assert refusal(tmp_path, content, encoding=encoding) == (
        f"table.csv, line {line}: the file is not {said} text. "
        f"Save it as UTF-8 or name its encoding, such as latin-1 or utf-16."
    )


def test_an_unknown_encoding(tmp_path):
    expected = "There is no encoding 'klingon': use utf-8, latin-1, cp1252, utf-16, …."
    assert refusal(tmp_path, "a\n1\n", encoding="klingon") == expected
    assert refusal(tmp_path, "a\n1\n", encoding="utf-8\0") == expected.replace("klingon", r"utf-8\x00")


@pytest.mark.parametrize("name", ["folder.csv", "folder.parquet"])
def test_a_folder_is_no_table(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match=r"this is a folder\. Name a file in it\.$"):
        files.read(tmp_path / name)


def test_a_file_that_is_no_parquet(tmp_path):
    path = tmp_path / "table.parquet"
    path.write_text("age,sex\n30,f\n")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        files.read(path)


# Parquet


def typed() -> pa.Table:
    days = [dt.date(2020, 1, 1), None, dt.date(2021, 2, 3)]
    return pa.table(
        {
            "int": pa.array([1, None, 3], pa.int16()),
            "float": [0.5, float("nan"), None],
            "bool": [True, None, False],
            "date": days,
            "time": pa.array([dt.datetime(2020, 1, 1, 12)] * 3, pa.timestamp("ms", "UTC")),
            "category": pa.array(["a", None, "b"]).dictionary_encode(),
            "large": pa.array(["x", "", None], pa.large_string()),
            "decimal": [Decimal("1.50"), None, Decimal("2.00")],
            "list": [[1], [], None],
        }
    )


def test_parquet_keeps_types_and_values(tmp_path):
    path = tmp_path / "table.parquet"
    files.write(typed(), path, "parquet", Dialect())
    table, dialect = files.read(path)
    assert table.schema.types == typed().schema.types
    assert str(table.to_pylist()) == str(typed().to_pylist())
    assert dialect == Dialect()


# Writing


def written(tmp_path, table, dialect=Dialect()):  # noqa: B008
    path = tmp_path / "out.csv"
    files.write(table, path, "csv", dialect)
    return path.read_bytes()


def by_the_csv_module(tmp_path, table, dialect=Dialect()):  # noqa: B008
    path = tmp_path / "expected.csv"
    with path.open("w", newline="", encoding=dialect.encoding) as file:
        csv.writer(file, delimiter=dialect.separator, lineterminator=dialect.line_end).writerows(rows(table))
    return path.read_bytes()


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    names=st.lists(AWKWARD.filter(lambda name: "\r" not in name), min_size=1, max_size=3, unique=True),
    cells=st.lists(st.tuples(TEXT, AWKWARD, AWKWARD), min_size=1, max_size=5),
    dialect=st.builds(Dialect, st.sampled_from(SEPARATORS), st.sampled_from(["\n", "\r\n"])),
)
def test_quoting_is_that_of_the_csv_module(tmp_path, names, cells, dialect):
    columns = [[row[at].replace("\r", "") for row in cells] for at in range(len(names))]
    table = pa.table(columns, names=names)
    assert written(tmp_path, table, dialect) == by_the_csv_module(tmp_path, table, dialect)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cells=st.lists(st.tuples(TEXT, AWKWARD), min_size=1, max_size=5))
def test_what_is_written_is_read_back(tmp_path, cells):
    table = pa.table([[a for a, _ in cells], [b for _, b in cells]], names=["a", "b"])
    written(tmp_path, table)
    assert files.read(tmp_path / "out.csv", separator=",", names=True)[0].equals(table)


def test_an_only_column_shows_its_empty_values(tmp_path):
    assert written(tmp_path, pa.table({"a": ["1", "", None]})) == b'a\n1\n""\n""\n'


def test_every_type_has_a_text(tmp_path):
    assert written(tmp_path, typed().drop_columns("list")).decode().splitlines()[1:] == [
        "1,0.5,true,2020-01-01,2020-01-01 12:00:00.000Z,a,x,1.50",
        ",,,,2020-01-01 12:00:00.000Z,,,",
        "3,,false,2021-02-03,2020-01-01 12:00:00.000Z,b,,2.00",
    ]


def test_a_dictionary_as_large_as_its_index_type(tmp_path):
    column = pa.DictionaryArray.from_arrays(pa.array([127, None], pa.int8()), [str(i) for i in range(128)])
    assert written(tmp_path, pa.table({"a": column, "b": ["x", "y"]})) == b"a,b\n127,x\n,y\n"


@pytest.mark.parametrize(
    ("column", "kind"),
    [(pa.array([[1]]), "list<item: int64>"), (pa.array([b"\xff"]), "binary")],
)
def test_what_has_no_text_is_refused(tmp_path, column, kind):
    with pytest.raises(InputError) as error:
        written(tmp_path, pa.table({"a": column}))
    assert str(error.value) == (
        f"Column 'a' of type {kind} cannot be written to a CSV file: write Parquet, or convert it to text."
    )


def test_the_mark_of_utf_16_is_written_once(tmp_path):
    content = written(tmp_path, pa.table({"a": ["é"], "b": ["1"]}), Dialect(encoding="utf-16"))
    assert content == "a,b\né,1\n".encode("utf-16")


def test_a_sign_that_the_encoding_lacks(tmp_path):
    with pytest.raises(InputError) as error:
        written(tmp_path, pa.table({"a": ["1–2"]}), Dialect(encoding="latin-1"))
    assert str(error.value) == (
        "The release holds the character '–', which latin-1 cannot write: "
        "save the input as UTF-8 first, or choose other labels."
    )


# Whole or not at all


def fail_in_the_middle(error):
    def writer(file: Path) -> None:
        file.write_text("half")
        raise error

    return writer


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyboardInterrupt(), InputError("no")])
def test_a_writer_that_fails_leaves_the_old_files_and_nothing_else(tmp_path, error):
    first, second = tmp_path / "a.csv", tmp_path / "b.json"
    first.write_text("old")
    with pytest.raises(type(error)):
        atomic_files.replace_whole({first: lambda file: file.write_text("new"), second: fail_in_the_middle(error)})
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.csv", "old")]


def test_a_full_disk_is_told_by_the_name_of_the_target(tmp_path):
    target = tmp_path / "a.csv"
    with pytest.raises(InputError) as error:
        atomic_files.replace_whole({target: fail_in_the_middle(OSError(28, "No space left on device"))})
    assert str(error.value) == f"{target}: cannot be written (No space left on device)."
    assert list(tmp_path.iterdir()) == []


def test_a_long_name_can_be_written(tmp_path):
    target = tmp_path / ("x" * 250 + ".csv")
    atomic_files.replace_whole({target: lambda file: file.write_text("new")})
    assert target.read_text() == "new"


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("old")
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        atomic_files.replace_whole({old: lambda file: file.write_text("x"), new: lambda file: file.write_text("x")})
    finally:
        os.umask(mask)
    assert [oct(stat.S_IMODE(path.stat().st_mode)) for path in (old, new)] == ["0o640", "0o640"]


def test_parquet_is_compressed_and_readable_by_others(tmp_path):
    path = tmp_path / "table.parquet"
    files.write(pa.table({"a": ["x"] * 1000}), path, "parquet", Dialect())
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"


def test_ctrl_c_waits_until_all_files_are_in_place(tmp_path, monkeypatch):
    replace, placed = os.replace, []

    def pressed(source, target):
        replace(source, target)
        placed.append(target.name)
        if placed == ["b"]:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "replace", pressed)
    with pytest.raises(KeyboardInterrupt):
        atomic_files.replace_whole({tmp_path / name: lambda file: file.write_text("new") for name in ("a", "b")})
    assert placed == ["b", "a"]


def test_what_a_link_leads_to_is_replaced(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    atomic_files.replace_whole({tmp_path / "link": lambda file: file.write_text("new")})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_ordinary_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name, what in (("pipe", "not an ordinary file"), ("folder", "a folder"), ("link", "not an ordinary file")):
        with pytest.raises(InputError, match=f"{name}: this is {what}"):
            atomic_files.replace_whole({tmp_path / "new": lambda file: None, tmp_path / name: lambda file: None})
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link", "pipe"]
