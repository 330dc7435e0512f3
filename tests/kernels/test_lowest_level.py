"""The lowest level of an attribute without small classes, against counting at every level."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings, strategies as st

from shoal.kernels.lattice import lowest_level

SHOWN = np.array([[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0]], np.int32)


@given(
    classes=st.lists(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=9), min_size=1, max_size=4
    ),
    smallest=st.integers(1, 7),
)
@settings(max_examples=300, deadline=None)
def test_against_counting(classes, smallest):
    cells = [cell for own in classes for cell in own]
    column = np.array([code for code, _ in cells], np.int32)
    weights = np.array([weight for _, weight in cells], np.int64)
    starts = np.cumsum([0, *map(len, classes)]).astype(np.int32)
    rows = np.arange(len(cells), dtype=np.int32)

    def small(level):
        sizes = Counter()
        for number, own in enumerate(classes):
            for code, weight in own:
                sizes[number, int(SHOWN[level, code])] += weight
        return any(0 < size < smallest for size in sizes.values())

    expected = next((level for level in range(len(SHOWN)) if not small(level)), len(SHOWN))
    assert lowest_level(starts, rows, column, weights, SHOWN, smallest, 0) == expected
