"""Scales: where values lie that have an order, and where the ends of the ranges lie that labels show."""

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
EXACT = 15  # decimal digits that a double tells apart


@dataclass(eq=False)
class Values:
    """The different values of a column; those that mean missing have one text, and no place on a scale."""

    name: str
    array: pa.Array
    missing_values: frozenset[str]
    missing_label: str

    def __len__(self) -> int:
        return len(self.array)

    @cached_property
    def python(self) -> list[Any]:
        """The values as Python has them, None for null."""
        return [None] * len(self.array) if pa.types.is_null(self.array.type) else plain_values(self.name, self.array)

    @cached_property
    def missing(self) -> Flags:
        """For each value whether it is null, NaN, or one of the texts that mean missing."""
        gone = np.zeros(len(self.array), np.bool_)
        if self.array.null_count or pa.types.is_floating(self.array.type):
            gone = self.array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        if not self.missing_values:
            return np.asarray(gone, np.bool_)
        named = [value is not None and text(value) in self.missing_values for value in self.python]
        return np.asarray(gone | np.array(named, np.bool_), np.bool_)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each value."""
        if is_text(self.array.type) and not self.missing.any():
            return self.python
        pairs = zip(self.python, self.missing.tolist(), strict=True)
        return [self.missing_label if gone else text(value) for value, gone in pairs]

    def spellings(self, at: int) -> tuple[str, ...]:
        """The texts that a value may have: that of a moment depends on the others in its column."""
        return tuple(dict.fromkeys((self.texts[at], *(form[at] for form in self._moments if form[at]))))

    @cached_property
    def _moments(self) -> list[list[str]]:
        """Moments with the time of day, without it where it is midnight, and with all digits of a second."""
        kind = self.array.type
        if not pa.types.is_timestamp(kind):
            return []
        written = [text or "" for text in self.array.cast(pa.string()).to_pylist()]
        try:
            whole = self.array.cast(pa.timestamp("us", kind.tz)).to_pylist()
        except pa.ArrowInvalid:
            return [written]
        return [["" if one is None else str(one) for one in whole], [_day(one) for one in whole], written]

    @cached_property
    def scale(self) -> Scale | None:
        """Where the values lie; None where their type has no order that labels show."""
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
        """Moments, times of day and durations in microseconds."""
        places = np.array([0 if value is None else _microseconds(value) for value in self.python], object)
        # A text may say less than the value does, such as the zone of a midnight.
        known = dict(zip(map(_day, self.python), places.tolist(), strict=True))
        known |= dict(zip(self.texts, places.tolist(), strict=True))
        return Scale(places.astype(np.int64), self.missing, lambda end: known.get(end, _read_time(end, kind)))

    def _numbers(self) -> Scale:
        """Numbers that are written as text, or are too fine for a double."""
        shown = self.array.cast(pa.large_string()) if is_text(self.array.type) else pa.array(map(str, self.python))
        numbers = pc.fill_null(pc.match_substring_regex(shown, f"^{NUMBER.pattern}$"), False)
        absent = self.missing | ~numbers.to_numpy(zero_copy_only=False)
        there = shown.filter(pa.array(~absent))
        powers = pc.any(pc.match_substring_regex(there, "[eE]")).as_py()  # 1e400 is beyond all doubles
        if not powers and (pc.max(pc.binary_length(there)).as_py() or 0) <= EXACT:
            places = np.zeros(len(shown), np.float64)
            places[~absent] = there.cast(pa.float64()).to_numpy(zero_copy_only=False)
            return Scale(places, absent, _decimal)
        exact = [_decimal(number) for number in there.to_pylist()]
        absent[~absent] = [number is None for number in exact]
        fine = np.zeros(len(shown), object)
        fine[~absent] = [number for number in exact if number is not None]
        return Scale(fine, absent, _decimal)


@dataclass(frozen=True, eq=False)
class Scale:
    """The place of each value, those that are absent apart, and of a value that the end of a range spells."""

    places: NDArray[Any]
    absent: Flags
    read: Callable[[str], Place | None]

    def within(self, spans: Sequence[Span | None], *, shown: NDArray[np.int64], held: NDArray[np.int64]) -> Flags:
        """For each pair of a range (by its number) and a value (by its number) whether the value lies in the range."""
        kind = self.places.dtype
        ends = [_inward(span, kind) for span in spans]
        low, high = np.array([low for low, _ in ends], kind), np.array([high for _, high in ends], kind)
        there = ~self.absent[held]
        found = np.zeros(shown.size, np.bool_)
        place, label = self.places[held[there]], shown[there]
        found[there] = (low[label] <= place) & (place <= high[label])
        return found


def span_of(label: str, patterns: Sequence[str], read: Callable[[str], Place | None]) -> Span | None:
    """The range that a label shows by the first way to read it that gives one; a value alone is one, too."""
    alone = read(label)
    if alone is not None:
        return alone, alone
    for pattern in patterns:
        for first, second in splits(label, pattern):
            low, high = read(first), read(second)
            if low is not None and high is not None and low <= high:
                return low, high
    return None


def splits(label: str, pattern: str) -> Iterator[tuple[str, str]]:
    """Every way to take a label for a range written as the pattern says: its low and its high end."""
    parts = re.split(r"\{(?:low|high)\}", pattern)
    if len(parts) != 3:  # an end is written twice
        seen: set[str] = set()
        found = re.fullmatch("".join(_group(part, seen) for part in re.split(r"(\{low\}|\{high\})", pattern)), label)
        yield from [(found["low"], found["high"])] if found else []
        return
    before, between, after = parts
    if not (label.startswith(before) and label.endswith(after)) or len(before) + len(after) > len(label):
        return
    body = label[len(before) : len(label) - len(after)]
    turned = pattern.index("{high}") < pattern.index("{low}")
    at = body.find(between)
    while at >= 0:
        first, second = body[:at], body[at + len(between) :]
        yield (second, first) if turned else (first, second)
        at = body.find(between, at + 1) if at < len(body) else -1


def _group(part: str, seen: set[str]) -> str:
    """A part of a pattern as a regular expression, in which an end that comes again is the same."""
    name = part[1:-1]
    if part not in ("{low}", "{high}"):
        return re.escape(part)
    again = name in seen
    seen.add(name)
    return f"(?P={name})" if again else f"(?P<{name}>.+?)"


def _inward(span: Span | None, kind: np.dtype[Any]) -> tuple[Any, Any]:
    """Find the first and the last place of a kind in a range; 1 and 0, an empty range, where there is none."""
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
    """The nearest double, taken for the number that it is written as, that lies on a side of the end or is it."""
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
    """A midnight as a date."""
    return str(value.date()) if isinstance(value, datetime) and value.time() == time.min else ""


def _read_time(label: str, kind: pa.DataType) -> int | None:
    """The moment, time of day or duration that a label spells."""
    if FINER.search(label):  # Python would leave these digits out
        return None
    try:
        if pa.types.is_duration(kind):
            found = DURATION.fullmatch(label)
            days, hours, minutes, seconds, rest = (int(part or 0) for part in found.groups()) if found else (0,) * 5
            return _microseconds(timedelta(days, seconds, rest, 0, minutes, hours)) if found else None
        if pa.types.is_time(kind):
            clock = time.fromisoformat(label)
            return _microseconds(clock) if clock.tzinfo is None else None  # the end of a range is not a zone
        moment = datetime.fromisoformat(label)
        zone = getattr(kind, "tz", None)
        if zone is not None and moment.tzinfo is None:
            moment = pc.assume_timezone(pa.scalar(moment, pa.timestamp("us")), zone).as_py()
        return _microseconds(moment)
    except (ValueError, pa.ArrowInvalid):
        return None
