"""Checks of the numbers that callers pass as parameters."""

from __future__ import annotations

from dataclasses import fields
from numbers import Integral
from typing import Any

import numpy as np

from shoal.errors import InputError

MAX_SEED = 2**32 - 1


def plain(value: Any) -> Any:
    """Return a number of numpy as Python's own, also in a list, tuple or dictionary, and anything else as it is.

    >>> plain({"age": np.float64(2.5)}), plain((np.int64(1), 3))
    ({'age': 2.5}, (1, 3))
    """
    if isinstance(value, np.integer | np.floating):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    return {name: plain(entry) for name, entry in value.items()} if type(value) is dict else value


def take_plain_numbers(made: Any) -> None:
    """Replace the numbers of numpy among the fields of a frozen dataclass by Python's own, as records keep them."""
    for field in fields(made):
        object.__setattr__(made, field.name, plain(getattr(made, field.name)))


def whole_number(name: str, value: object, *, at_least: int, at_most: int | None = None) -> int:
    """Return a whole number of Python or numpy as an int; raise InputError if it is something else or out of bounds.

    >>> whole_number("k", 5, at_least=1)
    5
    """
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if number is None or number < at_least or (at_most is not None and number > at_most):
        bounds = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
        raise InputError(f"{name} = {value!r} must be a whole number {bounds}.")
    return number
