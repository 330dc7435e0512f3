"""Table: a frame as integer codes. Classes: what a privacy model may see of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.kernels.groups import group_counts, group_keys, group_weights, line_counts

IntArray = NDArray[np.int32]
MANY = 4  # values for each row, above which those that no row has are left out before they are counted


@dataclass(frozen=True, eq=False)
class Table:
    """The quasi-identifiers and sensitive attributes of a frame as codes, each row with its weight."""

    quasi: tuple[str, ...]
    domains: tuple[AnyDomain, ...]
    codes: IntArray
    sensitive: tuple[str, ...]
    sensitive_domains: tuple[AnyDomain, ...]
    sensitive_codes: IntArray
    weights: NDArray[np.int64]
    population: NDArray[np.int64] | None = None  # people behind each row; their rows come last, with weight 0
    everything: dict[str, Overall] | None = None  # the sensitive attributes of the whole, where this is a part of it

    @property
    def rows(self) -> int:
        """The number of rows that the table stands for."""
        return int(self.weights.sum())

    def without_population(self) -> Table:
        """The rows of the table itself."""
        own = self.weights > 0
        return replace(
            self,
            codes=self.codes[own],
            sensitive_codes=self.sensitive_codes[own],
            weights=self.weights[own],
            population=None,
        )

    def sizes(self, ids: IntArray) -> NDArray[np.int64]:
        """The number of rows in each class."""
        groups = int(ids.max(initial=-1)) + 1
        return group_weights(self.weights, ids, groups)

    def classes(self, ids: IntArray) -> Classes:
        """The classes of a grouping of the rows (−1: in no class)."""
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
        found = {}
        for name, domain, codes in zip(self.sensitive, self.sensitive_domains, self.sensitive_codes.T, strict=True):
            labels: tuple[str | None, ...] = domain.labels
            if domain.missing >= 0:
                labels = (*labels[: domain.missing], None, *labels[domain.missing + 1 :])
            column = np.ascontiguousarray(codes)
            found[name] = Overall(labels, group_weights(self.weights, column, len(labels)))
        return found

    def whole(self) -> Classes:
        """The table as one class."""
        return self.classes(np.zeros(len(self.weights), np.int32))

    def checksum(self) -> str:
        """A SHA-256 of the codes and what they stand for."""
        digest = hashlib.sha256()
        for name, domain in zip(self.quasi + self.sensitive, self.domains + self.sensitive_domains, strict=True):
            digest.update(repr((name, domain.labels)).encode())
        digest.update(self.codes.tobytes())
        digest.update(self.sensitive_codes.tobytes())
        return digest.hexdigest()

    def some(self, rows: NDArray[np.int64]) -> Table:
        """Some of the rows."""
        return replace(
            self, codes=self.codes[rows], sensitive_codes=self.sensitive_codes[rows], weights=self.weights[rows]
        )

    def distinct(self, *, sensitive: bool = True) -> tuple[Table, IntArray]:
        """The distinct rows with their weights, and for each row of this table its place among them."""
        columns = [self.codes[:, j] for j in range(len(self.quasi))]
        sizes = [len(domain) for domain in self.domains]
        if sensitive:
            columns += [self.sensitive_codes[:, j] for j in range(len(self.sensitive))]
            sizes += [len(domain) for domain in self.sensitive_domains]
        ids, firsts = group_rows(columns, sizes, len(self.weights))
        weights = group_weights(self.weights, ids, firsts.size)
        people = None if self.population is None else group_weights(self.population, ids, firsts.size)
        kept = replace(self, codes=self.codes[firsts], weights=weights, population=people)
        if sensitive:
            return replace(kept, sensitive_codes=self.sensitive_codes[firsts]), ids
        empty = self.sensitive_codes[firsts, :0]
        return replace(kept, sensitive=(), sensitive_domains=(), sensitive_codes=empty), ids


@dataclass(frozen=True, eq=False)
class Overall:
    """A sensitive attribute in the whole table: its values (None: missing) and how many rows have each."""

    labels: tuple[str | None, ...]
    counts: NDArray[np.int64]
    _known: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def rows(self) -> int:
        """The rows of the whole table."""
        return int(self.counts.sum())

    @cached_property
    def present(self) -> int:
        """The number of values that a row has."""
        return int(np.count_nonzero(self.counts))

    def remembered(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What a model has made of the values once, as it is asked about the same table many times."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each value of a sensitive attribute stands in each class, of those that stand there at all.

    Class i has `values[starts[i]:starts[i + 1]]`, in ascending order, each as often as `counts` says.
    """

    starts: NDArray[np.int64]
    values: IntArray
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        codes: NDArray[np.integer],
        ids: IntArray,
        *,
        weights: NDArray[np.int64],
        classes: int,
        values: int,
    ) -> Counts:
        """Count the codes, below `values`, of rows by class (−1: in none)."""
        column = np.ascontiguousarray(codes, np.int32)
        if values <= MANY * column.size:
            return cls(*group_counts(column, weights, ids, classes, values))
        there, places = np.unique(column, return_inverse=True)
        found = cls(*group_counts(places.astype(np.int32), weights, ids, classes, there.size))
        return replace(found, values=there[found.values])

    @classmethod
    def of_histogram(cls, histogram: NDArray[np.int64]) -> Counts:
        """The same from a matrix of classes × values."""
        every = np.arange(histogram.shape[1])
        return cls(*line_counts(histogram, every, every.astype(np.int32)))

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The different values of each class."""
        return np.diff(self.starts)

    def spread(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """A number of each class, for each of its values."""
        return np.repeat(numbers, self.lengths)

    def gathered(self, function: np.ufunc, numbers: NDArray[Any]) -> NDArray[Any]:
        """The numbers of the values of each class put together by a function; 0 for a class without values."""
        found = np.zeros(self.lengths.size, numbers.dtype)
        there = self.lengths > 0
        if there.any():
            found[there] = function.reduceat(numbers, self.starts[:-1][there])
        return found

    @cached_property
    def most(self) -> NDArray[np.int64]:
        """How often the most frequent value of each class stands there."""
        return self.gathered(np.maximum, self.counts)

    def some(self, which: NDArray[np.bool_] | NDArray[np.integer]) -> Counts:
        """Those of some classes."""
        lengths = self.lengths[which]
        before = np.cumsum(lengths) - lengths
        places = np.repeat(self.starts[:-1][which] - before, lengths) + np.arange(int(lengths.sum()))
        return Counts(np.concatenate([[0], np.cumsum(lengths)]), self.values[places], self.counts[places])

    def joined(self, other: Counts) -> Counts:
        """The counts of all classes and all of others as one class."""
        found, counts = np.append(self.values, other.values), np.append(self.counts, other.counts)
        alone, values = np.zeros(found.size, np.int32), int(found.max(initial=-1)) + 1
        return Counts.of(found, alone, weights=counts, classes=1, values=values)

    def kept(self, which: NDArray[np.bool_]) -> Counts:
        """Some of the values of each class."""
        if which.all():
            return self
        starts = np.concatenate([[0], np.cumsum(which)])[self.starts]
        return Counts(starts, self.values[which], self.counts[which])


@dataclass(frozen=True, eq=False)
class Classes:
    """The sizes of the classes and, on demand, the counts of a sensitive attribute in each.

    `people` is the number of people of a population that each class could be about, where one is given.
    """

    sizes: NDArray[np.int64]
    sensitive: Mapping[str, Overall] = field(default_factory=dict)
    _counts: Callable[[str], Counts | NDArray[np.int64]] = field(default=lambda name: np.zeros((0, 0), np.int64))
    people: NDArray[np.int64] | None = None
    _known: dict[str, Counts] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.sizes.size)

    def some(self, which: NDArray[np.bool_]) -> Classes:
        """These classes alone."""
        people = None if self.people is None else self.people[which]
        return Classes(self.sizes[which], self.sensitive, lambda name: self.counts(name).some(which), people)

    def counts(self, name: str) -> Counts:
        """How often each value of a sensitive attribute stands in each class."""
        if name not in self._known:
            found = self._counts(name)
            self._known[name] = found if isinstance(found, Counts) else Counts.of_histogram(found)
        return self._known[name]

    def distinct(self, name: str) -> NDArray[np.int64]:
        """How many different values of a sensitive attribute stand in each class."""
        return self.counts(name).lengths


def group_rows(
    columns: Sequence[NDArray[np.integer]], sizes: Sequence[int], rows: int
) -> tuple[IntArray, NDArray[np.int64]]:
    """Number equal rows alike; returns (number of each row, first row of each number)."""
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


def in_order(codes: IntArray, sizes: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows in the order of their codes, and where in this order each different row begins."""
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


def blocks(total: int, width: int, budget: int = 2**24) -> Iterator[slice]:
    """Consecutive slices of `total` items so that each holds at most `budget` cells of `width` each."""
    step = max(1, budget // max(1, width))
    return (slice(start, start + step) for start in range(0, total, step))
