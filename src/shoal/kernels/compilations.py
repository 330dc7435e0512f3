"""Compilations that are under way: each folder of kernels is announced once, and all are timed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOG = logging.getLogger("shoal.kernels")
# By folder: what it is for, and how long it takes to compile what one run of it needs, measured with numba 0.68.
FOLDERS = {
    "kernels": ("kernels", 5),
    "local_recoding": ("kernels of local recoding", 15),
    "clustering": ("kernels of clustering", 8),
    "people": ("kernels for people of several rows", 8),
}
OTHERS = ("kernels", 5)


class Compilations:
    """What is compiled for kernels, with all functions that they call."""

    def __init__(self) -> None:
        self.files: set[str] = set()  # of the kernels that have been imported
        self.kept = True  # what is compiled, for later processes
        self.announced: set[str] = set()
        self.under_way: list[str] = []
        self.names: list[str] = []  # of the kernels that were compiled
        self.tell: Callable[[int], None] = lambda count: None  # receives their number
        self.began = self.seconds = 0.0

    def start(self, file: str, name: str) -> None:
        """Announce the first compilation of each folder, and time what is compiled for a kernel."""
        if not self.under_way:
            if file not in self.files:
                return
            self.began = time.perf_counter()
            folder = Path(file).parent.name
            if folder not in self.announced:
                self.announced.add(folder)
                which, seconds = FOLDERS.get(folder, OTHERS)
                often = "once" if self.kept else "in each process, as no folder can be written to keep them"
                LOG.warning("compiling %s for this machine, %s: about %d s", which, often, seconds)
        if file in self.files:
            self.names.append(name)
            self.tell(len(self.names))
        self.under_way.append(name)

    def end(self) -> None:
        """Add up the time."""
        if self.under_way:
            self.under_way.pop()
            if not self.under_way:
                self.seconds += time.perf_counter() - self.began

    @contextmanager
    def counted(self, tell: Callable[[int], None]) -> Iterator[None]:
        """Tell how many kernels this process has compiled, each time that it begins one more."""
        before, self.tell = self.tell, tell
        try:
            yield
        finally:
            self.tell = before


COMPILATIONS = Compilations()


def clock() -> float:
    """Return a time in seconds that stands still while kernels are compiled."""
    now = time.perf_counter()
    under_way = now - COMPILATIONS.began if COMPILATIONS.under_way else 0.0
    return now - COMPILATIONS.seconds - under_way
