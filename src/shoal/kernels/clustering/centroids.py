"""Clusters around centroids: distances of records as whole numbers of one or more words, compared without rounding.

A number is a column of words, the highest first; all but the highest have `WORD` bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import RANGE, TREE, Space, cover

WORD = 40  # a million such words add up without overflow


class Distances(NamedTuple):
    """The parts of the distance of two values: words × codes, nodes or attributes."""

    space: Space
    code: Longs  # the place in a range, or the steps from a leaf of a tree to its root
    node: Longs  # of two leaves under a node: its loss, less the steps from it to the root for both
    apart: Longs  # of any two values of a range or set
    top: Longs  # of a missing value and another one of a range


class Unused(NamedTuple):
    """The records in no cluster yet, ascending, and the sum of the distances of each to all centroids."""

    records: Ints
    totals: Longs  # words × records


@lean
def by_value(distances: Distances, attribute: int, own: int, table: Longs) -> None:
    """Compute the distance of a value to each value of its attribute, before carrying, in a `table` by value."""
    space = distances.space
    at, nodes = space.codes_at[attribute], space.nodes_at[attribute]
    for word in range(table.shape[0]):
        found, code = table[word, at : at + space.size[attribute]], distances.code[word, at:]
        apart, top, missing = distances.apart[word, attribute], distances.top[word, attribute], space.missing[attribute]
        for value in range(found.size):
            low, high = min(own, value), max(own, value)
            if space.kind[attribute] == TREE:
                node = nodes + cover(space, attribute, low, high)
                found[value] = distances.node[word, node] + code[low] + code[high]
            else:
                found[value] = apart + code[high] - code[low]
        if space.kind[attribute] == RANGE and own == missing:
            found[:] = top
        elif space.kind[attribute] == RANGE and missing >= 0:
            found[missing] = top
        found[own] = 0


@lean
def carry(numbers: Longs, count: int) -> None:
    """Carry between the words of the first numbers."""
    for word in range(numbers.shape[0] - 1, 0, -1):
        for i in range(count):
            over = numbers[word, i] >> WORD
            numbers[word, i] -= over << WORD
            numbers[word - 1, i] += over


@lean
def less(numbers: Longs, i: int, others: Longs, j: int) -> bool:
    """Return whether number i is less than number j of the others."""
    for word in range(numbers.shape[0]):
        if numbers[word, i] != others[word, j]:
            return bool(numbers[word, i] < others[word, j])
    return False


@lean
def distances_to(
    distances: Distances, codes: Ints, record: int, others: Ints, count: int, table: Longs, found: Longs
) -> None:
    """Compute the distances of a record to the first of the others; `table` is scratch space, a number per value."""
    space = distances.space
    for a in range(space.kind.size):
        by_value(distances, a, codes[record, a], table)
    for word in range(table.shape[0]):
        values, sums = table[word], found[word]
        for i in range(count):
            total = np.int64(0)
            for a in range(space.kind.size):
                total += values[space.codes_at[a] + codes[others[i], a]]
            sums[i] = total
    carry(found, count)


@lean
def smallest(numbers: Longs, count: int, without: int, heap: Ints) -> None:
    """Fill a heap with the places of the smallest of the first numbers, the first of equals; the largest on top."""
    size = 0
    for i in range(count):
        if i == without:
            continue
        if size < heap.size:
            place = size
            size += 1
            while place > 0 and _after(numbers, i, heap[(place - 1) // 2]):
                heap[place] = heap[(place - 1) // 2]
                place = (place - 1) // 2
            heap[place] = i
        elif size > 0 and less(numbers, i, numbers, heap[0]):
            place = 0
            while 2 * place + 1 < size:
                child = 2 * place + 1
                if child + 1 < size and _after(numbers, heap[child + 1], heap[child]):
                    child += 1
                if not _after(numbers, heap[child], i):
                    break
                heap[place] = heap[child]
                place = child
            heap[place] = i


@lean
def _after(numbers: Longs, i: int, j: int) -> bool:
    """Return whether number i comes after number j: it is greater, or equal and further on."""
    return less(numbers, j, numbers, i) or (i > j and not less(numbers, i, numbers, j))


@compiled
def add_clusters(
    distances: Distances, codes: Ints, unused: Unused, left: int, size: int, ids: Ints, centroids: Ints, first: int
) -> int:
    """Find the centroids from the `first` on, each with its cluster, among the first `left` of the unused records.

    Return how many records are left.
    """
    words = unused.totals.shape[0]
    table = np.empty((words, distances.code.shape[1]), np.int64)
    found = np.empty((words, left), np.int64)
    near = np.empty(size - 1, np.int32)
    for c in range(centroids.size):
        furthest = 0
        for i in range(1, left):
            if less(unused.totals, furthest, unused.totals, i):
                furthest = i
        centroids[c] = unused.records[furthest]
        distances_to(distances, codes, centroids[c], unused.records, left, table, found)
        smallest(found, left, furthest, near)
        ids[centroids[c]] = first + c
        for place in near:
            ids[unused.records[place]] = first + c
        kept = 0
        for i in range(left):
            record = unused.records[i]
            if ids[record] < 0:
                unused.records[kept] = record
                for word in range(words):
                    unused.totals[word, kept] = unused.totals[word, i] + found[word, i]
                kept += 1
        left = kept
        carry(unused.totals, left)
    return left


@compiled
def join_nearest(distances: Distances, codes: Ints, records: Ints, centroids: Ints, ids: Ints) -> None:
    """Put each record into the cluster of its nearest centroid, the first of equals."""
    words = distances.code.shape[0]
    table = np.empty((words, distances.code.shape[1]), np.int64)
    found = np.empty((words, records.size), np.int64)
    least = np.empty((words, records.size), np.int64)
    for c in range(centroids.size):
        distances_to(distances, codes, centroids[c], records, records.size, table, found)
        for i in range(records.size):
            if c == 0 or less(found, i, least, i):
                ids[records[i]] = c
                least[:, i] = found[:, i]
