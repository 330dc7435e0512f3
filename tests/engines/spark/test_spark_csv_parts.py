"""CSV files that are split into parts are read as without Spark, or refused with the same message."""

from __future__ import annotations

import codecs
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings, strategies as st

import shoal
from shoal.engines.scan import Scan
from shoal.engines.spark import csv_parts
from shoal.engines.spark.csv_parts import check
from shoal.io import csv_diagnosis, files

ENCODINGS = ["utf-8", "latin-1", "cp1252", "ascii", "utf-16", "utf-16-le", "utf-16-be", "shift_jis"]


def by_parts(path: Path, *, separator: str = ",", encoding: str = "utf-8") -> pa.Table:
    """Read a file in parts, as Spark's workers do."""
    scan = Scan.of(path, separator=separator, encoding=encoding)
    checked = check(scan)
    assert checked.checksums == (files.checksum(path),)
    tasks = tuple(csv_parts._tasks(checked.parts, 40))
    reader = csv_parts._Reader(tasks, scan.dialect, tuple(scan.columns))
    numbers = pa.RecordBatch.from_pydict({"id": list(range(len(tasks)))})
    names = [f"c{at}" for at in range(len(scan.columns))]
    found = pa.Table.from_batches(list(reader([numbers])), pa.schema([(name, pa.string()) for name in names]))
    assert found.num_rows == checked.rows
    if not checked.rows:
        raise shoal.InputError(f"{path}: the table has column names but no rows.")
    return found.rename_columns(scan.columns)


def outcome(read, path: Path, **options: str):
    try:
        return read(path, **options)
    except shoal.InputError as error:
        return str(error)


def at_once(path: Path, **options: str) -> pa.Table:
    return files.read(path, **options)[0]


def assert_same(content: bytes, *, block: int, step: int, **options: str) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_parts, "CHECK_BYTES", block)
        patch.setattr(csv_parts, "PART_BYTES", step)
        path = Path(folder) / "in.csv"
        path.write_bytes(content)
        wanted, found = outcome(at_once, path, **options), outcome(by_parts, path, **options)
        assert type(found) is type(wanted), (found, wanted)
        assert found == wanted if isinstance(found, str) else found.equals(wanted)


PIECES = st.sampled_from(
    ["a", "b", ",", ",", "\n", "\n", "\r\n", "\r", '"', '""', '"a,\n"', " ", "é", "\0", ";", "x,y\n"]
)


@given(st.integers(1, 3), st.lists(PIECES, max_size=40), st.integers(1, 9), st.integers(1, 30))
@example(1, ["a", "\n", "\n", "b"], 1, 1)
@example(1, [" ", "\r", "\r\n", '""'], 2, 1)
@example(2, ['"a"', "b,c", "\n"], 1, 1)
@example(2, ["a", ",", '"b', "\n", "c,d", "\n"], 3, 2)
@settings(max_examples=400, deadline=None)
def test_parts_are_read_as_the_whole(width, pieces, block, step):
    content = ",".join(["p", "q", "r"][:width]) + "\n" + "".join(pieces)
    assert_same(content.encode(), block=block, step=step, separator=",")


ROWS = st.lists(st.tuples(*[st.text(st.sampled_from("aé ,;\"\n\r'"), max_size=4)] * 2), min_size=1, max_size=12)


@given(ROWS, st.sampled_from(ENCODINGS), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.integers(4, 12))
@settings(max_examples=300, deadline=None)
def test_encodings_and_line_ends(rows, encoding, end, ends, block):
    cells = [["p", "q"], *rows]
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells]
    text = end.join(lines) + end * ends
    if encoding in ("ascii", "shift_jis"):
        text = text.replace("é", "e")
    assert_same(text.encode(encoding), block=block, step=7, separator=",", encoding=encoding)


@given(st.binary(max_size=60), st.integers(1, 9))
@settings(max_examples=200, deadline=None)
def test_bytes_that_are_no_text(content, block):
    assert_same(b"p,q\n1,2\n" + content, block=block, step=3, separator=",")


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + b'"p","q"\n1,2\n3,4\n',
        codecs.BOM_UTF8 + b"p,q\r\n1,\xff\r\n",
        b"p,q\n1,\xc3",
        b"p,q\n\n\n1,2\n\n",
        b"\n\np,q\n1,2\n",
        b"p,p\n1,2\n",
        b"p,q\n",
        b"p,q",
        b"",
        b"p\n\n1\n\n",
        b'p,q\n1,"2',
        b'p,q\n"1,2\n3,4\n5,6\n',
        b"p,q\n1,2,3\n",
        b"p,q\n1\n",
    ],
)
@pytest.mark.parametrize("block", [1, 5, 1 << 22])
def test_odd_files(content, block):
    assert_same(content, block=block, step=1, separator=",")


def test_a_row_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_parts, "LONGEST", 1000)
    monkeypatch.setattr(csv_parts, "CHECK_BYTES", 256)
    monkeypatch.setattr("shoal.io.csv.LONGEST", 1000)
    monkeypatch.setattr("shoal.io.csv.PART", 1000)  # of which the first rows are looked at before
    monkeypatch.setattr(csv_diagnosis, "LONGEST", 1000)
    (tmp_path / "in.csv").write_text('p,q\n1,2\n"' + "a,\n" * 2000)
    with pytest.raises(shoal.InputError, match=r"line 3: the row that begins here is longer than 1,000 bytes"):
        by_parts(tmp_path / "in.csv")
