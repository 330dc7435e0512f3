"""The memory that a workbook needs, measured before it is read, as a small file may hold billions of cells."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

from shoal.errors import InputError, reason
from shoal.io.workbooks.old_files import measure_old_workbook
from shoal.io.workbooks.records import measure_records, string_lengths
from shoal.io.workbooks.size import MAX_TEXT, Sheet, Size
from shoal.io.workbooks.xml_parts import Unreadable, measure_part
from shoal.system.memory import check_room

INSTEAD = "Save the sheet as CSV."
CHUNK = 1 << 20
# How much larger the content may be than the file; programs write some 50 bytes of XML per byte, or 300 in memory.
FREE_XML, MAX_XML = 1 << 26, 200
FREE_MEMORY, MAX_MEMORY = 1 << 29, 2000
MAX_SIZE = 1 << 62  # larger than any file, so that a part is unpacked to its end whatever its header says


def check_workbook(path: Path) -> None:
    """Raise InputError if the cells and texts of a workbook need more memory than is free."""
    try:
        if not is_zipfile(path):
            check_room(path, 2 * path.stat().st_size, INSTEAD)
            size = measure_old_workbook(path.read_bytes())
        else:
            with ZipFile(path) as packed:
                parts = packed.infolist()
                announced = sum(part.file_size for part in parts)
                check_room(path, announced, INSTEAD)
                _check_unpacked(path, announced)
                size = _packed_size(path, packed, parts)
    except (BadZipFile, Unreadable, RuntimeError, NotImplementedError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a readable workbook ({reason(error)}).") from error
    if size.longest > MAX_TEXT:
        raise InputError(
            f"{path}: a cell holds a text of {size.longest:,} characters, and {MAX_TEXT:,} is the limit. Shorten it."
        )
    check_room(path, size.memory, INSTEAD)
    packed_size = path.stat().st_size
    if size.memory > max(FREE_MEMORY, MAX_MEMORY * packed_size):
        raise InputError(
            f"{path}: its {packed_size:,} bytes expand to cells and texts of about {size.memory / 1e9:,.1f} GB, more "
            f"than {MAX_MEMORY:,} times as much, which no table does. {INSTEAD}"
        )


def _check_unpacked(path: Path, unpacked: int) -> None:
    """Raise InputError if a workbook unpacks to far more than programs write, before time is spent on it."""
    packed_size = path.stat().st_size
    if unpacked > max(FREE_XML, MAX_XML * packed_size):
        raise InputError(
            f"{path}: its {packed_size:,} bytes unpack to {unpacked:,} or more, over {MAX_XML} times as many, which no "
            f"program writes. {INSTEAD}"
        )


def _packed_size(path: Path, packed: ZipFile, parts: list[ZipInfo]) -> Size:
    """Measure the largest sheet and all shared texts; every part is unpacked to its end once."""
    unpacked = 0

    def chunks(part: ZipInfo) -> Iterator[bytes]:
        nonlocal unpacked
        for chunk in _chunks(packed, part):
            unpacked += len(chunk)
            check_room(path, unpacked, INSTEAD)
            _check_unpacked(path, unpacked)
            yield chunk

    shared: list[int] = []
    sheets: list[Sheet] = []
    for part in parts:
        if part.filename.lower().endswith(".bin"):
            content = b"".join(chunks(part))
            shared += string_lengths(content)
            sheets.append(measure_records(content))
        else:
            measured = measure_part(chunks(part))
            shared += measured.shared
            sheets.append(measured.sheet)
    return Size.of(sheets, shared, unpacked)


def _chunks(packed: ZipFile, part: ZipInfo) -> Iterator[bytes]:
    """Unpack a part, whatever length and checksum its header has."""
    whole = copy(part)
    whole.file_size = MAX_SIZE
    whole.CRC = None  # type: ignore[assignment]
    with packed.open(whole) as file:
        while chunk := file.read(CHUNK):
            yield chunk
