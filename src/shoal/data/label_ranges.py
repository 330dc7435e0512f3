"""Ranges: the values that a released label shows, and the scale that they are measured on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

from shoal.data.style import Style
from shoal.data.value_order import NUMBER

Number = int | Decimal
Place = tuple[str, Number]  # what is measured, and the exact position on its scale: times in nanoseconds
End = tuple[Number, int]  # of a range: the position itself, or just above (1) or below (−1) it if it is excluded
Span = tuple[str, End, End]

DASHES = (
    "{low}-{high}", "{low}–{high}", "{low}—{high}", "{low}−{high}", "{low} to {high}", "{low}..{high}",
    "{low}...{high}", "{low}…{high}", "{low}~{high}", "{low} bis {high}", "{low} and {high}", "{low} a {high}",
    "{low} à {high}",
)  # fmt: skip
AROUND = re.compile(r"(?:between )?(.*?)(?: (?:years?|yrs?|jahre|ans|años|anni))?", re.IGNORECASE)
BRACKETS = ("{low},{high}", "{low};{high}", *DASHES)
SECOND_PARTS = re.compile(r"(.*:[0-9]{2})[.,]([0-9]+)(.*)")
DURATION = re.compile(r"(?:(-?[0-9]+) days?, )?([0-9]+):([0-9]{2}):([0-9]{2})")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = 10**9  # in nanoseconds
NOT_IN_NUMBERS = re.compile(r"[^0-9A-Za-z+\-.:,]{2}")  # appears in no number, date or time


def place_of(label: str) -> Place | None:
    """Return the place of a number, moment, time of day or duration on its scale; None for other text.

    >>> place_of("1.50"), place_of("2:00:00"), place_of("1970-01-01 00:00:00.000000001"), place_of("007")
    (('number', Decimal('1.50')), ('time', 7200000000000), ('moment', 1), None)
    """
    try:
        if NUMBER.fullmatch(label):
            return "number", int(label) if len(label) <= 18 and label.lstrip("-").isdecimal() else Decimal(label)
        if "-" not in label[1:] and ":" not in label:
            return None
        parts = SECOND_PARTS.fullmatch(label)
        whole, rest = (parts[1] + parts[3], _nanoseconds(parts[2])) if parts else (label, 0)
        if (duration := DURATION.fullmatch(whole)) is not None:
            days, hours, minutes, seconds = (int(part or 0) for part in duration.groups())
            return "time", (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * SECOND + rest
        if "-" in label[1:]:
            moment = datetime.fromisoformat(whole)
            since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
            return "moment", since // timedelta(microseconds=1) * 1000 + rest
        clock = time.fromisoformat(whole)
        return "time", (clock.hour * 3600 + clock.minute * 60 + clock.second) * SECOND + rest
    except (ValueError, ArithmeticError):
        return None


def places_of(labels: Sequence[str]) -> tuple[str, list[Number]]:
    """Return the scale of labels and the place of each; raise ValueError if they are not all on one scale."""
    places = [place_of(label) for label in labels]
    kinds = {None if place is None else place[0] for place in places}
    if len(kinds) != 1 or None in kinds:
        raise ValueError(f"{list(labels)[:3]} are not on one scale.")
    return str(kinds.pop()), [place[1] for place in places if place is not None]


def _nanoseconds(digits: str) -> Number:
    """Convert the decimals of a second to nanoseconds."""
    return int(digits.ljust(9, "0")) if len(digits) <= 9 else Decimal(f"{digits[:9]}.{digits[9:]}")


def span_of(label: str, style: Style) -> Span | None:
    """Return the range that a label shows; None if it does not show one.

    >>> span_of("20-29", Style()), span_of("[20, 29)", Style()), span_of(">= 65", Style())
    (('number', (20, 0), (29, 0)), ('number', (20, 0), (29, -1)), ('number', (65, 0), (Decimal('Infinity'), 0)))
    >>> span_of("]19, 29]", Style()), span_of("[20, 30[", Style())
    (('number', (19, 1), (29, 0)), ('number', (20, 0), (30, -1)))
    """
    if _is_long_set(label, style.separator):
        return None  # otherwise each of its dashes would be tried as that of a range
    span = _first_span(label, (style.numbers, style.ordered)) or _open_span(label)
    if span is not None or not label:
        return span
    if label[0] not in "[(]" or label[-1] not in "])[":
        return _first_span(AROUND.fullmatch(label)[1], DASHES)  # type: ignore[index]
    span = _first_span(label[1:-1], BRACKETS)
    if span is None:
        return None
    kind, (low, _), (high, _) = span
    return kind, (low, int(label[0] in "(]")), (high, -int(label[-1] in ")["))


def _is_long_set(label: str, separator: str) -> bool:
    """Return whether a label has so many separators that the ends of any range would contain one, unlike numbers."""
    return label.count(separator) > 3 and NOT_IN_NUMBERS.search(separator) is not None if separator else False


def _open_span(label: str) -> Span | None:
    """Return the range of a label with one end, such as `< 18` or `>= 65`."""
    if label.endswith("+"):
        label = f">={label[:-1]}"
    comparison = re.match("<=|>=|[<>≤≥]", label)
    place = place_of(label[comparison.end() :].strip()) if comparison else None
    if comparison is None or place is None:
        return None
    kind, end = place
    below, excluded = comparison[0] in ("<", "<=", "≤"), comparison[0] in ("<", ">")
    if below:
        return kind, (Decimal("-Infinity"), 0), (end, -int(excluded))
    return kind, (end, int(excluded)), (Decimal("Infinity"), 0)


def _first_span(label: str, patterns: Sequence[str]) -> Span | None:
    for pattern in patterns:
        for first, last in cuts(label, pattern):
            low = place_of(first.strip())
            high = place_of(last.strip()) if low is not None else None
            if low is not None and high is not None and low[0] == high[0] and low[1] <= high[1]:
                return low[0], (low[1], 0), (high[1], 0)
    return None


def cuts(label: str, pattern: str) -> Iterator[tuple[str, str]]:
    """Yield every way to read a label as a range in the form of a pattern."""
    parts = re.split(r"\{low\}|\{high\}", pattern)
    if len(parts) != 3 or not parts[1] or not label.startswith(parts[0]) or not label.endswith(parts[2]):
        return
    body = label[len(parts[0]) : len(label) - len(parts[2])]
    high_first = pattern.index("{high}") < pattern.index("{low}")
    position = body.find(parts[1])
    while position >= 0:
        first, second = body[:position], body[position + len(parts[1]) :]
        yield (second, first) if high_first else (first, second)
        position = body.find(parts[1], position + 1)
