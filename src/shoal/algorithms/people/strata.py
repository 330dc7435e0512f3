"""Strata: at least k people each who release equally many events, with as few events dropped as possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels.arrays import Longs

MAX_CARRIED = 4  # times k: more people than this never leave a stratum of many together
FAR = np.iinfo(np.int64).max // 4


@dataclass(frozen=True, eq=False)
class Stratum:
    """The people who release `events` events each; those who have more drop some."""

    events: int
    people: Longs


def strata_of(events: Longs, k: int) -> list[Stratum]:
    """Divide people, given the number of events of each, into strata of at least k, from the most events to the fewest.

    The fewest events are dropped, those of suppressed people included; among equals, the fewest people are suppressed.
    People who are in no stratum are suppressed. Of those with equally many events, the last ones leave a stratum.
    """
    levels, counts = np.unique(events, return_counts=True)
    levels, counts = levels[::-1], counts[::-1]
    carried = np.zeros(0, np.int64)
    strata = []
    for level, leaving in zip(levels.tolist(), _leaving(levels, counts, k), strict=True):
        here = np.concatenate([carried, np.flatnonzero(events == level)])
        stay = here.size - leaving
        carried = here[stay:]
        if stay:
            strata.append(Stratum(level, here[:stay]))
    return strata


def _leaving(levels: Longs, counts: Longs, k: int) -> list[int]:
    """Return for each level how many people leave it downwards, from the highest level on.

    least[x] is the cost of all levels so far if x people leave the last one: the events that they have dropped, and in
    the units below that the people who are suppressed.
    """
    people = int(counts.sum())
    most = min(people, max(MAX_CARRIED * k, 64))
    event = people + 1
    least = np.full(most + 1, FAR)
    least[0] = 0
    before = []
    every = np.arange(most + 1)
    for level, below, count in zip(levels.tolist(), [*levels[1:].tolist(), 0], counts.tolist(), strict=True):
        # At least k stay: any number from leaving + k − count on has come from above.
        upto = np.minimum.accumulate(least[::-1])[::-1]
        which = _first_least(least)
        came = np.clip(every + k - count, 0, None)
        stays = np.where(came <= most, upto[np.minimum(came, most)], FAR)
        source = which[np.minimum(came, most)]
        all_leave = np.where(every >= count, least[np.maximum(every - count, 0)], FAR)
        source = np.where(all_leave < stays, every - count, source)
        price = (level - below) * event + (below == 0)
        least = np.minimum(np.minimum(stays, all_leave) + every * price, FAR)
        before.append(source)
    at = int(np.argmin(least))
    leaving = []
    for source in reversed(before):
        leaving.append(at)
        at = int(source[at])
    return leaving[::-1]


def _first_least(numbers: Longs) -> Longs:
    """Return for each place where the least number from there on is, the first of equals."""
    places = np.arange(numbers.size)
    best = np.minimum.accumulate(numbers[::-1])[::-1]
    own = np.where(numbers == best, places, numbers.size)
    return np.minimum.accumulate(own[::-1])[::-1]
