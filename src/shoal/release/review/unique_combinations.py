"""unique-combination: columns that are released as they are make people unique within their class."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal.kernels.arrays import Longs
from shoal.release.review.evidence import Evidence
from shoal.release.review.finding import Finding

MIN_SHARE = 0.05  # of the rows that are unique
MIN_CLASS = 20  # rows; in smaller tables everybody is unique
MAX_COLUMNS = 3  # in a combination
MAX_TRIED = 120  # combinations of one size


def unique_combinations(evidence: Evidence) -> list[Finding]:
    """Find the smallest set of columns that makes many rows unique in their class, the worst of its size."""
    inside = evidence.classes >= 0
    if inside.sum() < MIN_CLASS or not evidence.passed:
        return []
    classes = evidence.classes[inside].astype(np.int64)
    columns = {name: column.codes[inside] for name, column in evidence.passed.items()}
    for size in range(1, min(MAX_COLUMNS, len(columns)) + 1):
        shares = {
            names: _unique_share(classes, [columns[name] for name in names])
            for names, _ in zip(combinations(columns, size), range(MAX_TRIED), strict=False)
        }
        worst = max(shares, key=lambda names: shares[names])
        if shares[worst] >= MIN_SHARE:
            return [_finding(worst, shares[worst], evidence, sum(share >= MIN_SHARE for share in shares.values()) - 1)]
    return []


def _unique_share(classes: Longs, columns: list[Longs]) -> float:
    """Return the share of rows that no other row of their class equals in these columns."""
    groups = classes
    for column in columns:
        groups = np.unique(groups * (int(column.max(initial=0)) + 2) + column + 1, return_inverse=True)[1]
    return float((np.bincount(groups) == 1).sum() / classes.size)


def _finding(names: tuple[str, ...], share: float, evidence: Evidence, others: int) -> Finding:
    listed = ", ".join(map(repr, names))
    which = f"Column {listed} has" if len(names) == 1 else f"The columns {listed} have"
    make = "makes" if len(names) == 1 else "make"
    more = f" ({others:,} other column{'s' * (others != 1)} also would)" if others and len(names) == 1 else ""
    sample = "" if evidence.share == 1 else f", counted in {evidence.classes.size:,} rows"
    return Finding(
        "unique-combination",
        f"{which} no role and {make} {share:.0%} of the rows unique within their class{more}{sample}: someone who "
        f"knows these values of a person finds the row. Give {'it' if len(names) == 1 else 'them'} a role, such as "
        f"quasi-identifier, unless nobody else can know the values.",
        names,
        figures={"unique_share": round(share, 4)},
    )
