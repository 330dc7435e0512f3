"""Workbooks: dates are dates, whole numbers whole, empty cells missing."""

from __future__ import annotations

import base64
import datetime as dt
import lzma
import sys
import zipfile
from pathlib import Path

import pytest

import shoal
from shoal import InputError
from shoal.io.source import Source

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("python_calamine")

# The rows of OLD as Excel 97 writes them; no writer of that form is kept up any more.
XLS = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;1&M@M_mADGrk;#Fn3_|q=YI!3><bRg7T4u+=$92y5XR=#sm{*o6VTHX*Crpnc)M|#puk@"
    "^h-b4s3P%T*|5j%FV#XmrK5@>cY#$Aa2quG5BsCaW&p=w%`2#&kvK33jLRL19^cVN7!7pe@YpAhl_+DTtxO8)TRNPt)$jvGwZ=DK"
    "T9_0{g2$JZU%zO6<~VSw4G;M{w;st9r-w<b@Tc+k&|CN&3`S&;8D$H(R&1aqNjQmI@-42P{P%Ep1#_Jhez|mhmNk05fxUyT<Aa^K"
    "Hc{Jf2CWFOTK0K!iTP`pUo&aY7%^q(R%a4y1tIEZq-df>QAC{MN%oj<yGEy?5g5|JQpKirV{zInGq7vxVA6!mmY6=(xTocpx{&|b"
    "omE_Q3ZEJdrHfKJ>S6W9m>>bLi8#xjky}!@Yk*S<6;k?Xy&vrBl?!Z{qsBl&XRh3*8rr+9Pwc{33}SQ!5O+Y-cOB8ijY9zJm(Thg"
    "TNX@;*`P31fBMxSSuxj9;U5D#aj>_TNe7srM-RhKeT?)Y+^2-`pxiA)b5{brrc+WEoQ@avz+Wj#gF8ON+i%Zrw(ca}DBslNiGp_0"
    "_p{hhIwKL4=(dS-_~&EU4?E6Dd-r!0zKs;A<2~+&xbMs2&ABG35S~a(xa+sqjd_sHx$Eqk@mvGSs0IFc7jLUNewiFItf{_2(^u0a"
    "R;J`jx%VF7m=mzW=QEeX8MFp6sX%>MawPMm@Y(dO!x(OX*sx77uBZfNedR|4dM~GYTVMbH|5664?m)0e00H9!fGhw2juH!cvBYQl"
    "0ssI200dcD"
)
OLD = [("Ann", 30.0, dt.date(1994, 5, 6)), ("Bøb", 31.5, dt.date(1993, 1, 2))]
ODS = """<?xml version="1.0"?><office:document-content office:version="1.2"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table
 table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>age</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>born</text:p></table:table-cell></table:table-row><table:table-row>
<table:table-cell office:value-type="float" office:value="30"/><table:table-cell office:value-type="date"
 office:date-value="1994-05-06"/></table:table-row></table:table></office:spreadsheet></office:body>
</office:document-content>"""

MANIFEST = """<?xml version="1.0"?><manifest:manifest
 xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""


def workbook(path, *sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def refusal(path):
    with pytest.raises(InputError) as error:
        Source.of(path)
    return str(error.value)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_values_are_what_they_look_like():
    head = ["whole", "half", "day", "moment", "yes", "mixed", "clock", "none", 2024]
    one = [23, 1.5, dt.date(2000, 1, 2), dt.datetime(2000, 1, 2, 3, 4), True, 5, dt.time(3, 4), None, "a"]
    two = [27, None, None, dt.datetime(2000, 1, 2), False, "n/a", None, None, "ü"]
    workbook("x.xlsx", ("Päts", [head, one, two]))
    table = Source.of("x.xlsx").to_arrow()
    assert table.to_pydict() == {
        "whole": [23, 27],
        "half": [1.5, None],
        "day": [dt.date(2000, 1, 2), None],
        "moment": [dt.datetime(2000, 1, 2, 3, 4), dt.datetime(2000, 1, 2)],
        "yes": [True, False],
        "mixed": ["5", "n/a"],
        "clock": [dt.time(3, 4), None],
        "none": [None, None],
        "2024": ["a", "ü"],
    }
    assert [str(table.schema.field(name).type) for name in ("whole", "half", "none")] == ["int64", "double", "string"]


def test_sheets_by_name():
    workbook("x.xlsx", ("one", [["a"], [1]]), ("Zwei #2", [["b"], [2]]))
    assert Source.of("x.xlsx").columns == ["a"]
    source = Source.of("x.xlsx#Zwei #2")
    assert (source.columns, source.name, source.path) == (["b"], "x.xlsx#Zwei #2", Path("x.xlsx"))
    assert refusal("x.xlsx#three") == "x.xlsx: there is no sheet 'three'. There are 'one', 'Zwei #2'."


def test_empty_rows_and_columns_are_left_out():
    workbook(
        "x.xlsx", ("one", [[], [None, "a", None, "b"], [], [None, 1, None, 2], [None, None, None, None], [None, 3]])
    )
    assert Source.of("x.xlsx").to_arrow().to_pydict() == {"a": [1, 3], "b": [2, None]}


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "x.xlsx: the sheet is empty. It needs a row with the names of the columns."),
        ([["a", "b"]], "x.xlsx: the table has column names but no rows."),
        ([["a", "a"], [1, 2]], "x.xlsx: the column name 'a' appears twice. Rename one of the two."),
        ([["a", None], [1, 2]], "x.xlsx: column B has values and no name in the first row. Name it there."),
    ],
)
def test_what_is_no_table_is_refused(rows, sentence):
    workbook("x.xlsx", ("one", rows))
    assert refusal("x.xlsx") == sentence


def test_a_file_that_is_no_workbook_is_refused():
    Path("x.xlsx").write_text("a,b\n1,2\n")
    assert refusal("x.xlsx").startswith("x.xlsx: not a readable workbook (")
    assert refusal("no.xlsx") == "no.xlsx: cannot be read (No such file or directory)."


def test_the_old_form_and_opendocument():
    Path("x.xls").write_bytes(lzma.decompress(base64.b85decode(XLS)))
    assert [tuple(row.values()) for row in Source.of("x.xls").to_arrow().to_pylist()] == OLD
    with zipfile.ZipFile("x.ods", "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", MANIFEST)
        file.writestr("content.xml", ODS.replace(">\n<", "><"))
    assert Source.of("x.ods").to_arrow().to_pylist() == [{"age": 30, "born": dt.date(1994, 5, 6)}]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_workbook_becomes_a_release(tmp_path):
    workbook("x.xlsx", ("one", [["age", "came"], *([30 + row, dt.date(2000, 1, 1 + row)] for row in range(6))]))
    release = shoal.anonymize("x.xlsx#one", quasi_identifiers=["age"], keep="came", model=shoal.KAnonymity(3))
    release.save("safe.csv", report="safe.html")
    assert Path("safe.csv").read_text().splitlines()[1] == "30-32,2000-01-01"
    assert "&quot;x.xlsx#one&quot;" in Path("safe.html").read_text()
    assert release.report.input["sha256_of"] == "file"
    for target in ("x.xlsx", "y.xlsx", "y.ods#one"):
        with pytest.raises(InputError, match="shoal reads such files but does not write them"):
            release.save(target)


def test_what_is_missing_is_named(monkeypatch):
    workbook("x.xlsx", ("one", [["a"], [1]]))
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert refusal("x.xlsx") == ("Excel and OpenDocument files need python_calamine: pip install 'shoal[excel]'.")
