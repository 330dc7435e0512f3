"""Assessment: how safe a table is as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from math import isfinite
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.assessment.classes import Grouping
from shoal.analysis.assessment.kinds import Kinds
from shoal.analysis.assessment.population import population_sizes
from shoal.analysis.assessment.requirements import Required, Requirement, parse_requirements
from shoal.analysis.assessment.risk import Risk, risk_of
from shoal.analysis.assessment.sensitive import Sensitive, sensitive_of
from shoal.analysis.assessment.uniqueness import PopulationUniqueness, population_uniqueness
from shoal.analysis.assessment.verdicts import Verdict, verdicts
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.documents.html_page import Summary
from shoal.errors import InputError
from shoal.models import ModelContext, PrivacyModel

RISKIEST = 10
NO_POPULATION = (
    "No population is given, so the journalist's risk is the prosecutor's: "
    "the attacker is taken to know who is in the table."
)


@dataclass(frozen=True)
class RiskyRow:
    """A row of a small class: its number, counted from 1, the size of its class and what it shows."""

    row: int
    class_size: int
    values: dict[str, str]


@dataclass(frozen=True, repr=False)
class Assessment(Summary):
    """The classes of a table and what an attacker who knows the quasi-identifiers can tell from them.

    class_sizes       classes by their number of rows
    population_sizes  rows of the table by the size of their class in the population
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
    _classes: Kinds = field(repr=False, compare=False)
    _context: ModelContext = field(repr=False, compare=False)
    _population: Any = field(repr=False, compare=False)  # as it was given

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
        """For each sensitive attribute the least number of different values in a class."""
        return {name: int(found.distinct_l or 0) for name, found in self.sensitive.items()}

    @property
    def holds(self) -> bool:
        """Whether all that was required holds."""
        return all(verdict.holds for verdict in self.requirements)

    def to_dict(self) -> dict[str, Any]:
        """The assessment as plain dictionaries that can be written as JSON; what is infinite is None."""
        shown = [one.name for one in fields(self) if one.compare]
        return {name: _plain(getattr(self, name)) for name in shown}

    def check(self, require: Required) -> tuple[Verdict, ...]:
        """For each requirement whether it holds, as `shoal.check` says, without counting the classes again.

        >>> import shoal
        >>> found = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"])
        >>> [found.check(shoal.KAnonymity(k))[0].failing_rows for k in (2, 5, 10)]
        [5, 15, 61]
        """
        requirements = parse_requirements(require, self._context)
        for requirement in requirements:
            check_population(requirement.text, requirement.model, self._population)
        return verdicts(self._classes, requirements)

    def at_risk(self, model: PrivacyModel) -> int:
        """How many rows are in classes that do not satisfy a model, or one of those that it is combined of.

        >>> import shoal
        >>> found = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"], sensitive="occupation")
        >>> found.at_risk(shoal.KAnonymity(5) & shoal.DistinctDiversity(8))
        223
        """
        if not isinstance(model, PrivacyModel):
            raise InputError(f"{model!r} is no privacy model: give one such as shoal.KAnonymity(5).")
        check_population(str(model), model, self._population)
        return int(self._classes.sizes[self._classes.failing(model)].sum())

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw the class sizes and the risks into a .png, .svg or .pdf file; needs matplotlib."""
        from shoal.analysis.assessment.plots import plot

        plot(self, path)


def assessment_of(
    table: Table,
    context: ModelContext | None = None,
    *,
    population: Table | None = None,
    given: Any = None,
    sampling_fraction: float | None = None,
    threshold: float = 0.2,
    suppressed: Sequence[str] = (),
    requirements: Sequence[Requirement] = (),
) -> Assessment:
    """Group the rows by their quasi-identifiers and look at the classes; `given`: the population as it was given."""
    grouping, context = Grouping.of(table, suppressed=suppressed), context or ModelContext()
    sizes = grouping.sizes
    different, counts = np.unique(sizes, return_counts=True)
    class_sizes = dict(zip(different.tolist(), counts.tolist(), strict=True))
    among = sizes if population is None else population_sizes(grouping, population)
    journalist = risk_of(sizes, among, threshold)
    estimated = None if sampling_fraction is None else population_uniqueness(class_sizes, sampling_fraction)
    told = [estimated.note] if estimated and estimated.note else []
    kinds = Kinds.of(grouping, None if population is None else among)
    return Assessment(
        rows=table.rows,
        suppressed_rows=table.rows - grouping.rows,
        classes=len(sizes),
        k=int(different[0]),
        average_class_size=grouping.rows / len(sizes),
        class_sizes=class_sizes,
        unique_rows=class_sizes.get(1, 0),
        sensitive={name: sensitive_of(grouping, name, context) for name in table.sensitive},
        threshold=float(threshold),
        prosecutor=risk_of(sizes, sizes, threshold),
        journalist=journalist,
        marketer=journalist.average,
        population_rows=None if population is None else population.rows,
        population_unique_rows=None if population is None else int((among == 1).sum()),
        population_sizes=None if population is None else _rows_by(among, sizes),
        population_uniqueness=estimated,
        riskiest=_riskiest(grouping),
        requirements=verdicts(kinds, requirements),
        notes=(*_notes(grouping, population), *told),
        _classes=kinds,
        _context=context,
        _population=given,
    )


def _rows_by(among: NDArray[np.int64], sizes: NDArray[np.int64]) -> dict[int, int]:
    """The rows of the table by the size of their class in the population."""
    different, place = np.unique(among, return_inverse=True)
    rows = np.bincount(place, weights=sizes).astype(np.int64)
    return dict(zip(different.tolist(), rows.tolist(), strict=True))


def _riskiest(grouping: Grouping) -> tuple[RiskyRow, ...]:
    """The rows of the smallest classes, in the order of the table where classes are equally large."""
    inside = np.flatnonzero(grouping.ids >= 0)
    row_sizes = grouping.sizes[grouping.ids[inside]]
    few = min(RISKIEST, inside.size)
    limit = np.partition(row_sizes, few - 1)[few - 1]
    near = np.flatnonzero(row_sizes <= limit)
    picked = near[np.argsort(row_sizes[near], kind="stable")[:few]]
    return tuple(
        RiskyRow(int(inside[place]) + 1, int(row_sizes[place]), grouping.labels(int(grouping.ids[inside[place]])))
        for place in picked.tolist()
    )


def _notes(grouping: Grouping, population: Table | None) -> list[str]:
    notes = [NO_POPULATION] if population is None else []
    top = Style().top
    hidden = int(grouping.sizes[grouping.showing([top])].sum())
    if hidden:
        notes.append(
            f"{hidden} rows show {top} for every quasi-identifier and count as a class: if they are suppressed, "
            f"name the label as suppressed."
        )
    return notes


def check_population(text: str, model: PrivacyModel, population: Any) -> None:
    """Refuse a requirement that asks about another population than the one that was given."""
    for people in model.populations:
        path = isinstance(people, str | PathLike) and isinstance(population, str | PathLike)
        if people is not population and not (path and str(people) == str(population)):
            raise InputError(f"{text} asks about another population than the one that is given.")


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
