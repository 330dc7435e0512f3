"""Style: how values, ranges and sets are written in a release."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from shoal.errors import InputError

Value = TypeVar("Value")

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
MAX_TEXT = 2**31 - 2  # in one Arrow array of type string
MISSING = {"None", "nan", "NaT", "<NA>"}  # how missing values of Python, numpy and pandas print


def text_array(texts: Sequence[str], max_bytes: int = MAX_TEXT) -> pa.Array:
    """Convert texts to one array, of type large_string if they have more bytes than string can hold.

    >>> text_array(["one", "two"]).type, text_array(["one", "two"], max_bytes=5).type
    (DataType(string), DataType(large_string))
    """
    characters = sum(map(len, texts))
    short = 4 * characters <= max_bytes or (
        characters <= max_bytes and sum(len(content.encode()) for content in texts) <= max_bytes
    )
    return pa.array(texts, pa.string() if short else pa.large_string())


def text(value: object) -> str:
    """Write a value as in a text file: whole numbers without a decimal point, booleans as `true` or `false`.

    >>> text(39.0), text(0.5), text("39.0"), text(True)
    ('39', '0.5', '39.0', 'true')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(float(value)) if isinstance(value, float) else str(value)


def texts(values: Sequence[object]) -> list[str]:
    """Write each value as text; fast for texts and whole numbers, of which a column may have millions.

    >>> texts([39, 0]), texts([39.0, "0"])
    (['39', '0'], ['39', '0'])
    """
    kinds = set(map(type, values))
    if kinds <= {str}:
        return list(values)  # type: ignore[arg-type]
    return list(map(str if kinds == {int} else text, values))


def is_plain(values: Iterable[object]) -> bool:
    """Return whether all values are texts, or all whole numbers: none is missing, and no two have the same text."""
    return set(map(type, values)) in ({str}, {int})


def distinct(values: Iterable[object]) -> list[str]:
    """Return the distinct values as text, in their order, without missing ones.

    >>> distinct([2.0, "2", 1, None])
    ['2', '1']
    """
    return list(dict.fromkeys(name for _, name in named(values)))


def named(values: Iterable[Value]) -> list[tuple[Value, str]]:
    """Return each value that is not missing with its text; times that are all midnight are dates."""
    present = [value for value in values if isinstance(value, str) or str(value) not in MISSING]
    times: list[Any] = [
        value.astype("datetime64[us]").item() if isinstance(value, np.datetime64) else value for value in present
    ]
    if all(isinstance(value, datetime) and value.time() == time.min for value in times):
        return [(value, str(when.date())) for value, when in zip(present, times, strict=True)]
    return [(value, text(when)) for value, when in zip(present, times, strict=True)]


@dataclass(frozen=True)
class Style:
    """The label style of a release.

    numbers    the pattern of a range of numbers, with {low} and {high}; "mean" shows the mean of the class instead
    ordered    the pattern of a range of ordered values, with {low} and {high}
    separator  what is written between the values of a set
    top        the label that covers every value
    missing    the label of missing values

    >>> import shoal
    >>> shoal.Style(numbers="[{low}, {high}]").number_range("20", "29")
    '[20, 29]'
    """

    numbers: str = "{low}-{high}"
    ordered: str = "{low} - {high}"
    separator: str = " | "
    top: str = "*"
    missing: str = "?"

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, str):
                raise InputError(f"The label style {name}={value!r} must be text.")
        for name in ("ordered",) if self.means else ("numbers", "ordered"):
            pattern = getattr(self, name)
            if "{low}" not in pattern or "{high}" not in pattern:
                raise InputError(
                    f"The label style {name}={pattern!r} must contain {{low}} and {{high}}, as in '{{low}}-{{high}}'."
                )
            if NUMBER.fullmatch(pattern.replace("{low}", "1").replace("{high}", "2")):
                raise InputError(
                    f"The label style {name}={pattern!r} writes ranges that read like numbers: put a character between "
                    f"the ends, as in '{{low}}-{{high}}'."
                )

    @property
    def means(self) -> bool:
        """Whether numbers are shown by their mean."""
        return self.numbers == "mean"

    def number_range(self, low: str, high: str) -> str:
        """Write a range of numbers; ends with a dash, such as 2020-01-01 and −5, avoid the default pattern."""
        numbers = Style.numbers if self.means else self.numbers
        dashed = "-" in low + high and numbers == Style.numbers
        return _fill(self.ordered if dashed else numbers, low, high)

    def text_range(self, low: str, high: str) -> str:
        """Write a range of ordered values."""
        return _fill(self.ordered, low, high)

    def union(self, values: Iterable[str]) -> str:
        """Write a set of values."""
        return self.separator.join(values)


def _fill(pattern: str, low: str, high: str) -> str:
    bounds = {"{low}": low, "{high}": high}
    return re.sub(r"\{(low|high)\}", lambda name: bounds[name[0]], pattern) if low != high else low
