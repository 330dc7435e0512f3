"""Tables in Excel and OpenDocument workbooks."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from shoal.data.python_values import column
from shoal.data.style import text
from shoal.errors import InputError, reason
from shoal.io.workbooks import check_workbook
from shoal.system.optional_packages import extra

WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def sheet_of(path: Path) -> tuple[Path, str | None]:
    """Split `file.xlsx#Sheet` into the workbook and the sheet, unless a file with that name exists.

    >>> sheet_of(Path("clinic.xlsx#2024"))[1]
    '2024'
    """
    name, hash_mark, sheet = path.name.partition("#")
    if hash_mark and Path(name).suffix.lower() in WORKBOOKS and not path.exists():
        return path.with_name(name), sheet
    return path, None


def read_workbook(path: Path, sheet: str | None) -> pa.Table:
    """Read the first sheet of a workbook, or a named one: a row of names, then a row for each record.

    Dates become dates, numbers without a fraction whole numbers; empty cells and errors such as #N/A are missing. Rows
    and columns without any value are left out.
    """
    check_workbook(path)
    calamine = extra("python_calamine", "excel", "Excel and OpenDocument files")
    try:
        with calamine.CalamineWorkbook.from_path(path) as book:
            names = book.sheet_names
            if sheet is not None and sheet not in names:
                raise InputError(f"{path}: there is no sheet {sheet!r}. There are {', '.join(map(repr, names))}.")
            rows = book.get_sheet_by_name(sheet or names[0]).to_python()
    except calamine.CalamineError as error:
        raise InputError(f"{path}: not a readable workbook ({reason(error)}).") from error
    rows = [row for row in rows if any(cell != "" for cell in row)]
    if not rows:
        raise InputError(f"{path}: the sheet is empty. It needs a row with the names of the columns.")
    arrays, heads = [], []
    for number, (head, *values) in enumerate(zip(*rows, strict=True)):
        if head == "" and all(value == "" for value in values):
            continue
        name = "" if head == "" else text(head)
        if not name.strip():
            raise InputError(
                f"{path}: column {_letters(number)} has values and no name in the first row. Name it there."
            )
        arrays.append(column([None if value == "" else value for value in values], whole=True))
        heads.append(name)
    return pa.table(arrays, names=heads)


def _letters(number: int) -> str:
    """Return the letters of a column in a workbook.

    >>> _letters(0), _letters(25), _letters(26)
    ('A', 'Z', 'AA')
    """
    before, last = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)
