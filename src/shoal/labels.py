"""How values, ranges and sets are written in a release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from shoal.errors import InputError


def text(value: object) -> str:
    """A value as it stands in a text file: whole numbers without a decimal point.

    >>> text(39.0), text(0.5), text("39.0")
    ('39', '0.5', '39.0')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(float(value)) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Style:
    """The label style of a release: number ranges, text ranges, sets, the top value and missing values.

    >>> Style(numbers="[{low}, {high}]").number_range("20", "29")
    '[20, 29]'
    """

    numbers: str = "{low}-{high}"
    ordered: str = "{low} - {high}"
    separator: str = " | "
    top: str = "*"
    missing: str = "?"

    def __post_init__(self) -> None:
        for name in ("numbers", "ordered"):
            pattern = getattr(self, name)
            if "{low}" not in pattern or "{high}" not in pattern:
                raise InputError(
                    f"The label style {name}={pattern!r} must contain {{low}} and {{high}}, as in '{{low}}-{{high}}'."
                )

    def number_range(self, low: str, high: str) -> str:
        """The label of a range of numbers."""
        return _fill(self.numbers, low, high)

    def text_range(self, low: str, high: str) -> str:
        """The label of a range of ordered values."""
        return _fill(self.ordered, low, high)

    def union(self, values: Iterable[str]) -> str:
        """The label of a set of values."""
        return self.separator.join(values)


def _fill(pattern: str, low: str, high: str) -> str:
    return pattern.replace("{low}", low).replace("{high}", high) if low != high else low
