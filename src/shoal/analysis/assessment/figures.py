"""The figures of an assessment, which its plots, its JSON and its summary show."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, is_dataclass
from math import isfinite
from typing import Any

from shoal.analysis.assessment.sensitive import Sensitive
from shoal.analysis.assessment.uniqueness import PopulationUniqueness
from shoal.analysis.assessment.verdicts import Verdict
from shoal.documents.html_page import Summary
from shoal.release.risk import Risk


@dataclass(frozen=True)
class RiskyRow:
    """A row of a small class: its number, counted from 1, the size of its class and its quasi-identifiers."""

    row: int
    class_size: int
    values: dict[str, str]


@dataclass(frozen=True, repr=False)
class Figures(Summary):
    """The classes of a table and what an attacker who knows the quasi-identifiers can infer from them.

    class_sizes       the number of classes of each size
    population_sizes  the number of rows of the table by the size of their class in the population
    """

    rows: int
    suppressed_rows: int
    classes: int
    k: int
    average_class_size: float
    class_sizes: dict[int, int]
    unique_rows: int
    sensitive: dict[str, Sensitive]
    threshold: float
    prosecutor: Risk
    journalist: Risk
    marketer: float
    population_rows: int | None
    population_unique_rows: int | None
    population_sizes: dict[int, int] | None
    population_uniqueness: PopulationUniqueness | None
    riskiest: tuple[RiskyRow, ...]
    requirements: tuple[Verdict, ...]
    notes: tuple[str, ...]

    def _figures(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "classes": self.classes,
            "k": self.k,
            "unique rows": self.unique_rows,
            "highest risk": self.highest_risk,
            "average risk": self.average_risk,
            **{f"distinct {name}": number for name, number in self.distinct_sensitive.items()},
            "requirements that fail": sum(not verdict.holds for verdict in self.requirements),
        }

    @property
    def highest_risk(self) -> float:
        """The prosecutor's highest risk, 1 / k."""
        return self.prosecutor.highest

    @property
    def average_risk(self) -> float:
        """The prosecutor's mean risk, classes / rows."""
        return self.prosecutor.average

    @property
    def distinct_sensitive(self) -> dict[str, int]:
        """The least number of distinct values in a class, for each sensitive attribute."""
        return {name: int(reached.distinct_l or 0) for name, reached in self.sensitive.items()}

    @property
    def holds(self) -> bool:
        """Whether every requirement holds."""
        return all(verdict.holds for verdict in self.requirements)

    def to_dict(self) -> dict[str, Any]:
        """Return the assessment as plain dictionaries that can be written as JSON; infinite numbers are None."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(Figures)}


def _plain(value: Any) -> Any:
    if isinstance(value, Sensitive):
        return _plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value
