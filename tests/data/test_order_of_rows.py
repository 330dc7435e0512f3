"""Rows of codes in order."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from shoal.data.rows import order_by


@given(
    rows=st.integers(0, 30),
    sizes=st.lists(st.sampled_from([1, 2, 3, 40, 2**20, 2**31 - 1]), min_size=1, max_size=9),
    seed=st.integers(0, 1000),
)
def test_rows_are_sorted_by_one_column_after_the_other(rows, sizes, seed):
    """Of columns with many values there are more than one number for each row can hold."""
    random = np.random.RandomState(seed)
    codes = np.stack([random.randint(0, size, rows) for size in sizes], axis=1).astype(np.int32)
    codes = codes[random.randint(0, rows, rows)]  # some rows are equal
    columns = random.permutation(len(sizes))
    expected = sorted(range(rows), key=lambda row: codes[row, columns].tolist())
    assert order_by(codes, columns).tolist() == expected
