"""Short spellings of hierarchies: `intervals:5,10,20@16`, `prefix`, `dates:month,year`, `age.txt`, …"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from shoal.data.domain import Ordered
from shoal.data.hierarchies import dates
from shoal.data.hierarchy import Hierarchy
from shoal.errors import HierarchyError
from shoal.system.close_names import did_you_mean

Counts = Mapping[str, int]
Guide = Hierarchy | Ordered | Callable[[Counts], Hierarchy]

SPELLINGS = {
    "intervals:5,10,20@16": "ranges of these widths, counted from 16 (from 0 without @16)",
    "cuts:18,30,45,65/30,65": "ranges between these bounds, then between those after the /",
    "prefix": "masked from the right, one more character per level; prefix:2,4 masks 2, then 4 characters",
    "dates:month,year": "dates by these levels of day, month, quarter, year, decade; dates alone takes all",
    "by-order:3": "groups of 3 neighbours in the order of the values, level upon level",
    "by-frequency:3": "the 3 rarest groups joined, again and again",
    "flat": "each value, or everything",
    "ordered:low,middle,high": "no tree: ranges in this order",
    "file.txt": "a tab tree, child,parent pairs or a level table",
}
NAMES = [spelling.partition(":")[0] for spelling in SPELLINGS if spelling != "file.txt"]


def parse(spelling: str) -> Guide:
    """Parse a short spelling into a tree, an order, or a builder that waits for the values.

    >>> parse("intervals:5,10@16")({"17": 3, "22": 1}).path("17")
    ('17', '16-20', '16-25', '*')
    """
    name, _, rest = spelling.partition(":")
    parameters = [part.strip() for part in rest.split(",") if part.strip()]
    if name == "intervals":
        widths, _, origin = rest.partition("@")
        sizes = [width.strip() for width in widths.split(",") if width.strip()]
        if not sizes:
            raise HierarchyError(f"{spelling!r} names no widths: write intervals:5,10,20 or intervals:5,10,20@16.")
        return lambda counts: Hierarchy.intervals(counts, widths=sizes, origin=origin or "0")
    if name == "cuts":
        bounds = bounds_of(rest)
        if not bounds or not all(bounds):
            raise HierarchyError(f"{spelling!r} lacks bounds: write cuts:18,30,65 or, by levels, cuts:18,30,65/30.")
        return lambda counts: Hierarchy.cuts(counts, bounds=bounds)
    if name == "prefix":
        steps = [_whole(spelling, part) for part in parameters]
        return lambda counts: Hierarchy.prefix(counts, steps=steps)
    if name == "dates":
        return lambda counts: Hierarchy.dates(counts, levels=parameters or tuple(dates.LEVELS))
    if name in ("by-order", "by-frequency"):
        if len(parameters) > 1:
            raise HierarchyError(f"{spelling!r} names {len(parameters)} fanouts: write one, as in {name}:3.")
        fanout = _whole(spelling, parameters[0]) if parameters else 2
        build = Hierarchy.by_order if name == "by-order" else Hierarchy.by_frequency
        return lambda counts: build(counts, fanout=fanout)
    if spelling == "flat":
        return Hierarchy.flat
    if name == "ordered":
        if not parameters:
            raise HierarchyError(f"{spelling!r} names no values: write ordered:low,middle,high.")
        return Ordered(parameters)
    if is_file(spelling):
        return Hierarchy.from_file(spelling)
    raise HierarchyError(
        f"{spelling!r} is neither a file nor a way to build a hierarchy. Write one of: {', '.join(SPELLINGS)}."
        f"{did_you_mean(name, NAMES)}"
    )


def bounds_of(text: str) -> list[list[str]]:
    """Parse the bounds of each level in the spelling of cuts."""
    return [[bound.strip() for bound in level.split(",") if bound.strip()] for level in text.split("/")]


def builds(spelling: str) -> bool:
    """Return whether a spelling names a builder or an order, not a file.

    >>> builds("intervals:5,10"), builds("age.txt")
    (True, False)
    """
    return spelling.partition(":")[0] in {example.partition(":")[0] for example in SPELLINGS if example != "file.txt"}


def is_file(path: str | Path) -> bool:
    """Return whether a path exists; False if it cannot be checked."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def _whole(spelling: str, part: str) -> int:
    if not part.isdecimal() or len(part) > 9:
        raise HierarchyError(f"{spelling!r}: {part!r} is not a whole number.")
    return int(part)
