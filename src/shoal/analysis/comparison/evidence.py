"""What the cells of a comparison show: who is best where, who changes with k, and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from shoal.algorithms import ALGORITHMS, RandomGrouping
from shoal.algorithms.full_domain.lattice import LatticeAlgorithm
from shoal.analysis.comparison.results import Cell, Results, rank, released

NEARLY_ALL = 0.95  # of what suppressing every cell would cost
BLIND, COLUMNS, ROWS = "blind", "columns", "rows"  # never looks at values; generalizes whole columns; groups rows

Cells = dict[int, dict[str, Cell]]  # by k, then by algorithm


class Lead(NamedTuple):
    """Who is best at some k: one algorithm, several that cost the same in every run, or several that overlap."""

    names: tuple[str, ...]
    ks: list[int]
    clear: bool  # whether no other cost has to be told from theirs: they are one, or cost the same


def kind(name: str) -> str | None:
    """Return how an algorithm works, by its name in a comparison."""
    algorithm = ALGORITHMS.get(name.partition(" ")[0])
    if algorithm is None or algorithm.name == "auto":
        return None
    return BLIND if algorithm is RandomGrouping else COLUMNS if issubclass(algorithm, LatticeAlgorithm) else ROWS


def kinds(results: Results) -> dict[str, list[str]]:
    """Return the algorithms of each kind, if something is expected of them: if there are several kinds."""
    found = {sort: [name for name in results.algorithms if kind(name) == sort] for sort in (BLIND, ROWS, COLUMNS)}
    return found if sum(map(bool, found.values())) > 1 else {}


def cells_by_k(results: Results) -> Cells:
    """Return the cells with a release by k, for those k at which two or more algorithms have one."""
    cells: Cells = {}
    for name, line in results.by_k.items():
        for k, cell in released(line):
            cells.setdefault(k, {})[name] = cell
    return {k: named for k, named in sorted(cells.items()) if len(named) > 1}


def every_k(results: Results) -> list[int]:
    """Return every k of a comparison."""
    return sorted({k for line in results.by_k.values() for k, _ in line})


def middle(cell: Cell, measure: str) -> float:
    """Return the middle of a cell that has a release."""
    value = cell.middle(measure)
    assert value is not None  # noqa: S101
    return value


def ordered(cells: dict[str, Cell], measure: str) -> list[str]:
    """Return the algorithms from the best to the worst."""
    return sorted(cells, key=lambda name: rank(measure, middle(cells[name], measure)))


def best(cells: dict[str, Cell], measure: str, *, worst: bool = False) -> tuple[str, ...]:
    """Return the algorithms that none is clearly better than (or worse than): no two of them can be told apart."""

    def behind(name: str) -> bool:
        others = ((cells[name], other) if worst else (other, cells[name]) for other in cells.values())
        return any(one.clearly_better(other, measure) for one, other in others)

    return tuple(name for name in cells if not behind(name))


def leads(cells: Cells, measure: str, *, worst: bool = False) -> list[Lead]:
    """Return who is best (or worst) at which k; those who change places within the spread of their runs together."""
    found: dict[tuple[tuple[str, ...], bool], list[int]] = {}
    for k, named in cells.items():
        names = best(named, measure, worst=worst)
        same = len({tuple(sorted(named[name].values(measure))) for name in names}) == 1
        found.setdefault((names, same), []).append(k)
    return [Lead(names, ks, same) for (names, same), ks in found.items()]


def flat(results: Results, name: str, measures: Sequence[str]) -> list[int]:
    """Return the longest run of neighbouring k at which an algorithm costs the same in every run."""
    runs: list[tuple[object, int]] = []
    for k, cell in results.by_k[name]:
        values = {measure: set(cell.values(measure)) for measure in measures}
        steady = cell.failure is None and all(len(those) == 1 for those in values.values())
        runs.append((str(values) if steady else k, k))
    groups = [[k for _, k in same] for _, same in groupby(runs, key=lambda pair: pair[0])]
    return max(groups, key=len)


def share(results: Results, cell: Cell, measure: str) -> float | None:
    """Return what a cell costs as a share of what suppressing everything would; None if that is unknown."""
    whole = results.suppressed.get(measure)
    return middle(cell, measure) / whole if whole else None


def leaves_something(results: Results, cell: Cell, measure: str) -> bool:
    """Return whether a cell costs clearly less than suppressing everything would, as far as that is known."""
    return (share(results, cell, measure) or 0.0) < NEARLY_ALL
