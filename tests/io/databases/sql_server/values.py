"""Values of SQL Server in SQLite: each is kept in one form, and converted as strictly as the server does."""

from __future__ import annotations

import datetime as dt
import re
import struct
import uuid
from decimal import Decimal, InvalidOperation, localcontext

WHOLE = {"tinyint": (0, 255), **{name: (-(1 << bits), (1 << bits) - 1) for name, bits in (
    ("smallint", 15), ("int", 31), ("bigint", 63))}}  # fmt: skip
MONEY = {"money": 19, "smallmoney": 10}
CHARACTERS = ("char", "nchar", "varchar", "nvarchar", "xml")
BYTES = ("binary", "varbinary", "image")
TIMES = ("date", "time", "datetime", "smalldatetime", "datetime2", "datetimeoffset")
NEEDS_STYLE = {  # to lose nothing as text
    **dict.fromkeys(("time", "datetime", "datetime2", "datetimeoffset"), 121),
    **dict.fromkeys(MONEY, 2),
    "smalldatetime": 120,
    "date": 23,
}
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)?(?:^| |$)(?:(\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?)?(?: ?([+-]\d\d:\d\d))?")


class TsqlError(Exception):
    """An error as the server reports it."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number


def base(kind: str) -> str:
    return kind.partition("(")[0]


def sizes(kind: str) -> list[str]:
    return re.findall(r"\d+|max", kind.partition("(")[2])


def converted(value, kind: str, *, style: int | None = None, source: str = "", cuts: bool = False):
    """Convert a value to a type; with `cuts`, as CONVERT does, a text that is too long loses its end."""
    if value is None:
        return None
    name = base(kind)
    try:
        if name in CHARACTERS:
            return _characters(value, kind, style, source, cuts)
        if name in BYTES:
            return _bytes(value, kind, style, source)
        if name in WHOLE:
            return _whole(value, kind)
        if name == "bit":
            return int(str(value).lower() in ("true", "1") or (not isinstance(value, str) and value != 0))
        if name == "float":
            return float(value)
        if name == "real":
            return struct.unpack("<f", struct.pack("<f", float(value)))[0]
        if name in ("decimal", *MONEY):
            return _decimal(value, kind)
        if name == "uniqueidentifier":
            return str(uuid.UUID(value)).upper()
        return _moment(value, kind, style)
    except (ValueError, InvalidOperation, OverflowError, struct.error) as error:
        raise TsqlError(8114, f"Error converting data type nvarchar to {kind}.") from error


def _characters(value, kind, style, source, cuts):
    needed = NEEDS_STYLE.get(base(source))
    if needed != style and (needed or style is not None):
        raise TsqlError(281, f"{style} is not a style that keeps all of a {source}.")  # where others lose digits
    if isinstance(value, bytes):
        if base(source) in BYTES:
            value = value.decode("utf-16-le" if kind.startswith("n") else "cp1252")
        else:
            raise TsqlError(257, "bytes of no type")
    text = str(value)
    if not kind.startswith(("n", "xml")):
        text = text.encode("cp1252", "replace").decode("cp1252")
    size = (sizes(kind) or ["1"])[0]
    if size == "max" or base(kind) == "xml":
        return text
    units = text.encode("utf-16-le")
    if len(units) > 2 * int(size):
        if not cuts:
            raise TsqlError(2628, "String or binary data would be truncated.\nThe statement has been terminated.")
        text = units[: 2 * int(size)].decode("utf-16-le", "replace")
    return text.ljust(int(size)) if base(kind) in ("char", "nchar") else text


def _bytes(value, kind, style, source):
    if isinstance(value, str):
        if style != 1 or not value.startswith("0x"):
            raise TsqlError(257, f"Implicit conversion from data type nvarchar to {kind} is not allowed.")
        value = bytes.fromhex(value[2:])
    size = (sizes(kind) or ["max"])[0]
    if size == "max":
        return value
    if len(value) > int(size):
        raise TsqlError(2628, "String or binary data would be truncated.")
    return value.ljust(int(size), b"\0") if base(kind) == "binary" else value


def _whole(value, kind):
    number = int(value)
    least, most = WHOLE[base(kind)]
    if not least <= number <= most:
        raise TsqlError(8115, f"Arithmetic overflow error converting expression to data type {kind}.")
    return number


def _decimal(value, kind):
    digits, scale = (MONEY[base(kind)], 4) if base(kind) in MONEY else map(int, sizes(kind))
    with localcontext(prec=80):
        number = Decimal(str(value)).quantize(Decimal(1).scaleb(-scale))
        if abs(number) >= Decimal(10) ** (digits - scale):
            raise TsqlError(8115, "Arithmetic overflow error converting nvarchar to data type numeric.")
        return f"{number:f}"


def _moment(value, kind, style):
    name = base(kind)
    if style not in (None, NEEDS_STYLE[name]) or (name in ("datetime", "smalldatetime") and style is None):
        raise TsqlError(241, f"A text as {kind} without a style depends on the language of the session.")
    parts = MOMENT.fullmatch(value)
    if parts is None:
        raise TsqlError(241, "Conversion failed when converting date and/or time from character string.")
    day, clock, fraction, zone = parts.groups()
    dt.date.fromisoformat(day or "1900-01-01")
    dt.time.fromisoformat(clock or "00:00:00")
    day, clock, fraction = day or "1900-01-01", clock or "00:00:00", fraction or ""
    if name == "date":
        return day
    if name in ("datetime", "smalldatetime"):
        if len(fraction) > 3:
            raise TsqlError(241, "Conversion failed when converting date and/or time from character string.")
        if name == "smalldatetime":
            return f"{day} {clock[:6]}00"
        third = round(int(fraction.ljust(3, "0")) * 3 / 10)
        return f"{day} {clock}.{(third * 10 + 1) // 3:03d}"
    digits = int((sizes(kind) or ["7"])[0])
    clock += f".{fraction.ljust(7, '0')[:digits]}" if digits else ""
    if name == "time":
        return clock
    return f"{day} {clock}" + (f" {zone or '+00:00'}" if name == "datetimeoffset" else "")
