"""Assessment: how well a table protects the people in it, counted from its classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from shoal.analysis.assessment.figures import Figures, RiskyRow, sensitive_of
from shoal.analysis.assessment.kinds import Kinds
from shoal.analysis.assessment.people import Members, people_of
from shoal.analysis.assessment.plots import plot
from shoal.analysis.assessment.population import population_sizes
from shoal.analysis.assessment.requirements import Required, Requirement, Verdict, parse_requirements, verdicts
from shoal.analysis.assessment.uniqueness import population_uniqueness
from shoal.data.grouping import Grouping
from shoal.data.rows import histogram
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import ModelContext, PrivacyModel
from shoal.release.risk import risk_of

MAX_RISKY_ROWS = 10
NO_POPULATION = (
    "No population is given, so the journalist's risk equals the prosecutor's: "
    "the attacker is assumed to know who is in the table."
)


@dataclass(frozen=True, repr=False)
class Assessment(Figures):
    """How well a table protects the people in it; further requirements are checked without counting again."""

    _classes: Kinds = field(repr=False, compare=False)
    _context: ModelContext = field(repr=False, compare=False)
    _population: Any = field(repr=False, compare=False)  # as given by the caller

    def check(self, require: Required) -> tuple[Verdict, ...]:
        """Check requirements, as `shoal.check` does, without counting the classes again.

        require  requirements as text ("k>=5, t<=0.2") or privacy models

        >>> import shoal
        >>> assessment = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"])
        >>> [assessment.check(shoal.KAnonymity(k))[0].failing_rows for k in (2, 5, 10)]
        [5, 15, 61]
        """
        return verdicts(self._classes, requirements_of(require, self._context, self._population))

    def at_risk(self, model: PrivacyModel) -> int:
        """Count the rows, or people, in classes that do not satisfy a model or, if combined, any of its parts.

        model  a privacy model

        >>> import shoal
        >>> assessment = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"], sensitive="occupation")
        >>> assessment.at_risk(shoal.KAnonymity(5) & shoal.DistinctDiversity(8))
        223
        """
        if not isinstance(model, PrivacyModel):
            raise InputError(f"{model!r} is not a privacy model; give one such as shoal.KAnonymity(5).")
        _check_population(str(model), model, self._population)
        return self._classes.number(self._classes.failing(model))

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw the class sizes and the risks; needs matplotlib.

        path  a .png, .svg or .pdf file to write or replace
        """
        plot(self, path)


def assessment_of(
    table: Table,
    context: ModelContext,
    *,
    population: Table | None,
    given: Any,
    sampling_fraction: float | None,
    threshold: float,
    suppressed: Sequence[str],
    requirements: Sequence[Requirement],
    unit: str | None = None,
) -> Assessment:
    """Group the rows by their quasi-identifiers and assess the classes; `given` is the caller's population."""
    grouping = Grouping.of(table, suppressed=suppressed)
    members = Members.of(grouping)
    if members is not None and (population is not None or sampling_fraction is not None):
        _check_one_class_each(members, population)
    sizes = grouping.sizes
    class_sizes = histogram(sizes, np.ones(sizes.size, np.int64))
    among = sizes if population is None else population_sizes(grouping, population)
    prosecutor = risk_of(sizes, sizes, threshold) if members is None else members.risk(threshold)
    journalist = risk_of(sizes, among, threshold) if members is None else prosecutor
    estimated = None if sampling_fraction is None else population_uniqueness(class_sizes, sampling_fraction)
    estimate_notes = [estimated.note] if estimated and estimated.note else []
    kinds = Kinds.of(grouping, None if population is None else among)
    return Assessment(
        rows=table.rows,
        suppressed_rows=table.rows - grouping.rows,
        classes=len(sizes),
        k=min(class_sizes),
        average_class_size=int(sizes.sum()) / len(sizes),
        class_sizes=class_sizes,
        unique_rows=class_sizes.get(1, 0) if members is None else int((members.smallest == 1).sum()),
        sensitive={name: sensitive_of(grouping, name, context) for name in table.sensitive},
        threshold=float(threshold),
        prosecutor=prosecutor,
        journalist=journalist,
        marketer=journalist.average,
        population_rows=None if population is None else population.rows,
        population_unique_rows=None if population is None else int((among == 1).sum()),
        population_sizes=None if population is None else histogram(among, sizes),
        population_uniqueness=estimated,
        riskiest=_riskiest(grouping),
        requirements=verdicts(kinds, requirements),
        notes=(*_notes(grouping, population), *estimate_notes),
        people=people_of(grouping, members, unit),
        _classes=kinds,
        _context=context,
        _population=given,
    )


def _check_one_class_each(members: Members, population: Table | None) -> None:
    """Refuse to compare people with a population of rows, or to estimate how many are unique from overlapping ones."""
    if population is not None:
        raise InputError("A population is compared row by row and cannot count people: leave out the unit, or it.")
    if np.unique(members.people).size < members.people.size:
        raise InputError(
            "People are in several classes, from which nobody can estimate how many are unique in the population: "
            "leave out the sampling fraction."
        )


def _riskiest(grouping: Grouping) -> tuple[RiskyRow, ...]:
    """Return the rows of the smallest classes, in the order of the table within classes of one size."""
    inside = np.flatnonzero(grouping.ids >= 0)
    row_sizes = grouping.sizes[grouping.ids[inside]]
    count = min(MAX_RISKY_ROWS, inside.size)
    limit = np.partition(row_sizes, count - 1)[count - 1]
    candidates = np.flatnonzero(row_sizes <= limit)
    picked = candidates[np.argsort(row_sizes[candidates], kind="stable")[:count]]
    return tuple(
        RiskyRow(int(inside[place]) + 1, int(row_sizes[place]), grouping.labels(int(grouping.ids[inside[place]])))
        for place in picked.tolist()
    )


def _notes(grouping: Grouping, population: Table | None) -> list[str]:
    notes = [NO_POPULATION] if population is None else []
    top = Style().top
    hidden = int(grouping.classes.rows[grouping.showing([top])].sum())
    if hidden:
        notes.append(
            f"{hidden} rows show {top} for every quasi-identifier and count as a class: if they are suppressed, "
            f"name the label as suppressed."
        )
    return notes


def requirements_of(require: Required, context: ModelContext, population: Any) -> tuple[Requirement, ...]:
    """Read requirements on a table with this population."""
    requirements = parse_requirements(require, context)
    for requirement in requirements:
        _check_population(requirement.text, requirement.model, population)
    return requirements


def _check_population(text: str, model: PrivacyModel, population: Any) -> None:
    """Raise InputError if a requirement refers to another population than the given one."""
    for people in model.populations:
        path = isinstance(people, str | PathLike) and isinstance(population, str | PathLike)
        if people is not population and not (path and str(people) == str(population)):
            raise InputError(f"{text} refers to another population than the given one.")
