"""Table: a frame as integer codes. Classes: what a privacy model may see of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.domain import AnyDomain
from shoal.kernels.groups import group_histogram, group_keys, group_weights

IntArray = NDArray[np.int32]


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

        def histogram(name: str) -> NDArray[np.int64]:
            place = self.sensitive.index(name)
            values = len(self.sensitive_domains[place])
            column = np.ascontiguousarray(self.sensitive_codes[:, place])
            return group_histogram(column, self.weights, ids, sizes.size, values)

        def distinct(name: str) -> NDArray[np.int64]:
            place = self.sensitive.index(name)
            width = np.uint64(len(self.sensitive_domains[place]))
            counted = (ids >= 0) & (self.weights > 0)
            own = ids[counted]
            pairs = own.astype(np.uint64) * width + self.sensitive_codes[counted, place].astype(np.uint64)
            return np.bincount(own[group_keys(pairs)[1]], minlength=sizes.size)

        people = None if self.population is None else group_weights(self.population, ids, sizes.size)
        return Classes(sizes, self.overall, histogram, people, distinct)

    @cached_property
    def overall(self) -> dict[str, Overall]:
        """Each sensitive attribute in the whole table."""
        if self.everything is not None:
            return self.everything
        found = {}
        for name, domain, codes in zip(self.sensitive, self.sensitive_domains, self.sensitive_codes.T, strict=True):
            labels = tuple(None if code == domain.missing else label for code, label in enumerate(domain.labels))
            everything = np.zeros(len(self.weights), np.int32)
            column = np.ascontiguousarray(codes)
            found[name] = Overall(labels, group_histogram(column, self.weights, everything, 1, len(labels))[0])
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


@dataclass(frozen=True, eq=False)
class Classes:
    """The sizes of the classes and, on demand, the histogram of a sensitive attribute in each.

    `people` is the number of people of a population that each class could be about, where one is given.
    """

    sizes: NDArray[np.int64]
    sensitive: Mapping[str, Overall] = field(default_factory=dict)
    _histogram: Callable[[str], NDArray[np.int64]] = field(default=lambda name: np.zeros((0, 0), np.int64))
    people: NDArray[np.int64] | None = None
    _distinct: Callable[[str], NDArray[np.int64]] | None = None
    _known: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.sizes.size)

    def some(self, which: NDArray[np.bool_]) -> Classes:
        """These classes alone."""
        people = None if self.people is None else self.people[which]
        return Classes(
            self.sizes[which],
            self.sensitive,
            lambda name: self.histogram(name)[which],
            people,
            lambda name: self.distinct(name)[which],
        )

    def histogram(self, name: str) -> NDArray[np.int64]:
        """How often each value of a sensitive attribute stands in each class: classes × values."""
        if name not in self._known:
            self._known[name] = self._histogram(name)
        return self._known[name]

    def distinct(self, name: str) -> NDArray[np.int64]:
        """How many different values of a sensitive attribute stand in each class.

        Without a histogram where that can be done: it is too large where nearly all values are different.
        """
        if self._distinct is not None:
            return self._distinct(name)
        return np.asarray(np.count_nonzero(self.histogram(name), axis=1), np.int64)


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
