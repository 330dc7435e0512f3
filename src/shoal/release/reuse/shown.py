"""The generalized values of classes, in the form in which they are kept for the next delivery."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain, Ranges, Sets

EVERYTHING = None  # the form of the top label
MISSING: list[str] = []  # the form of the missing value alone


def shown_of(domain: AnyDomain, shown: Any, used: NDArray[np.bool_]) -> list[Any]:
    """Return what each class in use shows of a column without a tree."""
    if isinstance(shown, Ranges):
        ends = zip(shown.low[used].tolist(), shown.high[used].tolist(), strict=True)
        return [_range(domain, low, high) for low, high in ends]
    if not isinstance(shown, Sets):
        raise TypeError(f"{shown!r} is shown without a tree")
    names = [None if code == domain.missing else label for code, label in enumerate(domain.labels)]
    members = [names[code] for code in shown.codes.tolist()]
    starts = shown.starts.tolist()
    return [members[starts[at] : starts[at + 1]] for at in np.flatnonzero(used).tolist()]


def _range(domain: AnyDomain, low: int, high: int) -> list[str] | None:
    """Return the ends of a range; a range that contains the missing value and others is shown as everything."""
    if low == domain.missing:
        return EVERYTHING if high > low else MISSING
    return [domain.labels[low], domain.labels[high]]
