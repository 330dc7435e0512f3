"""How values, ranges and sets are written in a release."""

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
MAX_TEXT = 2**31 - 2  # bytes of one array of Arrow's short texts
MISSING = {"None", "nan", "NaT", "<NA>"}  # how missing values of Python, numpy and pandas print


def text_array(texts: Sequence[str], most: int = MAX_TEXT) -> pa.Array:
    """Texts as one array, whose type is that of long texts where they have more bytes than Arrow's short ones can.

    >>> text_array(["one", "two"]).type, text_array(["one", "two"], most=5).type
    (DataType(string), DataType(large_string))
    """
    letters = sum(map(len, texts))
    short = 4 * letters <= most or (letters <= most and sum(len(one.encode()) for one in texts) <= most)
    return pa.array(texts, pa.string() if short else pa.large_string())


def text(value: object) -> str:
    """A value as it stands in a text file: whole numbers without a decimal point, truth values as `true`, `false`.

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
    """Each value as text; texts and whole numbers, of which a column may have millions, at once.

    >>> texts([39, 0]), texts([39.0, "0"])
    (['39', '0'], ['39', '0'])
    """
    kinds = set(map(type, values))
    if kinds <= {str}:
        return list(values)  # type: ignore[arg-type]
    return list(map(str if kinds == {int} else text, values))


def is_plain(values: Iterable[object]) -> bool:
    """Whether the values are all texts or all whole numbers: none is missing, and different ones read differently."""
    return set(map(type, values)) in ({str}, {int})


def distinct(values: Iterable[object]) -> list[str]:
    """The different values as text, in their order, without missing ones.

    >>> distinct([2.0, "2", 1, None])
    ['2', '1']
    """
    return list(dict.fromkeys(name for _, name in named(values)))


def named(values: Iterable[Value]) -> list[tuple[Value, str]]:
    """Each value that is not missing, with its text; times that are all midnight are dates."""
    present = [value for value in values if isinstance(value, str) or str(value) not in MISSING]
    times: list[Any] = [
        value.astype("datetime64[us]").item() if isinstance(value, np.datetime64) else value for value in present
    ]
    if all(isinstance(value, datetime) and value.time() == time.min for value in times):
        return [(value, str(when.date())) for value, when in zip(present, times, strict=True)]
    return [(value, text(when)) for value, when in zip(present, times, strict=True)]


@dataclass(frozen=True)
class Style:
    """The label style of a release: number ranges, text ranges, sets, the top value and missing values.

    `numbers="mean"` shows the mean of a class's numbers in place of their range.

    >>> Style(numbers="[{low}, {high}]").number_range("20", "29")
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
                    f"The label style {name}={pattern!r} writes ranges that read like numbers: put a sign between the "
                    f"ends, as in '{{low}}-{{high}}'."
                )

    @property
    def means(self) -> bool:
        """Whether numbers are shown by their mean."""
        return self.numbers == "mean"

    def number_range(self, low: str, high: str) -> str:
        """The label of a range of numbers; 2020-01-01 and −5 keep away from the default's dash."""
        numbers = Style.numbers if self.means else self.numbers
        dashed = "-" in low + high and numbers == Style.numbers
        return _fill(self.ordered if dashed else numbers, low, high)

    def text_range(self, low: str, high: str) -> str:
        """The label of a range of ordered values."""
        return _fill(self.ordered, low, high)

    def union(self, values: Iterable[str]) -> str:
        """The label of a set of values."""
        return self.separator.join(values)


def _fill(pattern: str, low: str, high: str) -> str:
    bounds = {"{low}": low, "{high}": high}
    return re.sub(r"\{(low|high)\}", lambda name: bounds[name[0]], pattern) if low != high else low
