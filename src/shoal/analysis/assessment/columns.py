"""Sets of columns that distinguish people, to find the quasi-identifiers of a table.

R. Motwani, Y. Xu, Efficient algorithms for masking and finding quasi-identifiers (2007): distinction and separation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from shoal.data.column import read_column
from shoal.data.encoding import plain_domain
from shoal.data.style import Style
from shoal.documents.html_page import Summaries, Summary
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.kernels.arrays import Ints
from shoal.kernels.groups import group_keys
from shoal.system.progress import Progress

MAX_SETS = 50_000


@dataclass(frozen=True, repr=False)
class ColumnSet(Summary):
    """A set of columns: the share of distinct rows (distinction) and of pairs of rows that differ (separation).

    `unique`: no two rows are the same; `minimal`: it is unique and none of its columns can be left out.
    """

    columns: tuple[str, ...]
    different_rows: int
    distinction: float
    separation: float
    unique: bool
    minimal: bool

    def _figures(self) -> dict[str, object]:
        return {
            "columns": ", ".join(self.columns),
            "different rows": self.different_rows,
            "distinction": self.distinction,
            "separation": self.separation,
            "unique": self.unique,
        }


def column_sets(
    source: Source, names: Sequence[str], missing_values: Sequence[str], *, size: int, tell: Progress
) -> list[ColumnSet]:
    """Measure all sets of up to `size` columns; sort them by their size, the most distinguishing first."""
    size = min(size, len(names))
    total = sum(comb(len(names), number) for number in range(1, size + 1))
    if total > MAX_SETS:
        raise InputError(
            f"{len(names)} columns have {total:,} sets of up to {size} columns, more than {MAX_SETS:,}: "
            f"name fewer columns, or ask for smaller sets."
        )
    rows = len(source)
    codes, widths = zip(*(_codes(source, name, missing_values) for name in names), strict=True)
    found: dict[tuple[int, ...], tuple[int, int]] = {}  # columns: different rows, pairs of equal rows

    def extend(chosen: tuple[int, ...], ids: Ints, groups: int) -> None:
        for column in range(chosen[-1] + 1 if chosen else 0, len(names)):
            wider, finer, number = (*chosen, column), ids, groups
            if groups < rows:  # otherwise all rows are distinct already
                keys = ids.astype(np.uint64) * np.uint64(widths[column]) + codes[column].astype(np.uint64)
                finer, firsts = group_keys(keys)
                number = firsts.size
            alike = np.bincount(finer) if number < rows else np.ones(1, np.int64)
            found[wider] = number, int((alike * (alike - 1)).sum()) // 2
            tell("columns", len(found) / total)
            if len(wider) < size:
                extend(wider, finer, number)

    extend((), np.zeros(rows, np.int32), 1)
    sets = []
    for chosen, (different, same_pairs) in found.items():
        smaller = combinations(chosen, len(chosen) - 1) if len(chosen) > 1 else ()
        column_set = ColumnSet(
            columns=tuple(names[column] for column in chosen),
            different_rows=different,
            distinction=different / rows,
            separation=1 - same_pairs / comb(rows, 2) if rows > 1 else 1.0,
            unique=different == rows,
            minimal=different == rows and not any(found[subset][0] == rows for subset in smaller),
        )
        sets.append(column_set)
    return Summaries(sorted(sets, key=lambda found: (len(found.columns), -found.different_rows, -found.separation)))


def _codes(source: Source, name: str, missing_values: Sequence[str]) -> tuple[Ints, int]:
    """Return a column as codes, and their number; a missing value is a value."""
    column = read_column(name, source.arrow(name), missing_values)
    domain, code_of = plain_domain(column, Style())
    return np.append(code_of, np.int32(domain.missing))[column.places], len(domain)
