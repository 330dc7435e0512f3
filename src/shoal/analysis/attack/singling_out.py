"""Singling out: does a predicate that is taken from the release fit exactly one person of the original?

A. Cohen, K. Nissim, Towards formalizing the GDPR's notion of singling out (2020), doi:10.1073/pnas.1914598117. With
one column, the predicates are labels that one row shows, the smallest and the largest number, and ends of ranges; with
several columns, everything that a row shows, alone or with a column set to a value that the class must hold because
labels are tight. Predicates that are expected to fit one person, or nearly, are tried; if there are none, the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from shoal.analysis.attack.facet import HELD_OUT, MEMBERS, Facet
from shoal.analysis.attack.ground import Ground, Shown
from shoal.analysis.attack.predicate_size import corrected
from shoal.analysis.attack.tightness import prior, shares
from shoal.analysis.attack.trial import Comparison, Trial
from shoal.data.rows import group_rows
from shoal.kernels.arrays import Floats, Longs

LEAST, FEW = 0.5, 2.0  # a predicate that is expected to fit between so many people is worth a guess
PINNED = 2  # values of a generalized cell that are tried: the likeliest, which are the ends of a tight range

Fits = Callable[[Ground, int], Longs]  # takes a group and returns how many of its people each predicate fits


def singling_out(ground: Ground) -> list[Comparison]:
    """Try predicates on one column, and on all of them together; the baseline tries them on people who are made up."""
    made_up = ground.made_up()
    single = [one for facet in ground.facets.values() for one in _on_one_column(facet)]
    chosen = [single[number] for number in _best(np.array([one.expected for one in single]), ground).tolist()]

    def fits_alone(tables: Ground, group: int) -> Longs:
        people = {name: _people_by_value(facet, group) for name, facet in tables.facets.items()}
        return np.array([people[one.column][one.values].sum() for one in chosen], np.int64)

    several = _Several.of(ground)
    tried: list[tuple[str, int, Fits]] = [
        ("one column", len(chosen), fits_alone),
        ("several columns", several.rows.size, several.fits),
    ]
    return [_compared(about, ground, made_up, fits) for about, number, fits in tried if number]


def _compared(about: str, ground: Ground, made_up: Ground, fits: Fits) -> Comparison:
    """Count the predicates that fit exactly one person of each group."""
    counts = fits(ground, MEMBERS)
    attack = Trial(counts.size, int((counts == 1).sum()))
    blind = Trial(counts.size, int((fits(made_up, MEMBERS) == 1).sum()))
    if not ground.held_out:
        return Comparison(about, attack, blind, blind, held_out=False)
    control = corrected(fits(ground, HELD_OUT), ground.size(HELD_OUT), ground.size(MEMBERS))
    return Comparison(about, attack, Trial(counts.size, control), blind, held_out=True)


def _best(expected: Floats, ground: Ground) -> Longs:
    """Choose the predicates that are expected to fit one person, as nearly as possible; equally good ones by a draw."""
    far = np.abs(np.log(np.maximum(expected, 1e-12)))
    order: Longs = np.lexsort((np.random.RandomState(ground.seed).random_sample(far.size), far))
    few = order[(expected[order] >= LEAST) & (expected[order] < FEW)]
    return (few if few.size else order)[: ground.attacks]


@dataclass(frozen=True, eq=False)
class _OnOneColumn:
    """A predicate on one column: the values that it fits, and the number of people whom it is expected to fit."""

    column: str
    values: Longs
    expected: float


def _people_by_value(facet: Facet, group: int) -> Longs:
    """Count the people of a group with each value."""
    return np.bincount(facet.people[group], minlength=len(facet.values) + 1)[:-1]


def _on_one_column(facet: Facet) -> Iterator[_OnOneColumn]:
    """Yield rare labels, the ends of ranges, and the smallest and the largest number."""
    counts = np.bincount(facet.shown, minlength=len(facet.labels) + 1)[:-1]
    once = np.flatnonzero(counts == 1)
    for label, value in zip(once.tolist(), facet.value_of_label[once].tolist(), strict=True):
        values = np.array([value]) if value >= 0 else np.flatnonzero(facet.covered(np.array([label]))[0])
        yield _OnOneColumn(facet.name, values, 1.0)
    low, high, places = facet.scale
    if np.isnan(low).all():
        return
    likely = prior(facet) * facet.shown.size
    for end in np.unique(np.concatenate([low[high > low], high[high > low]])):
        values = np.flatnonzero(places == end)
        if values.size:
            yield _OnOneColumn(facet.name, values, float(likely[values].sum()))
    for values, extreme in (
        (np.flatnonzero(places <= np.nanmin(low)), low == np.nanmin(low)),
        (np.flatnonzero(places >= np.nanmax(high)), high == np.nanmax(high)),
    ):
        coarse = (extreme & (high > low)).any()
        yield _OnOneColumn(facet.name, values, float(likely[values].sum() if coarse else counts[extreme].sum()))


@dataclass(frozen=True, eq=False)
class _Several:
    """Predicates on all columns: a distinct row of the release, and a column that must have a certain value (or −1)."""

    shown: Shown
    rows: Longs
    columns: Longs
    values: Longs

    @classmethod
    def of(cls, ground: Ground) -> _Several:
        """Take what rows show, and pin one of their generalized cells to a value that the class is likely to hold."""
        shown = ground.shown(list(ground.facets))
        rows = np.random.RandomState(ground.seed).permutation(shown.counts.size)[: 2 * ground.attacks]
        counts = shown.counts[rows]
        parts = [(rows, np.full(rows.size, -1), np.full(rows.size, -1), counts.astype(np.float64))]
        classes = ground.classes()
        sizes = np.zeros(shown.counts.size, np.int64)
        sizes[shown.ids] = classes.counts[classes.ids]
        for number, facet in enumerate(shown.facets):
            coarse = np.flatnonzero(facet.breadth[shown.labels[number, rows]] > 1)
            if not coarse.size:
                continue
            labels, size = shown.labels[number, rows[coarse]], sizes[rows[coarse]]
            pairs, firsts = group_rows([labels, size], [len(facet.labels) + 1, int(size.max()) + 1], coarse.size)
            expected = shares(facet, labels[firsts], size[firsts], prior(facet))
            for value in np.argsort(-expected, axis=1, kind="stable")[:, :PINNED].T:
                people = counts[coarse] * expected[np.arange(firsts.size), value][pairs]
                parts.append((rows[coarse], np.full(coarse.size, number), value[pairs], people))
        chosen, columns, values, people = (np.concatenate(part) for part in zip(*parts, strict=True))
        best = _best(people, ground)
        return cls(shown, chosen[best], columns[best], values[best])

    def fits(self, ground: Ground, group: int) -> Longs:
        """Count the people of a group whom each predicate fits."""
        counts = np.zeros(self.rows.size, np.int64)
        facets = [ground.facets[facet.name] for facet in self.shown.facets]
        shown = Shown(tuple(facets), self.shown.ids, self.shown.labels, self.shown.counts)
        own = np.stack([facet.people[group] for facet in facets])
        for block, distance, near in ground.nearest_people(shown, self.rows, group):
            for number in range(distance.size):
                place = block.start + number
                if distance[number] <= 0:
                    pinned = self.columns[place]
                    right = near[number] if pinned < 0 else near[number] & (own[pinned] == self.values[place])
                    counts[place] = right.sum()
        return counts
