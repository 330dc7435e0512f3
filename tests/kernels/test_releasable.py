"""The most rows of a class that caps let be released, against all subsets of its counts."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings, strategies as st

from shoal import BetaLikeness, Closeness, FrequencyDiversity, Hierarchy
from shoal.data.classes import Classes, Overall
from shoal.kernels.lattice import releasable

TREE = Hierarchy.from_parents(["*", "g", "a", "b", "c"], [-1, 0, 1, 1, 0])
MODELS = [
    Closeness(0.2),
    Closeness(0.35, "ordered", order=["a", "b", "c"]),
    Closeness(0.3, "hierarchical", hierarchy=TREE),
    BetaLikeness(0.5),
    BetaLikeness(2, enhanced=True),
    FrequencyDiversity(2),
]


@given(
    model=st.sampled_from(MODELS),
    whole=st.lists(st.integers(1, 9), min_size=3, max_size=3),
    share=st.lists(st.integers(0, 5), min_size=3, max_size=3),
    smallest=st.integers(1, 4),
)
@settings(max_examples=500, deadline=None)
def test_no_class_that_contains_a_good_subset_is_given_up(model, whole, share, smallest):
    held = np.minimum(whole, share).astype(np.int64)
    overall = Overall(("a", "b", "c"), np.array(whole, np.int64))
    subsets = [taken for taken in product(*(range(count + 1) for count in held)) if sum(taken) >= smallest]
    good = any(
        model.holds(Classes(np.array([sum(t)]), {"s": overall}, lambda name, t=t: np.array([t])), "s")[0]
        for t in subsets
    )
    caps = model.caps("s", overall)
    rows = np.arange(3, dtype=np.int32)
    starts = np.array([0, 3], np.int32)
    found = releasable(rows, starts, rows, held, smallest, rows, *caps.arrays)[0]
    assert found or not good


def test_a_class_without_a_good_subset_is_given_up():
    overall = Overall(("a", "b", "c"), np.array([50, 50, 900], np.int64))
    rows = np.arange(3, dtype=np.int32)
    starts = np.array([0, 3], np.int32)
    for model in (Closeness(0.2), BetaLikeness(1)):
        caps = model.caps("s", overall)
        assert not releasable(rows, starts, rows, np.array([9, 9, 0]), 2, rows, *caps.arrays)[0]
        assert releasable(rows, starts, rows, np.array([1, 1, 18]), 2, rows, *caps.arrays)[0]
