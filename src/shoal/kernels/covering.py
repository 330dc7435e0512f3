"""Which of many boxes cover a row: sets of boxes as bits, one set per cell of an attribute, intersected."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs, Words
from shoal.kernels.compiling import compiled


@compiled
def set_cells(bits: Words, box: Longs, low: Longs, high: Longs) -> None:
    """Set the bit of box[i] in the cells low[i]..high[i]."""
    for i in range(box.size):
        bit = np.uint64(1) << np.uint64(box[i] % 64)
        word = box[i] // 64
        for cell in range(low[i], high[i] + 1):
            bits[cell, word] |= bit


@compiled
def first_boxes(
    codes: Ints, cells: Longs, bits: Words, allowed: Words, low: Ints, high: Ints, starts: Ints, order: Longs
) -> Ints:
    """Return for each row the first allowed box that has its bit in every cell and encloses the codes; −1 if none does.

    The search begins in the word of starts[i]; attributes are examined in the given order.
    """
    rows, attributes = codes.shape
    found = np.full(rows, -1, np.int32)
    for i in range(rows):
        known = starts[i] >= 0
        for a in range(attributes):
            known &= codes[i, a] >= 0
        if not known:
            continue
        for word in range(starts[i] // 64, allowed.size):
            left = allowed[word]
            for j in range(attributes):
                if not left:
                    break
                left &= bits[cells[i, order[j]], word]
            box = word * 64
            while left and found[i] < 0:
                if left & np.uint64(1):
                    inside = True
                    for a in range(attributes):
                        inside &= low[box, a] <= codes[i, a] <= high[box, a]
                    if inside:
                        found[i] = box
                left >>= np.uint64(1)
                box += 1
            if found[i] >= 0:
                break
    return found


@compiled
def rows_in_box(codes: Ints, cells: Longs, bits: Words, low: Ints, high: Ints, box: int) -> Flags:
    """Return for each row whether the box covers it."""
    rows, attributes = codes.shape
    found = np.zeros(rows, np.bool_)
    bit = np.uint64(1) << np.uint64(box % 64)
    for i in range(rows):
        inside = True
        for a in range(attributes):
            if codes[i, a] < low[box, a] or codes[i, a] > high[box, a]:  # true for −1 as well
                inside = False
                break
        if inside:
            for a in range(attributes):
                inside &= bits[cells[i, a], box // 64] & bit != 0
        found[i] = inside
    return found
