"""Persons: one row for each person, for tables whose quasi-identifiers do not change from row to row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.data.people import parts_of_one
from shoal.data.rows import in_order
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.people.varying import several_values


@dataclass(frozen=True, eq=False)
class ValueSets:
    """The different sets of values that people have of a sensitive attribute, as a domain: a code stands for a set.

    Set i has the codes `values[starts[i]:starts[i + 1]]`.
    """

    name: str
    starts: Longs
    values: Ints

    def __len__(self) -> int:
        return self.starts.size - 1

    @property
    def sizes(self) -> Longs:
        """The number of values of each set."""
        return np.diff(self.starts)

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each set."""
        return tuple(map(str, range(len(self))))

    labels_or_none = labels

    def entries(self, sets: Ints) -> tuple[Longs, Ints]:
        """Return the values of some sets, each with the place of its set among them."""
        sizes = self.sizes[sets]
        places = np.repeat(np.arange(sets.size), sizes)
        within = np.arange(places.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places, self.values[self.starts[sets][places] + within]

    def one(self, people: int) -> int:
        """Return into how many parts to divide a person, so that each set divides them evenly."""
        return parts_of_one(self.name, self.sizes, people)


@dataclass(frozen=True, eq=False)
class Persons:
    """A table with one row for each person, and the row of each row's person in it."""

    table: Table
    of: Ints
    sets: dict[str, ValueSets]  # by sensitive attribute of which some people have several values

    @classmethod
    def of_rows(cls, table: Table, units: Ints) -> Persons:
        """Take the quasi-identifiers from the first row of each person, and their sensitive values from all.

        A sensitive attribute of which nobody has several values keeps its codes.
        """
        _, firsts, of = np.unique(units, return_index=True, return_inverse=True)
        sets: dict[str, ValueSets] = {}
        domains: list[Any] = list(table.sensitive_domains)
        codes = table.sensitive_codes[firsts]
        for place, name in enumerate(table.sensitive):
            column = table.sensitive_codes[:, place]
            if (codes[of, place] != column).any():
                sets[name], codes[:, place] = _sets(name, of, column, firsts.size)
                domains[place] = sets[name]
        people = replace(
            table,
            codes=table.codes[firsts],
            sensitive_domains=tuple(domains),
            sensitive_codes=codes,
            weights=np.ones(firsts.size, np.int64),
            units=None,
            everything=None,
        )
        return cls(people, of.astype(np.int32), sets)


def varying(table: Table, units: Ints) -> dict[str, int]:
    """Return the quasi-identifiers of which some people have several values, with the number of these people."""
    people = several_values(np.ascontiguousarray(table.codes), units, int(units.max(initial=-1)) + 1)
    return {name: number for name, number in zip(table.quasi, people.tolist(), strict=True) if number}


def _sets(name: str, of: Longs, codes: Ints, people: int) -> tuple[ValueSets, Ints]:
    """Return the different sets of values, and the number of each person's set."""
    bound = int(codes.max(initial=0)) + 1
    order, starts = in_order(np.column_stack([of, codes]).astype(np.int32), [people, bound])
    held, values = of[order[starts]], codes[order[starts]]
    begins = np.searchsorted(held, np.arange(people + 1))
    numbers: dict[bytes, int] = {}
    data = np.ascontiguousarray(values, np.int32)
    whose = np.empty(people, np.int32)
    width, raw = data.itemsize, data.tobytes()
    for person, (begin, end) in enumerate(zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)):
        whose[person] = numbers.setdefault(raw[begin * width : end * width], len(numbers))
    sizes = [len(entry) // width for entry in numbers]
    joined = np.frombuffer(b"".join(numbers), np.int32)
    return ValueSets(name, np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]), joined), whose
