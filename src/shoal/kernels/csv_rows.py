"""The rows of a CSV file, found in its bytes: where they begin, and whether each has as many fields as the header."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Longs
from shoal.kernels.compiling import compiled

Bytes = NDArray[np.uint8]

ROW, FIELD, PLAIN, QUOTED, AFTER_QUOTE, AFTER_RETURN = range(6)  # where the next byte is
MODE, FIELDS, ROWS, BEGIN, NEXT_CUT = range(5)  # places in the state
QUOTE, LINE_FEED, RETURN = ord('"'), ord("\n"), ord("\r")


def first_state() -> Longs:
    """Return the state before the first byte; the header counts as a row."""
    return np.array([ROW, 0, 0, 0, 0], np.int64)


@compiled
def follow(
    block: Bytes, at: int, state: Longs, cuts: Longs, separator: int, width: int, longest: int, step: int
) -> Any:
    """Read the next block of a file, which begins at an offset; return how many cuts were noted, −1 for a wrong row.

    Cuts are offsets at which rows begin, the first one after the header, others at least a step apart. In a table
    with one column an empty line is a row.
    """
    special = np.zeros(256, np.bool_)
    special[separator] = special[QUOTE] = special[LINE_FEED] = special[RETURN] = True
    mode, fields, rows, begin, next_cut = state[MODE], state[FIELDS], state[ROWS], state[BEGIN], state[NEXT_CUT]
    found, i, end = 0, 0, block.size
    while i < end:
        if mode == PLAIN:
            while i < end and not special[block[i]]:
                i += 1
            if i == end:
                break
        elif mode == QUOTED:
            while i < end and block[i] != QUOTE:
                i += 1
            if i == end:
                break
            mode = AFTER_QUOTE
            i += 1
            continue
        sign = block[i]
        i += 1
        ends = sign in (LINE_FEED, RETURN)
        if mode == AFTER_RETURN:
            mode = ROW
            if sign == LINE_FEED:
                continue
        if mode == ROW:
            begin, fields = at + i - 1, 1
            if rows > 0 and begin >= next_cut:
                cuts[found] = begin
                found += 1
                next_cut = begin + step
            if ends and width > 1:
                mode = AFTER_RETURN if sign == RETURN else ROW
                continue
            mode = FIELD
        if ends:
            if fields != width or at + i - begin > longest:
                return -1
            rows += 1
            mode = AFTER_RETURN if sign == RETURN else ROW
        elif sign == separator:
            fields += 1
            mode = FIELD
        elif sign == QUOTE and mode != PLAIN:
            mode = QUOTED  # the first quote of a field, or the second of two
        else:
            mode = PLAIN
    if mode not in (ROW, AFTER_RETURN) and at + end - begin > longest:
        return -1
    state[MODE], state[FIELDS], state[ROWS], state[BEGIN], state[NEXT_CUT] = mode, fields, rows, begin, next_cut
    return found


def finish(state: Longs, width: int) -> bool:
    """Return whether a file may end here; a last row without a line end is counted."""
    if state[MODE] in (ROW, AFTER_RETURN):
        return True
    state[ROWS] += 1
    return bool(state[MODE] != QUOTED and state[FIELDS] == width)
