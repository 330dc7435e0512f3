"""Whether the classes of a table meet what is required of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.assessment.classes import Grouping
from shoal.assessment.requirements import Requirement
from shoal.models import PrivacyModel


@dataclass(frozen=True)
class FailingClass:
    """A class that does not meet a requirement: what it shows, its rows and the first of them, counted from 1."""

    labels: dict[str, str]
    size: int
    first_row: int


@dataclass(frozen=True)
class Verdict:
    """Whether a requirement holds; else how many classes and rows fail it, and the smallest class that does."""

    requirement: str
    holds: bool
    failing_classes: int
    failing_rows: int
    example: FailingClass | None

    def __bool__(self) -> bool:
        return self.holds


def verdicts(
    grouping: Grouping, requirements: Sequence[Requirement], people: NDArray[np.int64] | None = None
) -> tuple[Verdict, ...]:
    """What the classes of a table make of each requirement; `people`: their sizes in the population, if it is known."""
    return tuple(_verdict(grouping, requirement, people) for requirement in requirements)


def _verdict(grouping: Grouping, requirement: Requirement, people: NDArray[np.int64] | None) -> Verdict:
    failing = _failing(grouping, requirement.model, people)
    if not failing.size:
        return Verdict(requirement.text, True, 0, 0, None)
    sizes = grouping.sizes[failing]
    worst = int(failing[np.argmin(sizes)])
    # What is asked of all classes at once is the fault of none.
    example = FailingClass(grouping.labels(worst), int(grouping.sizes[worst]), int(grouping.firsts[worst]) + 1)
    return Verdict(
        requirement.text, False, failing.size, int(sizes.sum()), example if requirement.model.per_class else None
    )


def _failing(grouping: Grouping, model: PrivacyModel, people: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """The numbers of the classes that fail, in the order of their first rows."""
    names = list(grouping.table.sensitive)
    numbers = np.arange(grouping.sizes.size)
    if not model.uses_sensitive or not model.per_class:
        return np.flatnonzero(~model.satisfied(grouping.whole(people)))
    failed = [some[~model.satisfied(classes)] for some, classes in grouping.blocks(names, numbers)]
    return np.sort(np.concatenate(failed))
