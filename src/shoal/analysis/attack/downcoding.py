"""Downcoding: is the value behind a generalized label guessed right, without knowing anything about the person?

A. Cohen, Attacks on deidentification's defenses (2022). The attacker uses that labels are no coarser than needed
(tightness), columns that repeat a value or a code of it, and an order that was kept. The control are the same guesses
about people who are not in the release and would show the same label: those nearest to the row in all other columns.

If it is not known whose row is whose, as after shuffling, the guesses for rows that show the same are compared with the
values of the people who are nearest to them, both as multisets.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.analysis.attack.clues import values_in_order, values_of_codes
from shoal.analysis.attack.facet import HELD_OUT, MEMBERS, Facet, places_on_scale
from shoal.analysis.attack.ground import Ground
from shoal.analysis.attack.tightness import prior, ranks, shares
from shoal.analysis.attack.trial import Comparison, Trial
from shoal.data.rows import group_rows
from shoal.data.style import texts
from shoal.kernels.arrays import Floats, Ints, Longs

Right = Callable[[Longs, Longs], Trial]
ALIGNED = 1000  # rows that are compared with the original, to see whether both are in the same order


def downcoding(ground: Ground) -> list[Comparison]:
    """Attack each generalized column; the baseline tries the guesses on anybody whom the label covers."""
    found = []
    aligned = _aligned(ground)
    for facet in ground.own_facets():
        coarse = np.flatnonzero(facet.breadth[facet.shown] > 1)
        if coarse.size:
            rows = coarse[ground.some(coarse.size)] if aligned else _whole_groups(ground, coarse)
            guesses = _guesses(ground, facet, rows, aligned=aligned)
            found.append(_compared(ground, facet, rows, guesses, aligned=aligned))
    return found


def _compared(ground: Ground, facet: Facet, rows: Longs, guesses: Longs, *, aligned: bool) -> Comparison:
    right = _at_random if aligned else _as_multisets
    attack = _trial(ground, facet, rows, guesses, MEMBERS, right)
    if aligned:
        own = facet.people[MEMBERS][rows]
        there = own < len(facet.values)
        attack = Trial(int(there.sum()), float((own == guesses)[there].sum()))
    blind = _blind(facet, rows, guesses)
    control = _trial(ground, facet, rows, guesses, HELD_OUT, right) if ground.held_out else blind
    return Comparison(facet.name, attack, control, blind, ground.held_out)


def _blind(facet: Facet, rows: Longs, guesses: Longs) -> Trial:
    """Try each guess on one of all people of the original whom the label covers, drawn at random."""
    people = np.bincount(facet.people[MEMBERS], minlength=len(facet.values) + 1)[:-1]
    labels, label_of = np.unique(facet.shown[rows], return_inverse=True)
    covered = np.array([int(people[flags].sum()) for flags in facet.covered(labels)])[label_of]
    return Trial(rows.size, float((people[guesses] / np.maximum(1, covered)).sum()))


def _whole_groups(ground: Ground, coarse: Longs) -> Longs:
    """Draw about `attacks` of some rows, with all rows that show the same."""
    ids = ground.shown([facet.name for facet in ground.own_facets()]).ids[coarse]
    groups, sizes = np.unique(ids, return_counts=True)
    order = np.random.RandomState(ground.seed).permutation(groups.size)
    number = int(np.searchsorted(sizes[order].cumsum(), ground.attacks)) + 1
    return coarse[np.isin(ids, groups[order[:number]])]


def _at_random(guesses: Longs, people: Longs) -> Trial:
    """Try each guess on one of the people, drawn at random; both are counted by value."""
    return Trial(int(guesses.sum()), float(guesses @ people / people.sum()))


def _as_multisets(guesses: Longs, people: Longs) -> Trial:
    """Try as many guesses as there are people, or fewer, paired so that as many as possible are right."""
    pairs = int(min(guesses.sum(), people.sum()))
    return Trial(pairs, float(pairs * np.minimum(guesses / guesses.sum(), people / people.sum()).sum()))


def _trial(ground: Ground, facet: Facet, rows: Longs, guesses: Longs, group: int, right: Right) -> Trial:
    """Try the guesses for rows that show the same on the people of a group who are nearest to them."""
    shown = ground.shown([other.name for other in ground.own_facets()])
    groups, group_of = np.unique(shown.ids[rows], return_inverse=True)
    own, width = facet.people[group], len(facet.values)
    guessed = np.bincount(group_of * width + guesses, minlength=groups.size * width).reshape(-1, width)
    trials = []
    for block, distance, near in ground.nearest_people(shown, groups.astype(np.int64), group, first=facet.name):
        near &= own < width
        fits = (distance < len(shown.facets) + 1) & near.any(axis=1)  # farther are those whom the label does not cover
        for counts, people in zip(guessed[block][fits], near[fits], strict=True):
            trials.append(right(counts, np.bincount(own[people], minlength=width)))
    return Trial(sum(one.attacks for one in trials), sum(one.successes for one in trials))


def _aligned(ground: Ground) -> bool:
    """Return whether row i of the release is person i: there are as many, and labels cover the values beside them."""
    if ground.rows != ground.size(MEMBERS):
        return False
    rows = np.unique(np.linspace(0, ground.rows - 1, min(ALIGNED, ground.rows)).astype(np.int64))
    for facet in ground.own_facets():
        labels, label_of = np.unique(facet.shown[rows], return_inverse=True)
        own = facet.people[MEMBERS][rows]
        there = own < len(facet.values)
        if not facet.covered(labels)[label_of[there], own[there]].all():
            return False
    return True


def _guesses(ground: Ground, facet: Facet, rows: Longs, *, aligned: bool) -> Longs:
    """Guess the value of each row: that of a copy; or by an order or a code, if there are any; and by tightness."""
    guesses = _likeliest(ground, facet, rows)
    at = ranks(facet)
    for keys in _keys(ground, facet, aligned=aligned):
        places = values_in_order(facet, keys, at)
        if places is not None:
            there = ~np.isnan(places[rows])
            guesses[there] = np.abs(at - places[rows[there]][:, None]).argmin(axis=1)
    for copy in ground.copies_of(facet):
        named = {value: number for number, value in enumerate(facet.values)}
        value_of = np.array([*(named.get(label, -1) for label in copy.labels), -1], np.int64)
        told = value_of[copy.shown[rows]]
        guesses = np.where(told >= 0, told, guesses)
    return guesses


def _likeliest(ground: Ground, facet: Facet, rows: Longs) -> Longs:
    """Guess the value that is expected most often in the class, among those that all codes leave."""
    classes = ground.classes()
    sizes = classes.counts[classes.ids[rows]]
    pairs, firsts = group_rows([facet.shown[rows], sizes], [len(facet.labels) + 1, int(sizes.max()) + 1], rows.size)
    expected = shares(facet, facet.shown[rows][firsts], sizes[firsts], prior(facet))[pairs]
    for codes in _codes(ground, facet):
        told = values_of_codes(facet, codes)
        if told is not None:
            left = np.where(told[codes[rows]], expected, 0.0)
            expected = np.where(left.any(axis=1, keepdims=True), left, expected)
    best: Longs = expected.argmax(axis=1)
    return best


def _codes(ground: Ground, facet: Facet) -> list[Ints]:
    """Return the columns that may be codes of another: all that show their values as they are."""
    plain = [other for other in (*ground.own_facets(), *ground.secrets.values()) if other.plain.all()]
    codes = [other.shown for other in plain if other.name != facet.name]
    return codes + [np.where(column.places < 0, len(column.values), column.places) for column in ground.extra.values()]


def _keys(ground: Ground, facet: Facet, *, aligned: bool) -> list[Floats]:
    """Return numbers by which rows may be ordered: columns of numbers, and the position of the row."""
    keys: list[Floats] = [np.arange(ground.rows, dtype=np.float64)] if aligned else []
    for column in ground.extra.values():
        places = np.append(places_on_scale(texts(column.values))[1], np.nan)[column.places]
        if np.unique(places[~np.isnan(places)]).size > 2:
            keys.append(places)
    for other in ground.facets.values():
        if other.name != facet.name and other.plain.all() and not np.isnan(other.scale[2]).any():
            places = np.append(other.scale[0], np.nan)[other.shown]
            if not np.isnan(places).any() and np.unique(places).size > 2:
                keys.append(places)
    return keys
