"""Prefix masking: codes such as postal codes, masked from the right (`13053 → 1305* → 130** → …`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shoal.errors import HierarchyError
from shoal.hierarchies.paths import Step, tree
from shoal.hierarchy import Hierarchy
from shoal.labels import text


def build(values: Iterable[object], *, steps: Sequence[int], mask: str) -> Hierarchy:
    """The tree of prefixes; `steps` says how many places each level masks (default: one more per level)."""
    if any(later <= earlier for earlier, later in zip([0, *steps], steps, strict=False)):
        raise HierarchyError(f"The masking steps {', '.join(map(str, steps))} must grow from 1 upwards.")
    labels = sorted(dict.fromkeys(text(value) for value in values))
    longest = max(map(len, labels), default=0)
    root = mask * longest if all(len(label) == longest for label in labels) else mask

    def groups(label: str) -> list[Step]:
        masked = [min(step, len(label)) for step in steps or range(1, longest)]
        shown = dict.fromkeys(label[: len(label) - count] + mask * count for count in masked)
        return [(form, form) for form in shown if form not in (label, root)]

    return tree(((label, groups(label)) for label in labels), root=root)
