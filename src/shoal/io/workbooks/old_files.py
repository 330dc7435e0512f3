"""Workbooks of Excel 97 (.xls): sectors of a compound file, and records of cells in one of its streams."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from struct import Struct, unpack_from

from shoal.io.workbooks.size import Sheet, Size
from shoal.io.workbooks.xml_parts import Unreadable

MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
LAST_SECTOR = 0xFFFFFFFA  # larger numbers are markers
HEAD = Struct("<HH")
SHARED_TEXTS, CONTINUED, BEGIN, LABEL = 0xFC, 0x3C, 0x809, 0xFD
CELLS = {0x203, 0x204, 0x205, 0x27E, 0x06, 0x206, 0x406, LABEL, 0xD6, 0x03, 0x04, 0x05, 0x02, 0x07E}
SEVERAL = 0xBD  # a row of numbers


def measure_old_workbook(content: bytes) -> Size:
    """Measure a workbook by its largest sheet; a file that is not a compound file is left to the reader to refuse."""
    if not content.startswith(MAGIC):
        return Size(2 * len(content), 0)
    try:
        stream = _workbook_stream(content)
    except (struct.error, IndexError, ValueError) as error:
        raise Unreadable("it is damaged") from error
    sheets, texts, in_texts = [Sheet()], list[bytes](), False
    for kind, start, length in _records(stream):
        in_texts = kind == SHARED_TEXTS or (kind == CONTINUED and in_texts)
        if in_texts:
            texts.append(stream[start : start + length])
        elif kind == BEGIN:
            sheets.append(Sheet())
        elif kind in CELLS and length >= 6:
            sheets[-1].add(*HEAD.unpack_from(stream, start))
            if kind == LABEL and length >= 10:
                sheets[-1].shared.append(unpack_from("<I", stream, start + 6)[0])
        elif kind == SEVERAL and length >= 6:
            row, first = HEAD.unpack_from(stream, start)
            sheets[-1].add(row, first)
            sheets[-1].add(row, first + (length - 6) // 6, (length - 6) // 6)
    return Size.of(sheets, _text_lengths(texts), len(content))


def _records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    at = 0
    while at + 4 <= len(stream):
        kind, length = HEAD.unpack_from(stream, at)
        yield kind, at + 4, min(length, len(stream) - at - 4)
        at += 4 + length


def _text_lengths(pieces: list[bytes]) -> list[int]:
    """Return the most bytes that each shared text may take; its characters may go on in the next piece."""
    lengths: list[int] = []
    piece, at = 0, 8
    while piece < len(pieces):
        content = pieces[piece]
        if at + 3 > len(content):
            piece, at = piece + 1, 0
            continue
        count, flags = unpack_from("<HB", content, at)
        at += 3
        runs = unpack_from("<H", content, at)[0] if flags & 8 and at + 2 <= len(content) else 0
        at += 2 if flags & 8 else 0
        extra = unpack_from("<I", content, at)[0] if flags & 4 and at + 4 <= len(content) else 0
        at += 4 if flags & 4 else 0
        lengths.append(3 * count)
        piece, at = _after(pieces, piece, at, count, wide=bool(flags & 1), skip=4 * runs + extra)
    return lengths


def _after(pieces: list[bytes], piece: int, at: int, count: int, *, wide: bool, skip: int) -> tuple[int, int]:
    """Return the place after so many characters and bytes; each piece repeats the flag for wide characters."""
    while count and piece < len(pieces):
        here = max(0, len(pieces[piece]) - at) // (2 if wide else 1)
        if count <= here:
            at += count * (2 if wide else 1)
            break
        count, piece, at = count - here, piece + 1, 1
        wide = piece < len(pieces) and bool(pieces[piece][:1] and pieces[piece][0] & 1)
    while skip and piece < len(pieces):
        here = max(0, len(pieces[piece]) - at)
        if skip <= here:
            return piece, at + skip
        skip, piece, at = skip - here, piece + 1, 0
    return piece, at


def _workbook_stream(content: bytes) -> bytes:
    """Return the stream with the records of all sheets; raise Unreadable if chains of sectors form a cycle."""
    size = 1 << unpack_from("<H", content, 30)[0]
    if size not in (512, 4096):
        raise ValueError
    tables, first_folder = unpack_from("<I", content, 44)[0], unpack_from("<I", content, 48)[0]
    least, first_small = unpack_from("<I", content, 56)[0], unpack_from("<I", content, 60)[0]
    places = list(unpack_from("<109I", content, 76))
    more = unpack_from("<I", content, 68)[0]
    sectors = max(1, len(content) // size)
    while more < LAST_SECTOR and len(places) < sectors + 109:
        *further, more = unpack_from(f"<{size // 4}I", content, (more + 1) * size)
        places += further
    links: list[int] = []
    for place in [sector for sector in places if sector < LAST_SECTOR][: min(tables, sectors)]:
        links += unpack_from(f"<{size // 4}I", content, (place + 1) * size)

    def chain(first: int, links: list[int]) -> list[int]:
        numbers: list[int] = []
        while first < LAST_SECTOR:
            if len(numbers) > len(links):
                raise Unreadable("its sectors form a cycle")
            numbers.append(first)
            first = links[first]
        return numbers

    def stream(first: int) -> bytes:
        return b"".join(content[(number + 1) * size : (number + 2) * size] for number in chain(first, links))

    folder = stream(first_folder)
    entries = [folder[at : at + 128] for at in range(0, len(folder) - 127, 128)]
    small_table = stream(first_small) if first_small < LAST_SECTOR else b""
    small_links = [link for (link,) in Struct("<I").iter_unpack(small_table)]
    total, workbook = 0, b""
    for entry in entries:
        first, length = unpack_from("<II", entry, 116)
        kind, name = entry[66], entry[: max(0, unpack_from("<H", entry, 64)[0] - 2)].decode("utf-16-le", "replace")
        if kind != 2 or not length:
            continue
        small = length < least
        total += len(chain(first, small_links if small else links))
        if total > len(links) + len(small_links):
            raise Unreadable("its sectors form a cycle")
        if name.lower() in ("workbook", "book"):
            if small:
                root = stream(unpack_from("<I", entries[0], 116)[0])
                content_of = (root[number * 64 : number * 64 + 64] for number in chain(first, small_links))
                workbook = b"".join(content_of)[:length]
            else:
                workbook = stream(first)[:length]
    return workbook
