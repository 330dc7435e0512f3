"""Links between people and the released rows that could be theirs, found on distinct rows with bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.column import Column
from shoal.data.style import text
from shoal.data.table import blocks, group_rows
from shoal.kernels.groups import group_weights
from shoal.kernels.links import candidate_rows, candidate_sets, candidate_values, row_sets

BITS = 2**30  # of the sets of rows that are held at a time, 128 MiB

Covers = Callable[[Sequence[str]], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of some columns: each column's texts, and the place of each cell's (one more: missing)."""

    texts: tuple[list[str], ...]
    places: NDArray[np.int32]
    weights: NDArray[np.int64]
    ids: NDArray[np.int32]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Rows:
        """Number equal rows alike."""
        rows = columns[0].places.size
        places = [np.where(column.places < 0, len(column.values), column.places) for column in columns]
        ids, firsts = group_rows(places, [len(column.values) + 1 for column in columns], rows)
        return cls(
            tuple([text(value) for value in column.values] for column in columns),
            np.stack(places, axis=1)[firsts].astype(np.int32),
            group_weights(np.ones(rows, np.int64), ids, firsts.size),
            ids,
        )

    def __len__(self) -> int:
        return int(self.weights.size)


@dataclass(frozen=True, eq=False)
class Secrets:
    """The sensitive values in each distinct row, and the share of each value among all rows; missing ones are none."""

    starts: NDArray[np.int64]
    codes: NDArray[np.int32]
    counts: NDArray[np.int64]
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, column: Column, rows: Rows) -> Secrets:
        """Count the values of a column in each distinct row."""
        made = cls.of_codes(column.places, max(1, len(column.values)), rows)
        return replace(made, shares=column.counts / max(1, column.places.size))

    @classmethod
    def of_codes(cls, codes: NDArray[Any], width: int, rows: Rows) -> Secrets:
        """Count codes below `width` in each distinct row; −1 is none."""
        there = codes >= 0
        keys, counts = np.unique(rows.ids[there].astype(np.int64) * width + codes[there], return_counts=True)
        starts = np.searchsorted(keys, np.arange(len(rows) + 1, dtype=np.int64) * width)
        shares = np.bincount(codes[there], minlength=width) / max(1, codes.size)
        return cls(starts.astype(np.int64), (keys % width).astype(np.int32), counts.astype(np.int64), shares)


@dataclass(frozen=True, eq=False)
class Links:
    """For each distinct person the number of candidate rows and, by secret, the most of one value and the gain."""

    sizes: NDArray[np.int64]
    most: list[NDArray[np.int64]]
    gains: list[NDArray[np.float64]]


def link(people: Rows, rows: Rows, covers: Sequence[Covers], secrets: Sequence[Secrets]) -> Links:
    """Find for each distinct person the rows whose every label covers what is known."""
    sizes = np.zeros(len(people), np.int64)
    most = [np.zeros(len(people), np.int64) for _ in secrets]
    gains = [np.zeros(len(people), np.float64) for _ in secrets]
    for block, bits, sets in _sets(people, rows, covers):
        sizes[block] = candidate_rows(bits, sets, rows.weights)
        for at, secret in enumerate(secrets):
            most[at][block], gains[at][block] = candidate_values(
                bits, sets, sizes[block], secret.starts, secret.codes, secret.counts, secret.shares
            )
    return Links(sizes, most, gains)


def value_sets(people: Rows, rows: Rows, covers: Sequence[Covers], secret: Secrets, width: int) -> NDArray[np.bool_]:
    """For each distinct person, which of `width` values stand in rows whose every label covers what is known."""
    found = np.zeros((len(people), width), np.bool_)
    for block, bits, sets in _sets(people, rows, covers):
        found[block] = candidate_sets(bits, sets, secret.starts, secret.codes, width)
    return found


def _sets(
    people: Rows, rows: Rows, covers: Sequence[Covers]
) -> Iterator[tuple[slice, NDArray[np.uint64], NDArray[np.int64]]]:
    """For each block of people, the rows that each known value leaves, as bits, and which of these sets are whose."""
    columns = range(len(covers))
    small = [column for column in columns if (len(people.texts[column]) + 1) * len(rows) <= BITS // len(covers)]

    def bits_of(column: int, places: NDArray[np.int32]) -> NDArray[np.uint64]:
        return _bits(people.texts[column], places, rows.places[:, column], covers[column])

    kept = {column: bits_of(column, np.arange(len(people.texts[column]) + 1, dtype=np.int32)) for column in small}
    for block in blocks(len(people), len(rows) * (len(covers) - len(small)), BITS):
        bits, sets, at = [], [], 0
        for column in columns:
            own: NDArray[Any] = people.places[block, column]
            if column in kept:
                bits.append(kept[column])
            else:
                places, own = np.unique(own, return_inverse=True)
                bits.append(bits_of(column, places))
            sets.append(own.astype(np.int64) + at)
            at += len(bits[-1])
        yield block, np.concatenate(bits), np.stack(sets, axis=1)


def _bits(texts: list[str], places: NDArray[np.int32], labels: NDArray[np.int32], cover: Covers) -> NDArray[np.uint64]:
    """For each of some values, the rows whose label covers it; a missing value on either side rules nothing out."""
    bits = np.zeros((places.size, -(-labels.size // 64)), np.uint64)
    for some in blocks(places.size, labels.size):
        known = [texts[place] for place in places[some].tolist() if place < len(texts)]
        matrix = cover(known)
        whole = np.ones((matrix.shape[0] + 1, places[some].size), np.bool_)
        whole[:-1, : len(known)] = matrix  # the missing label and the missing value have the last place
        row_sets(whole, np.ascontiguousarray(labels), bits[some])
    return bits
