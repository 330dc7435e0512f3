"""Parameters and comparisons as exact fractions, so that a class right at the edge is decided rightly."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InputError

IntArray = NDArray[np.int64]
SAFE = 2**62
MARGIN = 1e-9  # nearer than this, doubles are not asked


def exact(value: object) -> Fraction:
    """The number that was written: 0.2 is one fifth, not its nearest double."""
    return Fraction(str(value))


def fraction(name: str, value: object, *, at_least: str = "0", at_most: str | None = None) -> Fraction:
    """A parameter as an exact number, or InputError where it is none or out of range."""
    wanted = f"a number from {at_least} to {at_most}" if at_most else f"a number of at least {at_least}"
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal | np.integer | np.floating):
        raise InputError(f"{name} must be {wanted}, not {value!r}.")
    try:
        number = exact(value)
    except ValueError as error:
        raise InputError(f"{name} must be {wanted}, not {value!r}.") from error
    if number < Fraction(at_least) or (at_most is not None and number > Fraction(at_most)):
        raise InputError(f"{name} = {value} is out of range: choose {wanted}.")
    return number


def at_most(numerators: IntArray, denominators: IntArray, bound: Fraction) -> NDArray[np.bool_]:
    """Where numerator / denominator ≤ bound, for numerators from 0 and denominators above 0."""
    left, right = _crossed(numerators, denominators, bound)
    return np.asarray(left <= right)


def below(numerators: IntArray, denominators: IntArray, bound: Fraction) -> NDArray[np.bool_]:
    """Where numerator / denominator < bound, with 0 / 0 not below anything."""
    left, right = _crossed(numerators, denominators, bound)
    return np.asarray(left < right)


def times(numbers: IntArray, factor: int) -> NDArray[Any]:
    """Numbers from 0 times a factor, in Python's whole numbers where 64 bits could overflow."""
    large = int(numbers.max(initial=1)) * factor >= SAFE
    return np.asarray(numbers.astype(object if large else np.int64) * factor)


def products(numbers: IntArray, factors: IntArray) -> NDArray[Any]:
    """Numbers from 0 times factors from 0, in Python's whole numbers where 64 bits could overflow."""
    large = int(numbers.max(initial=1)) * int(factors.max(initial=1)) >= SAFE
    kind = object if large else np.int64
    return np.asarray(numbers.astype(kind) * factors.astype(kind))


def log_ratio(numerator: int, denominator: int) -> Decimal:
    """ln(numerator / denominator) with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return (Decimal(numerator) / Decimal(denominator)).ln()


def _crossed(numerators: IntArray, denominators: IntArray, bound: Fraction) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both sides multiplied out, in Python's whole numbers where 64 bits could overflow."""
    large = max(
        int(numerators.max(initial=1)) * bound.denominator,
        int(denominators.max(initial=1)) * max(1, bound.numerator),
    )
    kind = object if large >= SAFE else np.int64
    return numerators.astype(kind) * bound.denominator, denominators.astype(kind) * bound.numerator
