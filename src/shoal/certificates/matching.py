"""Rows without an order: whether every released row can be an original row of its own, by a flow through a network."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.labels import Labels
from shoal.certificates.rows import Rows, alike, telling
from shoal.certificates.tables import Tables

Ints = NDArray[np.int64]


BY_ORDER, BY_COLUMN, AS_MULTISET = "in their order", "by a column", "as a multiset"


def match_rows(tables: Tables, rows: Rows, readers: dict[str, Labels]) -> tuple[Ints | None, str, str | None]:
    """The original row of each released one, how that was found, and by which column; None where there is none."""
    if tables.request.order == "rows":
        found = np.arange(len(tables.kept)) if not tables.lost else _first_fitting(tables, rows, readers)
        return found, BY_ORDER, None
    column = telling(tables)
    if column is not None:
        return _by_column(tables, column), BY_COLUMN, column
    return matched(tables, rows, readers), AS_MULTISET, None


def is_sure(tables: Tables, rows: Rows, by: str) -> bool:
    """Whether no other way to match the rows is possible."""
    if by == BY_COLUMN or (by == BY_ORDER and not tables.lost):
        return True
    return np.unique(rows.before).size == rows.before.size


def _first_fitting(tables: Tables, rows: Rows, readers: dict[str, Labels]) -> Ints | None:
    """Each released row with the first original row left that it can be, which finds a way if there is one."""
    found, number = np.empty(len(tables.released), np.int64), 0
    for row in range(len(tables.kept)):
        if number < found.size and rows.uncovered(tables, readers, row, number) is None:
            found[number] = row
            number += 1
    return found if number == found.size else None


def _by_column(tables: Tables, name: str) -> Ints | None:
    numbers = alike(tables.kept.arrow(name), tables.released.arrow(name))
    before, after = numbers[: len(tables.kept)], numbers[len(tables.kept) :]
    place = np.full(int(numbers.max()) + 1, -1, np.int64)
    place[before] = np.arange(before.size)
    found = place[after]
    return None if (found < 0).any() or np.unique(found).size < found.size else found


def matched(tables: Tables, rows: Rows, readers: dict[str, Labels]) -> Ints | None:
    """An original row of its own for each released row, or None where there is no such matching."""
    shown = np.stack([rows.shown[name] for name in tables.table.quasi], axis=1)
    found = np.full(len(tables.released), -1, np.int64)
    originals = _by_number(rows.before)
    for number, after in _by_number(rows.after).items():
        before = originals.get(number, after[:0])
        if before.size < after.size or not _fill(found, tables, rows, readers, shown, before, after):
            return None
    return found


def _by_number(numbers: Ints) -> dict[int, Ints]:
    """The rows of each number."""
    order = np.argsort(numbers, kind="stable")
    firsts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    return dict(zip(numbers[order][firsts].tolist(), np.split(order, firsts[1:]), strict=True))


def _fill(
    found: Ints,
    tables: Tables,
    rows: Rows,
    readers: dict[str, Labels],
    shown: NDArray[np.int32],
    before: Ints,
    after: Ints,
) -> bool:
    """Match the rows whose other columns hold the same; equal rows are dealt with together."""
    labels, which = np.unique(shown[after], axis=0, return_inverse=True)
    values, place = np.unique(tables.table.codes[before], axis=0, return_inverse=True)
    fits = np.ones((len(labels), len(values)), np.bool_)
    for at, name in enumerate(tables.table.quasi):
        each, back = np.unique(labels[:, at], return_inverse=True)
        covers = [readers[name].covered(rows.labels[name][label], values[:, at]) for label in each.tolist()]
        fits &= np.array(covers)[back]
    which, place = which.ravel(), place.ravel()
    flow = transported(np.bincount(which), np.bincount(place), fits)
    if flow is None:
        return False
    left = [after[which == one].tolist() for one in range(len(labels))]
    right = [before[place == one].tolist() for one in range(len(values))]
    for one, other in zip(*np.nonzero(flow), strict=True):
        for _ in range(int(flow[one, other])):
            found[left[one].pop()] = right[other].pop()
    return True


def transported(supply: Ints, room: Ints, fits: NDArray[np.bool_]) -> Ints | None:
    """How much of each supply goes to each place that it fits, so that all of it goes somewhere; None where it cannot.

    Ford and Fulkerson's way: what finds no room is sent along the shortest path on which others make room for it.
    """
    flow, left, free = np.zeros(fits.shape, np.int64), supply.copy(), room.copy()
    for one in np.argsort(fits.sum(axis=1), kind="stable").tolist():
        for other in np.flatnonzero(fits[one] & (free > 0)).tolist():
            amount = min(left[one], free[other])
            flow[one, other] += amount
            left[one], free[other] = left[one] - amount, free[other] - amount
            if not left[one]:
                break
    for one in np.flatnonzero(left).tolist():
        while left[one]:
            path = _path(one, flow, free, fits)
            if path is None:
                return None
            back = [flow[other_one, other] for (_, other), (other_one, _) in pairwise(path)]
            amount = min(left[one], free[path[-1][1]], *back)
            for (giver, other), following in zip(path, [*path[1:], None], strict=True):
                flow[giver, other] += amount
                if following is not None:
                    flow[following[0], other] -= amount
            left[one] -= amount
            free[path[-1][1]] -= amount
    return flow


def _path(start: int, flow: Ints, free: Ints, fits: NDArray[np.bool_]) -> list[tuple[int, int]] | None:
    """The steps (supply, place) from a supply to a place with room; each next supply leaves the place before."""
    came: dict[int, tuple[int, int] | None] = {start: None}  # by which supply and place a supply is reached
    seen = np.zeros(free.size, np.bool_)
    waiting = deque([start])
    while waiting:
        one = waiting.popleft()
        for other in np.flatnonzero(fits[one] & ~seen).tolist():
            seen[other] = True
            if free[other]:
                path, step = [(one, other)], came[one]
                while step is not None:
                    path.append(step)
                    step = came[step[0]]
                return path[::-1]
            for next_one in np.flatnonzero(flow[:, other]).tolist():
                if next_one not in came:
                    came[next_one] = (one, other)
                    waiting.append(next_one)
    return None
