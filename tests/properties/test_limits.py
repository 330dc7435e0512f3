"""Input of excessive size: files without line ends, endless trees, Parquet files that are larger than memory.

Tests that write files of a gigabyte run only if SHOAL_LARGE is set, as by `make fuzz`.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import shoal
from shoal import Hierarchy, HierarchyError, InputError, KAnonymity
from shoal.cli.app import app
from shoal.io.csv_dialect import HEADER
from shoal.system.memory import free_memory

large = pytest.mark.skipif(not os.environ.get("SHOAL_LARGE"), reason="writes a gigabyte: set SHOAL_LARGE=1")
pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
GIGABYTE = 10**9
ASKED = "--quasi age --k 2 -o out.csv --report out.json --quiet"
BOUNDS = "Is a line end missing, or a quote never closed?"
HEADERS = (
    f"the line with the names of the columns is longer than {HEADER:,} characters. "
    f"Does the file have line ends, and is every quote closed?"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age,sex\n" + "30,f\n31,m\n" * 4)
    return tmp_path


def write(path, start, unit, size):
    block = unit * ((1 << 20) // len(unit))
    with path.open("wb") as file:
        file.write(start)
        for _ in range(size // len(block) + 1):
            file.write(block)


def refused(line, sentence):
    """Tell whether a command exits with 2 and a message, and leaves nothing behind."""
    result = CliRunner().invoke(app, line.split())
    assert result.stderr == f"shoal: {sentence}\n"
    assert (result.exit_code, result.stdout) == (2, "")
    assert not [name for name in os.listdir() if "out" in name]
    return True


class Ran(NamedTuple):
    """The result of a command in a separate process."""

    code: int
    told: str
    seconds: float
    peak: int  # bytes


# A separate process starts the command: its measurement would otherwise include the memory of the tests.
STARTER = """
import os, resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "shoal", *sys.argv[1:]], stdout=sys.stderr)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def ran(line):
    start = time.monotonic()
    here = os.environ | {"PYTHONPATH": str(Path(shoal.__file__).parents[1])}
    words = [sys.executable, "-c", STARTER, *line.split()]
    done = subprocess.run(words, env=here, capture_output=True, text=True, check=True)
    code, peak = map(int, done.stdout.split())
    found = Ran(code, done.stderr, time.monotonic() - start, peak * 1024)
    sys.stdout.write(f"{line}: {found.seconds:.1f} s, {found.peak / 1e9:.2f} GB, {found.told}\n")
    return found


# Lines and rows without an end


@pytest.mark.parametrize("unit", [b"x", b"ab,", b"\0", b'"x'])
def test_a_header_without_an_end(folder, unit):
    write(folder / "in.csv", b"", unit, HEADER)
    assert refused(f"anonymize in.csv {ASKED}", f"in.csv, line 1: {HEADERS}")


@pytest.mark.parametrize("unit", [b"never ends ", b"3,never ends\n", b'""'])
def test_a_quote_that_is_never_closed_before_more_than_a_row_may_hold(folder, unit, monkeypatch):
    for name, size in {"csv.LONGEST": 1 << 20, "csv_diagnosis.LONGEST": 1 << 20, "csv.BLOCK": 1 << 16}.items():
        monkeypatch.setattr(f"shoal.io.{name}", size)
    monkeypatch.setattr("shoal.io.csv.PART", 1 << 18)
    write(folder / "in.csv", b'age,name\n1,a\n2,"', unit, 1 << 21)
    told = f"in.csv, line 3: the row that begins here is longer than {{}} bytes. {BOUNDS}"
    assert refused(f"anonymize in.csv {ASKED}", told.format("1,048,576"))
    more = " If not, read the table in memory: without --memory, or by shoal.anonymize()."
    assert refused(f"anonymize in.csv {ASKED} --memory 1GB", told.format("262,144") + more)


