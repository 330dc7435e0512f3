"""How much memory a run may take, and what fits into it."""

from __future__ import annotations

import re

from shoal.errors import InputError

UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
LEAST = 10**9
VALUE = 300  # bytes for each different sensitive value: its text and its codes, before and after
BASE = 6 * 10**8  # the interpreter with its libraries, compiled code and the batches on their way


def size_of(given: str) -> int | None:
    """A size such as "4GB" or "512 MiB" in bytes, None where it is none."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*", given)
    if found is None:
        return None
    unit = found[2].upper() if found[2].upper() in UNITS else found[2].upper() + "B"
    return int(float(found[1]) * UNITS[unit]) if unit in UNITS else None


def memory_of(given: str | int) -> int:
    """The memory that a run may take, in bytes.

    >>> memory_of("4GB"), memory_of("1.5 GiB")
    (4000000000, 1610612736)
    """
    size = given if isinstance(given, int) and not isinstance(given, bool) else None
    if isinstance(given, str):
        size = size_of(given)
    if size is None:
        raise InputError(f"memory = {given!r} is no amount of memory: give one such as 4GB.")
    if size < LEAST:
        raise InputError(f"memory = {given!r} is too little: shoal itself needs some of it, give at least 1GB.")
    return size


def rows_that_fit(memory: int, columns: int, values: int = 0) -> int:
    """The different rows that an algorithm can work on in this much memory, beside so many sensitive values."""
    return max(0, memory - BASE - VALUE * values) // (28 * columns + 150)
