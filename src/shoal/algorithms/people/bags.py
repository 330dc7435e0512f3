"""Profiles and households: groups of at least k people who release the same multiset of rows.

A person is a bag of events. The people of a group release equally many events, matched to common slots; the rows of a
slot show what covers them. As each person has one event in each slot, static attributes cover the whole group.
A household is a bag, too: of its members.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.algorithm import Progress, check_seed, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.people.grouping import Grouped
from shoal.algorithms.people.joining import Holds
from shoal.algorithms.people.people import People
from shoal.algorithms.people.search import Search
from shoal.algorithms.people.strata import strata_of
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InfeasibleError, InputError
from shoal.kernels.arrays import Ints, Longs


@dataclass(frozen=True, eq=False)
class BagGroups:
    """The slot of each row (−1: dropped) and the group of each person (−1: suppressed)."""

    slots: Ints
    groups: Ints

    @property
    def dropped(self) -> int:
        """The number of rows that are not released."""
        return int(np.count_nonzero(self.slots < 0))

    def recoding(self, table: Table) -> Recoding:
        """Let each slot show its minimal generalization."""
        return Recoding.of_groups(table, self.slots)


def group_bags(
    table: Table,
    owners: Ints | Longs,
    *,
    k: int,
    max_dropped: int,
    holds: Holds | None = None,
    seed: int = 0,
    progress: Progress = nobody,
) -> BagGroups:
    """Group people so that what each releases is the same for at least k of them.

    owners       for each row, the number of its person, from 0 on; each row counts once
    max_dropped  the most rows that may be missing from the release, those of suppressed people included
    holds        whether each of some groups may be released, given as their rows and the slot of each
    """
    check_seed("Bags", seed)
    owners = np.asarray(owners, np.int64)
    if owners.shape != table.weights.shape or owners.min(initial=0) < 0:
        raise InputError(f"Each of the {len(table.weights)} rows needs the number of its person, from 0 on.")
    people = People.of(table, owners)
    if people.numbers.size < k:
        found = people.numbers.size
        raise InfeasibleError(
            f"The table has {found} people, fewer than the {k} who are to release the same: k can be at most {found}.",
            achievable=f"k = {found}",
        )
    search = Search(people, space_of(people.table.domains, exact=table.codes.size), k, max_dropped, seed)
    strata = strata_of(people.events, k)
    search.check(strata)
    grouped, done = [], 0
    for stratum in strata:
        grouped.append(search.group(stratum))
        done += stratum.events * stratum.people.size
        progress(done / owners.size)
    grouped = search.lower(grouped)
    if holds is not None:
        grouped = search.satisfy(grouped, holds)
    return _numbered(people, grouped, int(owners.max(initial=-1)) + 1)


def _numbered(people: People, grouped: list[Grouped], owners: int) -> BagGroups:
    """Number the slots and the groups of all strata."""
    slots, groups = np.full(people.rows.size, -1, np.int32), np.full(owners, -1, np.int32)
    next_slot = next_group = 0
    for one in grouped:
        groups[people.numbers[one.stratum.people]] = one.home + next_group
        inside = one.slot >= 0
        person = np.repeat(np.arange(one.home.size), np.diff(one.bags.starts))
        ids = next_slot + one.home[person] * one.stratum.events + one.slot
        slots[people.rows[one.rows[inside]]] = ids[inside]
        many = int(one.home.max()) + 1
        next_slot += many * one.stratum.events
        next_group += many
    return BagGroups(slots, groups)
