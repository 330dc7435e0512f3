"""Classes: all that a privacy model may see of a table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.groups import group_counts, line_counts

MAX_VALUES_PER_ROW = 4  # with more, values that no row has are left out before counting


class Noun(NamedTuple):
    """What is counted, in words."""

    one: str
    many: str

    def of(self, number: int) -> str:
        """Write a number of them."""
        return f"{number:,} {self.one if number == 1 else self.many}"


ROWS, PEOPLE = Noun("row", "rows"), Noun("person", "people")


@dataclass(frozen=True, eq=False)
class Overall:
    """A sensitive attribute in the whole table: its values (None: missing) and how many rows, or people, have each.

    people   how many people there are, if people are counted: a person with several values is counted for each
    divided  returns the attribute with each person divided among their values
    """

    labels: tuple[str | None, ...]
    counts: Longs
    people: int | None = None
    divided: Callable[[], Overall] | None = None
    _cache: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        """The rows of the whole table, or its people."""
        return int(self.counts.sum()) if self.people is None else self.people

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
class ByPerson:
    """What is known of classes of people beside how many there are.

    rows    the rows of each class
    most    returns the most rows of one person in each class
    shares  returns how much of its people each value has in each class, in parts of which `one` make a person
    """

    rows: Longs
    most: Callable[[], Longs]
    shares: Callable[[str], tuple[Counts, int]]

    def some(self, which: Flags) -> ByPerson:
        """Return the same of some of the classes."""

        def shares(name: str) -> tuple[Counts, int]:
            counts, one = self.shares(name)
            return counts.some(which), one

        return ByPerson(self.rows[which], lambda: self.most()[which], shares)


@dataclass(frozen=True, eq=False)
class Classes:
    """The sizes of the classes and, on demand, the counts of a sensitive attribute in each.

    Sizes and counts are of rows or, if `by_person` is there, of people: a person counts once in a class and once for
    each of their values there. `people` is the number of people of a population, if any, that each class could be
    about.
    """

    sizes: Longs
    sensitive: Mapping[str, Overall] = field(default_factory=dict)
    _counts: Callable[[str], Counts | Longs] = field(default=lambda name: np.zeros((0, 0), np.int64))
    people: Longs | None = None
    by_person: ByPerson | None = None
    _cache: dict[str, Counts] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.sizes.size)

    @property
    def noun(self) -> Noun:
        """What the sizes count."""
        return ROWS if self.by_person is None else PEOPLE

    @property
    def rows(self) -> Longs:
        """The rows of each class."""
        return self.sizes if self.by_person is None else self.by_person.rows

    def some(self, which: Flags) -> Classes:
        """Return some of the classes."""
        people = None if self.people is None else self.people[which]
        by_person = None if self.by_person is None else self.by_person.some(which)
        return Classes(self.sizes[which], self.sensitive, lambda name: self.counts(name).some(which), people, by_person)

    def divided(self, name: str) -> Classes:
        """Return the classes with each person divided among their values, as models of distributions need it."""
        if self.by_person is None:
            return self
        counts, one = self.by_person.shares(name)
        overall = self.sensitive[name]
        whole = overall if overall.divided is None else overall.remembered("divided", overall.divided)
        return Classes(self.sizes * one, {name: whole}, lambda _: counts)

    def counts(self, name: str) -> Counts:
        """Count how often each value of a sensitive attribute occurs in each class."""
        if name not in self._cache:
            counts = self._counts(name)
            self._cache[name] = counts if isinstance(counts, Counts) else Counts.of_histogram(counts)
        return self._cache[name]

    def distinct(self, name: str) -> Longs:
        """Count the distinct values of a sensitive attribute in each class."""
        return self.counts(name).lengths
