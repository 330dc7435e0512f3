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
    """Who is best at some k next to each other: one algorithm, or several that cost the same in every run."""

    names: tuple[str, ...]
    ks: list[int]
    close: dict[int, tuple[str, ...]]  # at which of these k which others cannot be told from it


def kind(name: str) -> str | None:
    """Return how an algorithm works, by its name in a comparison."""
    algorithm = ALGORITHMS.get(name.partition(" ")[0])
    if algorithm is None or algorithm.name == "auto":
        return None
    return BLIND if algorithm is RandomGrouping else COLUMNS if issubclass(algorithm, LatticeAlgorithm) else ROWS


def kinds(results: Results) -> dict[str, list[str]]:
    """Return the algorithms of each kind, if something is expected of them: at several k, of several kinds."""
    found = {sort: [name for name in results.algorithms if kind(name) == sort] for sort in (BLIND, ROWS, COLUMNS)}
    several = len({cell.setting.k for cell in results.cells}) > 1 and sum(map(bool, found.values())) > 1
    return found if several else {}


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
    """Return the best algorithm (or the worst) and those that cannot be told from it, in the order of the cells."""
    first = ordered(cells, measure)[-1 if worst else 0]

    def apart(name: str) -> bool:
        one, other = (cells[name], cells[first]) if worst else (cells[first], cells[name])
        return one.clearly_better(other, measure)

    return tuple(name for name in cells if not apart(name))


def leads(cells: Cells, measure: str, *, worst: bool = False) -> list[Lead]:
    """Return who leads (or is worst) at which k: in as few turns as possible, nobody who is clearly worse there."""
    ks = list(cells)
    found = [best(named, measure, worst=worst) for named in cells.values()]
    ways: list[tuple[int, int, list[tuple[str, int, int]]]] = [
        (0, 0, [])
    ]  # turns, k with a better middle, who and where
    for end in range(1, len(ks) + 1):
        options = [
            (
                turns + 1,
                others + sum(_behind(cells[k], name, measure, worst=worst) for k in ks[start:end]),
                [*way, turn],
            )
            for start, (turns, others, way) in enumerate(ways)
            for name in found[end - 1]
            if all(name in names for names in found[start:end])
            for turn in [(name, start, end)]
        ]
        ways.append(min(options, key=lambda option: option[:2]))
    return [_lead(cells, measure, name, ks[start:end], found[start:end]) for name, start, end in ways[-1][2]]


def _behind(cells: dict[str, Cell], name: str, measure: str, *, worst: bool) -> bool:
    """Return whether the middle of another algorithm is better (or worse)."""
    first = ordered(cells, measure)[-1 if worst else 0]
    return middle(cells[name], measure) != middle(cells[first], measure)


def _lead(cells: Cells, measure: str, name: str, ks: list[int], found: list[tuple[str, ...]]) -> Lead:
    """Add who costs the same as a leader in every run, and who cannot be told from it at some k."""

    def same(other: str) -> bool:
        pairs = ((cells[k][name], cells[k].get(other)) for k in ks)
        return all(
            cell is not None and sorted(one.values(measure)) == sorted(cell.values(measure)) for one, cell in pairs
        )

    names = tuple(other for other in cells[ks[0]] if same(other))
    close = {k: tuple(other for other in others if other not in names) for k, others in zip(ks, found, strict=True)}
    return Lead(names, ks, {k: others for k, others in close.items() if others})


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
