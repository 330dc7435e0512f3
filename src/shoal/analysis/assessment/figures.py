"""The figures of an assessment, which its plots, its JSON and its summary show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np

from shoal.analysis.assessment.kinds import kinds_of
from shoal.analysis.assessment.requirements import Verdict
from shoal.analysis.assessment.uniqueness import PopulationUniqueness
from shoal.data.classes import PEOPLE, ROWS, Classes, Noun
from shoal.data.grouping import Grouping
from shoal.documents.html_page import Summary
from shoal.models import MODELS, Figure, Form, ModelContext, SensitiveModel
from shoal.release.risk import Risk


@dataclass(frozen=True)
class Sensitive:
    """The parameters that every class reaches, by the names of their figures, which are attributes, too.

    They are the least ℓ and the greatest c, α, β, δ and t. c and δ are infinite if no number is enough; t by a
    distance that does not apply is None.
    """

    values: int
    reached: Mapping[str, float | None]

    def __getattr__(self, name: str) -> float | None:
        figures: Mapping[str, float | None] = self.__dict__.get("reached", {})
        if name not in figures:
            raise AttributeError(f"An assessment has no figure {name!r}: choose from {', '.join(figures)}.")
        return figures[name]

    def to_dict(self) -> dict[str, float | None]:
        """Return the number of different values and every figure."""
        return {"values": self.values, **self.reached}


def figures() -> Iterator[tuple[type[SensitiveModel], Form, Figure]]:
    """Yield what an assessment shows of each model on sensitive attributes."""
    for model in MODELS:
        if issubclass(model, SensitiveModel):
            yield from ((model, form, figure) for form in model.forms for figure in form.shown)


def sensitive_of(grouping: Grouping, name: str, context: ModelContext) -> Sensitive:
    """Return the parameters of one sensitive attribute, over all classes."""
    table = grouping.table
    counts = grouping.counts[name]
    classes = grouping.classes
    if table.units is None:
        _, examples = kinds_of([counts], grouping.sizes)
        classes = Classes(grouping.sizes[examples], table.overall, lambda name: counts.some(examples))
    reached: dict[str, float | None] = {}
    for model, form, figure in figures():
        reached[figure.name] = None
        if model.applies(form, name, context):
            probe = model.build(form, figure.parameters, context, name)
            reached[figure.name] = probe.worst(classes, name) if isinstance(probe, SensitiveModel) else None
    return Sensitive(int(np.count_nonzero(table.overall[name].counts)), reached)


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
    people            who was counted instead of rows, if anybody was: then class sizes, unique rows and risks are of
                      people, each by the class in which they are found most easily; `share_a_profile` is the fewest
                      people whose whole sets of rows are alike, which matters if rows of a person can be linked
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
    people: dict[str, Any] | None

    def _figures(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            **({} if self.people is None else {"people": self.people["people"]}),
            "classes": self.classes,
            "k": self.k,
            f"unique {self.noun.many}": self.unique_rows,
            "highest risk": self.highest_risk,
            "average risk": self.average_risk,
            **{f"distinct {name}": number for name, number in self.distinct_sensitive.items()},
            "requirements that fail": sum(not verdict.holds for verdict in self.requirements),
        }

    @property
    def noun(self) -> Noun:
        """What was counted."""
        return ROWS if self.people is None else PEOPLE

    @property
    def counted(self) -> int:
        """The number of rows, or of people if they were counted."""
        return self.rows if self.people is None else int(self.people["people"])

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
