"""Trees of an earlier release over other values: rebuilt from their spelling, or extended by unknown values."""

from __future__ import annotations

from fractions import Fraction

from shoal.data.hierarchies import dates, numbers
from shoal.data.hierarchies.spec import bounds_of, parse
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style
from shoal.errors import InputError


def fits(spelling: str, form: str, label: str) -> bool:
    """Say whether a spelling applies to a value; `form` is the pattern of intervals and cuts.

    >>> fits("intervals:5,10", "{low}-{last}", "17"), fits("intervals:5,10", "{low}-{last}", "17.5")
    (True, False)
    """
    if spelling.startswith(("intervals:", "cuts:")):
        number = bool(numbers.NUMBER.fullmatch(label.strip()))
        return number and ("{last}" not in form or Fraction(label.strip()).denominator == 1)
    return not spelling.startswith("dates") or dates.is_date(label)


def spelled_tree(spelling: str, form: str, root: str, labels: list[str]) -> Hierarchy:
    """Build the tree of a spelling over some values, with labels in their earlier form."""
    if spelling == "flat":
        return Hierarchy.flat(labels, root=root)
    if spelling.startswith("intervals:"):
        widths, _, origin = spelling.removeprefix("intervals:").partition("@")
        sizes = [width.strip() for width in widths.split(",") if width.strip()]
        return Hierarchy.intervals(labels, widths=sizes, origin=origin or "0", style=form)
    if spelling.startswith("cuts:"):
        return Hierarchy.cuts(labels, bounds=bounds_of(spelling.removeprefix("cuts:")), style=form)
    builder = parse(spelling)
    if not callable(builder):
        raise InputError(f"The spelling {spelling!r} does not build a tree.")
    return builder(dict.fromkeys(labels, 1))


def with_strange(tree: Hierarchy, strange: list[str], style: Style) -> Hierarchy:
    """Add unknown values to a tree, outside all classes; a root with a name of its own does not cover them."""
    parents = tree.parents.tolist()
    covers_all = tree.root == style.top or (tree.root and not tree.root.strip("*"))
    if covers_all and len(tree.labels) > 1:
        return Hierarchy.from_parents([*tree.labels, *strange], [*parents, *[0] * len(strange)])
    above = [-1, *(parent + 1 for parent in parents), *[0] * len(strange)]
    return Hierarchy.from_parents([style.top, *tree.labels, *strange], above)
