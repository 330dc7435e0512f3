"""The records of binary workbooks (.xlsb): a type, a length, and the bytes."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from shoal.io.workbooks.size import Sheet

ROW, SHARED, LAST_CELL, ITEM, BEGIN, END = 0, 7, 11, 19, 145, 146
NUMBER = Struct("<I")


def measure_records(content: bytes) -> Sheet:
    """Count the cells of a part; a part that is not a sheet has none."""
    sheet, row, inside = Sheet(), 0, False
    for kind, start, length in _records(content):
        if kind in (BEGIN, END):
            inside = kind == BEGIN
        elif not inside or length < 4:
            continue
        elif kind == ROW:
            row = NUMBER.unpack_from(content, start)[0]
        elif 1 < kind <= LAST_CELL:
            sheet.add(row, NUMBER.unpack_from(content, start)[0])
            if kind == SHARED and length >= 12:
                sheet.shared.append(NUMBER.unpack_from(content, start + 8)[0])
    return sheet


def string_lengths(content: bytes) -> list[int]:
    """Return the bytes of each shared text in a part."""
    return [
        3 * NUMBER.unpack_from(content, start + 1)[0]
        for kind, start, length in _records(content)
        if kind == ITEM and length >= 5
    ]


def _records(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the type of each record, where its bytes begin, and their number."""
    at, size = 0, len(content)
    while at < size:
        kind = content[at]
        at += 1
        if kind & 0x80 and at < size:
            kind = (kind & 0x7F) | (content[at] & 0x7F) << 7
            at += 1
        length = 0
        for shift in (0, 7, 14, 21):
            if at >= size:
                return
            byte = content[at]
            at += 1
            length |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        if at + length > size:
            return
        yield kind, at, length
        at += length
