"""widened(): the ranges of a recoding, moved outward from the values of people.

Closed ranges end at the cuts of their cells. A stepped range ends at the outermost value of its class, moved outward by
a secret step that is uniform on 0 … steps − 1 bins, and stopped at the cut of its cell; classes without cells are
stopped in the middle between them and the nearest row of another class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from shoal.algorithms.people.rejoining import recoding_of
from shoal.data.binned_domain import BinnedDomain, BinnedRanges
from shoal.data.bins import Bins
from shoal.data.cells import CellRecoding, Cells
from shoal.data.domain import NumericDomain
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints, Longs
from shoal.models import PrivacyModel
from shoal.release.range_ends.kinds import SHARES
from shoal.release.range_ends.limits import Limits, tight_bins
from shoal.release.range_ends.steps import SIDES, steps
from shoal.release.verification.range_ends import RangeClaim, ScaleClaim

MAX_STEPS_OF_MOST = 0.5  # the longest step, as a part of the bins that nine tenths of the rows take


@dataclass(frozen=True, eq=False)
class Moved:
    """How the ranges of a recoding were moved: what the verification needs, and a finished release does not hold.

    ids     the class of each row, before classes with the same labels became one
    bins    the bins of the columns whose ranges were moved
    limits  how far they may move
    cells   what identifies the cell of each class
    cut     whether the limits are cuts of cells; otherwise the rows of other classes limit them
    tiled   whether each class is one of the cells
    secret  the key of stepped ranges; None for closed ones
    """

    ids: Ints
    bins: Mapping[str, Bins]
    limits: Mapping[str, Limits]
    cells: tuple[str, ...] = field(repr=False)
    cut: bool
    tiled: bool
    secret: bytes | None = field(repr=False)

    @property
    def kind(self) -> str:
        """The kind of the ranges."""
        return "closed" if self.secret is None else "stepped"

    def claim(self) -> RangeClaim:
        """Return what the verification is told."""
        scales = {}
        for name, bins in self.bins.items():
            limits = self.limits[name]
            scales[name] = ScaleClaim(bins.lows, bins.highs, bins.steps, limits.first, limits.last)
        return RangeClaim(self.ids.astype(np.int64), self.cells, scales, self.tiled, self.secret)

    def figures(self) -> dict[str, object]:
        """Return what is public about the ranges, for a report."""
        return {
            "kind": self.kind,
            "stopped_at": "cuts" if self.cut else "neighbours",
            "scales": {
                name: {"first": bins.lows[:2], "last": bins.highs[-1], "steps": bins.steps}
                for name, bins in self.bins.items()
            },
        }


def widened(
    table: Table, recoding: Recoding, model: PrivacyModel, *, share: int, secret: bytes | None
) -> tuple[Table, Recoding, Moved | None]:
    """Return the table with its scales, its recoding with moved ranges, and how they were moved.

    share   the part of the scale that the longest step takes: 9 for a ninth
    secret  the key of stepped ranges; None for closed ones
    """
    bins = {at: _bins(table, at, share) for at in range(len(table.quasi)) if _has_ranges(table, at)}
    if not bins:
        return table, recoding, None
    domains = list(table.domains)
    for at, scale in bins.items():
        domains[at] = BinnedDomain.of_domain(domains[at], scale)  # type: ignore[arg-type]
    table = replace(table, domains=tuple(domains))
    while True:
        moved_recoding, moved = _moved(table, recoding, bins, secret)
        ids = _one_per_label(table, moved_recoding)
        # Classes that show the same by chance are one to a reader, for whom a model of people need not hold.
        if ids is recoding.ids or model.satisfied(table.classes(ids)).all():
            return table, moved_recoding, moved
        recoding = _rejoined(table, recoding, ids, model)


def can_be_moved(table: Table) -> bool:
    """Tell whether the ranges of all columns of numbers and dates can be moved, and would tell something afterwards.

    An outlier makes the scale, and with it the steps, so wide that most rows would show one range.
    """
    for at, domain in enumerate(table.domains):
        if isinstance(domain, NumericDomain):
            bins = Bins.of(domain, SHARES[0])
            if bins is None or bins.steps > MAX_STEPS_OF_MOST * _spread(bins.of_code[table.codes[:, at]]):
                return False
    return True


def _spread(places: Longs) -> int:
    """Return how many bins nine tenths of the rows take."""
    known = np.sort(places[places >= 0])
    return int(known[known.size * 19 // 20] - known[known.size // 20]) + 1 if known.size else 1


def _has_ranges(table: Table, at: int) -> bool:
    return isinstance(table.domains[at], NumericDomain)


def _bins(table: Table, at: int, share: int) -> Bins:
    domain = table.domains[at]
    bins = Bins.of(domain, share) if isinstance(domain, NumericDomain) else None
    if bins is None:
        raise InputError(
            f"Column {table.quasi[at]!r} holds values such as {domain.labels[-1]!r}, whose ranges cannot be moved: "
            f"give it a hierarchy, or choose tight ranges."
        )
    return bins


def _moved(table: Table, recoding: Recoding, bins: Mapping[int, Bins], secret: bytes | None) -> tuple[Recoding, Moved]:
    """Move the ends of all ranges."""
    cells = getattr(recoding, "cells", None)
    limits = {
        at: Limits.of_neighbours(scale, table, recoding, at) if cells is None else Limits.of_cells(scale, cells, at)
        for at, scale in bins.items()
    }
    names = _names(table, recoding, bins, limits if isinstance(cells, Cells) else None)
    shown = list(recoding.shown)
    for at, scale in bins.items():
        first, last = tight_bins(scale, shown[at])
        low, high = limits[at].first, limits[at].last
        if secret is not None:
            low, high = (
                np.maximum(low, first - steps(secret, table.quasi[at], SIDES[0], names, scale.steps)),
                np.minimum(high, last + steps(secret, table.quasi[at], SIDES[1], names, scale.steps)),
            )
        without = first < 0
        shown[at] = BinnedRanges.of(scale, shown[at], np.where(without, -1, low), np.where(without, -1, high))
    moved = Moved(
        recoding.ids,
        {table.quasi[at]: scale for at, scale in bins.items()},
        {table.quasi[at]: limit for at, limit in limits.items()},
        names,
        cut=cells is not None,
        tiled=isinstance(recoding, CellRecoding) and not recoding.joined,
        secret=secret,
    )
    return Recoding(recoding.ids, recoding.sizes, tuple(shown)), moved


def _names(
    table: Table, recoding: Recoding, bins: Mapping[int, Bins], limits: Mapping[int, Limits] | None
) -> tuple[str, ...]:
    """Identify the cell of each class: by its cuts or, if it has none, by the steps of the scale in which it lies.

    So small changes of a table leave most cells, and with them the steps of their ends, as they are.
    """
    columns = []
    for at, domain in enumerate(table.domains):
        shown = recoding.shown[at]
        if at not in bins:
            columns.append(domain.write(shown, Style()))
            continue
        scale = bins[at]
        if limits is None:
            first, last = (end // scale.steps * scale.steps for end in tight_bins(scale, shown))
        else:
            first, last = limits[at].first, limits[at].last
        ends = zip(first.tolist(), last.tolist(), strict=True)
        columns.append([f"{scale.lows[max(0, low)]} {scale.lows[max(0, high)]}" for low, high in ends])
    return tuple("\0".join(parts) for parts in zip(*columns, strict=True))


def _one_per_label(table: Table, recoding: Recoding) -> Ints:
    """Return the class of each row if classes that show the same are one; the same array if none do."""
    alike = [domain.alike(shown) for domain, shown in zip(table.domains, recoding.shown, strict=True)]
    columns = [np.unique(numbers, return_inverse=True)[1].astype(np.int32) for numbers in alike]
    merged, firsts = group_rows(columns, [int(column.max(initial=0)) + 1 for column in columns], alike[0].size)
    if firsts.size == merged.size:
        return recoding.ids
    return np.where(recoding.ids >= 0, merged[recoding.ids], np.int32(-1)).astype(np.int32)


def _rejoined(table: Table, recoding: Recoding, ids: Ints, model: PrivacyModel) -> Recoding:
    """Return the recoding whose classes are these, joined until each satisfies the model."""
    joined = recoding_of(table, ids, model)
    if not isinstance(recoding, CellRecoding):
        return joined
    became = np.zeros(recoding.sizes.size, np.int32)
    inside = recoding.ids >= 0
    became[recoding.ids[inside]] = joined.ids[inside]
    cells = recoding.cells.joined(became, joined.sizes.size)
    return CellRecoding(joined.ids, joined.sizes, joined.shown, cells, joined=True)
