"""Inference: is a secret of a person guessed right from the rows that are nearest to what is known?

Every nearest row votes for its value, rows that cover fewer combinations of values with more weight, and the attacker
guesses the value with the most votes. A secret that is itself generalized votes for all the values it covers.
"""

from __future__ import annotations

import numpy as np

from shoal.analysis.attack.facet import MEMBERS, Facet
from shoal.analysis.attack.ground import Ground, Shown
from shoal.analysis.attack.trial import Comparison, Trial
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.nearest import weigh_labels


def inference(ground: Ground) -> list[Comparison]:
    """Guess each secret; the baseline guesses the value that is most frequent in the release."""
    shown = ground.shown(list(ground.facets))
    return [_compared(ground, shown, secret) for secret in ground.secrets.values()]


def _compared(ground: Ground, shown: Shown, secret: Facet) -> Comparison:
    width = len(secret.labels) + 1
    entries = _entries(shown, secret.shown, width)
    meaning = np.zeros((width, len(secret.values)))
    meaning[:-1] = secret.covered(np.arange(width - 1)) / secret.breadth[:-1, None]
    trials = []
    for group in ground.groups:
        people = ground.drawn(group)
        people = people[secret.people[group][people] < len(secret.values)]  # nothing to learn where it is missing
        right = 0.0
        for block, _, near in ground.nearest(shown, people, group):
            votes = weigh_labels(near, shown.evidence, *entries, width) @ meaning
            right += float(_chances(votes, secret.people[group][people[block]]).sum())
        trials.append(Trial(people.size, right))
    frequent = np.bincount(secret.shown, minlength=width)[None, :] @ meaning
    people = ground.drawn(MEMBERS)
    own = secret.people[MEMBERS][people]
    own = own[own < len(secret.values)]
    blind = Trial(own.size, float(_chances(np.repeat(frequent, own.size, axis=0), own).sum()))
    return Comparison(secret.name, trials[MEMBERS], trials[-1] if ground.held_out else blind, blind, ground.held_out)


def _entries(shown: Shown, codes: Ints, width: int) -> tuple[Longs, Ints, Longs]:
    """Count the labels of the secret in each distinct row."""
    keys, counts = np.unique(shown.ids.astype(np.int64) * width + codes, return_counts=True)
    starts = np.searchsorted(keys, np.arange(shown.counts.size + 1, dtype=np.int64) * width).astype(np.int64)
    return starts, (keys % width).astype(np.int32), counts.astype(np.int64)


def _chances(votes: Floats, own: Ints) -> Floats:
    """Return the chance that the guess is right: one of the values with the most votes is drawn."""
    most = votes.max(axis=1, keepdims=True)
    best = (votes >= most * (1 - 1e-9)) & (most > 0)
    return np.where(best[np.arange(own.size), own], 1 / np.maximum(1, best.sum(axis=1)), 0.0)
