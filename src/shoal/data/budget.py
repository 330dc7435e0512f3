"""The suppression budget: how many rows may be in no class."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from numbers import Integral, Real

from shoal.errors import InputError


def budget_of(limit: float | int, rows: int) -> int:
    """Return the number of rows that may be suppressed, given as a share of the rows or a count."""
    if isinstance(limit, bool) or not isinstance(limit, Real) or not limit >= 0:
        raise InputError(f"max_suppression = {limit!r} must be a share from 0 to 1 or a number of rows.")
    if isinstance(limit, Integral):
        return min(int(limit), rows)
    if limit > 1:
        raise InputError(f"max_suppression = {limit!r} is not a share: give 0 to 1, or a whole number of rows.")
    return floor(Fraction(str(float(limit))) * rows)
