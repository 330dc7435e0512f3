"""Scales: the places of ordered values, and of the ends of the ranges that labels show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from math import ceil, floor, inf, nextafter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text
from shoal.data.column import plain_values
from shoal.data.style import text

Flags = NDArray[np.bool_]
Place = int | Decimal
Span = tuple[Place, Place]

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")  # 007 is a code, not a number
DURATION = re.compile(r"(?:(-?[0-9]+) days?, )?([0-9]+):([0-9]{2}):([0-9]{2})(?:\.([0-9]{6}))?")
FINER = re.compile(r"[.,][0-9]{7}")  # than a microsecond
MICROSECOND = timedelta(microseconds=1)
DOUBLE_DIGITS = 15  # decimal digits that a double distinguishes


@dataclass(eq=False)
class Values:
    """The distinct values of a column; missing values have one text, and no place on a scale."""

    name: str
    array: pa.Array
    missing_values: frozenset[str] = frozenset()
    missing_label: str = ""

    @cached_property
    def python(self) -> list[Any]:
        """The values as Python objects, None for null."""
        return [None] * len(self.array) if pa.types.is_null(self.array.type) else plain_values(self.name, self.array)

    @cached_property
    def missing(self) -> Flags:
        """Flags of the values that are null, NaN, or a text that means missing."""
        null = np.zeros(len(self.array), np.bool_)
        if self.array.null_count or pa.types.is_floating(self.array.type):
            null = self.array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        if not self.missing_values:
            return np.asarray(null, np.bool_)
        declared = [value is not None and text(value) in self.missing_values for value in self.python]
        return np.asarray(null | np.array(declared, np.bool_), np.bool_)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each value."""
        if is_text(self.array.type) and not self.missing.any():
            return self.python
        pairs = zip(self.python, self.missing.tolist(), strict=True)
        return [self.missing_label if missing else text(value) for value, missing in pairs]

    def spellings(self, at: int) -> tuple[str, ...]:
        """Return the texts that a value may have: that of a moment depends on the others in its column."""
        return tuple(dict.fromkeys((self.texts[at], *(form[at] for form in self._moments if form[at]))))

    @cached_property
    def _moments(self) -> list[list[str]]:
        """Moments with the time of day, as dates if it is midnight, and with all digits of a second."""
        kind = self.array.type
        if not pa.types.is_timestamp(kind):
            return []
        exact = [text or "" for text in self.array.cast(pa.string()).to_pylist()]
        try:
            moments = self.array.cast(pa.timestamp("us", kind.tz)).to_pylist()
        except pa.ArrowInvalid:
            return [exact]
        return [["" if moment is None else str(moment) for moment in moments], list(map(_day, moments)), exact]

    @cached_property
    def scale(self) -> Scale | None:
        """The scale of the values; None if their type has no order that labels show."""
        kind = self.array.type
        if pa.types.is_null(kind) or pa.types.is_boolean(kind):
            return None
        if pa.types.is_integer(kind):
            return Scale(pc.fill_null(self.array, 0).to_numpy(zero_copy_only=False), self.missing, _decimal)
        if pa.types.is_float64(kind):
            return Scale(self.array.to_numpy(zero_copy_only=False), self.missing, _decimal)
        if pa.types.is_temporal(kind):
            return None if any(isinstance(value, str) for value in self.python) else self._times(kind)
        return self._numbers()

    def _times(self, kind: pa.DataType) -> Scale:
        """Return the scale of moments, times of day or durations, in microseconds."""
        places = np.array([0 if value is None else _microseconds(value) for value in self.python], object)
        # A text may lack information of the value, such as the zone of a midnight.
        place_of = dict(zip(map(_day, self.python), places.tolist(), strict=True))
        place_of |= dict(zip(self.texts, places.tolist(), strict=True))
        return Scale(places.astype(np.int64), self.missing, lambda end: place_of.get(end, _read_time(end, kind)))

    def _numbers(self) -> Scale:
        """Return the scale of numbers that are written as text, or are too precise for a double."""
        shown = self.array.cast(pa.large_string()) if is_text(self.array.type) else pa.array(map(str, self.python))
        numbers = pc.fill_null(pc.match_substring_regex(shown, f"^{NUMBER.pattern}$"), False)
        absent = self.missing | ~numbers.to_numpy(zero_copy_only=False)
        present = shown.filter(pa.array(~absent))
        exponents = pc.any(pc.match_substring_regex(present, "[eE]")).as_py()  # 1e400 is larger than any double
        if not exponents and (pc.max(pc.binary_length(present)).as_py() or 0) <= DOUBLE_DIGITS:
            places = np.zeros(len(shown), np.float64)
            places[~absent] = present.cast(pa.float64()).to_numpy(zero_copy_only=False)
            return Scale(places, absent, _decimal)
        decimals = [_decimal(number) for number in present.to_pylist()]
        absent[~absent] = [number is None for number in decimals]
        exact = np.zeros(len(shown), object)
        exact[~absent] = [number for number in decimals if number is not None]
        return Scale(exact, absent, _decimal)


