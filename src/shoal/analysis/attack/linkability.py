"""Linkability: do two tables about the same people lead to the same row of the release?

The attacker has two tables, each with some columns of a person, and takes from the release a row that is nearest to
what the first table says, and one that is nearest to what the second says. If it is the same row, the two entries are
linked. Among rows that are equally near one is drawn, so that two sides that both lead to a class of k rows are linked
with a chance of 1 in k.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.analysis.attack.facet import MEMBERS
from shoal.analysis.attack.ground import Ground
from shoal.analysis.attack.trial import Comparison, Trial


def linkability(ground: Ground, sides: tuple[Sequence[str], Sequence[str]]) -> list[Comparison]:
    """Attack the two sets of columns; the baseline draws a row for each side blindly."""
    trials = [_trial(ground, sides, group) for group in ground.groups]
    blind = Trial(trials[MEMBERS].attacks, trials[MEMBERS].attacks / ground.rows)
    about = f"{', '.join(sides[0])} with {', '.join(sides[1])}"
    return [Comparison(about, trials[MEMBERS], trials[-1] if ground.held_out else blind, blind, ground.held_out)]


def _trial(ground: Ground, sides: tuple[Sequence[str], Sequence[str]], group: int) -> Trial:
    people = ground.drawn(group)
    chances = np.zeros(people.size)
    whole = ground.shown([*sides[0], *sides[1]])
    near = []
    for side in sides:
        shown = ground.shown(side)
        place = np.zeros(whole.counts.size, np.int64)
        place[whole.ids] = shown.ids  # each row of the whole shows one row of the side
        flags = [flags for _, _, flags in ground.nearest(shown, people, group)]
        rows = np.concatenate(flags)
        near.append((rows, rows @ shown.counts, place))
    (first, first_rows, one), (second, second_rows, other) = near
    for person in range(people.size):
        both = first[person][one] & second[person][other]
        chances[person] = whole.counts[both].sum() / (first_rows[person] * second_rows[person])
    return Trial(people.size, float(chances.sum()))
