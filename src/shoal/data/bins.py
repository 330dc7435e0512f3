"""Bins: a public scale of round steps on which the ends of ranges of numbers and dates are moved.

A bin of whole numbers or days reaches from its first to its last one; of other numbers and of moments it ends where the
next one begins.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from shoal.data.bin_scales import scale_of
from shoal.data.domain import NumericDomain
from shoal.kernels.arrays import Floats, Ints, Longs

FEWEST_STEPS = 2  # an end that never moves would be the outermost value


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of a column, numbered from the beginning of its scale to its end.

    of_code                  the bin of each value, by code; −1 for the missing value
    lows, highs              how the beginning and the end of each bin are written
    first_codes, last_codes  the code of the first value from the beginning of each bin, of the last one up to its end
    low_places, high_places  the beginning and end of each bin as shares of the range of the values, from 0 to 1
    steps                    how many different steps there are: 0 to steps − 1 bins
    """

    of_code: Longs
    lows: tuple[str, ...]
    highs: tuple[str, ...]
    first_codes: Ints
    last_codes: Ints
    low_places: Floats
    high_places: Floats
    steps: int

    @classmethod
    def of(cls, domain: NumericDomain, share: int) -> Bins | None:
        """Return the bins of a column; None if its values are not numbers, days or moments without a zone.

        share  the part of the scale that the longest step takes: 9 for a ninth
        """
        before = domain.missing + 1
        scale = scale_of(domain.labels[before:], share)
        if scale is None:
            return None
        values, lows, highs = scale.values, [low for low, _ in scale.bins], [high for _, high in scale.bins]
        least, span = values[0], values[-1] - values[0]

        def places(ends: list[object]) -> Floats:
            shares = [(end - least) / span if span else 0 for end in ends]
            return np.clip(np.array(shares, np.float64), 0, 1)

        return cls(
            np.array([-1] * before + [bisect_right(lows, value) - 1 for value in values], np.int64),
            tuple(map(scale.write, lows)),
            tuple(map(scale.write, highs)),
            np.array([before + bisect_left(values, low) for low in lows], np.int32),
            np.array([before + bisect_right(values, high) - 1 for high in highs], np.int32),
            places(lows),
            places(highs),
            max(FEWEST_STEPS, round(len(lows) / share)),
        )

    def __len__(self) -> int:
        return len(self.lows)
