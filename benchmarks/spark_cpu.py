"""CPU seconds of a driver of Spark on this machine and of all processes below it (Linux)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PARTS = ("driver", "workers", "Java")
TICKS = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    name: str
    parent: int
    own: int  # ticks
    ended: int  # ticks of children that have ended


def cpu_seconds() -> dict[str, float]:
    """The seconds so far of this process, of Java below it, and of the Python workers below that."""
    processes = dict(_processes())
    found = dict.fromkeys(PARTS, 0.0)
    for number, process in processes.items():
        above = number
        while above in processes and above != os.getpid():
            above = processes[above].parent
        if above == os.getpid():
            part = "driver" if number == above else "Java" if process.name == "java" else "workers"
            found[part] += (process.own + process.ended * (part == "workers")) / TICKS
    return found


def _processes():
    """All processes of this machine by their numbers."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:  # it has ended
            continue
        name, fields = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
        user, system, user_ended, system_ended = map(int, fields[11:15])
        yield int(path.parent.name), _Process(name, int(fields[1]), user + system, user_ended + system_ended)
