"""People: classes in which several rows of one person count once.

The share of a sensitive value is taken once per value: of the people of a class, those who have it. Models that need a
distribution divide each person evenly among their values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import lcm

import numpy as np

from shoal.data.classes import ByPerson, Classes, Counts, Overall
from shoal.data.rows import group_rows
from shoal.errors import InputError
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.groups import group_weights

MAX_PARTS = 2**62  # of all people of a class, which 64 bits must hold

Column = Callable[[str], tuple[Ints, int]]  # returns the codes of a sensitive attribute, and how many there can be


@dataclass(frozen=True, eq=False)
class Holdings:
    """Each value that a person has in a class, once: the class, the value, and how many values the person has there."""

    classes: Ints
    values: Ints
    of: Longs

    @classmethod
    def found(cls, ids: Ints, units: Ints, codes: Ints) -> Holdings:
        """Find the holdings of rows: their classes, people and values."""
        sizes = [int(column.max(initial=0)) + 1 for column in (ids, units, codes)]
        firsts = group_rows([ids, units, codes], sizes, ids.size)[1]
        classes, people = ids[firsts], units[firsts]
        person, _ = group_rows([classes, people], sizes[:2], firsts.size)
        return cls(classes, codes[firsts], np.bincount(person)[person])

    def once(self, classes: int, values: int) -> Counts:
        """Count each person once for each value."""
        ones = np.ones(self.of.size, np.int64)
        return Counts.of(self.values, self.classes, weights=ones, classes=classes, values=values)

    def divided(self, name: str, classes: int, values: int) -> tuple[Counts, int]:
        """Divide each person among their values; return the parts of each value, and how many make a person."""
        one = parts_of_one(name, self.of, self.of.size)
        return Counts.of(self.values, self.classes, weights=one // self.of, classes=classes, values=values), one


def parts_of_one(name: str, values: Longs, people: int) -> int:
    """Return into how many parts to divide each person, so that people with these numbers of values divide evenly."""
    one = lcm(1, *np.unique(values).tolist())
    if one * max(1, people) >= MAX_PARTS:
        raise InputError(
            f"Some people have up to {values.max()} different values of {name!r}, too many to divide each person "
            f"exactly among their values: choose a model that counts people by value, such as frequency ℓ."
        )
    return one


def classes_of_people(
    ids: Ints, units: Ints, *, weights: Longs, classes: int, column: Column, overall: Mapping[str, Overall]
) -> Classes:
    """Return the classes of rows (−1: in no class), in which each unit counts once.

    column   returns the codes of a sensitive attribute, and how many different ones there can be
    overall  each sensitive attribute in the whole table
    """
    rows = np.flatnonzero((ids >= 0) & (weights > 0))
    if rows.size < ids.size:
        whole = column
        ids, units, weights = ids[rows], units[rows], weights[rows]

        def column(name: str) -> tuple[Ints, int]:
            codes, width = whole(name)
            return codes[rows], width

    bounds = [classes, int(units.max(initial=0)) + 1]
    pairs, firsts = group_rows([ids, units], bounds, ids.size)
    sizes = np.bincount(ids[firsts], minlength=classes)

    @cache
    def holdings(name: str) -> tuple[Holdings, int]:
        codes, width = column(name)
        return Holdings.found(ids, units, np.ascontiguousarray(codes)), width

    def counts(name: str) -> Counts:
        found, width = holdings(name)
        return found.once(classes, width)

    def shares(name: str) -> tuple[Counts, int]:
        found, width = holdings(name)
        return found.divided(name, classes, width)

    def most() -> Longs:
        largest = np.zeros(classes, np.int64)
        np.maximum.at(largest, ids[firsts], group_weights(weights, pairs, firsts.size))
        return largest

    by_person = ByPerson(group_weights(weights, ids, classes), most, shares)
    return Classes(sizes, overall, counts, by_person=by_person)


def overall_of_people(name: str, labels: tuple[str | None, ...], codes: Ints, units: Ints) -> Overall:
    """Count the people who have each value of a sensitive attribute in the whole table."""
    ids = np.zeros(codes.size, np.int32)
    found = Holdings.found(ids, units, np.ascontiguousarray(codes))
    people = np.unique(units).size

    def histogram(counts: Counts) -> Longs:
        return np.bincount(counts.values, counts.counts, len(labels)).astype(np.int64)

    def divided() -> Overall:
        counts, one = found.divided(name, 1, len(labels))
        dense = np.zeros(len(labels), np.int64)
        dense[counts.values] = counts.counts
        return Overall(labels, dense, people * one)

    return Overall(labels, histogram(found.once(1, len(labels))), people, divided)
