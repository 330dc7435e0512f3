"""Orders of small arrays: the same as numpy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from shoal.kernels.sorting import RUN, greatest, longest, place_of, sorted_places

NUMBERS = st.one_of(
    st.lists(st.integers(0, 6), max_size=5 * RUN),
    st.lists(st.integers(-(2**31), 2**31 - 1), max_size=5 * RUN),
    st.integers(0, 9 * RUN).map(lambda size: list(range(size, 0, -1))),
)


@given(numbers=NUMBERS)
def test_equal_entries_keep_their_order(numbers):
    column = np.array(numbers, np.int32)
    assert sorted_places(column).tolist() == np.argsort(column, kind="stable").tolist()


@given(numbers=NUMBERS, value=st.integers(-3, 9), more=st.integers(0, 3))
def test_the_place_of_a_value_among_the_first_entries(numbers, value, more):
    ascending = np.array(sorted(numbers), np.int32)
    size = max(0, ascending.size - more)
    assert place_of(value, ascending, size) == np.searchsorted(ascending[:size], value)


@given(numbers=st.lists(st.integers(0, 2**40), max_size=9))
def test_the_greatest_of_some_numbers(numbers):
    assert greatest(np.array(numbers, np.int64)) == max(numbers, default=0)


@given(sizes=st.lists(st.integers(0, 9), max_size=9))
def test_the_longest_of_some_slices(sizes):
    ends = np.cumsum(np.array(sizes, np.int64))
    assert longest(ends - np.array(sizes, np.int64), ends) == max(sizes, default=0)
