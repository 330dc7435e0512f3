"""Verdicts: whether the classes of a table meet the requirements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.analysis.assessment.kinds import Kinds
from shoal.analysis.assessment.requirements import Requirement


@dataclass(frozen=True)
class FailingClass:
    """A class that does not meet a requirement: its labels, its size and its first row, counted from 1."""

    labels: dict[str, str]
    size: int
    first_row: int


@dataclass(frozen=True)
class Verdict:
    """Whether a requirement holds; if not, how many classes and rows fail it, and the smallest failing class."""

    requirement: str
    holds: bool
    failing_classes: int
    failing_rows: int
    example: FailingClass | None

    def __bool__(self) -> bool:
        return self.holds


def verdicts(classes: Kinds, requirements: Sequence[Requirement]) -> tuple[Verdict, ...]:
    """Check each requirement on the classes of a table."""
    return tuple(_verdict(classes, requirement) for requirement in requirements)


def _verdict(classes: Kinds, requirement: Requirement) -> Verdict:
    failing = classes.failing(requirement.model)
    if not failing.size:
        return Verdict(requirement.text, True, 0, 0, None)
    sizes = classes.sizes[failing]
    worst = int(failing[np.argmin(sizes)])
    # A requirement on all classes together is not failed by a single class.
    example = FailingClass(classes.labels(worst), int(classes.sizes[worst]), int(classes.firsts[worst]) + 1)
    return Verdict(
        requirement.text, False, failing.size, int(sizes.sum()), example if requirement.model.per_class else None
    )
