"""Trees of an earlier release over other values: built by the same spelling, or given and met by unknown values."""

from __future__ import annotations

from fractions import Fraction

from shoal.data.hierarchies import dates, numbers
from shoal.data.hierarchies.spec import bounds_of, parse
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style
from shoal.errors import InputError


def fits(spelling: str, form: str, label: str) -> bool:
    """Whether a value is of the kind that a spelling is for; `form` is the pattern of intervals and cuts.

    >>> fits("intervals:5,10", "{low}-{last}", "17"), fits("intervals:5,10", "{low}-{last}", "17.5")
    (True, False)
    """
    if spelling.startswith(("intervals:", "cuts:")):
        number = bool(numbers.NUMBER.fullmatch(label.strip()))
        return number and ("{last}" not in form or Fraction(label.strip()).denominator == 1)
    return not spelling.startswith("dates") or dates.is_date(label)


def spelled_tree(spelling: str, form: str, root: str, labels: list[str]) -> Hierarchy:
    """The tree of a spelling over some values, its labels of the form that they had."""
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
        raise InputError(f"The spelling {spelling!r} builds no tree.")
    return builder(dict.fromkeys(labels, 1))


def with_strange(tree: Hierarchy, strange: list[str], style: Style) -> Hierarchy:
    """A tree with values that it does not know, in no class; a root that has a name of its own is none of theirs."""
    parents = tree.parents.tolist()
    everything = tree.root == style.top or (tree.root and not tree.root.strip("*"))
    if everything and len(tree.labels) > 1:
        return Hierarchy.from_parents([*tree.labels, *strange], [*parents, *[0] * len(strange)])
    above = [-1, *(parent + 1 for parent in parents), *[0] * len(strange)]
    return Hierarchy.from_parents([style.top, *tree.labels, *strange], above)
