"""CSV files are read the same wherever the pieces in which they are read end."""

from __future__ import annotations

import csv
from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.io import csv as csv_files
from shoal.io.csv import read_csv, stream_csv
from shoal.io.csv_dialect import csv_header

BORDER = 1 << 22
CELLS = st.text(st.sampled_from('ab",;\r\n é'), max_size=6)


def pieces(path, names=("a", "v")):
    dialect, _ = csv_header(path, ",", "utf-8")
    batches = [batch for batch, _ in stream_csv(path, dialect, list(names))]
    return [row for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)]


@pytest.mark.parametrize("border", [BORDER, 4 * BORDER])
@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        (b'"y""\r', b'\nx"', 'y"\r\nx'),
        (b'"y\r', b'\nx"', "y\r\nx"),
        (b'"y"', b'"x"', 'y"x'),
        (b'"y""""\r', b'\nx"', 'y""\r\nx'),
        (b'"y"\r', b"\n2,x", "y"),
        (b'"', b'y"', "y"),
    ],
)
def test_a_line_break_on_both_sides_of_a_border(tmp_path, border, before, after, value):
    body = b"a,v\n"
    body += b"1," + b"f" * (border - len(body) - 2 - 1 - 2 - len(before)) + b"\n1," + before
    if border > BORDER:  # rows that are no longer than a piece may be
        row = b"1," + b"f" * 1000 + b"\n"
        body = b"a,v\n" + row * ((border - 3000) // len(row))
        body += b"1," + b"f" * (border - len(body) - 2 - 1 - 2 - len(before)) + b"\n1," + before
    assert len(body) == border
    path = tmp_path / "t.csv"
    path.write_bytes(body + after + b"\n1,z\n")
    values = read_csv(path, ",", "utf-8")[0]["v"].to_pylist()
    assert value in values
    assert [cell for _, cell in pieces(path)] == values


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "with a byte order mark"])
def test_a_value_that_begins_with_a_byte_order_mark_keeps_it(tmp_path, mark):
    path = tmp_path / "t.csv"
    path.write_bytes(mark + 'a,v\n\ufeff,"y"\n\ufeff\ufeffx,\ufeff\n'.encode())
    rows = [("\ufeff", "y"), ("\ufeff\ufeffx", "\ufeff")]
    assert list(zip(*read_csv(path, ",", "utf-8")[0].to_pydict().values(), strict=True)) == rows
    assert pieces(path) == rows


def test_no_value_becomes_another_one_in_a_release(tmp_path):
    row = b"30,f," + b"f" * 1000 + b"\n30,h," + b"f" * 1000 + b"\n"
    body = b"age,s,v\n" + row * ((BORDER - 3008) // len(row))
    begin = b'10,"a""\r'
    body += b"30,f," + b"g" * (BORDER - len(body) - 5 - 1 - len(begin)) + b"\n" + begin
    assert len(body) == BORDER
    (tmp_path / "given.csv").write_bytes(body + b'\nb",z\n10,"a""\r\nb",z\n' + row * 200)
    asked = {"quasi_identifiers": "age", "sensitive": "s", "algorithm": "mondrian"}
    asked["model"] = shoal.KAnonymity(2) & shoal.DistinctDiversity(2)
    shoal.anonymize_files(tmp_path / "given.csv", tmp_path / "safe.csv", **asked)
    with (tmp_path / "safe.csv").open(newline="") as file:
        assert {row[0] for row in csv.reader(file)} == {"age", "10-30"}


def written(cell: str, *, always: bool) -> str:
    quoted = always or any(sign in cell for sign in '",\r\n')
    return '"' + cell.replace('"', '""') + '"' if quoted else cell


@settings(max_examples=300, deadline=None)
@given(
    rows=st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=12),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    always=st.booleans(),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le"]),
    piece=st.integers(1, 40),
    step=st.integers(1, 40),
)
def test_pieces_of_any_size_have_the_same_rows(tmp_path_factory, rows, end, always, encoding, piece, step):
    lines = [",".join(written(cell, always=always) for cell in row) + end for row in [*rows, ['"', ""]]]
    path = tmp_path_factory.mktemp("pieces") / "t.csv"
    path.write_bytes("".join([f"a,v{end}", *lines]).encode(encoding))
    dialect, names = csv_header(path, ",", encoding)
    wanted = [*map(tuple, rows), ('"', "")]
    if not csv_files.has_quotes(path):
        return
    with patch.object(csv_files, "BLOCK", step):
        table, _ = read_csv(path, ",", encoding)
    assert list(zip(*(column.to_pylist() for column in table.columns), strict=True)) == wanted
    with patch.object(csv_files, "PART", piece):
        found = list(csv_files._whole_rows(path, dialect, 2, step=step, longest=1 << 12))
    whole = pa.concat_tables([csv_files.csv_part(path, content, dialect, names) for content, _ in found])
    assert list(zip(*(column.to_pylist() for column in whole.columns), strict=True)) == wanted