@pytest.mark.parametrize("memory", ["", " --memory 1GB"])
@pytest.mark.parametrize("end", ['"x', '"', '"x""', '"é'])
def test_a_quote_that_is_never_closed_at_the_end_of_the_file(folder, end, memory):
    (folder / "in.csv").write_text(f"age,name\n1,a\n1,{end}")
    told = "in.csv, line 3: a quote opens in this row and is never closed. "
    assert refused(
        f"anonymize in.csv {ASKED}{memory}", told + 'Close it, or write "" if the quote is part of the value.'
    )


def test_a_quote_that_is_never_closed_in_the_only_column(folder):
    (folder / "in.csv").write_text('age\n1\n1\n"')
    with pytest.raises(InputError, match=r"in\.csv, line 4: a quote opens in this row and is never closed"):
        shoal.read("in.csv")


@pytest.mark.parametrize("end", ['"x"', '""', '"x"""', 'x""', 'a"', "é"])
def test_quotes_at_the_end_of_the_file_that_are_closed_or_none(folder, end):
    (folder / "in.csv").write_text(f"age,name\n1,a\n1,{end}")
    assert shoal.read("in.csv").arrow("name").to_pylist() == ["a", next(csv.reader([end]))[0]]


@large
@pytest.mark.parametrize("memory", ["", " --memory 1GB"])
@pytest.mark.parametrize(
    ("start", "unit"),
    [
        (b"", b"x"),
        (b"", b"ab,"),
        (b"", b"\0"),
        (b'age,name\n1,a\n2,"', b"never ends "),
        (b'age,name\n1,a\n2,"', b"3,never ends\n"),
        (b"age,name\n1,a\n2,", b"x,y"),
    ],
)
def test_a_gigabyte_in_one_line_or_one_cell(folder, start, unit, memory):
    write(folder / "in.csv", start, unit, GIGABYTE)
    found = ran(f"anonymize in.csv {ASKED}{memory}")
    assert found.code == 2
    assert found.told.count("\n") == 1
    assert BOUNDS in found.told or HEADERS in found.told
    assert found.seconds < 60
    assert found.peak < 2 * GIGABYTE
    assert sorted(os.listdir()) == ["in.csv", "t.csv"]


# Columns without number


def wide(path, columns, rows=20):
    cells = "," + ",".join("v" * (columns - 2))
    heads = ",".join(f"c{at}" for at in range(columns - 2))
    lines = [f"{30 + row % 10},{'fm'[row % 2]}{cells}" for row in range(rows)]
    path.write_text(f"age,sex,{heads}\n" + "\n".join(lines) + "\n")


def test_five_thousand_columns(folder):
    wide(folder / "in.csv", 5_000)
    result = CliRunner().invoke(app, ["anonymize", "in.csv", "--quasi", "age,sex", "--k", "2", "-o", "out.csv"])
    assert result.exit_code == 0
    found = shoal.read("out.csv")
    assert found.columns == shoal.read("in.csv").columns
    assert shoal.assess(found, quasi_identifiers=["age", "sex"]).k >= 2


def test_a_name_that_stands_twice_among_many(folder):
    heads = ",".join(f"c{at}" for at in range(100_000))
    (folder / "in.csv").write_text(f"{heads},c7\n{heads},1\n")
    start = time.monotonic()
    assert refused(f"anonymize in.csv {ASKED}", "in.csv: the column name 'c7' appears twice. Rename one of the two.")
    assert time.monotonic() - start < 10


@large
@pytest.mark.parametrize(
    "line",
    [
        "anonymize in.csv --quasi age,sex --k 2 -o out.csv --quiet",
        "assess in.csv --quasi age,sex",
        "init in.csv --quiet",
    ],
)
def test_a_hundred_thousand_columns(folder, line):
    wide(folder / "in.csv", 100_000)
    found = ran(line)
    assert found.code == 0
    assert found.seconds < 300
    assert found.peak < 4 * GIGABYTE
    if line.startswith("anonymize"):
        rows = [one.split(",") for one in (folder / "out.csv").read_text().splitlines()]
        assert {len(row) for row in rows} == {100_000}
        assert shoal.assess("out.csv", quasi_identifiers=["age", "sex"]).k >= 2


