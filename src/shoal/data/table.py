"""Table: the columns of a frame as integer codes. Classes: all that a privacy model may see of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.groups import group_counts, group_keys, group_weights, line_counts

MAX_VALUES_PER_ROW = 4  # with more, values that no row has are left out before counting


@dataclass(frozen=True, eq=False)
class Table:
    """The quasi-identifiers and sensitive attributes of a frame as codes, each row with its weight."""

    quasi: tuple[str, ...]
    domains: tuple[AnyDomain, ...]
    codes: Ints
    sensitive: tuple[str, ...]
    sensitive_domains: tuple[AnyDomain, ...]
    sensitive_codes: Ints
    weights: Longs
    population: Longs | None = None  # people for each row; rows of people come last, with weight 0
    everything: dict[str, Overall] | None = None  # the sensitive attributes of the whole table, if this is a part of it

    @property
    def rows(self) -> int:
        """The number of rows, counted with their weights."""
        return int(self.weights.sum())

    def without_population(self) -> Table:
        """Return the rows of the table itself."""
        return replace(self.some(self.weights > 0), population=None)

    def sizes(self, ids: Ints) -> Longs:
        """Count the rows of each class."""
        groups = int(ids.max(initial=-1)) + 1
        return group_weights(self.weights, ids, groups)

    def classes(self, ids: Ints) -> Classes:
        """Return the classes of a grouping of the rows (−1: in no class)."""
        sizes = self.sizes(ids)

        def counts(name: str) -> Counts:
            place = self.sensitive.index(name)
            return Counts.of(
                self.sensitive_codes[:, place],
                ids,
                weights=self.weights,
                classes=sizes.size,
                values=len(self.sensitive_domains[place]),
            )

        people = None if self.population is None else group_weights(self.population, ids, sizes.size)
        return Classes(sizes, self.overall, counts, people)

    @cached_property
    def overall(self) -> dict[str, Overall]:
        """Each sensitive attribute in the whole table."""
        if self.everything is not None:
            return self.everything
        overall = {}
        for name, domain, codes in zip(self.sensitive, self.sensitive_domains, self.sensitive_codes.T, strict=True):
            column = np.ascontiguousarray(codes)
            overall[name] = Overall(domain.labels_or_none, group_weights(self.weights, column, len(domain)))
        return overall

    def whole(self) -> Classes:
        """Return the whole table as one class."""
        return self.classes(np.zeros(len(self.weights), np.int32))

    def checksum(self) -> str:
        """Return a SHA-256 of the codes and their labels."""
        digest = hashlib.sha256()
        for name, domain in zip(self.quasi + self.sensitive, self.domains + self.sensitive_domains, strict=True):
            digest.update(repr((name, domain.labels)).encode())
        digest.update(self.codes.tobytes())
        digest.update(self.sensitive_codes.tobytes())
        return digest.hexdigest()

    def some(self, rows: Longs | Flags) -> Table:
        """Return some of the rows."""
        return replace(
            self, codes=self.codes[rows], sensitive_codes=self.sensitive_codes[rows], weights=self.weights[rows]
        )

    def distinct(self, *, sensitive: bool = True) -> tuple[Table, Ints]:
        """Return the distinct rows with their weights, and for each row of this table its place among them."""
        columns, sizes = list(self.codes.T), [len(domain) for domain in self.domains]
        if sensitive:
            columns += list(self.sensitive_codes.T)
            sizes += [len(domain) for domain in self.sensitive_domains]
        ids, firsts = group_rows(columns, sizes, len(self.weights))
        weights = group_weights(self.weights, ids, firsts.size)
        people = None if self.population is None else group_weights(self.population, ids, firsts.size)
        table = replace(self, codes=self.codes[firsts], weights=weights, population=people)
        if sensitive:
            return replace(table, sensitive_codes=self.sensitive_codes[firsts]), ids
        empty = self.sensitive_codes[firsts, :0]
        return replace(table, sensitive=(), sensitive_domains=(), sensitive_codes=empty), ids


@dataclass(frozen=True, eq=False)
class Overall:
    """A sensitive attribute in the whole table: its values (None: missing) and how many rows have each."""

    labels: tuple[str | None, ...]
    counts: Longs
    _cache: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def rows(self) -> int:
        """The rows of the whole table."""
        return int(self.counts.sum())

    @cached_property
    def present(self) -> int:
        """The number of values that occur."""
        return int(np.count_nonzero(self.counts))

    def remembered(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what `make` returned for a key the first time, as a model is asked about the same table many times."""
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each value of a sensitive attribute occurs in each class, without values that do not occur.

    Class i has `values[starts[i]:starts[i + 1]]`, in ascending order, with their `counts`.
    """

    starts: Longs
    values: Ints
    counts: Longs

    @classmethod
    def of(cls, codes: NDArray[np.integer], ids: Ints, *, weights: Longs, classes: int, values: int) -> Counts:
        """Count the codes, below `values`, of rows by class (−1: in no class)."""
        column = np.ascontiguousarray(codes, np.int32)
        if values <= MAX_VALUES_PER_ROW * column.size:
            return cls(*group_counts(column, weights, ids, classes, values))
        present, places = np.unique(column, return_inverse=True)
        counts = cls(*group_counts(places.astype(np.int32), weights, ids, classes, present.size))
        return replace(counts, values=present[counts.values])

    @classmethod
    def of_histogram(cls, histogram: Longs) -> Counts:
        """Build the counts from a matrix of classes × values."""
        every = np.arange(histogram.shape[1])
        return cls(*line_counts(histogram, every, every.astype(np.int32)))

    @cached_property
    def lengths(self) -> Longs:
        """The number of distinct values of each class."""
        return np.diff(self.starts)

    def spread(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Repeat a number of each class for each of its values."""
        return np.repeat(numbers, self.lengths)

    def gathered(self, function: np.ufunc, numbers: NDArray[Any]) -> NDArray[Any]:
        """Reduce the numbers of the values of each class by a function; 0 for a class without values."""
        reduced = np.zeros(self.lengths.size, numbers.dtype)
        occupied = self.lengths > 0
        if occupied.any():
            reduced[occupied] = function.reduceat(numbers, self.starts[:-1][occupied])
        return reduced

    @cached_property
    def most(self) -> Longs:
        """The count of the most frequent value of each class."""
        return self.gathered(np.maximum, self.counts)

    def some(self, which: Flags | NDArray[np.integer]) -> Counts:
        """Return the counts of some classes."""
        lengths = self.lengths[which]
        before = np.cumsum(lengths) - lengths
        places = np.repeat(self.starts[:-1][which] - before, lengths) + np.arange(int(lengths.sum()))
        return Counts(np.concatenate([[0], np.cumsum(lengths)]), self.values[places], self.counts[places])

    def joined(self, other: Counts) -> Counts:
        """Merge all classes and all of the others into one class."""
        codes, counts = np.append(self.values, other.values), np.append(self.counts, other.counts)
        ids, values = np.zeros(codes.size, np.int32), int(codes.max(initial=-1)) + 1
        return Counts.of(codes, ids, weights=counts, classes=1, values=values)

    def kept(self, which: Flags) -> Counts:
        """Return some of the values of each class."""
        if which.all():
            return self
        starts = np.concatenate([[0], np.cumsum(which)])[self.starts]
        return Counts(starts, self.values[which], self.counts[which])


