"""Rows of people change their classes: from Mondrian's partitions to cheaper ones, each with at least k people."""

from __future__ import annotations

import numpy as np

from shoal.data.table import Table
from shoal.kernels.arrays import Ints
from shoal.kernels.local_recoding.row_clusters import Measure, groups_of
from shoal.kernels.people.moves import move_people, people_in

PASSES = 20
ENOUGH = 0.0005  # of the rows that move in a pass; with fewer, the next would change little
NEAR = 4  # places in each order


def moved(table: Table, ids: Ints, k: int, *, measure: Measure) -> Ints:
    """Move rows to cheaper classes near them until few move any more; every class keeps at least k people."""
    units = np.zeros(0, np.int32) if table.units is None else table.units
    rows = np.argsort(units, kind="stable")
    person = np.unique(units[rows], return_inverse=True)[1].astype(np.int32)
    runs = np.concatenate([np.flatnonzero(np.diff(person, prepend=-1)), [rows.size]])
    codes, classes = np.ascontiguousarray(table.codes[rows]), int(ids.max(initial=0)) + 1
    ones = np.ones(rows.size, np.int64)
    groups = groups_of(measure, codes, ones, np.ascontiguousarray(ids[rows]), np.zeros(classes, np.int64))
    people = people_in(groups, runs)
    orders, places = _orders(codes)
    for _ in range(PASSES):
        if move_people(measure, groups, codes, runs, person, people, orders, places, NEAR, k) <= ENOUGH * rows.size:
            break
    found = np.empty(rows.size, np.int64)
    found[rows] = groups.home
    return np.unique(found, return_inverse=True)[1].astype(np.int32)


def _orders(codes: Ints) -> tuple[Ints, Ints]:
    """Sort the rows by all attributes, each of them first in turn; return the orders and the place of each row."""
    orders = []
    for first in range(codes.shape[1]):
        columns = np.roll(codes, -first, axis=1)
        orders.append(np.lexsort(columns.T[::-1]).astype(np.int32))
    places = np.empty((len(orders), len(codes)), np.int32)
    for order, place in zip(orders, places, strict=True):
        place[order] = np.arange(order.size, dtype=np.int32)
    return np.stack(orders), places
