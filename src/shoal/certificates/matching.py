"""match_rows(): the original row of each released row: in order, by a unique column, or by a flow through a network."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.rows import Rows, alike, unique_column
from shoal.certificates.tables import Tables

Ints = NDArray[np.int64]

BY_ORDER, BY_COLUMN, AS_MULTISET = "in their order", "by a column", "as a multiset"


def match_rows(rows: Rows) -> tuple[Ints | None, str, str | None]:
    """Return the original row of each released row (None: impossible), the way they were matched, and the column."""
    tables = rows.tables
    if tables.request.order == "rows":
        originals = np.arange(len(tables.kept)) if not tables.lost else _match_in_order(rows)
        return originals, BY_ORDER, None
    column = unique_column(tables)
    if column is not None:
        return _match_by_column(tables, column), BY_COLUMN, column
    return _match_as_multiset(rows), AS_MULTISET, None


def is_sure(rows: Rows, by: str) -> bool:
    """Tell whether the rows can be matched in this way only."""
    if by == BY_COLUMN or (by == BY_ORDER and not rows.tables.lost):
        return True
    return np.unique(rows.before).size == rows.before.size


def _match_in_order(rows: Rows) -> Ints | None:
    """Match each released row with the first remaining original row that fits, which finds a matching if any exists."""
    originals, released = np.empty(rows.after.size, np.int64), 0
    for original in range(rows.before.size):
        if released < originals.size and rows.fits(original=original, released=released):
            originals[released] = original
            released += 1
    return originals if released == originals.size else None


def _match_by_column(tables: Tables, name: str) -> Ints | None:
    """Match the rows by a column with a different value in every row."""
    numbers = alike(tables.kept.arrow(name), tables.released.arrow(name))
    before, after = numbers[: len(tables.kept)], numbers[len(tables.kept) :]
    row_of = np.full(int(numbers.max()) + 1, -1, np.int64)
    row_of[before] = np.arange(before.size)
    originals = row_of[after]
    return None if (originals < 0).any() or np.unique(originals).size < originals.size else originals


def _match_as_multiset(rows: Rows) -> Ints | None:
    """Match each released row with a different original row; return None if that is impossible."""
    shown = np.stack(list(rows.shown.values()), axis=1)
    originals = np.full(rows.after.size, -1, np.int64)
    candidates = _rows_by_number(rows.before)
    for number, after in _rows_by_number(rows.after).items():
        before = candidates.get(number, after[:0])
        if before.size < after.size or not _fill(originals, rows, shown, before, after):
            return None
    return originals


def _rows_by_number(numbers: Ints) -> dict[int, Ints]:
    """Return the rows of each number."""
    order = np.argsort(numbers, kind="stable")
    firsts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    return dict(zip(numbers[order][firsts].tolist(), np.split(order, firsts[1:]), strict=True))


def _fill(originals: Ints, rows: Rows, shown: NDArray[np.int32], before: Ints, after: Ints) -> bool:
    """Match the rows `after` with the rows `before`, whose exact columns are equal; return False if impossible."""
    labels, label_of = np.unique(shown[after], axis=0, return_inverse=True)
    values, value_of = np.unique(rows.tables.table.codes[before], axis=0, return_inverse=True)
    fits = np.ones((len(labels), len(values)), np.bool_)
    for at, (name, reader) in enumerate(rows.readers.items()):
        different, number_of = np.unique(labels[:, at], return_inverse=True)
        covers = [reader.covered(rows.labels[name][label], values[:, at]) for label in different.tolist()]
        fits &= np.array(covers)[number_of]
    label_of, value_of = label_of.ravel(), value_of.ravel()
    flow = transport(np.bincount(label_of), np.bincount(value_of), fits)
    if flow is None:
        return False
    rows_of_label = [after[label_of == label].tolist() for label in range(len(labels))]
    rows_of_value = [before[value_of == value].tolist() for value in range(len(values))]
    for label, value in zip(*np.nonzero(flow), strict=True):
        for _ in range(int(flow[label, value])):
            originals[rows_of_label[label].pop()] = rows_of_value[value].pop()
    return True


def transport(supplies: Ints, capacities: Ints, fits: NDArray[np.bool_]) -> Ints | None:
    """Return how much of each supply goes to each sink that it fits, or None if some of it finds no sink.

    Ford and Fulkerson, 1956: a remaining supply is sent along a shortest augmenting path.
    """
    flow, left, free = np.zeros(fits.shape, np.int64), supplies.copy(), capacities.copy()
    for supply in np.argsort(fits.sum(axis=1), kind="stable").tolist():
        for sink in np.flatnonzero(fits[supply] & (free > 0)).tolist():
            amount = min(left[supply], free[sink])
            flow[supply, sink] += amount
            left[supply], free[sink] = left[supply] - amount, free[sink] - amount
            if not left[supply]:
                break
    for supply in np.flatnonzero(left).tolist():
        while left[supply]:
            path = _augmenting_path(supply, flow, free, fits)
            if path is None:
                return None
            movable = [flow[next_supply, sink] for (_, sink), (next_supply, _) in pairwise(path)]
            amount = min(left[supply], free[path[-1][1]], *movable)
            for (source, sink), following in zip(path, [*path[1:], None], strict=True):
                flow[source, sink] += amount
                if following is not None:
                    flow[following[0], sink] -= amount
            left[supply] -= amount
            free[path[-1][1]] -= amount
    return flow


def _augmenting_path(start: int, flow: Ints, free: Ints, fits: NDArray[np.bool_]) -> list[tuple[int, int]] | None:
    """Return the steps (supply, sink) to a sink with free capacity; each next supply leaves the sink before it."""
    previous: dict[int, tuple[int, int] | None] = {start: None}  # the step by which a supply was reached
    seen = np.zeros(free.size, np.bool_)
    queue = deque([start])
    while queue:
        supply = queue.popleft()
        for sink in np.flatnonzero(fits[supply] & ~seen).tolist():
            seen[sink] = True
            if free[sink]:
                path, step = [(supply, sink)], previous[supply]
                while step is not None:
                    path.append(step)
                    step = previous[step[0]]
                return path[::-1]
            for next_supply in np.flatnonzero(flow[:, sink]).tolist():
                if next_supply not in previous:
                    previous[next_supply] = (supply, sink)
                    queue.append(next_supply)
    return None
