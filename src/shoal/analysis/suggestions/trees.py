"""Hierarchies that fit the values of a column."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10

import numpy as np

from shoal.analysis.suggestions.facts import Facts, same_length
from shoal.data.encoding import domain_of
from shoal.data.hierarchies.spec import parse
from shoal.data.style import Style, text
from shoal.data.value_order import numbers_of
from shoal.errors import InputError

MAX_VALUES = 20  # that can still be shown as sets, and be grouped by hand
MIN_ROWS = 20  # of a value that is written down
NARROW_RANGES = 16  # about this many of the narrowest ranges cover a column of numbers


def spellings(facts: Facts, what: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the hierarchy to begin with, if ranges and sets do not suffice, and others that fit the values."""
    typed = not isinstance(facts.column.values[0], str)
    if what == "a postal code" and same_length(facts.column):
        first, others = "prefix", []
    elif facts.kind == "number":
        first, others = None, _intervals(facts)
    elif facts.kind == "date":
        first, others = (None, ["dates"]) if typed else ("dates", ["dates:year,decade"])
    elif facts.kind == "code" and facts.different > MAX_VALUES:
        first, others = "prefix", ["by-frequency:4", "flat"]
    elif facts.kind == "time":
        first, others = None, []
    else:
        first, others = (
            (None, ["by-frequency", "flat"]) if facts.different <= MAX_VALUES else ("by-frequency:4", ["flat"])
        )
    fitting = tuple(spelling for spelling in others if _fits(spelling, facts))
    if first is None or _fits(first, facts):
        return first, fitting
    return (fitting[0] if fitting else None), fitting[1:]


def common_values(facts: Facts) -> tuple[str, ...]:
    """Return all values of a column of text if they are few and each is in many rows; otherwise none."""
    if facts.kind != "text" or not 3 <= facts.different <= MAX_VALUES or facts.column.counts.min() < MIN_ROWS:
        return ()
    return tuple(sorted(map(text, facts.column.values)))


def _fits(spelling: str, facts: Facts) -> bool:
    try:
        domain_of(facts.column, parse(spelling), Style())
    except InputError:
        return False
    return True


def _intervals(facts: Facts) -> list[str]:
    """Suggest ranges of three round widths that nest, such as 5, 10, 20."""
    numbers = numbers_of(facts.column.values)
    if numbers is None:
        return []
    values = numbers.astype(np.float64)
    span = float(values.max() - values.min())
    if not 0 < span < float("inf"):
        return []
    least = span / NARROW_RANGES
    power = floor(log10(least))
    round_widths = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10))
    narrowest = next(width for width in round_widths if width >= Decimal(least))
    if (values == np.floor(values)).all():
        narrowest = max(narrowest, Decimal(2))  # a range of one whole number is that number
    widths = [narrowest * factor for factor in (1, 2, 4) if narrowest * factor < Decimal(span)]
    return [f"intervals:{','.join(f'{width:f}' for width in widths)}"] if widths else []
