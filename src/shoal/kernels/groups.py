"""Grouping of rows, and counts within groups."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled

LARGEST = 2**31 - 1


@compiled
def group_keys(keys: Words) -> tuple[Ints, Longs]:
    """Number equal keys alike, in order of first appearance; return (number of each key, first place of each)."""
    size = 16
    while size < 2 * keys.size:
        size *= 2
    slots = np.full(size, -1, np.int32)
    shift = np.uint64(64)
    bits = size
    while bits > 1:
        bits //= 2
        shift -= np.uint64(1)
    ids = np.empty(keys.size, np.int32)
    firsts = np.empty(keys.size, np.int64)
    count = 0
    for i in range(keys.size):
        key = keys[i]
        # Fibonacci hashing: the high bits of key × 2^64/φ spread consecutive keys.
        slot = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> shift)
        while slots[slot] >= 0 and keys[firsts[slots[slot]]] != key:
            slot = (slot + 1) & np.int64(size - 1)
        if slots[slot] < 0:
            slots[slot] = count
            firsts[count] = i
            count += 1
        ids[i] = slots[slot]
    return ids, firsts[:count].copy()


@compiled
def group_bounds(codes: Ints, ids: Ints, groups: int) -> tuple[Ints, Ints]:
    """Return the smallest and the largest code of each group; rows with a negative group number are ignored."""
    low = np.full(groups, LARGEST, np.int32)
    high = np.full(groups, -1, np.int32)
    for i in range(ids.size):
        group = ids[i]
        if group >= 0:
            low[group] = min(low[group], codes[i])
            high[group] = max(high[group], codes[i])
    return low, high


@compiled
def group_weights(weights: Longs, ids: Ints, groups: int) -> Longs:
    """Return the total weight of each group; rows with a negative group number are ignored."""
    totals = np.zeros(groups, np.int64)
    for i in range(ids.size):
        if ids[i] >= 0:
            totals[ids[i]] += weights[i]
    return totals


@compiled
def group_counts(codes: Ints, weights: Longs, ids: Ints, groups: int, values: int) -> tuple[Longs, Ints, Longs]:
    """Return the weight of each code in a group: where each group begins, then its codes, ascending, and their weights.

    Rows with a negative group number or weight 0 are ignored. Counting sort: by code, then by group.
    """
    place, starts = np.zeros(values + 1, np.int64), np.zeros(groups + 1, np.int64)
    for i in range(ids.size):
        if ids[i] >= 0 and weights[i] > 0:
            place[codes[i] + 1] += 1
            starts[ids[i] + 1] += 1
    for value in range(values):
        place[value + 1] += place[value]
    for group in range(groups):
        starts[group + 1] += starts[group]
    by_code = np.empty(starts[groups], np.int32)
    for i in range(ids.size):
        if ids[i] >= 0 and weights[i] > 0:
            by_code[place[codes[i]]] = i
            place[codes[i]] += 1
    ends = starts[:-1].copy()
    found, counts = np.empty(by_code.size, np.int32), np.empty(by_code.size, np.int64)
    for i in by_code:
        end = ends[ids[i]]
        if end > starts[ids[i]] and found[end - 1] == codes[i]:
            counts[end - 1] += weights[i]
        else:
            found[end], counts[end] = codes[i], weights[i]
            ends[ids[i]] += 1
    size = 0
    for group in range(groups):
        first = size
        for i in range(starts[group], ends[group]):
            found[size], counts[size] = found[i], counts[i]
            size += 1
        starts[group] = first
    starts[groups] = size
    return starts, found[:size].copy(), counts[:size].copy()


@compiled
def group_histogram(codes: Ints, weights: Longs, ids: Ints, groups: int, values: int) -> Longs:
    """Return the weight of each code in each group, as a matrix groups × values."""
    counts = np.zeros((groups, values), np.int64)
    for i in range(ids.size):
        if ids[i] >= 0:
            counts[ids[i], codes[i]] += weights[i]
    return counts


@compiled
def line_counts(lines: Longs, order: Longs, codes: Ints) -> tuple[Longs, Ints, Longs]:
    """Return the entries of each line of a matrix as `group_counts` does; `codes` are those of the columns in `order`.

    The codes ascend; the entries of columns with equal codes are added.
    """
    starts = np.zeros(len(lines) + 1, np.int64)
    size = 0
    for i in range(len(lines)):
        for j in range(lines.shape[1]):
            size += lines[i, j] != 0
    found, counts = np.empty(size, np.int32), np.empty(size, np.int64)
    at = 0
    for i in range(len(lines)):
        for j in range(order.size):
            count = lines[i, order[j]]
            if count == 0:
                continue
            if at > starts[i] and found[at - 1] == codes[j]:
                counts[at - 1] += count
            else:
                found[at], counts[at] = codes[j], count
                at += 1
        starts[i + 1] = at
    return starts, found[:at].copy(), counts[:at].copy()
