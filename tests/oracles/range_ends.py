"""Where the ends of moved ranges must be, by the definition: slow and literal, for whole numbers in bins of one."""

from __future__ import annotations

import hmac


def step(key, column, side, cell, steps):
    """The secret step of an end."""
    digest = hmac.new(key.encode(), "\0".join(["range_ends", column, side, cell]).encode(), "sha256").digest()
    return int.from_bytes(digest[:8], "big") % steps


def nearest_outside(rows, ids, box, shown, column, side):
    """The value nearest to the end of a box, in one column, of a row of another class that its other columns cover."""
    end = shown[column][box][side]
    found = []
    for row, own in zip(rows, ids, strict=True):
        beyond = row[column] <= end if side == 0 else row[column] >= end
        others = all(shown[name][box][0] <= row[name] <= shown[name][box][1] for name in shown if name != column)
        if own != box and beyond and others:
            found.append(row[column])
    return (max(found) if side == 0 else min(found)) if found else None
