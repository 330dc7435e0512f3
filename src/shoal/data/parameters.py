"""Checks of the numbers that callers pass as parameters."""

from __future__ import annotations

from numbers import Integral

from shoal.errors import InputError

MAX_SEED = 2**32 - 1


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
