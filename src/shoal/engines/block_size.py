"""How many distinct rows are solved together."""

from __future__ import annotations

from shoal.errors import InputError
from shoal.release.arguments import algorithm_of
from shoal.release.request import Request


def block_size(request: Request, block_rows: int | None) -> int | None:
    """Check `block_rows` and return it, or else the distinct rows that the algorithm solves within about a minute.

    None if only memory limits their number.
    """
    if block_rows is not None and (isinstance(block_rows, bool) or not isinstance(block_rows, int) or block_rows < 1):
        raise InputError(f"block_rows = {block_rows!r} must be a whole number of different rows, from 1.")
    return block_rows or algorithm_of(request.algorithm).rows_per_block(request.model, len(request.roles.quasi))