@dataclass(frozen=True, eq=False)
class Classes:
    """The sizes of the classes and, on demand, the counts of a sensitive attribute in each.

    `people` is the number of people of a population, if any, that each class could be about.
    """

    sizes: Longs
    sensitive: Mapping[str, Overall] = field(default_factory=dict)
    _counts: Callable[[str], Counts | Longs] = field(default=lambda name: np.zeros((0, 0), np.int64))
    people: Longs | None = None
    _cache: dict[str, Counts] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.sizes.size)

    def some(self, which: Flags) -> Classes:
        """Return some of the classes."""
        people = None if self.people is None else self.people[which]
        return Classes(self.sizes[which], self.sensitive, lambda name: self.counts(name).some(which), people)

    def counts(self, name: str) -> Counts:
        """Count how often each value of a sensitive attribute occurs in each class."""
        if name not in self._cache:
            counts = self._counts(name)
            self._cache[name] = counts if isinstance(counts, Counts) else Counts.of_histogram(counts)
        return self._cache[name]

    def distinct(self, name: str) -> Longs:
        """Count the distinct values of a sensitive attribute in each class."""
        return self.counts(name).lengths


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
    keys, bound = [np.zeros(len(codes), np.uint64)], 1
    for column, size in zip(codes.T, sizes, strict=True):
        if bound * size >= 2**64:
            keys, bound = [*keys, np.zeros(len(codes), np.uint64)], 1
        keys[-1] *= np.uint64(size)
        keys[-1] += column.astype(np.uint64)
        bound *= size
    order = np.argsort(keys[0], kind="stable") if len(keys) == 1 else np.lexsort(keys[::-1])
    new = np.zeros(len(codes), np.bool_)
    new[:1] = True
    for key in keys:
        sorted_key = key[order]
        new[1:] |= sorted_key[1:] != sorted_key[:-1]
    return order, np.flatnonzero(new)


def histogram(values: NDArray[np.integer], weights: NDArray[np.int64]) -> dict[int, int]:
    """Return the distinct values in ascending order, with the sum of the weights of each."""
    distinct, places = np.unique(values, return_inverse=True)
    sums = np.bincount(places, weights, distinct.size).astype(np.int64)
    return dict(zip(distinct.tolist(), sums.tolist(), strict=True))


def blocks(total: int, width: int, budget: int = 2**24) -> Iterator[slice]:
    """Split `total` items into consecutive slices of at most `budget` cells, `width` for each item."""
    step = max(1, budget // max(1, width))
    return (slice(start, start + step) for start in range(0, total, step))
