"""Small workbooks that expand beyond memory: refused with a message, never the end of the process."""

from __future__ import annotations

import base64
import lzma
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from test_spreadsheets import MANIFEST, XLS

from depth import every
from shoal import InputError
from shoal.io.workbooks import _chunks, check_workbook
from shoal.io.workbooks.old_files import _records, _workbook_stream
from shoal.io.workbooks.xml_parts import measure_part

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("python_calamine")
pytest.importorskip("resource")

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
LIMIT = 6 << 30  # bytes of addresses
CHILD = f"""
import resource, sys
import pyarrow, shoal, python_calamine
resource.setrlimit(resource.RLIMIT_AS, ({LIMIT}, {LIMIT}))
for path in sys.argv[1:]:
    try:
        print("rows", len(shoal.read(path).to_arrow()), flush=True)
    except shoal.InputError as error:
        print("refused", error, flush=True)
"""


def outcomes(*paths):
    """What a process of its own, with a limit on its memory, makes of workbooks."""
    command = [sys.executable, "-c", CHILD, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr[-500:])
    return done.stdout.splitlines()


def xlsx(path, rows, shared="", *, before=""):
    parts = {
        "_rels/.rels": relations(("r0", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            ("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml")
        ),
        "xl/worksheets/sheet1.xml": f'{before}<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{shared}</sst>',
    }
    packed(path, parts)


def relations(*entries):
    inside = "".join(f'<Relationship Id="{one}" Type="{OFFICE}/{kind}" Target="{to}"/>' for one, kind, to in entries)
    return f'<Relationships xmlns="{PACKAGE}">{inside}</Relationships>'


def packed(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)


def cell(place, value=1, kind="n"):
    return f'<c r="{place}" t="{kind}"><v>{value}</v></c>'


def ods(path, rows):
    names = {"office": "office", "table": "table", "text": "text"}
    spaces = " ".join(f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"' for one in names)
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="One">{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    packed(path, {"mimetype": mime, "META-INF/manifest.xml": MANIFEST, "content.xml": content})


def record(kind, content=b""):
    first = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    assert len(content) < 128
    return first + bytes([len(content)]) + content


def wide(text):
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def xlsb(path, cells):
    book = record(143) + record(156, struct.pack("<II", 0, 1) + wide("r1") + wide("S")) + record(144) + record(157)
    sheet = record(129) + record(148, bytes(16)) + record(145)
    for row, column, value in cells:
        sheet += record(0, struct.pack("<I", row) + bytes(13)) + record(5, struct.pack("<IId", column, 0, value))
    sheet += record(146) + record(130)
    packed(
        path,
        {
            "_rels/.rels": relations(("r0", "officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relations(("r1", "worksheet", "worksheets/sheet1.bin")),
            "xl/worksheets/sheet1.bin": sheet,
        },
    )


def moved_xls(path):
    """The sample with its last cell in the last row and column that a record can name."""
    content = lzma.decompress(base64.b85decode(XLS))
    stream = _workbook_stream(content)
    start = [start for kind, start, _ in _records(stream) if kind in (0x203, 0x27E, 0xFD)][-1]
    at = content.index(stream[start - 4 : start + 10]) + 4
    path.write_bytes(content[:at] + b"\xff\xff\xff\xff" + content[at + 4 :])


def circle_xls(path):
    """The sample with a sector of its sheets that leads to itself."""
    content = bytearray(lzma.decompress(base64.b85decode(XLS)))
    table = (struct.unpack_from("<I", content, 76)[0] + 1) << 9
    links = struct.unpack_from("<128I", content, table)
    at = next(one for one, link in enumerate(links) if link == one + 1)
    struct.pack_into("<I", content, table + 4 * at, at)
    path.write_bytes(content)


def test_cells_far_apart(tmp_path):
    far, near, binary, small = (tmp_path / name for name in ("far.xlsx", "near.xlsx", "far.xlsb", "near.xlsb"))
    xlsx(far, f'<row r="1">{cell("A1")}</row><row r="1048576">{cell("XFD1048576")}</row>')
    empty = '<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    xlsx(near, f'<row r="1">{cell("A1")}</row><row r="2">{cell("A2")}</row>{empty}')
    xlsb(binary, [(0, 0, 1.0), (1 << 20, 1 << 30, 2.0)])
    xlsb(small, [(0, 0, 1.0), (1, 0, 2.0)])
    old, circle = tmp_path / "old.xls", tmp_path / "circle.xls"
    moved_xls(old)
    circle_xls(circle)
    found = outcomes(far, near, binary, small, old, circle)
    assert found[0].startswith(f"refused {far}: its content takes about 824.6 GB in memory")
    assert found[2].startswith(f"refused {binary}: its content takes about ")
    assert found[4].startswith(f"refused {old}: its content takes about 206.2 GB")
    assert found[5] == f"refused {circle}: not a readable workbook (its sectors form a cycle)."
    assert found[1] == found[3] == "rows 1"


def test_texts_that_many_cells_share(tmp_path):
    rows = "".join(f'<row r="{at}">{cell(f"A{at}", 0, "s")}</row>' for at in range(1, 20_001))
    long, short = tmp_path / "long.xlsx", tmp_path / "short.xlsx"
    xlsx(long, rows, f"<si><t>{'x' * 5_000_000}</t></si>")
    xlsx(short, rows, f"<si><t>x</t></si><si><t>{'x' * 5_000_000}</t></si>")
    found = outcomes(long, short)
    assert found[0].startswith(f"refused {long}: its content takes about 200.")
    assert found[1] == "rows 19999"


def test_cells_texts_and_blanks_that_are_repeated(tmp_path):
    number = '<table:table-cell office:value-type="float" office:value="30"{}/>'
    text = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    row = "<table:table-row{}>{}</table:table-row>"
    times = ' table:number-{}-repeated="{}"'
    bodies = {
        "cells": row.format(times.format("rows", 1 << 20), number.format(times.format("columns", 1 << 14))),
        "texts": row.format(times.format("rows", 100_000), text.format("x" * 1_000_000)),
        "blanks": row.format("", text.format('a<text:s text:c="2000000000"/>b')) + row.format("", number.format("")),
        "empty": row.format("", number.format("")) * 2
        + row.format(times.format("rows", 1 << 20), f"<table:table-cell{times.format('columns', 1 << 14)}/>"),
    }
    for name, body in bodies.items():
        ods(tmp_path / f"{name}.ods", body)
    cells, texts, blanks, empty = outcomes(*(tmp_path / f"{name}.ods" for name in bodies))
    assert "its content takes about 2,886" in cells
    assert "its content takes about 200." in texts
    assert "a cell holds a text of 2,000,000,002 characters, and 67,108,864 is the limit." in blanks
    assert empty == "rows 1"


def sharing(rows, cells):
    """Rows of cells that all refer to the first shared text, without a place of their own."""
    inside = '<c t="s"><v>0</v></c>' * cells
    return f"<row>{inside}</row>" * rows


@pytest.mark.parametrize(
    ("rows", "shared", "sentence"),
    every(
        2,
        [
            (sharing(200, 500), f"<si><t>{'x' * 100_000}</t></si>", "bytes expand to cells and texts of about 20.0 GB"),
            (f"{cell('A1')}{' ' * 12_000_000}", "", "bytes unpack to "),
            (f"<row>{cell('A1')}</row>", "<si><t>a</t></si>" * 600_000, "bytes unpack to "),
            (
                "".join(f'<row r="{at}">{cell(f"A{at}")}{cell(f"XFD{at}")}</row>' for at in range(1, 2999)),
                "",
                "bytes expand to cells and texts of about 2.4 GB",
            ),
        ],
    ),
    ids=["shared", "blanks", "many texts", "far apart"],
)
def test_far_more_than_the_file_is_refused_whatever_memory_is_free(tmp_path, monkeypatch, rows, shared, sentence):
    path = tmp_path / "x.xlsx"
    xlsx(path, rows, shared)
    monkeypatch.setattr("shoal.system.memory.free_memory", lambda: 1 << 50)
    monkeypatch.setattr("shoal.io.workbooks.FREE_XML", 1 << 23)  # an eighth, reached by an eighth of the bytes
    for _ in range(2):  # by what the headers say, and by what is unpacked
        with pytest.raises(InputError) as refused:
            check_workbook(path)
        assert sentence in str(refused.value)
        lie(path)


def test_equal_rows_by_the_thousand_are_no_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.system.memory.free_memory", lambda: 1 << 50)
    path = tmp_path / "x.xlsx"
    xlsx(path, sharing(100_000, 5), "<si><t>a text of some length</t></si>")
    check_workbook(path)


@pytest.mark.parametrize(
    ("rows", "columns", "sentence"),
    [
        (2_000_000_000, 1, "rows with values go beyond row 1,048,576, the last one of a sheet"),
        (1 << 20, 1, "rows with values go beyond row 1,048,576"),
        (1, 2_000_000_000, "cells with values go beyond column 16,384, the last one of a sheet"),
    ],
)
def test_repeated_cells_beyond_the_sheet_are_refused(tmp_path, rows, columns, sentence):
    one = '<table:table-cell office:value-type="float" office:value="30"{}/>'
    head = f"<table:table-row>{one.format('')}</table:table-row>"
    body = one.format(f' table:number-columns-repeated="{columns}"')
    ods(tmp_path / "x.ods", f'{head}<table:table-row table:number-rows-repeated="{rows}">{body}</table:table-row>')
    with pytest.raises(InputError, match=sentence):
        check_workbook(tmp_path / "x.ods")


def lie(path):
    """Say in every header that a part unpacks to ten bytes."""
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = content.find(mark)
        while place >= 0:
            struct.pack_into("<I", content, place + at, 10)
            place = content.find(mark, place + 1)
    path.write_bytes(content)


def test_a_header_that_lies_about_what_is_packed(tmp_path, monkeypatch):
    path = tmp_path / "lie.xlsx"
    xlsx(path, f'<row r="1">{cell("A1")}</row>' + " " * 50_000_000)
    lie(path)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr("shoal.system.memory.free_memory", lambda: 20_000_000)
    with pytest.raises(InputError, match=r"its content takes about 0\.0 GB in memory"):
        check_workbook(path)
    with zipfile.ZipFile(path) as file:
        assert sum(map(len, _chunks(file, file.getinfo("xl/worksheets/sheet1.xml")))) > 50_000_000


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]>', "a part declares a document type, which no workbook needs"),
        ("x", "a part with cells does not begin like XML"),
        ("<worksheet></a>", "a part is not well-formed"),
    ],
)
def test_parts_that_no_program_writes(tmp_path, before, why):
    path = tmp_path / "x.xlsx"
    xlsx(path, f'<row r="1">{cell("A1")}</row><row r="9">{cell("XFD9")}</row>', before=before)
    with pytest.raises(InputError, match=f"not a readable workbook \\({why}"):
        check_workbook(path)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.tuples(st.integers(1, 40), st.integers(1, 800)), st.integers(0, 9), min_size=1, max_size=12))
def test_corners_are_those_of_the_sheet(tmp_path_factory, cells):
    """Held against openpyxl, which writes, and calamine, which reads."""
    import python_calamine

    path = Path(tmp_path_factory.mktemp("book")) / "x.xlsx"
    book = openpyxl.Workbook()
    for (row, column), value in cells.items():
        book.active.cell(row, column, value)
    book.save(path)
    with zipfile.ZipFile(path) as file:
        sheet = measure_part(iter([file.read("xl/worksheets/sheet1.xml")])).sheet
    read = python_calamine.CalamineWorkbook.from_path(path).get_sheet_by_index(0)
    assert ((sheet.top, sheet.left), (sheet.bottom, sheet.right)) == (read.start, read.end)
    assert sheet.cells == len(cells)
    assert sheet.places == read.height * read.width
