"""BinnedDomain: numbers or dates of which a class shows a range of bins."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from shoal.data.bins import Bins
from shoal.data.domain import NumericDomain, Ranges
from shoal.data.style import Style
from shoal.kernels.arrays import Flags, Floats, Ints, Longs


@dataclass(frozen=True)
class BinnedRanges(Ranges):
    """The ranges of bins from `first` to `last` that classes show; `low` and `high` have the codes that they cover.

    Classes with missing values have no bins (−1): they show what they would without them.
    """

    first: Longs
    last: Longs

    @classmethod
    def of(cls, bins: Bins, ranges: Ranges, first: Longs, last: Longs) -> BinnedRanges:
        """Return the ranges from the first to the last bin of each class; see `binned`."""
        without = first < 0
        low = np.where(without, ranges.low, bins.first_codes[first])
        high = np.where(without, ranges.high, bins.last_codes[last])
        return cls(low.astype(np.int32), high.astype(np.int32), first, last)

    def some(self, which: Longs | Flags) -> BinnedRanges:
        """Return the ranges of some classes."""
        return BinnedRanges(*(getattr(self, field.name)[which] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class BinnedDomain(NumericDomain):
    """Numbers or dates in their order, whose ranges end where bins do."""

    bins: Bins = None  # type: ignore[assignment]

    @classmethod
    def of_domain(cls, domain: NumericDomain, bins: Bins) -> BinnedDomain:
        """Give a domain its bins."""
        return cls(domain.labels, domain.missing, domain.values, domain.offsets, bins)

    def alike(self, shown: Ranges) -> Longs:
        """Combine the two ends into one number."""
        if not isinstance(shown, BinnedRanges):
            return super().alike(shown)
        ends = shown.first * len(self.bins) + shown.last
        return np.where(shown.first < 0, -1 - super().alike(shown), ends)

    def loss(self, shown: Ranges) -> Floats:
        """Return the width of the range, as far as the table has values, / (max − min of the table)."""
        loss = super().loss(shown)
        if not isinstance(shown, BinnedRanges):
            return loss
        width = self.bins.high_places[shown.last] - self.bins.low_places[shown.first]
        return np.where(shown.first < 0, loss, width)

    def steps(self, shown: Ranges, ids: Ints, codes: Ints) -> Longs:
        """Return 1 for each row that shows a range, 0 for one that shows its value."""
        if not isinstance(shown, BinnedRanges):
            return super().steps(shown, ids, codes)
        values = np.array([low == high for low, high in zip(self.bins.lows, self.bins.highs, strict=True)])
        one = (shown.first == shown.last) & values[shown.first]
        return np.where(shown.first < 0, shown.sizes > 1, ~one).astype(np.int64)[ids]

    def ends(self, shown: BinnedRanges) -> list[tuple[str, str] | None]:
        """Return how the two ends of each range are written; None if values are missing."""
        lows, highs = self.bins.lows, self.bins.highs
        pairs = zip(shown.first.tolist(), shown.last.tolist(), strict=True)
        return [None if first < 0 else (lows[first], highs[last]) for first, last in pairs]

    def write(self, shown: Ranges, style: Style) -> list[str]:
        """Write `low - high` in the form of the style."""
        labels = super().write(shown, style)
        if not isinstance(shown, BinnedRanges):
            return labels
        both = zip(labels, self.ends(shown), strict=True)
        return [label if ends is None else style.number_range(*ends) for label, ends in both]
