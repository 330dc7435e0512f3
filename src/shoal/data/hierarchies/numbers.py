"""Numbers as people write them, and the labels of ranges of numbers, shared by intervals and cuts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from shoal.data.style import text
from shoal.errors import HierarchyError

# 3/4 and 1_000 are not numbers here.
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
MAX_CHARACTERS = 400
SMALLEST, LARGEST = Fraction(1, 10**300), Fraction(10**300)  # within the range of a double
WHOLE, HALF_OPEN = "{low}-{last}", "[{low},{high})"


def exact(value: object, what: str) -> Fraction:
    """Parse a number exactly; `what` is what an error calls it."""
    digits = text(value).strip()
    if not NUMBER.fullmatch(digits):
        hint = "fix it, or name it as missing" if what.endswith("value") else "write one such as 5 or 0.5"
        raise HierarchyError(f"The {what} {value!r} is not a number: {hint}.")
    number = Fraction(digits) if len(digits) < MAX_CHARACTERS else None
    if number is None or (not SMALLEST <= abs(number) <= LARGEST and number):
        raise HierarchyError(f"The {what} {value!r} is too large, too small or too long: write it in other units.")
    return number


def pattern_of(style: str, numbers: Iterable[Fraction]) -> str:
    """Return the pattern of the labels: the given style, or the default for whole or for other numbers."""
    whole = all(number.denominator == 1 for number in numbers)
    pattern = style or (WHOLE if whole else HALF_OPEN)
    if not any(name in pattern for name in ("{low}", "{high}", "{last}")):
        raise HierarchyError(f"The label style {style!r} must contain {{low}}, as in '{{low}}-{{last}}'.")
    if "{last}" in pattern and not whole:
        raise HierarchyError(f"The label style {style!r} needs whole numbers: write {{high}} in place of {{last}}.")
    return pattern


def range_label(pattern: str, low: Fraction, high: Fraction) -> str:
    """Write the label of the numbers from `low` up to, but not including, `high`."""
    for name, bound in {"{low}": low, "{high}": high, "{last}": high - 1}.items():
        pattern = pattern.replace(name, written(bound))
    return pattern


def written(number: Fraction) -> str:
    """Write a number as text, in the shortest way."""
    return str(number) if number.denominator == 1 else text(float(number))
