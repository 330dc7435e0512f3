"""The mixture of distributions, each of them uniform over a box of values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.compiling import compiled

BITS = 64


class Boxes(NamedTuple):
    """Boxes of codes: in attribute `order[j]`, of `size[j]` codes, box b covers the codes from `low[e]` to `high[e]`
    for every e from `pointers[j, b]` to `pointers[j, b + 1] − 1`.
    """

    order: Longs
    size: Longs
    pointers: Longs
    low: Ints
    high: Ints


@compiled
def add_boxes(total: Floats, codes: Ints, rows: Longs, boxes: Boxes, some: Longs, density: Floats) -> None:
    """Set total[i] to log2(2^total[i] + Σ 2^density[b]) over those of some boxes that cover row i, for some rows.

    64 boxes are examined together: a word for each code says which of them cover it, so that a row takes one `and`
    for each attribute and stops as soon as none is left.
    """
    attributes = codes.shape[1]
    at = np.zeros(attributes + 1, np.int64)
    for j in range(attributes):
        at[j + 1] = at[j] + boxes.size[j] + 1
    words = np.zeros(at[attributes], np.uint64)
    for first in range(0, some.size, BITS):
        for word in range(words.size):
            words[word] = np.uint64(0)
        for j in range(attributes):
            # A bit flips where its box begins and after its end; a running xor over the codes leaves it on in between.
            for place in range(first, min(some.size, first + BITS)):
                bit = np.uint64(1) << np.uint64(place - first)
                for e in range(boxes.pointers[j, some[place]], boxes.pointers[j, some[place] + 1]):
                    words[at[j] + boxes.low[e]] ^= bit
                    words[at[j] + boxes.high[e] + 1] ^= bit
            for word in range(at[j] + 1, at[j + 1]):
                words[word] ^= words[word - 1]
        for i in rows:
            left = words[codes[i, boxes.order[0]]]
            for j in range(1, attributes):
                if left == np.uint64(0):
                    break
                left &= words[at[j] + codes[i, boxes.order[j]]]
            place = first
            while left != np.uint64(0):
                if left & np.uint64(1):
                    more = density[some[place]]
                    big, small = max(total[i], more), min(total[i], more)
                    total[i] = big + np.log2(1.0 + 2.0 ** (small - big))
                left >>= np.uint64(1)
                place += 1
