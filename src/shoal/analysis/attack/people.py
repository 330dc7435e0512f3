"""Links between people with several known rows and the people, or rows, of a table.

If the table says whose rows they are, such as by a pseudonym, each known row leaves the people who have a row that
covers it, and a person is among those whom all of their known rows leave. Otherwise they are sought through its classes
(`classes.py`) if the original says whose rows these are; if it does not, each known row leaves rows, and the one that
tells most counts. A known row that leaves nobody is ignored, as it may have been dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.attack.classes import PeopleOfClasses, left_by_classes
from shoal.analysis.attack.linking import Covers, Links, Rows, Secrets, link, value_sets
from shoal.data.column import Column
from shoal.kernels.arrays import Ints

MAX_FLAGS = 2**27  # in memory at a time, one for each known row and person of the table


@dataclass(frozen=True, eq=False)
class Known:
    """The rows that an attacker knows, and the person of each."""

    rows: Rows
    people: Ints

    @property
    def number(self) -> int:
        """The number of people."""
        return int(np.unique(self.people).size)

    def by_person(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the different rows of each person, one after the other, and where those of each person begin."""
        pairs = np.unique(np.stack([self.people, self.rows.ids], axis=1), axis=0)
        return pairs[:, 1], np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))


def link_to_rows(known: Known, rows: Rows, covers: Sequence[Covers], secrets: Sequence[Secrets]) -> Links:
    """Find for each person the known row that leaves the fewest rows, and the one that tells most of each secret."""
    links = link(known.rows, rows, covers, secrets)
    own, starts = known.by_person()
    sizes = links.sizes[own]
    fewest = np.minimum.reduceat(np.where(sizes > 0, sizes, np.iinfo(np.int64).max), starts)
    fewest[fewest == np.iinfo(np.int64).max] = 0
    owners = np.repeat(np.arange(starts.size), np.diff(np.append(starts, own.size)))
    most, gains, among = [], [], []
    for counts, gained in zip(links.most, links.gains, strict=True):
        confidence = np.where(
            sizes > 0, counts[own] / np.maximum(1, sizes), -1.0
        )  # a row that leaves none tells nothing
        last = np.append(starts[1:], own.size) - 1
        best = np.lexsort((confidence, owners))[last]
        most.append(counts[own][best])
        among.append(sizes[best])
        gains.append(np.maximum.reduceat(gained[own], starts))
    return Links(fewest, most, gains, among, fewest)


def link_to_people(
    known: Known, rows: Rows, covers: Sequence[Covers], secrets: Sequence[Column], owners: Ints
) -> Links:
    """Find for each person those whom all of their known rows leave, and how many of these have each value."""
    width = int(owners.max()) + 1
    of_row = Secrets.of_codes(owners, width, rows)
    held = [_held(column, owners, width) for column in secrets]
    sizes: list[NDArray[np.int64]] = []
    by_one: list[NDArray[np.int64]] = []
    most: list[list[NDArray[np.int64]]] = [[] for _ in secrets]
    gains: list[list[NDArray[np.float64]]] = [[] for _ in secrets]
    for own, starts in _parts(known, width):
        some = replace(known.rows, places=known.rows.places[own], weights=known.rows.weights[own])
        among, fewest = _together(value_sets(some, rows, covers, of_row, width), starts)
        sizes.append(among.sum(axis=1))
        by_one.append(fewest)
        for number, values in enumerate(held):
            counts = among.astype(np.float32) @ values
            most[number].append(counts.max(axis=1).astype(np.int64))
            shares = counts / np.maximum(1, sizes[-1])[:, None] - values.mean(axis=0)
            gains[number].append(np.maximum(shares.max(axis=1), 0).astype(np.float64))
    found = np.concatenate(sizes)
    joined = [np.concatenate(one) for one in most]
    gained = [np.concatenate(one) for one in gains]
    return Links(found, joined, gained, [found] * len(secrets), np.concatenate(by_one))


def link_through_classes(
    known: Known, rows: Rows, covers: Sequence[Covers], secrets: Sequence[Secrets], original: Known
) -> Links:
    """Find for each person those of the original whom the classes of all their known rows leave.

    What is learned of secrets are the values in the rows that the known row leaves that tells most, as nobody can tell
    whose values they are.
    """
    classes = PeopleOfClasses.of(original.rows, original.people, rows, covers)
    parts = []
    for own, starts in _parts(known, classes.number):
        some = replace(known.rows, places=known.rows.places[own], weights=known.rows.weights[own])
        among, fewest = _together(left_by_classes(some, rows, covers, classes), starts)
        parts.append((among.sum(axis=1), fewest))
    sizes, by_one = (np.concatenate(numbers) for numbers in zip(*parts, strict=True))
    return replace(link_to_rows(known, rows, covers, secrets), sizes=sizes, by_one=by_one)


def _together(left: NDArray[np.bool_], starts: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return whom all known rows of each person leave, and how many the row leaves that tells most; 0 if none does.

    left    whom each known row leaves
    starts  where the rows of each person begin
    """
    numbers = left.sum(axis=1)
    silent = numbers == 0
    fewest = np.minimum.reduceat(np.where(silent, left.shape[1] + 1, numbers), starts)
    left[silent] = True
    among = np.logical_and.reduceat(left, starts, axis=0)
    unmatched = np.logical_and.reduceat(silent, starts)
    among[unmatched] = False
    fewest[unmatched] = 0
    return among, fewest


def _parts(known: Known, width: int) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Yield some people at a time: their rows, and where those of each begin."""
    own, starts = known.by_person()
    ends = np.append(starts[1:], own.size)
    first = 0
    while first < starts.size:
        fits = starts[first] + max(1, MAX_FLAGS // width)
        last = max(first + 1, int(np.searchsorted(ends, fits, side="right")))
        yield own[starts[first] : ends[last - 1]], starts[first:last] - starts[first]
        first = last


def _held(column: Column, owners: Ints, width: int) -> NDArray[np.float32]:
    """Return for each person which values they have, as 0 or 1."""
    held = np.zeros((width, max(1, len(column.values))), np.float32)
    present = column.places >= 0
    held[owners[present], column.places[present]] = 1
    return held