# Trees without a top


def tree_file(path, form, levels):
    names = [f"g{at}" for at in range(levels)]
    if form == "pairs":
        pairs = [("30", "g0"), ("31", "g0"), *zip(names, [*names[1:], "top"], strict=True)]
        path.write_text("".join(f"{child},{parent}\n" for child, parent in pairs))
    elif form == "levels":
        above = ";".join([*names, "top"])
        path.write_text(f"30;{above}\n31;{above}\n")
    else:
        path.write_text("".join("\t" * at + name + "\n" for at, name in enumerate(names)))


@pytest.mark.parametrize("form", ["pairs", "levels", "tab-tree"])
def test_a_tree_that_is_too_high(folder, form, monkeypatch):
    if form == "tab-tree":  # 21,000 levels of tabs are 220 MB
        monkeypatch.setattr("shoal.data.tree.MAX_HEIGHT", 1_000)
    levels = 1_500 if form == "tab-tree" else 21_000
    tree_file(folder / "age.csv", form, levels)
    named, most = ("g1001", "1,000") if form == "tab-tree" else ("g999", "20,000")
    told = f"age.csv: The label '{named}' is more than {most} levels below the root: leave out levels."
    assert refused(f"anonymize t.csv {ASKED} --hierarchy age=age.csv", told)


def test_a_tree_of_ten_thousand_levels_is_right(folder):
    tree_file(folder / "age.csv", "levels", 9_999)
    made = shoal.anonymize("t.csv", quasi_identifiers="age", hierarchies={"age": "age.csv"}, model=KAnonymity(8))
    assert set(made.frame["age"].to_pylist()) == {"g0"}
    assert made.report.metrics["precision"] == pytest.approx(1 - 1 / 10_000)


@large
@pytest.mark.parametrize("form", ["pairs", "levels"])
def test_a_tree_of_a_million_levels(folder, form):
    tree_file(folder / "age.csv", form, 1_000_000)
    found = ran(f"anonymize t.csv {ASKED} --hierarchy age=age.csv")
    assert (found.code, "levels below the root" in found.told) == (2, True)
    assert found.seconds < 120
    assert found.peak < 2 * GIGABYTE


def test_reports_and_configurations_without_a_bottom(folder):
    deep = "[" * 10**6 + "]" * 10**6
    (folder / "deep.json").write_text(f'{{"generalization": {deep}}}')
    told = "deep.json: this is not a complete JSON file; name the .json report of a release."
    assert refused("apply deep.json t.csv -o out.csv", told)
    (folder / "deep.toml").write_text(f"[hierarchies]\nage = {deep}\n")
    told = "deep.toml: not valid TOML: maximum recursion depth exceeded. Fix it there."
    assert refused("anonymize --config deep.toml -o out.csv", told)
    for line in ("[hierarchies.age{}]\nx = 1", "[hierarchies]\nage{} = 1"):
        (folder / "deep.toml").write_text(line.format(".a" * 10**6))
        told = "deep.toml: there is a name of more than 100 parts (a.b.c…). Write fewer."
        assert refused("anonymize --config deep.toml -o out.csv", told)


def test_groups_within_groups_without_a_bottom():
    groups = ["30"]
    for at in range(100_000):
        groups = {f"g{at}": groups, "x": []}
    with pytest.raises(HierarchyError, match="more than 20,000 levels below the root"):
        Hierarchy.from_nested(groups)


# Parquet files that are larger than memory


def constant(path, value, rows, *, groups=1):
    """Return a column of one value: a few bytes for any number of rows."""
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), pa.array([value]))
    table = pa.table({"age": column})
    options = {"store_schema": False, "compression": "zstd", "data_page_size": 1 << 30, "write_batch_size": rows}
    with pq.ParquetWriter(path, table.schema, max_rows_per_page=2**30, **options) as file:
        for _ in range(groups):
            file.write_table(table, row_group_size=rows)
    return path.stat().st_size


