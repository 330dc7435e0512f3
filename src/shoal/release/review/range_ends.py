"""range-ends: the end of a range, or a number or date of a set, is the value of a single person of its class."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from shoal.data.binned_domain import BinnedRanges
from shoal.data.domain import RangeDomain, Ranges, SetDomain, Sets
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints
from shoal.release.review.finding import Finding
from shoal.release.review.shapes import Shape, shapes_of

MIN_SHARE = 0.1  # of the rows that are singled out by an end
FEW_VALUES = 20  # of a set of categories
ON_SCALE: tuple[Shape, ...] = ("date", "number", "measure", "range")
MAX_LOOKED_AT = 1000  # different values
MIN_ON_SCALE = 0.9  # of the values, which are numbers, dates or times


def range_ends(table: Table, recoding: Recoding, *, fixed: Collection[str] = ()) -> list[Finding]:
    """Find the ranges whose ends single out many rows; ends that were moved outward or are `fixed` do not."""
    if not (recoding.ids >= 0).any():
        return []
    return [*_listed_values(table, recoding), *_ends_of_ranges(table, recoding, fixed)]


def _listed_values(table: Table, recoding: Recoding) -> Iterator[Finding]:
    """Find sets of numbers or dates, which list the exact values of many rows that are the only ones with them."""
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        if not isinstance(domain, SetDomain) or not isinstance(shown, Sets) or not _is_scale(domain):
            continue
        inside = (recoding.ids >= 0) & (shown.sizes[recoding.ids] > 1)
        pairs = recoding.ids[inside].astype(np.int64) * len(domain) + codes[inside]
        _, back, counts = np.unique(pairs, return_inverse=True, return_counts=True)
        rows = np.bincount(back, table.weights[inside], counts.size)
        share = int((rows == 1).sum()) / max(1, int(table.weights[recoding.ids >= 0].sum()))
        if share >= MIN_SHARE:
            yield Finding(
                "range-ends",
                f"The values of {name!r} are released as sets that list every value: {share:.0%} of the rows are the "
                f"only ones of their class with theirs. Neither stepped nor closed ranges apply to sets. Store the "
                f"column as numbers or dates, declare what is missing, or give a hierarchy (--hierarchy {name}=dates "
                f"or intervals:…), so that ranges are shown.",
                (name,),
                figures={"singled_out": round(share, 4)},
            )


def _is_scale(domain: SetDomain) -> bool:
    """Return whether most different values are numbers, dates or times, however they are written, and many."""
    if len(domain.labels) <= FEW_VALUES:
        return False
    some = domain.labels[:: -(-len(domain.labels) // MAX_LOOKED_AT)]
    return sum(shapes_of(some)[shape] for shape in ON_SCALE) >= MIN_ON_SCALE * len(some)


def _ends_of_ranges(table: Table, recoding: Recoding, fixed: Collection[str]) -> list[Finding]:
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
