"""Overlaps of releases in which a pseudonym links several rows of a person: whole sets of rows are compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.intersection.overlaps import Columns, Longs, Overlap, classes_of, common_keys, different, unified
from shoal.data.column import Column
from shoal.data.rows import group_rows
from shoal.data.style import text
from shoal.errors import InputError
from shoal.release.verification.people import profiles


def by_person(
    shown: Sequence[Columns], values: Sequence[Columns], keys: Sequence[Column], suppressed: set[str]
) -> Overlap:
    """Intersect releases by people: those whose sets of labels are alike in every release could be one another."""
    releases = [_Linked.of(columns, key, suppressed) for columns, key in zip(shown, keys, strict=True)]
    names = common_keys([release.people for release in releases])
    if not names:
        raise InputError(f"No value of column {keys[0].name!r} is in all releases: nobody is in all of them.")
    mine = [np.array([release.people[name] for name in names], np.int64) for release in releases]
    traces = [release.profiles[own].astype(np.int32) for release, own in zip(releases, mine, strict=True)]
    groups, _ = group_rows(traces, [int(trace.max()) + 1 for trace in traces], len(names))
    number = int(groups.max()) + 1
    left: dict[str, Longs] = {}
    by_itself: dict[str, list[Longs]] = {}
    for name in values[0]:
        codes, width = unified([columns[name] for columns in values])
        together = []
        for release, own, column in zip(releases, mine, codes, strict=True):
            group_of = np.full(release.profiles.size, -1, np.int64)
            group_of[own] = groups
            held = group_of[release.owners]
            together.append(np.unique(held[held >= 0] * width + column[release.rows][held >= 0]))
        common = together[0]
        for others in together[1:]:
            common = np.intersect1d(common, others, assume_unique=True)
        left[name] = np.bincount(common // width, minlength=number)[groups]
        by_itself[name] = [
            different(release.profiles[release.owners], column[release.rows], width)[trace]
            for release, column, trace in zip(releases, codes, traces, strict=True)
        ]
    alone = tuple(int(np.bincount(release.profiles).min()) for release in releases)
    return Overlap(np.ones(len(names), np.int64), np.bincount(groups)[groups], alone, left, by_itself)


class _Linked:
    """A release whose rows are linked: its rows in classes, whose each is, and the number of each person's set."""

    def __init__(self, rows: Longs, owners: Longs, sets: Longs, people: dict[str, int]) -> None:
        self.rows, self.owners, self.profiles, self.people = rows, owners, sets, people

    @classmethod
    def of(cls, columns: Columns, key: Column, suppressed: set[str]) -> _Linked:
        """Leave out suppressed rows and those without a key; number the sets of rows of each person."""
        ids = classes_of(columns, suppressed)
        rows: NDArray[np.int64] = np.flatnonzero((ids >= 0) & (key.places >= 0))
        present, owners = np.unique(key.places[rows], return_inverse=True)
        sets = np.zeros(present.size, np.int64)
        if rows.size:
            sets[owners] = profiles(ids[rows].astype(np.int64), owners)
        people = {text(key.values[place]): number for number, place in enumerate(present.tolist())}
        return cls(rows, owners, sets, people)
