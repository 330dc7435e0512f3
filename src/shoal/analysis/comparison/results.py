"""Results: the figures of every algorithm at every k and ℓ, without the words and pictures that are made of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from statistics import fmean, median, stdev
from typing import Any

from shoal.analysis.comparison.kept import Figures
from shoal.analysis.comparison.plan import Setting
from shoal.documents.html_page import Lines, Summary, figure
from shoal.metrics import METRICS

TIME = "time"  # the measure of the seconds that a run takes
CLASSES, SMALLEST, FEWEST = "classes", "smallest_class", "fewest_values"  # what a run also tells of its classes
SUPPRESSED = "suppressed_rows"  # and, if any may be, of the rows in none
MAX_IN_MS = 10  # seconds; longer times are shown in seconds


def title(measure: str, unit: str = "s") -> str:
    """Return the title of a measure, or of the time in a unit."""
    return METRICS[measure].title if measure in METRICS else f"time ({unit})"


def rank(measure: str, value: float) -> float:
    """Return a number that is lower for a better value."""
    return -value if measure in METRICS and METRICS[measure].higher_is_better else value


@dataclass(frozen=True)
class Cell:
    """The runs of one setting: the figures of each, or the reason why there is no release."""

    setting: Setting
    runs: tuple[Figures, ...]

    @property
    def failure(self) -> str | None:
        """The reason why there is no release, if there is none."""
        reasons = [run["failure"] for run in self.runs if "failure" in run]
        return str(reasons[0]) if reasons else None

    def values(self, measure: str) -> list[float]:
        """Return a measure of each run."""
        return [] if self.failure else [float(run[measure]) for run in self.runs]

    def fact(self, name: str) -> float | None:
        """Return what every run tells of its classes; None if that differs or is not known."""
        told = {run.get(name) for run in self.runs}
        value = told.pop() if len(told) == 1 else None
        return None if value is None else float(value)

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure over the runs, None if there is no release."""
        values = self.values(measure)
        return min(max(fmean(values), min(values)), max(values)) if values else None

    def middle(self, measure: str) -> float | None:
        """Return what stands for the runs: the median of times, the mean of any other measure."""
        return median(self.values(measure)) if measure == TIME and not self.failure else self.mean(measure)

    def clearly_better(self, other: Cell, measure: str) -> bool:
        """Return whether every run of this cell is better than every run of another."""
        own, others = ([rank(measure, value) for value in cell.values(measure)] for cell in (self, other))
        return bool(own and others) and max(own) < min(others)

    def spread(self, measure: str) -> float:
        """Return the standard deviation of a measure over the runs."""
        values = self.values(measure)
        return stdev(values) if len(values) > 1 else 0.0


Line = list[tuple[int, Cell]]  # cells by k or by ℓ


def released(line: Line) -> Line:
    """Return the cells with a release."""
    return [(x, cell) for x, cell in line if cell.failure is None]


@dataclass(frozen=True, repr=False)
class Results(Summary):
    """The cells of a comparison, in the order of its settings, and the data they were measured on."""

    name: str  # of the data
    rows: int
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    measures: tuple[str, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    complete: bool = True
    suppressed: Mapping[str, float] = field(default_factory=dict)  # what suppressing every cell costs, by measure

    def title(self, measure: str) -> str:
        """Return the title of a measure, or of the time in the unit in which it is shown."""
        return title(measure, self.unit[0])

    @cached_property
    def unit(self) -> tuple[str, float]:
        """The unit in which times are shown, and how many of it are a second: milliseconds if all are short."""
        times = [value for cell in self.cells if TIME in self.measures for value in cell.values(TIME)]
        return ("ms", 1000.0) if 0 < max(times, default=0.0) < MAX_IN_MS else ("s", 1.0)

    def held(self, along: str) -> str:
        """Return what is held where k (or ℓ) varies, if the other varies elsewhere: ` at ℓ = 1`, otherwise nothing."""
        if not self.by_l:
            return ""
        return f" at ℓ = {self.fixed_l}" if along == "k" else f" at k = {self.fixed_k}"

    def scaled(self, measure: str, value: float) -> float:
        """Return a value of a measure as it is shown: times in the unit."""
        return value * self.unit[1] if measure == TIME else value

    def is_whole(self, measure: str) -> bool:
        """Return whether every run has a whole number of a measure."""
        return all(value.is_integer() for cell in self.cells for value in cell.values(measure))

    def _figures(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "settings": len(self.cells),
            "algorithms": " ".join(self.algorithms),
            "complete": self.complete,
        }

    def _rows_shown(self) -> Lines:
        titles = [self.title(measure) for measure in self.measures]
        return ["algorithm", "k", "ℓ", *titles], [self._row_shown(cell) for cell in self.cells]

    def _row_shown(self, cell: Cell) -> list[str]:
        setting = cell.setting
        found = {measure: cell.middle(measure) for measure in self.measures}
        values = ("-" if value is None else figure(self.scaled(measure, value)) for measure, value in found.items())
        return [setting.algorithm, str(setting.k), str(setting.l), *values]

    @cached_property
    def algorithms(self) -> tuple[str, ...]:
        """The names of the algorithms."""
        return tuple(dict.fromkeys(cell.setting.algorithm for cell in self.cells))

    @cached_property
    def fixed_l(self) -> int:
        """The ℓ at which k varies: the lowest."""
        return min((cell.setting.l for cell in self.cells), default=1)

    @cached_property
    def fixed_k(self) -> int:
        """The k at which ℓ varies: the middle one of those with the most values of ℓ."""
        ls_of: dict[int, set[int]] = {}
        for cell in self.cells:
            ls_of.setdefault(cell.setting.k, set()).add(cell.setting.l)
        most = max((len(ls) for ls in ls_of.values()), default=0)
        best = sorted(k for k, ls in ls_of.items() if len(ls) == most)
        return best[(len(best) - 1) // 2] if best else 1

    @cached_property
    def by_k(self) -> dict[str, Line]:
        """The cells of each algorithm by k."""
        return self._lines("k", "l", self.fixed_l)

    @cached_property
    def by_l(self) -> dict[str, Line]:
        """The cells of each algorithm by ℓ, if there is more than one."""
        lines = self._lines("l", "k", self.fixed_k)
        return {name: line for name, line in lines.items() if len(line) > 1}

    def _lines(self, along: str, fixed: str, at: int) -> dict[str, Line]:
        lines: dict[str, Line] = {}
        for cell in self.cells:
            if getattr(cell.setting, fixed) == at:
                lines.setdefault(cell.setting.algorithm, []).append((getattr(cell.setting, along), cell))
        return {name: sorted(line, key=lambda point: point[0]) for name, line in lines.items()}

    def records(self) -> list[dict[str, Any]]:
        """Return a flat record of each cell: setting, number of runs; middle, spread and ends of each measure."""
        records = []
        for cell in self.cells:
            record: dict[str, Any] = asdict(cell.setting) | {"runs": len(cell.runs)}
            for measure in self.measures:
                values = cell.values(measure)
                record[measure] = cell.middle(measure)
                record[f"{measure}_sd"] = cell.spread(measure) if values else None
                record[f"{measure}_lowest"] = min(values, default=None)
                record[f"{measure}_highest"] = max(values, default=None)
            records.append(record | {"failure": cell.failure})
        return records

    def to_csv(self) -> str:
        """Return the records as CSV."""
        text = io.StringIO()
        records = self.records()
        writer = csv.DictWriter(text, list(records[0]) if records else ["algorithm"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
        return text.getvalue()
