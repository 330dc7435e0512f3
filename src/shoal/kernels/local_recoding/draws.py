"""Random numbers in compiled code, the same on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Words
from shoal.kernels.compiling import lean


@lean
def draw(random: Words, below: Any) -> Any:
    """Draw a random number from 0 to below a limit (G. Marsaglia, Xorshift RNGs, 2003, doi:10.18637/jss.v008.i14)."""
    number = random[0]
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    random[0] = number
    return np.int64((number >> np.uint64(33)) % np.uint64(below))


@lean
def heads_before_tails(random: Words) -> Any:
    """Toss a coin; return how often it shows heads before tails."""
    bits, heads = draw(random, np.int64(1 << 30)), np.int64(0)
    while heads < 30 and bits & 1 == 0:
        bits >>= 1
        heads += 1
    return heads
