"""Methods of generalization: their names in plain words, and the trees of spellings such as `intervals:5,10`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import shoal

Counts = Mapping[str, int]
Guide = str | shoal.Hierarchy | None

# A number as people write it; 007 and +1 are codes, not numbers.
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
MAX_ORDERED = 200  # values whose order can be typed
DATE_LEVELS = ("day", "month", "quarter", "year", "decade")


@dataclass(frozen=True)
class Method:
    """A method of generalizing a column: its name and a sentence about it."""

    name: str
    sentence: str


METHODS = {
    "free": Method("Free ranges or sets", "No tree: each class shows the range (or the set) of its values."),
    "intervals": Method(
        "Equal intervals", "Ranges of one width per level; each width is a multiple of the previous one."
    ),
    "cuts": Method("Custom bounds", "Ranges between bounds that you draw or type, coarser at each level."),
    "prefix": Method("Hide the end", "Codes masked from the right, such as postal codes: 13053, 1305*, 130**."),
    "dates": Method("Calendar", "Dates by day, month, quarter, year and decade."),
    "by-order": Method("Neighbours together", "Neighbouring values in their order form groups, level by level."),
    "by-frequency": Method(
        "Rare values together", "The rarest values are grouped first, so that frequent ones stay exact."
    ),
    "ordered": Method("Custom order", "No tree: each class shows a range in the order that you type."),
    "flat": Method("Value or nothing", "Each value unchanged, or fully hidden; also a start for your own groups."),
    "file": Method("Upload a file", "A tab tree, child,parent pairs, or a table value;level 1;…;top."),
    "tree": Method("Custom tree", "A tree that was uploaded or edited here."),
}


def method_of(guide: Guide) -> str:
    """Return the key of the method of a guide."""
    if guide is None:
        return "free"
    return guide.partition(":")[0] if isinstance(guide, str) else "tree"


def applicable(counts: Counts) -> list[str]:
    """List the methods that fit the values: intervals need numbers, the calendar dates, an order few plain names."""
    unfit = set() if numeric(counts) else {"intervals", "cuts"}
    unfit |= set() if all(map(_is_date, counts)) else {"dates"}
    if len(counts) > MAX_ORDERED or any("," in value or value != value.strip() for value in counts):
        unfit.add("ordered")
    return [method for method in METHODS if method not in unfit]


def numeric(counts: Counts) -> bool:
    """Whether all values are numbers that doubles represent exactly enough to distinguish."""
    return bool(counts) and all(NUMBER.fullmatch(value) and abs(float(value)) < 2**53 for value in counts)


def in_order(counts: Counts) -> dict[str, int]:
    """Sort the values as the builders need them: numbers by size, others by name."""
    key: Callable[[str], tuple[float, str]] = lambda value: (0, value)  # noqa: E731
    if numeric(counts):
        key = lambda value: (float(value), value)  # noqa: E731
    return {value: counts[value] for value in sorted(counts, key=key)}


def parts(text: str) -> list[str]:
    """Split at commas, semicolons and blanks."""
    return [part for part in re.split(r"[,;\s]+", text) if part]


def tree_of(guide: Guide, counts: Counts) -> shoal.Hierarchy | None:
    """Build the tree of a guide over the values, which are in order; None if it has no tree."""
    if guide is None or isinstance(guide, shoal.Hierarchy):
        return guide
    name, _, rest = guide.partition(":")
    if name == "ordered":
        _check_order(rest, counts)
        return None
    if name not in BUILDERS:
        raise shoal.InputError(f"{guide!r} is not a method of the workbench: choose one from the list.")
    try:
        return BUILDERS[name](counts, rest)
    except ArithmeticError as error:
        raise shoal.InputError(f"{guide!r} cannot be computed ({error}): choose other numbers.") from error


def _intervals(counts: Counts, rest: str) -> shoal.Hierarchy:
    widths, _, origin = rest.partition("@")
    if not parts(widths):
        raise shoal.InputError("No widths are given: type one or more, such as 5, 10, 20.")
    return shoal.Hierarchy.intervals(counts, widths=parts(widths), origin=origin or "0")


def _cuts(counts: Counts, rest: str) -> shoal.Hierarchy:
    return shoal.Hierarchy.cuts(counts, bounds=[parts(level) for level in rest.split("/")])


def _dates(counts: Counts, rest: str) -> shoal.Hierarchy:
    return shoal.Hierarchy.dates(counts, levels=parts(rest) or DATE_LEVELS)


def _whole(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise shoal.InputError(f"{text!r} is not a whole number: type one such as 2.")
    return int(text)


BUILDERS: dict[str, Callable[[Counts, str], shoal.Hierarchy]] = {
    "intervals": _intervals,
    "cuts": _cuts,
    "prefix": lambda counts, rest: shoal.Hierarchy.prefix(counts, steps=[_whole(step) for step in parts(rest)]),
    "dates": _dates,
    "by-order": lambda counts, rest: shoal.Hierarchy.by_order(counts, fanout=_whole(rest or "2")),
    "by-frequency": lambda counts, rest: shoal.Hierarchy.by_frequency(counts, fanout=_whole(rest or "2")),
    "flat": lambda counts, rest: shoal.Hierarchy.flat(counts),
}


def _check_order(rest: str, counts: Counts) -> None:
    order = [value.strip() for value in rest.split(",") if value.strip()]
    twice = next((value for place, value in enumerate(order) if value in order[:place]), None)
    if twice is not None:
        raise shoal.InputError(f"The order names {twice!r} twice: keep one of the two.")
    unknown = [value for value in counts if value not in order]
    if unknown:
        shown = ", ".join(map(repr, unknown[:3])) + (", …" if len(unknown) > 3 else "")
        rows = sum(counts[value] for value in unknown)
        raise shoal.InputError(f"The order leaves out {shown} ({len(unknown):,} values, {rows:,} rows): add them.")


def _is_date(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True