ROOM = "GB are free. Read it part by part: --memory 4GB on the command line, shoal.anonymize_files() in Python.\n"


def test_a_few_bytes_of_parquet_that_are_ten_terabytes(folder):
    assert constant(folder / "in.parquet", "x" * 10**7, 10**6) < 10_000
    result = CliRunner().invoke(app, f"anonymize in.parquet {ASKED.replace('csv', 'parquet')}".split())
    assert result.exit_code == 2
    assert result.stderr.startswith("shoal: in.parquet: its content takes about 10,000.0 GB in memory, and ")
    assert result.stderr.endswith(ROOM)


@pytest.mark.parametrize(("value", "rows"), [(7, 2 * 10**6), ("x" * 1000, 10**5)])
def test_parquet_is_measured_against_the_memory_that_is_free(folder, monkeypatch, value, rows):
    constant(folder / "in.parquet", value, rows)
    assert len(shoal.read("in.parquet")) == rows
    monkeypatch.setattr("shoal.system.memory.free_memory", lambda: 10**7)
    with pytest.raises(InputError, match=r"^in.parquet: its content takes about 0.[01] GB in memory, and 0.0 GB are"):
        shoal.read("in.parquet")


def test_one_long_text_among_short_ones_is_no_reason_to_refuse(folder, monkeypatch):
    pq.write_table(pa.table({"note": ["x" * 10**6] + ["short"] * 99_999}), "in.parquet")
    monkeypatch.setattr("shoal.system.memory.free_memory", lambda: 10**7)
    assert len(shoal.read("in.parquet")) == 100_000


@large
def test_forty_gigabytes_of_numbers_in_a_few_bytes(folder):
    if (free_memory() or 0) > 40 * GIGABYTE:
        pytest.skip("this machine has room for it")
    assert constant(folder / "in.parquet", 7, 50 * 10**6, groups=100) < 50_000
    found = ran(f"anonymize in.parquet {ASKED.replace('csv', 'parquet')}")
    assert (found.code, found.told.startswith("shoal: in.parquet: its content takes about 40.0 GB")) == (2, True)
    assert found.peak < GIGABYTE


def varint(number):
    number, signs = 2 * number, b""
    while number >= 128:
        number, signs = number >> 7, signs + bytes([number & 127 | 128])
    return signs + bytes([number])


@pytest.mark.parametrize(
    ("told", "sentence"), [(10**9, "1,000,000,000 rows and holds 900,000"), (10**15, "GB are free")]
)
@pytest.mark.parametrize("by_parts", [False, True])
def test_a_footer_that_tells_of_more_rows_than_there_are(folder, told, sentence, by_parts):
    rows = 900_000
    pq.write_table(pa.table({"age": np.arange(rows) % 9}), "in.parquet", write_statistics=False)
    content = (folder / "in.parquet").read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    footer = content[-8 - length : -8].replace(varint(rows), varint(told))
    (folder / "in.parquet").write_bytes(content[: -8 - length] + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    if by_parts:
        sentence = f"{told:,} rows and holds 900,000"
        with pytest.raises(InputError, match=sentence):
            shoal.anonymize_files("in.parquet", "out.parquet", quasi_identifiers="age", model=KAnonymity(2))
    else:
        with pytest.raises(InputError, match=sentence):
            shoal.read("in.parquet")
    assert sorted(os.listdir()) == ["in.parquet", "t.csv"]


def test_a_workbook_that_is_larger_than_memory_when_it_is_unpacked(folder, monkeypatch):
    from zipfile import ZIP_DEFLATED, ZipFile

    with ZipFile("in.xlsx", "w", ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b" " * 10**7)
    monkeypatch.setattr("shoal.system.memory.free_memory", lambda: 10**6)
    with pytest.raises(InputError, match=r"in.xlsx: its content takes about 0.0 GB .* Save the sheet as CSV\."):
        shoal.read("in.xlsx")
