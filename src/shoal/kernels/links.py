"""Which rows of a table each person could be: sets of rows as bits, one set per known value, intersected."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Flags, Floats, Ints, Longs, Words
from shoal.kernels.compiling import compiled

# De Bruijn: the top six bits of (1 << i) × the sequence are different for each i.
_SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
_PLACE_OF_BIT = np.zeros(64, np.int64)
for _bit in range(64):
    _PLACE_OF_BIT[((int(_SEQUENCE) << _bit) % 2**64) >> 58] = _bit


@compiled
def row_sets(covered: Flags, labels: Ints, bits: Words) -> None:
    """For each value v, set the bits of the rows i with covered[labels[i], v]."""
    for i in range(labels.size):
        row = covered[labels[i]]
        bit = np.uint64(1) << np.uint64(i % 64)
        for value in range(row.size):
            if row[value]:
                bits[value, i // 64] |= bit


@compiled
def _common(bits: Words, sets: Longs, found: Longs) -> int:
    """Write the places of the bits that all named sets share into `found`; return how many there are."""
    count = 0
    for word in range(bits.shape[1]):
        left = bits[sets[0], word]
        for j in range(1, sets.size):
            left &= bits[sets[j], word]
        while left:
            lowest = left & (~left + np.uint64(1))
            found[count] = word * 64 + _PLACE_OF_BIT[(lowest * _SEQUENCE) >> np.uint64(58)]
            count += 1
            left ^= lowest
    return count


@compiled
def candidate_rows(bits: Words, sets: Longs, weights: Longs) -> Longs:
    """Return for each person the weight of the rows that are in all of the person's sets."""
    totals = np.zeros(sets.shape[0], np.int64)
    found = np.empty(bits.shape[1] * 64, np.int64)
    for person in range(sets.shape[0]):
        for i in range(_common(bits, sets[person], found)):
            totals[person] += weights[found[i]]
    return totals


@compiled
def candidate_values(
    bits: Words, sets: Longs, totals: Longs, starts: Longs, codes: Ints, counts: Longs, shares: Floats
) -> tuple[Longs, Floats]:
    """Return for each person max count(v) and max (count(v) / total − share(v)) over the values v of candidate rows.

    Row i has `codes[starts[i]:starts[i + 1]]`, each as often as `counts` says.
    """
    most = np.zeros(sets.shape[0], np.int64)
    gains = np.zeros(sets.shape[0], np.float64)
    found = np.empty(bits.shape[1] * 64, np.int64)
    histogram = np.zeros(shares.size, np.int64)
    touched = np.empty(shares.size, np.int64)
    for person in range(sets.shape[0]):
        different = 0
        for i in range(_common(bits, sets[person], found)):
            for entry in range(starts[found[i]], starts[found[i] + 1]):
                value = codes[entry]
                if histogram[value] == 0:
                    touched[different] = value
                    different += 1
                histogram[value] += counts[entry]
        for i in range(different):
            value = touched[i]
            most[person] = max(most[person], histogram[value])
            gains[person] = max(gains[person], histogram[value] / totals[person] - shares[value])
            histogram[value] = 0
    return most, gains


@compiled
def candidate_sets(bits: Words, sets: Longs, starts: Longs, codes: Ints, values: int) -> Flags:
    """Return for each person which values the candidate rows have; row i has `codes[starts[i]:starts[i + 1]]`."""
    held = np.zeros((sets.shape[0], values), np.bool_)
    found = np.empty(bits.shape[1] * 64, np.int64)
    for person in range(sets.shape[0]):
        for i in range(_common(bits, sets[person], found)):
            for entry in range(starts[found[i]], starts[found[i] + 1]):
                held[person, codes[entry]] = True
    return held
