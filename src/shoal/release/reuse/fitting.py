"""Boxes: the classes of an earlier release in the domains of a table, and which of them each row fits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain, Ranges, SetDomain, Sets, TreeDomain
from shoal.data.recoding import some_of
from shoal.data.table import Table
from shoal.kernels.covering import first_boxes, rows_in_box, set_cells
from shoal.release.reuse.generalization import Generalization

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
MAX_CELLS = 1024  # of an attribute; more values share cells, which only costs time


@dataclass(frozen=True, eq=False)
class Boxes:
    """The classes as boxes of codes, those with the least loss first.

    shown      the generalized values of the boxes, by attribute
    low, high  the ends of the boxes, by attribute
    bits       the boxes that reach into each cell
    cells      the cell of each code, by attribute
    classes    the class of each box: boxes of one class have the same labels
    cost       the loss of each box
    """

    shown: tuple[Any, ...]
    low: Ints
    high: Ints
    bits: NDArray[np.uint64]
    cells: tuple[Longs, ...]
    classes: Ints
    cost: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.low)

    def cells_of(self, codes: Ints) -> Longs:
        """Return the cell of each code of some rows."""
        columns = [cells[np.maximum(column, 0)] for cells, column in zip(self.cells, codes.T, strict=True)]
        return np.ascontiguousarray(np.stack(columns, axis=1))

    @cached_property
    def order(self) -> Longs:
        """The attributes, those that leave the fewest boxes first."""
        widths = (self.high - self.low + 1).mean(axis=0) / [cells.size for cells in self.cells]
        return np.argsort(widths, kind="stable")

    def first(self, codes: Ints, allowed: NDArray[np.bool_], starts: Ints) -> Ints:
        """Find the allowed box with the least loss that covers each row, or −1; a code of −1 is in no box.

        The search begins at `starts`, before which no allowed box covers the row; −1 means that none does.
        """
        if not len(self):
            return np.full(len(codes), -1, np.int32)
        words = np.zeros((1, self.bits.shape[1]), np.uint64)
        boxes = np.flatnonzero(allowed)
        set_cells(words, boxes, np.zeros(boxes.size, np.int64), np.zeros(boxes.size, np.int64))
        return first_boxes(codes, self.cells_of(codes), self.bits, words[0], self.low, self.high, starts, self.order)

    def inside(self, codes: Ints, cells: Longs, box: int) -> NDArray[np.bool_]:
        """Flag the rows that a box covers."""
        return rows_in_box(codes, cells, self.bits, self.low, self.high, box)


def known_codes(table: Table, generalization: Generalization) -> Ints:
    """Return the codes of the quasi-identifiers; −1 for values that are not in the earlier tree or order."""
    codes = table.codes.copy()
    for at, (column, domain) in enumerate(zip(generalization.columns, table.domains, strict=True)):
        codes[column.unknown(domain)[codes[:, at]], at] = -1
    return codes


def boxes_of(table: Table, generalization: Generalization) -> Boxes:
    """Build the boxes of the kept classes in the domains of a table; a label at two nodes of a tree makes two boxes."""
    domains, kept = table.domains, generalization.columns
    meanings = [column.meaning(domain) for column, domain in zip(kept, domains, strict=True)]
    boxes: list[tuple[Any, ...]] = []
    for places in zip(*generalization.classes, strict=True):
        boxes += product(*(meaning[place] for meaning, place in zip(meanings, places, strict=True)))
    boxes = list(dict.fromkeys(tuple(map(_hashable, box)) for box in boxes))
    columns = list(zip(*boxes, strict=True)) if boxes else [() for _ in meanings]
    unsorted = [_shown(domain, column) for domain, column in zip(domains, columns, strict=True)]
    cost = np.sum([domain.loss(column) for domain, column in zip(domains, unsorted, strict=True)], axis=0)
    order = np.argsort(cost, kind="stable")
    shown = tuple(some_of(column, order) for column in unsorted)
    labels = [domain.write(column, generalization.style) for domain, column in zip(domains, shown, strict=True)]
    numbers: dict[tuple[str, ...], int] = {}
    classes = np.array([numbers.setdefault(row, len(numbers)) for row in zip(*labels, strict=True)], np.int32)
    ends = [ends_of(domain, column) for domain, column in zip(domains, shown, strict=True)]
    cells, bits = _cells(domains, shown, ends, len(boxes))
    low, high = (np.ascontiguousarray(np.stack([end[side] for end in ends], axis=1)) for side in (0, 1))
    return Boxes(shown, low, high, bits, cells, classes, cost[order])


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _shown(domain: AnyDomain, column: Any) -> Any:
    """Return the generalized values of the boxes in the form of the domain."""
    if isinstance(domain, TreeDomain):
        return np.array(column, np.int32)
    if isinstance(domain, SetDomain):
        starts = np.cumsum([0, *map(len, column)]).astype(np.int64)
        return Sets(starts, np.array([code for members in column for code in members], np.int32))
    ends = np.array(column, np.int32).reshape(-1, 2)
    return Ranges(ends[:, 0].copy(), ends[:, 1].copy())


def ends_of(domain: AnyDomain, shown: Any) -> tuple[Ints, Ints]:
    """Return the lowest and the highest code of each box."""
    if isinstance(domain, TreeDomain):
        return domain.hierarchy.lows[shown], domain.hierarchy.highs[shown]
    if isinstance(shown, Ranges):
        return shown.low, shown.high
    return shown.codes[shown.starts[:-1]], shown.codes[shown.starts[1:] - 1]


def _cells(
    domains: tuple[AnyDomain, ...], shown: tuple[Any, ...], ends: list[tuple[Ints, Ints]], boxes: int
) -> tuple[tuple[Longs, ...], NDArray[np.uint64]]:
    """Return the cell of each code by attribute, and the boxes that reach into each cell, as bits."""
    cells: list[Longs] = []
    count = 0
    for domain in domains:
        own = np.arange(len(domain), dtype=np.int64)
        if not isinstance(domain, SetDomain) and len(domain) > MAX_CELLS:
            own = own * MAX_CELLS // len(domain)
        cells.append(own + count)
        count = int(cells[-1][-1]) + 1
    bits = np.zeros((count, max(1, -(-boxes // 64))), np.uint64)
    numbers = np.arange(boxes, dtype=np.int64)
    for own, column, (low, high) in zip(cells, shown, ends, strict=True):
        if isinstance(column, Sets):
            set_cells(bits, np.repeat(numbers, column.sizes), own[column.codes], own[column.codes])
        else:
            set_cells(bits, numbers, own[low], own[high])
    return tuple(cells), bits
