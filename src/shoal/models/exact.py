"""Parameters and comparisons as exact fractions, so that a class exactly at a limit is decided correctly."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.kernels.arrays import Flags, Longs

SAFE = 2**62  # below which products fit into 64 bits
MARGIN = 1e-9  # within which doubles do not decide
DIGITS = 50  # of the first logarithms that replace doubles; doubled until they decide


def exact(value: object) -> Fraction:
    """Return the number that was written: 0.2 is one fifth, not its nearest double."""
    return Fraction(str(value))


def fraction(
    name: str, value: object, *, at_least: str = "0", at_most: str | None = None, positive: bool = False
) -> Fraction:
    """Return a parameter as an exact number; refuse what is not a number or out of range."""
    wanted = f"a number from {at_least} to {at_most}" if at_most else f"a number of at least {at_least}"
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal | np.integer | np.floating):
        raise InputError(f"{name} must be {wanted}, not {value!r}.")
    try:
        number = exact(value)
    except ValueError as error:
        raise InputError(f"{name} must be {wanted}, not {value!r}.") from error
    if number < Fraction(at_least) or (at_most is not None and number > Fraction(at_most)):
        raise InputError(f"{name} = {value} is out of range: choose {wanted}.")
    if positive and not number:
        raise InputError(f"{name} = 0 cannot be satisfied: choose a number above 0.")
    return number


def at_most(numerators: Longs, denominators: Longs, bound: Fraction) -> Flags:
    """Return where numerator / denominator ≤ bound, for numerators from 0 and denominators above 0."""
    return np.asarray(times(numerators, bound.denominator) <= times(denominators, bound.numerator))


def below(numerators: Longs, denominators: Longs, bound: Fraction) -> Flags:
    """Return where numerator / denominator < bound, with 0 / 0 not below anything."""
    return np.asarray(times(numerators, bound.denominator) < times(denominators, bound.numerator))


def times(numbers: Longs, factor: int) -> NDArray[Any]:
    """Multiply numbers from 0 by a factor, in Python's integers if 64 bits could overflow."""
    return products(numbers, np.array([factor]))


def products(numbers: Longs, factors: NDArray[Any]) -> NDArray[Any]:
    """Multiply numbers from 0 by factors from 0, in Python's integers if 64 bits could overflow."""
    large = int(numbers.max(initial=1)) * int(factors.max(initial=1)) >= SAFE
    kind = object if large else np.int64
    return np.asarray(numbers.astype(kind) * factors.astype(kind))


def sign_beside_log(numerator: int, denominator: int, number: Fraction) -> int:
    """Return the sign of ln(numerator / denominator) − number, 0 only for ln 1, as others are transcendental."""
    if numerator == denominator:
        return (number < 0) - (number > 0)
    digits = DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits
            log = (Decimal(numerator) / Decimal(denominator)).ln()
            decimal = Decimal(number.numerator) / Decimal(number.denominator)
            # The ratio, its logarithm and the number are each rounded in their last digit.
            error = (1 + abs(log) + abs(decimal)).scaleb(2 - digits)
            if abs(log - decimal) > error:
                return 1 if log > decimal else -1
        digits *= 2


def sign_of_logs(powers: Mapping[int, int]) -> int:
    """Return the sign of Σ power · ln base for whole bases from 1, by logarithms with more and more digits.

    It is 0 if Π base^power is 1, which the powers of the coprime factors of the bases show.
    """
    powers = {base: power for base, power in powers.items() if power and base > 1}
    digits = DIGITS
    while powers:
        with localcontext() as context:
            context.prec = digits
            terms = [power * Decimal(base).ln() for base, power in powers.items()]
            total = sum(terms, Decimal(0))
            error = sum(map(abs, terms), Decimal(0)) * (len(terms) + 2)
            if abs(total) > error.scaleb(1 - digits):
                return 1 if total > 0 else -1
        if digits == DIGITS:
            powers = _coprime(powers)  # only the empty product of these is 1
        digits *= 2
    return 0


def _coprime(powers: Mapping[int, int]) -> dict[int, int]:
    """Return the same product with bases that have no common factors and no power of 0."""
    coprime: dict[int, int] = {}
    waiting = list(powers.items())
    while waiting:
        base, power = waiting.pop()
        if base == 1:
            continue
        if base in coprime:
            coprime[base] += power
            continue
        partner = next((factor for factor in coprime if gcd(factor, base) > 1), None)
        if partner is None:
            coprime[base] = power
            continue
        shared, own = gcd(partner, base), coprime.pop(partner)
        waiting += [(shared, own + power), (partner // shared, own), (base // shared, power)]
    return {base: power for base, power in coprime.items() if power}
