"""Downcoding: is the value behind a generalized label guessed right, without knowing anything about the person?

A. Cohen, Attacks on deidentification's defenses (2022). The attacker uses that labels are no coarser than needed
(tightness), columns that repeat a value or a code of it, and an order that was kept. The control are the same guesses
about people who are not in the release and would show the same label: those nearest to the row in all other columns.
"""

from __future__ import annotations

import numpy as np

from shoal.analysis.attack.clues import values_in_order, values_of_codes
from shoal.analysis.attack.facet import HELD_OUT, MEMBERS, Facet
from shoal.analysis.attack.ground import Ground
from shoal.analysis.attack.tightness import prior, ranks, shares
from shoal.analysis.attack.trial import Comparison, Trial
from shoal.data.rows import group_rows
from shoal.kernels.arrays import Flags, Floats, Ints, Longs

ALIGNED = 1000  # rows that are compared with the original, to see whether both are in the same order


def downcoding(ground: Ground) -> list[Comparison]:
    """Attack each generalized column; the baseline draws one of the values that the label covers."""
    found = []
    aligned = _aligned(ground)
    for facet in ground.own_facets():
        coarse = np.flatnonzero(facet.breadth[facet.shown] > 1)
        if coarse.size:
            rows = coarse[ground.some(coarse.size)]
            guesses = _guesses(ground, facet, rows, aligned=aligned)
            found.append(_compared(ground, facet, rows, guesses, aligned=aligned))
    return found


def _compared(ground: Ground, facet: Facet, rows: Longs, guesses: Longs, *, aligned: bool) -> Comparison:
    attack = _trial(ground, facet, rows, guesses, MEMBERS)
    if aligned:
        own = facet.people[MEMBERS][rows]
        there = own < len(facet.values)
        attack = Trial(int(there.sum()), float((own == guesses)[there].sum()))
    blind = Trial(rows.size, float((1 / facet.breadth[facet.shown[rows]]).sum()))
    control = _trial(ground, facet, rows, guesses, HELD_OUT) if ground.held_out else blind
    return Comparison(facet.name, attack, control, blind, ground.held_out)


def _trial(ground: Ground, facet: Facet, rows: Longs, guesses: Longs, group: int) -> Trial:
    """Try the guesses on the people of a group who are nearest to the rows, one of them drawn for each."""
    shown = ground.shown([other.name for other in ground.own_facets()])
    number, right = 0, 0.0
    own = facet.people[group]
    for block, distance, near in ground.nearest_people(
        shown, shown.ids[rows].astype(np.int64), group, first=facet.name
    ):
        near &= own < len(facet.values)
        fits = (distance < len(shown.facets) + 1) & near.any(axis=1)  # farther are those whom the label does not cover
        hits = (near & (own == guesses[block][:, None])).sum(axis=1)
        number += int(fits.sum())
        right += float((hits[fits] / near[fits].sum(axis=1)).sum())
    return Trial(number, right)


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
            guesses = np.abs(at - places[rows][:, None]).argmin(axis=1)
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
        numbers = [value if isinstance(value, int | float) else np.nan for value in column.values]
        places = np.array([*numbers, np.nan], np.float64)[column.places]
        present: Flags = ~np.isnan(places)
        if present.all() and np.unique(places).size > 2:
            keys.append(places)
    for other in ground.facets.values():
        if other.name != facet.name and other.plain.all() and not np.isnan(other.scale[2]).any():
            places = np.append(other.scale[0], np.nan)[other.shown]
            if not np.isnan(places).any() and np.unique(places).size > 2:
                keys.append(places)
    return keys
