"""Boxes of nodes that are due: the same classes as if every node was looked at in every window."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal import KAnonymity, LocalRecoding
from shoal.algorithms.algorithm import nobody
from shoal.algorithms.local_recoding.boxes import ANY_COST, cheapest, first_boxes, lattice, limits, released, steps_of
from shoal.algorithms.local_recoding.effort import Deadline, OutOfTimeError
from shoal.algorithms.row_moves import measure_of
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.kernels.compilations import clock

TREES = {"b": shoal.Hierarchy.from_nested({"x": ["p", "q"], "y": {"z": ["r", "s"], "w": ["t"]}})}


def encoded(ages, letters, numbers):
    columns = {"a": ages, "b": letters, "c": numbers}
    found = {name: pa.chunked_array([values]) for name, values in columns.items()}
    return encode(found, quasi=list(columns), sensitive=[], guides=TREES, style=Style()).distinct(sensitive=False)[0]


def all_looked_at(table, smallest, measure):
    """The box of each row, with every node looked at in every window."""
    steps, heights = steps_of(table, measure)
    nodes, ends = lattice(steps, heights, table, 10**6)
    ids, left, count = np.full(len(table.weights), -1, np.int32), np.arange(len(table.weights)), 0
    costs = limits(int(ends.max()))
    for above, upto in zip([-1, *costs], costs, strict=False):
        node = -1
        while left.size:
            window = (above, upto, ANY_COST)
            never_known = np.zeros(len(nodes), np.int64)
            node, own = first_boxes(steps, nodes, never_known, node + 1, table, left, window, smallest)
            if node < 0:
                break
            ids[left[own >= 0]] = own[own >= 0] + count
            count += int(own.max(initial=-1)) + 1
            left = left[own < 0]
    ids[left] = count + np.arange(left.size)
    return ids


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("pqrst"), st.integers(0, 3)), min_size=2, max_size=60),
    st.integers(2, 12),
)
def test_nodes_that_are_not_due_have_no_boxes(rows, smallest):
    table = encoded(*map(list, zip(*rows, strict=True)))
    measure = measure_of(table, "loss")
    found = released(table, KAnonymity(smallest), measure, nobody)
    assert found.tolist() == all_looked_at(table, smallest, measure).tolist()


def test_boxes_end_at_their_deadline():
    table = encoded([1, 2, 3, 4] * 5, list("pqrs") * 5, [0, 1] * 10)
    over = Deadline(clock() - 1)
    with pytest.raises(OutOfTimeError):
        released(table, KAnonymity(2), measure_of(table, "loss"), nobody, deadline=over)
    assert LocalRecoding(5.0).boxes(table, KAnonymity(2), measure_of(table, "loss"), nobody, over) == []


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4).map(sorted), min_size=1, max_size=4))
def test_all_nodes_come_in_the_order_in_which_the_cheapest_are_found(costs):
    every = cheapest(costs, 10**6)
    assert every[:-1] == cheapest(costs, len(every) - 1)
