"""rare-value: values that a single row of the release has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from shoal.kernels.arrays import Longs
from shoal.release.review.finding import Finding

MAX_NAMED = 5


def rare_values(columns: Mapping[str, Longs]) -> list[Finding]:
    """Find values that occur once in columns that leave as they are, given each row's value as a number (−1: missing).

    Columns in which most values occur once, such as measurements, are left to other findings.
    """
    rare = {}
    for name, codes in columns.items():
        counts = np.bincount(codes[codes >= 0])
        once, different = int((counts == 1).sum()), np.count_nonzero(counts)
        if 0 < once <= different / 2:
            rare[name] = once
    if not rare:
        return []
    listed = ", ".join(f"{name!r} ({number:,})" for name, number in _most(rare.items()))
    others = len(rare) - MAX_NAMED
    more = f" and {others:,} other column{'s' * (others != 1)}" if others > 0 else ""
    return [
        Finding(
            "rare-value",
            f"Values that occur in a single row are released as they are, in {listed}{more}: whoever knows that a "
            f"person has such a value finds the row. Merge rare values first, or remove the column.",
            tuple(rare),
            figures=rare,
        )
    ]


def _most(items: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(items, key=lambda item: -item[1])[:MAX_NAMED]
