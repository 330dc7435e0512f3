"""Checks that a file fits into memory, made before it is read."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from shoal.errors import InputError

LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # of a container
USAGES = ("/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes")


def free_memory() -> int | None:
    """Return the bytes of memory that are free or can be freed immediately; None if the system does not say."""
    sizes = [_available()]
    for limit, usage in zip(LIMITS, USAGES, strict=True):
        with suppress(OSError, ValueError):  # "max" means no limit
            sizes.append(int(Path(limit).read_text()) - int(Path(usage).read_text()))
    reported = [size for size in sizes if size is not None]
    return max(0, min(reported)) if reported else None


def _available() -> int | None:
    with suppress(OSError):
        available = re.search(r"MemAvailable: *([0-9]+) kB", Path("/proc/meminfo").read_text())
        if available:
            return int(available[1]) * 1024
    with suppress(AttributeError, OSError, ValueError):  # other systems: all memory of the machine
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def fits(needed: int) -> bool:
    """Return whether this many bytes are free."""
    free = free_memory()
    return free is None or needed <= free


def check_room(path: Path, needed: int, instead: str) -> None:
    """Raise InputError if a file needs more memory than is free; `instead` says what to do."""
    free = free_memory()
    if free is not None and needed > free:
        raise InputError(
            f"{path}: its content takes about {needed / 1e9:,.1f} GB in memory, and {free / 1e9:,.1f} GB are free. "
            f"{instead}"
        )
