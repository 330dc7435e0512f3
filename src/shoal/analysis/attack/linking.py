"""Links between people and the released rows that could be theirs, found on distinct rows with bit sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.column import Column
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.label_cover import Cover
from shoal.data.rows import blocks, group_rows
from shoal.data.style import Style, text
from shoal.kernels.groups import group_weights
from shoal.kernels.links import candidate_rows, candidate_sets, candidate_values, row_sets

MAX_BITS = 2**30  # of the sets of rows in memory at a time, 128 MiB

Covers = Callable[[Sequence[str]], NDArray[np.bool_]]
Trees = Mapping[str, Hierarchy | Ordered]


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of some columns: the texts of each column, and the place of each cell (last: missing)."""

    texts: tuple[list[str], ...]
    places: NDArray[np.int32]
    weights: NDArray[np.int64]
    ids: NDArray[np.int32]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Rows:
        """Give equal rows the same number."""
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
    """The sensitive values in each distinct row, and the share of each value among all rows, without missing ones."""

    starts: NDArray[np.int64]
    codes: NDArray[np.int32]
    counts: NDArray[np.int64]
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, column: Column, rows: Rows) -> Secrets:
        """Count the values of a column in each distinct row."""
        secrets = cls.of_codes(column.places, max(1, len(column.values)), rows)
        return replace(secrets, shares=column.counts / max(1, column.places.size))

    @classmethod
    def of_codes(cls, codes: NDArray[Any], width: int, rows: Rows) -> Secrets:
        """Count codes below `width` in each distinct row; −1 is missing."""
        present = codes >= 0
        keys, counts = np.unique(rows.ids[present].astype(np.int64) * width + codes[present], return_counts=True)
        starts = np.searchsorted(keys, np.arange(len(rows) + 1, dtype=np.int64) * width)
        shares = np.bincount(codes[present], minlength=width) / max(1, codes.size)
        return cls(starts.astype(np.int64), (keys % width).astype(np.int32), counts.astype(np.int64), shares)


@dataclass(frozen=True, eq=False)
class Links:
    """For each distinct person, the number of candidates and, by secret, the highest count, the gain, and among how
    many candidates it is counted.

    by_one  the number of candidates whom the known row leaves that tells most, if a person can have several
    """

    sizes: NDArray[np.int64]
    most: list[NDArray[np.int64]]
    gains: list[NDArray[np.float64]]
    among: list[NDArray[np.int64]]
    by_one: NDArray[np.int64] | None = None


def covers_of(names: Iterable[str], rows: Rows, trees: Trees, style: Style) -> list[Covers]:
    """Parse the labels of each column, with its hierarchy or order if it has one."""
    return [Cover(labels, trees.get(name), style=style) for name, labels in zip(names, rows.texts, strict=True)]


def link(people: Rows, rows: Rows, covers: Sequence[Covers], secrets: Sequence[Secrets]) -> Links:
    """Find for each distinct person the rows whose labels all cover what is known."""
    sizes = np.zeros(len(people), np.int64)
    most = [np.zeros(len(people), np.int64) for _ in secrets]
    gains = [np.zeros(len(people), np.float64) for _ in secrets]
    for block, bits, sets in _sets(people, rows, covers):
        sizes[block] = candidate_rows(bits, sets, rows.weights)
        for number, secret in enumerate(secrets):
            most[number][block], gains[number][block] = candidate_values(
                bits, sets, sizes[block], secret.starts, secret.codes, secret.counts, secret.shares
            )
    return Links(sizes, most, gains, [sizes] * len(secrets))


def value_sets(people: Rows, rows: Rows, covers: Sequence[Covers], secret: Secrets, width: int) -> NDArray[np.bool_]:
    """Return for each distinct person which of `width` values are in rows whose labels all cover what is known."""
    possible = np.zeros((len(people), width), np.bool_)
    for block, bits, sets in _sets(people, rows, covers):
        possible[block] = candidate_sets(bits, sets, secret.starts, secret.codes, width)
    return possible


def covering_rows(people: Rows, rows: Rows, covers: Sequence[Covers]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of a distinct person and a distinct row whose labels all cover what is known."""
    own = np.arange(len(rows) + 1, dtype=np.int64)
    whose, found = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for block, bits, sets in _sets(people, rows, covers):
        for part in blocks(len(sets), len(rows)):
            pairs = np.nonzero(candidate_sets(bits, sets[part], own, own[:-1].astype(np.int32), len(rows)))
            whose.append(pairs[0] + block.start + part.start)
            found.append(pairs[1])
    return np.concatenate(whose), np.concatenate(found)


def _sets(
    people: Rows, rows: Rows, covers: Sequence[Covers]
) -> Iterator[tuple[slice, NDArray[np.uint64], NDArray[np.int64]]]:
    """Yield for each block of people the rows that each known value leaves, as bits, and the sets of each person."""
    columns = range(len(covers))
    small = [column for column in columns if (len(people.texts[column]) + 1) * len(rows) <= MAX_BITS // len(covers)]

    def bits_of(column: int, places: NDArray[np.int32]) -> NDArray[np.uint64]:
        return _bits(people.texts[column], places, rows.places[:, column], covers[column])

    cached = {column: bits_of(column, np.arange(len(people.texts[column]) + 1, dtype=np.int32)) for column in small}
    for block in blocks(len(people), len(rows) * (len(covers) - len(small)), MAX_BITS):
        bits, sets, start = [], [], 0
        for column in columns:
            numbers: NDArray[Any] = people.places[block, column]
            if column in cached:
                bits.append(cached[column])
            else:
                places, numbers = np.unique(numbers, return_inverse=True)
                bits.append(bits_of(column, places))
            sets.append(numbers.astype(np.int64) + start)
            start += len(bits[-1])
        yield block, np.concatenate(bits), np.stack(sets, axis=1)


def _bits(texts: list[str], places: NDArray[np.int32], labels: NDArray[np.int32], cover: Covers) -> NDArray[np.uint64]:
    """Return for each value the rows whose label covers it; a missing value on either side rules nothing out."""
    bits = np.zeros((places.size, -(-labels.size // 64)), np.uint64)
    for block in blocks(places.size, labels.size):
        values = [texts[place] for place in places[block].tolist() if place < len(texts)]
        matrix = cover(values)
        padded = np.ones((matrix.shape[0] + 1, places[block].size), np.bool_)
        padded[:-1, : len(values)] = matrix  # the missing label and the missing value have the last place
        row_sets(padded, np.ascontiguousarray(labels), bits[block])
    return bits
