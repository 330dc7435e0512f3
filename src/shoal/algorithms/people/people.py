"""People and their events, in an order that depends on neither the order of the rows nor the numbers of the people."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs


@dataclass(frozen=True, eq=False)
class People:
    """People by their number of events and what these are; person p has the rows from starts[p] to starts[p + 1].

    table    the rows by person, the events of each in order; attributes that are static for every person come first
    rows     for each row, its place in the original table
    numbers  for each person, the original number
    """

    table: Table
    static: int
    starts: Longs
    rows: Longs
    numbers: Longs

    @classmethod
    def of(cls, table: Table, owners: Longs) -> People:
        """Sort the rows of a table by person."""
        static = static_attributes(table.codes, owners)
        columns = np.concatenate([np.flatnonzero(static), np.flatnonzero(~static)])
        codes = np.ascontiguousarray(table.codes[:, columns])
        rows = np.lexsort((*codes.T[::-1], owners))
        events = np.bincount(owners)
        starts = np.cumsum(events) - events
        order = np.concatenate(
            [np.zeros(0, np.int64)]
            + [
                people[
                    np.argsort(_keys(codes[rows[_ranges(starts[people], events[people])]], people.size), kind="stable")
                ]
                for people in (np.flatnonzero(events == number) for number in np.unique(events[events > 0]))
            ]
        )
        rows = rows[_ranges(starts[order], events[order])]
        ordered = replace(
            table.some(rows),
            quasi=tuple(table.quasi[at] for at in columns),
            domains=tuple(table.domains[at] for at in columns),
            codes=codes[rows],
        )
        bounds = np.concatenate([[0], np.cumsum(events[order])])
        return cls(ordered, int(static.sum()), bounds, rows, order)

    @property
    def events(self) -> Longs:
        """The number of events of each person."""
        return np.diff(self.starts)

    def some_events(self, people: Longs, most: int) -> tuple[Longs, Longs]:
        """Return the rows of these people, evenly spread ones if someone has too many, and where each one's begin."""
        numbers = np.minimum(self.events[people], most)
        bounds = np.concatenate([[0], np.cumsum(numbers)])
        place = np.arange(bounds[-1]) - np.repeat(bounds[:-1], numbers)
        spread = place * np.repeat(self.events[people], numbers) // np.repeat(numbers, numbers)
        return np.repeat(self.starts[people], numbers) + spread, bounds


def static_attributes(codes: Ints, owners: Longs) -> Flags:
    """Return for each attribute whether all rows of each person have the same value."""
    first = np.zeros(int(owners.max(initial=-1)) + 1, np.int64)
    first[owners] = np.arange(owners.size)
    return np.asarray((codes == codes[first[owners]]).all(axis=0), np.bool_)


def _keys(codes: Ints, people: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return all codes of each person as bytes that sort as the codes do."""
    lines = np.ascontiguousarray(codes.reshape(people, -1), ">i4")
    return lines.view(f"V{lines.shape[1] * lines.itemsize}").ravel()


def _ranges(starts: Longs, lengths: Longs) -> Longs:
    """Return the numbers from each start on, so many each."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
