"""Comparison: what every algorithm costs at every k and ℓ."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from shoal.analysis.comparison.kept import Figures
from shoal.analysis.comparison.plan import Setting
from shoal.documents.html_page import Summary
from shoal.errors import InputError
from shoal.metrics import METRICS
from shoal.system import atomic_files


def title(measure: str) -> str:
    """Return the title of a measure, or of the time."""
    return METRICS[measure].title if measure in METRICS else "time, s"


@dataclass(frozen=True)
class Cell:
    """The runs of one setting: the figures of each, or why there is no release."""

    setting: Setting
    runs: tuple[Figures, ...]

    @property
    def failure(self) -> str | None:
        """Why there is no release, if there is none."""
        found = [run["failure"] for run in self.runs if "failure" in run]
        return str(found[0]) if found else None

    def values(self, measure: str) -> list[float]:
        """A measure of each run."""
        return [] if self.failure else [float(run[measure]) for run in self.runs]

    def mean(self, measure: str) -> float | None:
        """The mean of a measure over the runs, None if there is no release."""
        values = self.values(measure)
        return min(max(fmean(values), min(values)), max(values)) if values else None

    def spread(self, measure: str) -> float:
        """The standard deviation of a measure over the runs."""
        values = self.values(measure)
        return stdev(values) if len(values) > 1 else 0.0


Line = list[tuple[int, Cell]]  # cells by k or by ℓ


@dataclass(frozen=True, repr=False)
class Comparison(Summary):
    """The cells of a comparison, in the order of its settings, and what it was made of."""

    name: str  # of the data
    rows: int
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    measures: tuple[str, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    complete: bool = True

    def _figures(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "settings": len(self.cells),
            "algorithms": " ".join(self.algorithms),
            "complete": "yes" if self.complete else "no",
        }

    @cached_property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms by name."""
        return tuple(dict.fromkeys(cell.setting.algorithm for cell in self.cells))

    @cached_property
    def fixed_l(self) -> int:
        """The ℓ at which k is varied: the lowest."""
        return min((cell.setting.l for cell in self.cells), default=1)

    @cached_property
    def fixed_k(self) -> int:
        """The k at which ℓ is varied: the middle one of those with the most values of ℓ."""
        found: dict[int, set[int]] = {}
        for cell in self.cells:
            found.setdefault(cell.setting.k, set()).add(cell.setting.l)
        most = max((len(values) for values in found.values()), default=0)
        best = sorted(k for k, values in found.items() if len(values) == most)
        return best[(len(best) - 1) // 2] if best else 1

    @cached_property
    def by_k(self) -> dict[str, Line]:
        """For each algorithm its cells against k."""
        return self._lines("k", "l", self.fixed_l)

    @cached_property
    def by_l(self) -> dict[str, Line]:
        """For each algorithm with more than one ℓ its cells against ℓ."""
        found = self._lines("l", "k", self.fixed_k)
        return {name: line for name, line in found.items() if len(line) > 1}

    def _lines(self, along: str, fixed: str, at: int) -> dict[str, Line]:
        found: dict[str, Line] = {}
        for cell in self.cells:
            if getattr(cell.setting, fixed) == at:
                found.setdefault(cell.setting.algorithm, []).append((getattr(cell.setting, along), cell))
        return {name: sorted(line, key=lambda one: one[0]) for name, line in found.items()}

    def records(self) -> list[dict[str, Any]]:
        """A flat record for each cell: its setting, the number of runs, and of each measure mean, spread and ends."""
        found = []
        for cell in self.cells:
            record: dict[str, Any] = {
                "algorithm": cell.setting.algorithm,
                "k": cell.setting.k,
                "l": cell.setting.l,
                "runs": len(cell.runs),
            }
            for measure in self.measures:
                values = cell.values(measure)
                record[measure] = cell.mean(measure)
                record[f"{measure}_sd"] = cell.spread(measure) if values else None
                record[f"{measure}_lowest"] = min(values, default=None)
                record[f"{measure}_highest"] = max(values, default=None)
            found.append(record | {"failure": cell.failure})
        return found

    def to_csv(self) -> str:
        """Every cell as a line of CSV."""
        text = io.StringIO()
        records = self.records()
        writer = csv.DictWriter(text, list(records[0]) if records else ["algorithm"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dictionaries: what was compared, each cell with each of its runs, and the discussion."""
        from shoal.analysis.comparison.discussion import discussion

        cells = [
            {"algorithm": cell.setting.algorithm, "k": cell.setting.k, "l": cell.setting.l, "runs": list(cell.runs)}
            for cell in self.cells
        ]
        return {
            "data": self.name,
            "rows": self.rows,
            "quasi_identifiers": list(self.quasi),
            "sensitive": list(self.sensitive),
            "measures": list(self.measures),
            "complete": self.complete,
            "notes": list(self.notes),
            "cells": cells,
            "discussion": discussion(self),
        }

    def to_json(self) -> str:
        """Everything as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def discussion(self) -> list[str]:
        """What the figures say: who is fastest, who loses least, where the order changes, what is traded for what."""
        from shoal.analysis.comparison.discussion import discussion

        return discussion(self)

    def to_html(self) -> str:
        """A page with everything, for a browser; needs matplotlib."""
        from shoal.analysis.comparison.page import html

        return html(self)

    def save(self, folder: str | PathLike[str]) -> list[Path]:
        """Write cells.csv, cells.json, index.html, report.pdf (one A4 page) and the plots; needs matplotlib."""
        from shoal.analysis.comparison import plots, sheet
        from shoal.documents.plots import write

        drawn = {f"{name}.svg": figure for name, figure in plots.figures(self).items()}
        drawn["report.pdf"] = sheet.draw(self)
        texts = {"cells.csv": self.to_csv(), "cells.json": self.to_json(), "index.html": self.to_html()}
        writers = {name: partial(atomic_files.write_text, text) for name, text in texts.items()}
        writers |= {name: partial(write, figure, ending=Path(name).suffix) for name, figure in drawn.items()}
        return _written(folder, writers)

    def save_cells(self, folder: str | PathLike[str]) -> list[Path]:
        """Write cells.csv and cells.json."""
        texts = {"cells.csv": self.to_csv(), "cells.json": self.to_json()}
        return _written(folder, {name: partial(atomic_files.write_text, text) for name, text in texts.items()})


def _written(folder: str | PathLike[str], writers: Mapping[str, Callable[[Path], None]]) -> list[Path]:
    place = folder_of(folder)
    atomic_files.replace_whole({place / name: writer for name, writer in writers.items()})
    return [place / name for name in writers]


def folder_of(path: str | PathLike[str]) -> Path:
    """A folder to write into, made if its own folder exists."""
    place = Path(path)
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{place}: no folder can be made here ({error.strerror}).") from error
    return place
