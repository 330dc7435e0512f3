"""Tables as frames and files, and back to rows of texts, by none of shoal's code."""

from __future__ import annotations

import codecs
import csv
from datetime import date, datetime
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

TYPES = {
    "int": pa.int64(),
    "float": pa.float64(),
    "decimal": pa.decimal128(10, 2),
    "date": pa.date32(),
    "time": pa.timestamp("us"),
    "bool": pa.bool_(),
    "str": pa.string(),
    "list": pa.list_(pa.dictionary(pa.int32(), pa.string())),
    "struct": pa.struct([pa.field("d", pa.dictionary(pa.int8(), pa.string()), metadata={"first": "visit 0000"})]),
}


def frame_of(columns, kind, *, categorical):
    """A dataframe of a kind."""
    table = arrow_of(columns, categorical=categorical)
    if kind == "pyarrow":
        return table
    if kind == "polars":
        return pl.from_arrow(table)
    types = {column.name: _pandas(column, categorical=categorical) for column in columns}
    return pd.DataFrame({column.name: pd.Series(column.typed(), dtype=types[column.name]) for column in columns})


def _pandas(column, *, categorical):
    """The type of a pandas column; dates as objects, or as times at midnight where all are there."""
    if column.type == "time" or (column.type == "date" and None not in column.texts):
        return "datetime64[ns]"
    if column.type == "str" and categorical:
        return "category"
    if column.type in ("int", "float"):
        return "float64" if None in column.texts or column.type == "float" else "int64"
    return "object"


def arrow_of(columns, *, categorical=False):
    """An Arrow table."""
    arrays = {column.name: pa.array(column.typed(), TYPES[column.type]) for column in columns}
    if categorical:
        text = [column.name for column in columns if column.type == "str"]
        arrays |= {name: arrays[name].dictionary_encode() for name in text}
    return pa.table(arrays)


def rows_of(frame):
    """The rows of a frame as texts, None where a value is missing."""
    if isinstance(frame, pd.DataFrame):
        columns = {name: frame[name].tolist() for name in frame.columns}
    else:
        columns = frame.to_dict(as_series=False) if isinstance(frame, pl.DataFrame) else frame.to_pydict()
    texts = {name: [text_of(value) for value in values] for name, values in columns.items()}
    return [dict(zip(texts, row, strict=True)) for row in zip(*texts.values(), strict=True)]


def text_of(value):
    """A value of a frame as it stands in a text file."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def types_of(frame, names, case):
    """The types of the columns that are passed on; a pseudonym is text, whatever it stands for."""
    kept = [name for name in names if name not in case.pseudonymized]
    types = [frame.schema.field(name).type if isinstance(frame, pa.Table) else frame[name].dtype for name in kept]
    # Which categories there are is up to the rows that are left.
    return [str(kind.value_type) if isinstance(kind, pa.DictionaryType) else str(kind) for kind in types]


def write_csv(path, columns, case):
    """A CSV file of the case's form, with the mark where a value is missing."""
    texts = [[case.mark if text is None else text for text in column.texts] for column in columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=case.separator, lineterminator=case.line_end)
        writer.writerow([column.name for column in columns])
        writer.writerows(zip(*texts, strict=True))


def read_csv(path, case):
    """The rows of a CSV file; in one column an empty line is a row."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        names, *rows = csv.reader(file, delimiter=case.separator, strict=True)
    rows = [row or [""] for row in rows] if len(names) == 1 else [row for row in rows if row]
    return [dict(zip(names, row, strict=True)) for row in rows]


def write_input(case, folder, *, text):
    """The table and the population as files of a kind."""
    ending = "csv" if text else "parquet"
    path, people = folder / f"table.{ending}", folder / f"population.{ending}"
    for place, columns in ((path, case.columns), (people, case.people)):
        if columns and text:
            write_csv(place, columns, case)
        elif columns:
            pq.write_table(arrow_of(columns, categorical=case.categorical), place)
    return path, people


NAMES = [
    "p[1]",
    "{a,b}",
    "*",
    "?x",
    "b\\c",
    "[^p]",
    "a,b",
    " %20 #",
    "é 日本",
    "-x",
    "k=1",
    "'\"",
    "plain",
]


def oddly(path, case):
    """A file under an odd name, beside another that the name would fit as a pattern; a CSV may be in an odd form."""
    named = path.with_name(f"{NAMES[case.seed % len(NAMES)]}{path.suffix}")
    path.rename(named)
    for other in ("p1", "a", "b", "bx", "xx"):
        named.with_name(f"{other}{path.suffix}").write_bytes(b"another file")
    if path.suffix == ".csv":
        content = named.read_bytes()
        if case.seed % 3 == 0:
            content = codecs.BOM_UTF8 + content
        if case.seed % 4 == 0 and b'"' not in content:
            content = content.replace(b"\r\n", b"\n").replace(b"\n", b"\r" if case.seed % 8 else b"\r\n")
        if case.seed % 5 == 0 and len(case.columns) > 1:
            content += case.line_end.encode() * 3
        if case.seed % 7 == 0:
            content = content.rstrip(b"\r\n") if len(case.columns) > 1 else content
        named.write_bytes(content)
    return named


DAMAGE = [
    lambda content: content + b"\xff",
    lambda content: content + b'"never closed',
    lambda content: content + b",;\t" * 9,
    lambda content: content + b"\xc3",
    lambda content: content.split(b"\n")[0],
]


def damaged(path, case):
    """A copy of a CSV file that is not to be read."""
    copy = path.with_name(f"damaged{path.name}")
    copy.write_bytes(DAMAGE[case.seed % len(DAMAGE)](path.read_bytes()))
    return copy


def read_output(path, case):
    """The rows of a file, or of all files of a folder in the order of their names."""
    if path.is_dir():
        return [row for part in sorted(path.iterdir()) for row in read_output(part, case)]
    return read_csv(path, case) if path.suffix == ".csv" else rows_of(pq.read_table(path))


def split(path, folder):
    """A CSV file as two, in a folder."""
    folder.mkdir()
    with path.open(encoding="utf-8", newline="") as file:
        content = file.read()
    delimiter = "\r\n" if "\r\n" in content.partition("\n")[0] + "\n" else "\n"
    if '"' in content or content.count(delimiter) < 4:  # a line may be a part of a row
        (folder / "a.csv").write_text(content, encoding="utf-8", newline="")
        return folder
    head, *lines = content.split(delimiter)[:-1]
    half = len(lines) // 2
    for name, part in (("a.csv", lines[:half]), ("b.csv", lines[half:])):
        (folder / name).write_text(delimiter.join([head, *part, ""]), encoding="utf-8", newline="")
    return folder


def workplace():
    """Where the files of the cases go: in memory where there is such a place."""
    quick = Path("/dev/shm")
    return str(quick) if quick.is_dir() else None
