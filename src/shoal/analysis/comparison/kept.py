"""Finished runs kept in a file, so that an interrupted comparison continues where it was."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from shoal.algorithms import Algorithm
from shoal.data.domain import TreeDomain
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import PrivacyModel

Figures = dict[str, float | str]  # by measure, or under "failure" why there is no release


class Kept:
    """A file with a line for each run; its key covers everything that the figures depend on."""

    def __init__(self, path: Path | None, *, fresh: bool = False) -> None:
        self.path, self.mode, self.line_end = path, "w" if fresh else "a", ""
        self.runs: dict[str, Figures] = {}
        if path is not None and not path.parent.is_dir() and not path.parent.parent.is_dir():
            raise InputError(f"{path}: there is no folder for the kept runs. Make it first.")
        if path is None or fresh:
            return
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeError) as error:
            raise InputError(f"{path}: the kept runs cannot be read ({error}). Remove the file.") from error
        self.line_end = "\n" if text and not text.endswith("\n") else ""  # that a killed process did not write
        for line in text.splitlines():
            try:
                record = json.loads(line)
                key, figures = record["key"], record["figures"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue  # the last line of a process that was killed while writing
            if isinstance(key, str) and _are_figures(figures):
                self.runs[key] = figures

    def find(self, key: str, measures: tuple[str, ...]) -> Figures | None:
        """Return the figures of a run, if the file has all of them."""
        figures = self.runs.get(key)
        if figures is None or not ("failure" in figures or all(measure in figures for measure in measures)):
            return None
        return figures

    def add(self, key: str, figures: Figures, facts: dict[str, Any]) -> None:
        """Append the figures of a run to the file; `facts` only make the line readable."""
        self.runs[key] = self.runs.get(key, {}) | figures
        if self.path is None:
            return
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open(self.mode, encoding="utf-8") as file:
            file.write(self.line_end + json.dumps({"key": key, **facts, "figures": self.runs[key]}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.mode, self.line_end = "a", ""


def _are_figures(figures: object) -> bool:
    """Return whether an object from the file can be the figures of a run."""
    if not isinstance(figures, dict) or not figures:
        return False
    if "failure" in figures:
        return isinstance(figures["failure"], str)
    numbers = [value for value in figures.values() if isinstance(value, int | float) and not isinstance(value, bool)]
    return len(numbers) == len(figures) and all(0 <= value < inf for value in numbers)


def key_of(
    table: str, shuffle: int | None, algorithm: Algorithm, model: PrivacyModel, max_suppressed: int, *, timed: bool
) -> str:
    """Return a key of all that the figures depend on: table, parameters, shoal's code and, for times, the machine."""
    parts = [table, shuffle, repr(algorithm), repr(model), max_suppressed, _code(), _machine() if timed else ""]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def content(table: Table) -> str:
    """Return a checksum of a table with its hierarchies and weights."""
    digest = hashlib.sha256(table.checksum().encode())
    digest.update(table.weights.tobytes())
    digest.update(b"" if table.units is None else table.units.tobytes())
    for domain in table.domains:
        digest.update(type(domain).__name__.encode())
        if isinstance(domain, TreeDomain):
            digest.update(repr(domain.hierarchy.labels).encode() + domain.hierarchy.parents.tobytes())
    return digest.hexdigest()


@cache
def _code() -> str:
    """Return a checksum of shoal's own files and of the versions of Python, numpy and numba."""
    import numba
    import numpy as np

    digest = hashlib.sha256(f"{platform.python_version()} {np.__version__} {numba.__version__}".encode())
    for path in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _machine() -> str:
    return f"{platform.node()} {processor()} {os.cpu_count()}"


@cache
def processor() -> str:
    """Return the name of the processor, as far as the system reports it."""
    with suppress(OSError):
        model = re.search(r"^model name\s*:\s*(.*\S)", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
        if model:
            return model[1]
    return platform.processor() or platform.machine()
