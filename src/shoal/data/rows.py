"""Rows of codes: equal ones numbered alike, sorted, or in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.groups import group_keys


def group_rows(columns: Sequence[NDArray[np.integer]], sizes: Sequence[int], rows: int) -> tuple[Ints, Longs]:
    """Give equal rows the same number; return the number of each row and the first row of each number."""
    keys = np.zeros(rows, np.uint64)
    bound = 1
    ids, firsts = np.zeros(rows, np.int32), np.zeros(min(rows, 1), np.int64)
    for column, size in zip(columns, sizes, strict=True):
        if bound * size >= 2**64:
            ids, firsts = group_keys(keys)
            keys, bound = ids.astype(np.uint64), firsts.size
        keys *= np.uint64(size)
        keys += column.astype(np.uint64)
        bound *= size
    if columns:
        ids, firsts = group_keys(keys)
    return ids, firsts


def in_order(codes: Ints, sizes: list[int]) -> tuple[Longs, Longs]:
    """Sort the rows by their codes; return the order and where in it each distinct row begins."""
    keys = _keys(codes, sizes)
    order = np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0], kind="stable")
    new = np.zeros(len(codes), np.bool_)
    new[:1] = True
    for key in keys:
        sorted_key = key[order]
        new[1:] |= sorted_key[1:] != sorted_key[:-1]
    return order, np.flatnonzero(new)


def order_by(codes: Ints, columns: Longs) -> Longs:
    """Sort the rows by some columns, the first one first; equal rows keep their order."""
    chosen, rows = codes[:, columns], len(codes)
    sizes = [int(most) + 1 for most in chosen.max(axis=0, initial=0)]
    keys = _keys(chosen, sizes)
    if prod(sizes) * rows < 2**64:  # sorting numbers that end in that of the row is faster than sorting places
        numbered = keys[0] * np.uint64(rows) + np.arange(rows, dtype=np.uint64)
        numbered.sort()
        return (numbered % np.uint64(max(1, rows))).astype(np.int64)
    order = np.argsort(keys[0], kind="stable")
    if len(keys) == 1 or np.diff(keys[0][order]).all():  # the first columns tell all rows apart
        return order
    return np.lexsort(keys[::-1])


def _keys(codes: Ints, sizes: list[int]) -> list[NDArray[np.uint64]]:
    """Return a number for each row, or several if one is too small, that are in the order of the codes."""
    keys, bound = [np.zeros(len(codes), np.uint64)], 1
    for column, size in zip(codes.T, sizes, strict=True):
        if bound * size >= 2**64:
            keys, bound = [*keys, np.zeros(len(codes), np.uint64)], 1
        keys[-1] *= np.uint64(size)
        keys[-1] += column.astype(np.uint64)
        bound *= size
    return keys


def histogram(values: NDArray[np.integer], weights: NDArray[np.int64]) -> dict[int, int]:
    """Return the distinct values in ascending order, with the sum of the weights of each."""
    distinct, places = np.unique(values, return_inverse=True)
    sums = np.bincount(places, weights, distinct.size).astype(np.int64)
    return dict(zip(distinct.tolist(), sums.tolist(), strict=True))


def blocks(total: int, width: int, budget: int = 2**24) -> Iterator[slice]:
    """Split `total` items into consecutive slices of at most `budget` cells, `width` for each item."""
    step = max(1, budget // max(1, width))
    return (slice(start, start + step) for start in range(0, total, step))


def slices(amounts: Longs, most: int) -> list[slice]:
    """Divide items into slices of about `most` in total, of at least one item each."""
    upto = np.cumsum(amounts)
    marks = np.unique(np.searchsorted(upto, np.arange(0, int(upto[-1]), most)))
    return [slice(a, b) for a, b in pairwise([*marks.tolist(), upto.size]) if b > a]
