"""PeopleRows: which person has which of the distinct rows of a table, as a table that counts people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.data.coding import Coding
from shoal.data.rows import in_order
from shoal.data.unit import Unit, without_unit
from shoal.engines.people import PeopleTable
from shoal.engines.streams.person_numbers import PersonNumbers
from shoal.kernels.arrays import Flags, Ints, Longs

MIN_PENDING = 1 << 22  # rows to gather before equal ones are merged
PLACE_BITS = 32


class PeopleRows:
    """The different pairs of a person and a distinct row, each with the number of rows that have it."""

    def __init__(self, numbers: PersonNumbers) -> None:
        self.numbers = numbers
        self._keys, self._weights = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._pending: list[Longs] = []

    def add(self, people: Ints, places: Ints) -> None:
        """Count rows, given their people and their places among the distinct rows."""
        self._pending.append((people.astype(np.int64) << PLACE_BITS) | places)
        if sum(keys.size for keys in self._pending) >= max(MIN_PENDING, self._keys.size):
            self._merge()

    def _merge(self) -> None:
        if not self._pending:
            return
        new = np.concatenate(self._pending)
        self._pending = []
        new.sort()
        firsts = np.flatnonzero(np.diff(new, prepend=new[0] - 1))
        counts = np.diff(firsts, append=new.size)
        if not self._keys.size:
            self._keys, self._weights = new[firsts], counts
            return
        keys, weights = np.concatenate([self._keys, new[firsts]]), np.concatenate([self._weights, counts])
        self._keys, self._weights = merged(keys, weights)

    def finish(self) -> None:
        """Merge equal pairs."""
        self._merge()

    def __len__(self) -> int:
        return self._keys.size

    def refuse_nobodies(self, unit: Unit, complete: Flags) -> None:
        """Refuse rows that name nobody, unless they lack a value; `complete` tells this of the distinct rows."""
        nobodies = self._keys < 0
        if unit.missing != "refuse" or not nobodies.any():
            return
        released = nobodies & complete[self._places]
        if released.any():
            first = self.numbers.row_of(int(self._keys[released].max() >> PLACE_BITS))
            raise without_unit(self.numbers.name, int(self._weights[released].sum()), first + 1)

    def named(self, units: Ints) -> Ints:
        """Return the numbers that the people of a table have in the column that names them."""
        return np.where(units < self.numbers.people, units, self.numbers.people - 1 - units)

    def clear(self) -> None:
        """Free the memory."""
        self._keys, self._weights = np.zeros(0, np.int64), np.zeros(0, np.int64)

    @property
    def _places(self) -> Longs:
        return self._keys & ((1 << PLACE_BITS) - 1)

    def table(self, coding: Coding, codes: Ints, complete: Flags) -> PeopleTable:
        """Encode the rows of people, given the codes of the distinct complete rows, and which rows are complete."""
        order, starts = in_order(codes, [len(domain) for domain in coding.domains])
        number_of = np.full(complete.size, -1, np.int64)
        kept = np.flatnonzero(complete)
        number_of[kept[order]] = np.cumsum(np.bincount(starts, minlength=order.size)) - 1
        at, weights = number_of[self._places], self._weights
        people = self._keys >> PLACE_BITS
        if not complete.all():
            people, at, weights = people[at >= 0], at[at >= 0], weights[at >= 0]
        people = np.where(people < 0, self.numbers.people - 1 - people, people)  # nobodies come last
        if starts.size < order.size:  # different values can have the same code
            keys, weights = merged((people << PLACE_BITS) | at, weights)
            people, at = keys >> PLACE_BITS, keys & ((1 << PLACE_BITS) - 1)
        rows = codes[order[starts]]
        domains = coding.table(rows[:1], np.ones(1, np.int64))
        split = len(coding.quasi)
        table = replace(
            domains,
            codes=rows[at, :split],
            sensitive_codes=rows[at, split:],
            weights=weights,
            units=people.astype(np.int32),
            everything=None,  # which counts rows
        )
        return PeopleTable(table, rows, at.astype(np.int32))


def merged(keys: Longs, weights: Longs) -> tuple[Longs, Longs]:
    """Return the different keys, sorted, with the sum of the weights of each."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    return keys[firsts], np.add.reduceat(weights[order], firsts)
