"""The distribution of a column, in the table and in a release of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.ui.state.project import REMOVED
from shoal.ui.state.rows import numbers_of, texts

MAX_BARS = 30
NOT_A_NUMBER, SUPPRESSED, MISSING = "(not a number)", "(suppressed)", "(missing)"


@dataclass(frozen=True)
class Bars:
    """Labels with their numbers of rows; `others` rows have one of `other_labels` labels that are not shown."""

    labels: Sequence[str]
    counts: Sequence[int]
    others: int = 0
    other_labels: int = 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(self.counts) + self.others


@dataclass(frozen=True)
class Distribution:
    """A column before and after (None if it is not released), and the number of rows left out of the release."""

    before: Bars
    after: Bars | None
    left_out: int


def distribution(
    original: pa.Table, released: pa.Table, *, name: str, role: str, missing: Sequence[str]
) -> Distribution:
    """Count the values of a column, and its labels in a release with the class of each row."""
    column = _without(texts(original[name]), missing)
    numbers = numbers_of(column)
    labels, ranges = _labels(column, numbers)
    there = pc.greater_equal(released["class"], 0)
    left_out = original.num_rows - (pc.sum(there).as_py() or 0)
    before = _bars(labels, numbers, ranges)
    if role in REMOVED:
        return Distribution(before, None, left_out)
    if role == "quasi":
        ranges = []
        labels = pc.if_else(pc.equal(released["class"], 0), SUPPRESSED, texts(released[f"after {name}"]))
    released_numbers = None if numbers is None else numbers.filter(there)
    return Distribution(before, _bars(labels.filter(there), released_numbers, ranges), left_out)


def _without(column: pa.ChunkedArray, missing: Sequence[str]) -> pa.ChunkedArray:
    is_missing = pc.is_in(column, value_set=pa.array(["", *missing], column.type))
    return pc.if_else(is_missing, pa.scalar(None, column.type), column)


def _labels(column: pa.ChunkedArray, numbers: pa.ChunkedArray | None) -> tuple[pa.ChunkedArray, list[str]]:
    """Return the texts, or ranges of equal width if there are too many numbers, and all of these ranges."""
    if numbers is None or pc.count_distinct(numbers).as_py() <= MAX_BARS:
        return column, []
    values = numbers.to_numpy()
    present = values[~np.isnan(values)]
    width = _width(float(present.max() - present.min()))
    whole = bool((present == np.floor(present)).all()) and width >= 1
    start = floor(present.min() / width)
    bins = np.floor(np.nan_to_num(values, nan=present.min()) / width).astype(np.int64) - start
    ranges = [_range((start + place) * width, width, whole=whole) for place in range(int(bins.max()) + 1)]
    named = pa.chunked_array([pa.array(ranges).take(pa.array(bins))])
    fallback = pc.if_else(pc.is_null(column), pa.scalar(None, pa.string()), NOT_A_NUMBER)
    return pc.if_else(pc.is_null(numbers), fallback, named), ranges


def _width(extent: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that gives few enough bars."""
    power = 10.0 ** floor(log10(extent / MAX_BARS))
    return next(step * power for step in (1, 2, 5, 10) if extent / (step * power) <= MAX_BARS - 2)


def _range(low: float, width: float, *, whole: bool) -> str:
    if whole:
        form = ",.0f" if width >= 1_000 else ".0f"
        return f"{low:{form}}" if width == 1 else f"{low:{form}}–{low + width - 1:{form}}"
    return f"{low:.6g}–{low + width:.6g}"


def _bars(labels: pa.ChunkedArray, numbers: pa.ChunkedArray | None, ranges: Sequence[str]) -> Bars:
    """Choose the most frequent labels: sorted by their numbers, else by their rows.

    All ranges are shown, even without rows, so that gaps are visible.
    """
    labels = pc.fill_null(labels, MISSING)
    columns = {"label": labels} | ({} if numbers is None else {"number": numbers})
    aggregates = [("label", "count")] + ([] if numbers is None else [("number", "mean")])
    grouped = pa.table(columns).group_by("label", use_threads=False).aggregate(aggregates)
    counts: NDArray[np.int64] = grouped["label_count"].to_numpy()
    top = np.argsort(-counts, kind="stable")[: None if ranges else MAX_BARS]
    if numbers is not None:
        means = pc.fill_null(grouped["number_mean"], np.inf).to_numpy()
        top = top[np.argsort(means[top], kind="stable")]
    shown = dict.fromkeys(ranges, 0) | dict(
        zip(grouped["label"].take(pa.array(top)).to_pylist(), counts[top].tolist(), strict=True)
    )
    for name in (NOT_A_NUMBER, SUPPRESSED, MISSING):
        if name in shown:
            shown[name] = shown.pop(name)  # to the end
    return Bars(
        labels=list(shown),
        counts=list(shown.values()),
        others=int(counts.sum() - counts[top].sum()),
        other_labels=len(counts) - len(top),
    )
