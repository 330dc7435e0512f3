"""range-ends: the end of a range is the value of a single person of its class, whom it singles out."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from shoal.data.binned_domain import BinnedRanges
from shoal.data.domain import RangeDomain, Ranges
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints
from shoal.release.review.finding import Finding

MIN_SHARE = 0.1  # of the rows that are singled out by an end


def range_ends(table: Table, recoding: Recoding, *, fixed: Collection[str] = ()) -> list[Finding]:
    """Find the ranges whose ends single out many rows; ends that were moved outward or are `fixed` do not."""
    alone = np.zeros(len(table.weights), np.bool_)
    columns = []
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        if (
            name not in fixed
            and isinstance(domain, RangeDomain)
            and isinstance(shown, Ranges)
            and not isinstance(shown, BinnedRanges)
        ):
            singled = _at_an_end(shown, recoding.ids, codes, table)
            if singled.any():
                columns.append(name)
                alone |= singled
    rows = int(table.weights[recoding.ids >= 0].sum())
    share = int(table.weights[alone].sum()) / max(1, rows)
    if share < MIN_SHARE:
        return []
    listed = ", ".join(map(repr, columns))
    return [
        Finding(
            "range-ends",
            f"The ends of the ranges of {listed} are values of single rows: {share:.0%} of the rows are the only ones "
            f"of their class at an end, and whoever knows how ranges are made learns their exact value. Move the ends "
            f"(ranges='stepped' with a key, --range-ends stepped), or use a larger k or a hierarchy of intervals.",
            tuple(columns),
            figures={"singled_out": round(share, 4)},
        )
    ]


def _at_an_end(shown: Ranges, ids: Ints, codes: Ints, table: Table) -> Flags:
    """Tell which rows are the only ones of their class whose value is the lower or the upper end of its range."""
    inside = ids >= 0
    single = np.zeros(ids.size, np.bool_)
    for ends in (shown.low, shown.high):
        at_end = inside & (shown.low[ids] < shown.high[ids]) & (codes == ends[ids])
        rows = np.bincount(ids[at_end], table.weights[at_end], ends.size)
        single |= at_end & (rows[ids] == 1)
    return single
