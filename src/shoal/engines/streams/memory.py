"""The memory that a run may take, and how many rows fit into it."""

from __future__ import annotations

import re

from shoal.data.parameters import plain
from shoal.errors import InputError

UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
MIN_BYTES = 10**9
VALUE_BYTES = 300  # for each distinct sensitive value: its text and its codes, before and after
BASE_BYTES = 6 * 10**8  # the interpreter with its libraries, compiled code and the batches in progress


def size_of(text: str) -> int | None:
    """Parse a size such as "4GB" or "512 MiB"; return its bytes, or None if the text is not a size."""
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*", text)
    if match is None:
        return None
    unit = match[2].upper() if match[2].upper() in UNITS else match[2].upper() + "B"
    return int(float(match[1]) * UNITS[unit]) if unit in UNITS else None


def memory_of(memory: str | int) -> int:
    """Return the bytes that a run may take.

    >>> memory_of("4GB"), memory_of("1.5 GiB")
    (4000000000, 1610612736)
    """
    memory = plain(memory)
    size = memory if isinstance(memory, int) and not isinstance(memory, bool) else None
    if isinstance(memory, str):
        size = size_of(memory)
    if size is None:
        raise InputError(f"memory = {memory!r} is not an amount of memory; give one such as 4GB.")
    if size < MIN_BYTES:
        raise InputError(f"memory = {memory!r} is too little: shoal itself needs some of it; give at least 1GB.")
    return size


def rows_that_fit(memory: int, columns: int, values: int = 0) -> int:
    """Return how many distinct rows an algorithm can solve in this memory, next to this many sensitive values."""
    return max(0, memory - BASE_BYTES - VALUE_BYTES * values) // (28 * columns + 150)


def memory_for_whole(rows: int, size: int, columns: int) -> int:
    """Return the bytes that it takes to release a whole table in memory, verified again from what was written.

    Peaks measured on profiles, households and shifted dates of 10,000 to 500,000 rows are 0.28 GB, 5.5 times the size,
    and up to 0.6 kB for a row with ten such columns; this leaves at least 1.4 times as much.

    size     the bytes of all values
    columns  the number of quasi-identifiers and sensitive columns
    """
    return BASE_BYTES + 7 * size + rows * (300 + 60 * columns)


def memory_for_people(rows: int, columns: int) -> int:
    """Return the bytes that it takes to solve so many different rows of people."""
    return BASE_BYTES + rows * (8 * columns + 90)
