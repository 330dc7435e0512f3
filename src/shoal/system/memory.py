"""Whether a file fits into memory, told before it is read."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from shoal.errors import InputError

GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # the limit of a container
USED = ("/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes")


def free_memory() -> int | None:
    """The bytes of memory that are free, or can be freed at once; None where the system does not tell."""
    found = [_available()]
    for limit, used in zip(GROUPS, USED, strict=True):
        with suppress(OSError, ValueError):  # "max" is no limit
            found.append(int(Path(limit).read_text()) - int(Path(used).read_text()))
    known = [one for one in found if one is not None]
    return max(0, min(known)) if known else None


def _available() -> int | None:
    with suppress(OSError):
        told = re.search(r"MemAvailable: *([0-9]+) kB", Path("/proc/meminfo").read_text())
        if told:
            return int(told[1]) * 1024
    with suppress(AttributeError, OSError, ValueError):  # elsewhere all that the machine has
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def fits(needed: int) -> bool:
    """Whether so many bytes are free."""
    free = free_memory()
    return free is None or needed <= free


def check_room(path: Path, needed: int, instead: str) -> None:
    """Refuse a file whose content is more than what is free; `instead` says what to do."""
    free = free_memory()
    if free is not None and needed > free:
        raise InputError(
            f"{path}: its content takes about {needed / 1e9:,.1f} GB in memory, and {free / 1e9:,.1f} GB are free. "
            f"{instead}"
        )
