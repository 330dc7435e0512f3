"""Sums over the cells of a release."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain, Sets, TreeDomain
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.groups import group_weights

MAX_EMPTY = 1 << 16  # pairs of steps and a value that have a count even if few rows have any


def total_per_attribute(
    table: Table, recoding: Recoding, cell: Callable[[AnyDomain, Any], Floats], *, suppressed: float
) -> list[float]:
    """Return for each attribute the sum over the rows of what a cell costs, exactly rounded on every machine."""
    lost = suppressed_rows(table, recoding) * suppressed
    return [
        fsum((recoding.sizes * cell(domain, shown)).tolist()) + lost
        for domain, shown in zip(table.domains, recoding.shown, strict=True)
    ]


def steps_up(domain: AnyDomain, shown: Any, recoding: Recoding, codes: Ints) -> Longs:
    """Return for each row the steps from its value up to what it shows; a suppressed row shows the top."""
    depths = domain.depth(codes)
    return (
        np.where(recoding.suppressed, depths, domain.steps(shown, recoding.ids, codes))
        if recoding.sizes.size
        else depths
    )


class Cells(NamedTuple):
    """The cells of an attribute, those with the same value and the same steps counted together."""

    steps: Longs  # from the value up to what is shown
    codes: Longs
    rows: Longs


_KNOWN: WeakKeyDictionary[Recoding, tuple[ref[Table], dict[int, Cells]]] = WeakKeyDictionary()


def cells_of(table: Table, recoding: Recoding, attribute: int) -> Cells:
    """Return the cells of an attribute; several measures ask for those of the same release."""
    owner, known = _KNOWN.get(recoding, (None, {}))
    if owner is None or owner() is not table:
        known = {}
        _KNOWN[recoding] = ref(table), known
    if attribute not in known:
        known[attribute] = _count_cells(table, recoding, attribute)
    return known[attribute]


def _count_cells(table: Table, recoding: Recoding, attribute: int) -> Cells:
    domain, shown, codes = table.domains[attribute], recoding.shown[attribute], table.codes[:, attribute]
    width = len(domain)
    if isinstance(domain, TreeDomain):
        depths = np.append(domain.hierarchy.depths[shown], 0)  # last, as −1 takes it: suppressed rows show the root
        kinds, keys = domain.hierarchy.height + 1, (depths * np.int64(width))[recoding.ids] + codes
    else:
        kinds, keys = 2, steps_up(domain, shown, recoding, codes) * width + codes
    if kinds * width <= MAX_EMPTY + 4 * codes.size:
        counts = np.bincount(keys, table.weights, kinds * width)
        pairs = np.flatnonzero(counts)
        counts = counts[pairs]
    else:  # only the pairs that occur
        pairs, places = np.unique(keys, return_inverse=True)
        counts = np.bincount(places, table.weights, pairs.size)
    steps, values = pairs // width, pairs % width
    if isinstance(domain, TreeDomain):
        steps = domain.depth(values.astype(np.int32)) - steps
    return Cells(steps, values, counts.astype(np.int64))


def suppressed_rows(table: Table, recoding: Recoding) -> int:
    """Return the number of suppressed rows."""
    return int(table.weights[recoding.suppressed].sum())


def value_counts(table: Table, attribute: int) -> Longs:
    """Count the rows with each value of a quasi-identifier."""
    codes = np.ascontiguousarray(table.codes[:, attribute])
    return group_weights(table.weights, codes, len(table.domains[attribute]))


def bounds(domain: AnyDomain, shown: Any) -> tuple[Ints, Ints]:
    """Return the first and the last code that the label of each class covers, in a tree or an order."""
    if isinstance(domain, TreeDomain):
        return domain.hierarchy.lows[shown], domain.hierarchy.highs[shown]
    return shown.low, shown.high


def intervals(domain: AnyDomain, shown: Any, classes: int) -> tuple[Longs, Ints, Ints]:
    """Return the intervals of codes that each class covers: one in a tree or order, one for each member of a set."""
    if isinstance(shown, Sets):
        return shown.starts, shown.codes, shown.codes
    low, high = bounds(domain, shown)
    return np.arange(classes + 1), low, high


def covered(domain: AnyDomain, shown: Any, counts: Longs) -> Longs:
    """Return for each class the sum of the counts of the values that its label covers."""
    if isinstance(shown, Sets):
        return np.diff(running(counts[shown.codes])[shown.starts])
    low, high = bounds(domain, shown)
    upto = running(counts)
    return upto[high + 1] - upto[low]


def values_covered(domain: AnyDomain, shown: Any) -> Longs:
    """Return for each class the number of values that its label covers."""
    return covered(domain, shown, np.ones(len(domain), np.int64))


def times_log2(counts: NDArray[Any]) -> float:
    """Return the sum of c · log2 c over the counts, 0 for those that are 0."""
    present = counts[counts > 0].astype(np.float64)
    return fsum((present * np.log2(present)).tolist())


def running(counts: Longs) -> Longs:
    """Return the sums of the first 0, 1, 2, … counts."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
