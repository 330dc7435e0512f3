"""check_range_ends(): whether every end of a range is where the definition of closed or stepped ranges puts it.

It takes from the code that moved the ends only what it claims: the public scales, the class and the cell of each row,
and the limits of each cell. The outermost values, the secret steps and the expected ends are computed here again, from
the values and the released labels.
"""

from __future__ import annotations

import hmac
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.data.label_ranges import Number, place_of, places_of
from shoal.data.style import Style
from shoal.errors import VerificationError
from shoal.release.verification.scales import splits

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScaleClaim:
    """The scale of a column: where each of its bins begins and ends, how many steps there are, and the limits of cells.

    first, last  for each cell, the first and the last bin up to which the ends of its range may move
    """

    lows: Sequence[str]
    highs: Sequence[str]
    steps: int
    first: Ints
    last: Ints


@dataclass(frozen=True, eq=False)
class RangeClaim:
    """The cell of each row (−1: suppressed), the name of each cell, and the scales of the columns by name.

    tiled   whether the cells tile the space, so that one begins where another ends
    secret  the key of stepped ranges; None for closed ones
    """

    cells: Ints
    names: Sequence[str] = field(repr=False)
    scales: Mapping[str, ScaleClaim]
    tiled: bool
    secret: bytes | None = field(repr=False)


@dataclass(frozen=True, eq=False)
class Cells:
    """The texts of a column and the number of each row's text among them; None for a missing value."""

    texts: Sequence[str | None]
    rows: Ints


def check_range_ends(
    claim: RangeClaim, values: Callable[[str], Cells], labels: Callable[[str], Cells], style: Style
) -> None:
    """Raise VerificationError if an end of a range is not where it should be.

    values, labels  return the original values and the released labels of the rows of a column, in the order of `claim`
    """
    for name, scale in claim.scales.items():
        _check_column(name, scale, claim, values(name), labels(name), style)


def _check_column(name: str, scale: ScaleClaim, claim: RangeClaim, values: Cells, labels: Cells, style: Style) -> None:
    bins = _bins(name, scale, values)
    count = len(claim.names)
    inside = claim.cells >= 0
    cell, place = claim.cells[inside], bins[values.rows[inside]]
    missing = np.zeros(count, np.bool_)
    missing[cell[place < 0]] = True
    lowest, highest = np.full(count, len(scale.lows)), np.full(count, -1)
    np.minimum.at(lowest, cell, place)
    np.maximum.at(highest, cell, place)
    moved = np.flatnonzero(~missing & (highest >= 0))
    if ((scale.first[moved] > lowest[moved]) | (scale.last[moved] < highest[moved])).any():
        raise VerificationError(f"Column {name!r}: a class holds values beyond the limits of its cell.")
    if claim.tiled:
        _check_tiled(name, scale)
    pairs = np.unique(np.stack([cell, labels.rows[inside]], axis=1), axis=0)
    shown: dict[int, int] = {}
    for number, label in pairs.tolist():
        if labels.texts[shown.setdefault(number, label)] != labels.texts[label]:
            raise VerificationError(f"Column {name!r}: a class shows several ranges.")
    spans: dict[int, tuple[Number, Number] | None] = {}
    for number in moved.tolist():
        low, high = int(scale.first[number]), int(scale.last[number])
        if claim.secret is not None:
            low = max(low, int(lowest[number]) - _step(claim.secret, name, "low", claim.names[number], scale.steps))
            high = min(high, int(highest[number]) + _step(claim.secret, name, "high", claim.names[number], scale.steps))
        at = shown[number]
        if at not in spans:
            spans[at] = _span(labels.texts[at], style)
        if spans[at] != (_place(scale.lows[low]), _place(scale.highs[high])):
            kind = "closed" if claim.secret is None else "stepped"
            raise VerificationError(
                f"Column {name!r}: the range {labels.texts[at]!r} does not end where a {kind} range of its class ends."
            )


def _check_tiled(name: str, scale: ScaleClaim) -> None:
    """Refuse cells of which one ends where no other begins; two may share the bin in which the cut is."""
    firsts, lasts = set(scale.first.tolist()), set(scale.last.tolist())
    end = len(scale.lows) - 1
    loose = [last for last in lasts if 0 <= last < end and not {last, last + 1} & firsts]
    loose += [first for first in firsts if first > 0 and not {first, first - 1} & lasts]
    if loose:
        raise VerificationError(f"Column {name!r}: its cells do not tile the scale at {scale.lows[loose[0]]!r}.")


def _bins(name: str, scale: ScaleClaim, values: Cells) -> Ints:
    """Return the bin of each value that a row has; −1 for the missing value."""
    _, lows = places_of(scale.lows)
    _, highs = places_of(scale.highs)
    rising = all(low <= high for low, high in zip(lows, highs, strict=True)) and lows == sorted(set(lows))
    if not rising or scale.steps < 2:
        raise VerificationError(f"Column {name!r}: the scale of its ranges is not one.")
    bins = np.full(len(values.texts), -1, np.int64)
    for at in np.unique(values.rows).tolist():
        text = values.texts[at]
        if text is None:
            continue
        place = _place(text)
        found = bisect_right(lows, place) - 1
        if found < 0 or place > highs[found]:
            raise VerificationError(f"Column {name!r}: a value lies outside the scale of its ranges.")
        bins[at] = found
    return bins


def _step(secret: bytes, column: str, side: str, cell: str, steps: int) -> int:
    message = "\0".join(["range_ends", column, side, cell]).encode()
    return int(hmac.new(secret, message, "sha256").hexdigest()[:16], 16) % steps


def _place(text: str) -> Number:
    place = place_of(text)
    if place is None:
        raise VerificationError("A value of a column with moved ranges is neither a number nor a date.")
    return place[1]


def _span(label: str | None, style: Style) -> tuple[Number, Number] | None:
    """Return the ends of the range that a label shows."""
    if label is None:
        return None
    value = place_of(label)
    if value is not None:
        return value[1], value[1]
    for pattern in (style.numbers, style.ordered):
        for first, second in splits(label, pattern):
            low, high = place_of(first), place_of(second)
            if low is not None and high is not None:
                return low[1], high[1]
    return None
