"""Steps: the secret number of bins by which an end of a range is moved outward."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

import numpy as np

from shoal.kernels.arrays import Longs

SIDES = ("low", "high")


def steps(secret: bytes, column: str, side: str, cells: Sequence[str], count: int) -> Longs:
    """Return 0 to count − 1 for each cell: the first 64 bits of HMAC-SHA256(key, column, side and cell), modulo count.

    The same cell has the same step in each release, so that releases cannot be intersected to find the outermost value.
    """
    head = f"range_ends\0{column}\0{side}\0"
    digests = (hmac.digest(secret, (head + cell).encode(), "sha256") for cell in cells)
    return np.array([int.from_bytes(digest[:8], "big") % count for digest in digests], np.int64)