@dataclass(frozen=True, eq=False)
class Scale:
    """The place of each value, which of them have none, and how to read the place of the end of a range."""

    places: NDArray[Any]
    absent: Flags
    read: Callable[[str], Place | None]

    def within(self, spans: Sequence[Span | None], *, shown: NDArray[np.int64], held: NDArray[np.int64]) -> Flags:
        """Flag the pairs of a range and a value, given by number, in which the value lies in the range."""
        kind = self.places.dtype
        ends = [_inward(span, kind) for span in spans]
        low, high = np.array([low for low, _ in ends], kind), np.array([high for _, high in ends], kind)
        present = ~self.absent[held]
        inside = np.zeros(shown.size, np.bool_)
        place, label = self.places[held[present]], shown[present]
        inside[present] = (low[label] <= place) & (place <= high[label])
        return inside


def span_of(label: str, patterns: Sequence[str], read: Callable[[str], Place | None]) -> Span | None:
    """Return the range that a label shows, by the first pattern that matches; a single value is a range, too."""
    value = read(label)
    if value is not None:
        return value, value
    for pattern in patterns:
        for first, second in splits(label, pattern):
            low, high = read(first), read(second)
            if low is not None and high is not None and low <= high:
                return low, high
    return None


def splits(label: str, pattern: str) -> Iterator[tuple[str, str]]:
    """Yield every way to read a label as a range written in a pattern: its low and its high end."""
    parts = re.split(r"\{(?:low|high)\}", pattern)
    if len(parts) != 3:  # an end appears twice
        seen: set[str] = set()
        match = re.fullmatch("".join(_group(part, seen) for part in re.split(r"(\{low\}|\{high\})", pattern)), label)
        yield from [(match["low"], match["high"])] if match else []
        return
    before, between, after = parts
    if not (label.startswith(before) and label.endswith(after)) or len(before) + len(after) > len(label):
        return
    body = label[len(before) : len(label) - len(after)]
    reversed_ends = pattern.index("{high}") < pattern.index("{low}")
    at = body.find(between)
    while at >= 0:
        first, second = body[:at], body[at + len(between) :]
        yield (second, first) if reversed_ends else (first, second)
        at = body.find(between, at + 1) if at < len(body) else -1


def _group(part: str, seen: set[str]) -> str:
    """Convert a part of a pattern to a regular expression; an end that appears again must be the same."""
    name = part[1:-1]
    if part not in ("{low}", "{high}"):
        return re.escape(part)
    repeated = name in seen
    seen.add(name)
    return f"(?P={name})" if repeated else f"(?P<{name}>.+?)"


def _inward(span: Span | None, kind: np.dtype[Any]) -> tuple[Any, Any]:
    """Return the first and the last place of a type within a range; 1 and 0, an empty range, if there is none."""
    if span is None or kind.kind == "O":
        return span or (1, 0)
    low, high = span
    if kind.kind == "f":
        return _double(low, 1), _double(high, -1)
    least, most = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    if low > most or high < least:
        return 1, 0
    first, last = least if low < least else ceil(low), most if high > most else floor(high)
    return (first, last) if first <= last else (1, 0)


def _double(end: Place, side: int) -> float:
    """Return the nearest double that is at the end or on the given side of it, judged by its decimal notation."""
    near = float(end)
    beyond = Decimal(repr(near)) < end if side > 0 else Decimal(repr(near)) > end
    return nextafter(near, side * inf) if beyond else near


def _decimal(label: str) -> Decimal | None:
    try:
        return Decimal(label) if NUMBER.fullmatch(label) else None
    except ArithmeticError:
        return None


def _microseconds(value: Any) -> int:
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // MICROSECOND
    if isinstance(value, time):
        return (datetime.combine(date.min, value.replace(tzinfo=None)) - datetime.min) // MICROSECOND
    return (value - date(1970, 1, 1) if isinstance(value, date) else value) // MICROSECOND


def _day(value: Any) -> str:
    """Write a midnight as a date; return an empty text for other values."""
    return str(value.date()) if isinstance(value, datetime) and value.time() == time.min else ""


def _read_time(label: str, kind: pa.DataType) -> int | None:
    """Read the moment, time of day or duration that a label spells, in microseconds; None if it spells none."""
    if FINER.search(label):  # Python would ignore these digits
        return None
    try:
        if pa.types.is_duration(kind):
            match = DURATION.fullmatch(label)
            if match is None:
                return None
            days, hours, minutes, seconds, rest = (int(part or 0) for part in match.groups())
            return _microseconds(timedelta(days, seconds, rest, 0, minutes, hours))
        if pa.types.is_time(kind):
            clock = time.fromisoformat(label)
            return _microseconds(clock) if clock.tzinfo is None else None  # the end of a range has no zone
        moment = datetime.fromisoformat(label)
        zone = getattr(kind, "tz", None)
        if zone is not None and moment.tzinfo is None:
            moment = pc.assume_timezone(pa.scalar(moment, pa.timestamp("us")), zone).as_py()
        return _microseconds(moment)
    except (ValueError, pa.ArrowInvalid):
        return None
