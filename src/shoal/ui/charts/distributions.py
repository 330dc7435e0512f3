"""How the rows spread over the values of a column, in the table and in a release of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.ui.state.rows import numbers_of, texts

BARS = 30
NO_NUMBER, SUPPRESSED, MISSING = "(no number)", "(suppressed)", "(missing)"


@dataclass(frozen=True)
class Bars:
    """Labels with their numbers of rows; `others` rows are in `other_labels` more, which are not shown."""

    labels: list[str]
    counts: list[int]
    others: int = 0
    other_labels: int = 0

    @property
    def rows(self) -> int:
        """The rows that have a label."""
        return sum(self.counts) + self.others


@dataclass(frozen=True)
class Spread:
    """A column before and after, `after` being None where the column is not released; `left_out` rows are not."""

    before: Bars
    after: Bars | None
    left_out: int


def spread(original: pa.Table, released: pa.Table, *, name: str, role: str, missing: Sequence[str]) -> Spread:
    """A column of the table, and what is released of it with the class of each row."""
    column = _without(texts(original[name]), missing)
    numbers = numbers_of(column)
    labels, ranges = _labels(column, numbers)
    there = pc.greater_equal(released["class"], 0)
    left_out = original.num_rows - (pc.sum(there).as_py() or 0)
    before = _bars(labels, numbers, ranges)
    if role == "identifying":
        return Spread(before, None, left_out)
    if role == "quasi":
        ranges = []
        labels = pc.if_else(pc.equal(released["class"], 0), SUPPRESSED, texts(released[f"after {name}"]))
    behind = None if numbers is None else numbers.filter(there)
    return Spread(before, _bars(labels.filter(there), behind, ranges), left_out)


def _without(column: pa.ChunkedArray, missing: Sequence[str]) -> pa.ChunkedArray:
    gone = pc.is_in(column, value_set=pa.array(["", *missing], column.type))
    return pc.if_else(gone, pa.scalar(None, column.type), column)


def _labels(column: pa.ChunkedArray, numbers: pa.ChunkedArray | None) -> tuple[pa.ChunkedArray, list[str]]:
    """The texts, or ranges of equal width where there are too many numbers, and all of these ranges."""
    if numbers is None or pc.count_distinct(numbers).as_py() <= BARS:
        return column, []
    values = numbers.to_numpy()
    known = values[~np.isnan(values)]
    width = _width(float(known.max() - known.min()))
    whole = bool((known == np.floor(known)).all()) and width >= 1
    start = floor(known.min() / width)
    bins = np.floor(np.nan_to_num(values, nan=known.min()) / width).astype(np.int64) - start
    ranges = [_range((start + place) * width, width, whole=whole) for place in range(int(bins.max()) + 1)]
    named = pa.chunked_array([pa.array(ranges).take(pa.array(bins))])
    other = pc.if_else(pc.is_null(column), pa.scalar(None, pa.string()), NO_NUMBER)
    return pc.if_else(pc.is_null(numbers), other, named), ranges


def _width(extent: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that gives at most so many bars."""
    power = 10.0 ** floor(log10(extent / BARS))
    return next(step * power for step in (1, 2, 5, 10) if extent / (step * power) <= BARS - 2)


def _range(low: float, width: float, *, whole: bool) -> str:
    if whole:
        form = ",.0f" if width >= 1_000 else ".0f"
        return f"{low:{form}}" if width == 1 else f"{low:{form}}–{low + width - 1:{form}}"
    return f"{low:.6g}–{low + width:.6g}"


def _bars(labels: pa.ChunkedArray, numbers: pa.ChunkedArray | None, ranges: Sequence[str]) -> Bars:
    """The most frequent labels: in the order of the numbers behind them, else by their number of rows.

    Ranges are all shown, also those without rows, so that a gap is seen as one.
    """
    labels = pc.fill_null(labels, MISSING)
    columns = {"label": labels} | ({} if numbers is None else {"number": numbers})
    wanted = [("label", "count")] + ([] if numbers is None else [("number", "mean")])
    found = pa.table(columns).group_by("label", use_threads=False).aggregate(wanted)
    counts: NDArray[np.int64] = found["label_count"].to_numpy()
    top = np.argsort(-counts, kind="stable")[: None if ranges else BARS]
    if numbers is not None:
        means = pc.fill_null(found["number_mean"], np.inf).to_numpy()
        top = top[np.argsort(means[top], kind="stable")]
    shown = dict.fromkeys(ranges, 0) | dict(
        zip(found["label"].take(pa.array(top)).to_pylist(), counts[top].tolist(), strict=True)
    )
    for name in (NO_NUMBER, SUPPRESSED, MISSING):
        if name in shown:
            shown[name] = shown.pop(name)  # to the end
    return Bars(
        labels=list(shown),
        counts=list(shown.values()),
        others=int(counts.sum() - counts[top].sum()),
        other_labels=len(counts) - len(top),
    )
