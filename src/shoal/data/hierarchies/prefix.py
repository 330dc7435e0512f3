"""Prefix masking: codes such as postal codes, masked from the right (`13053 → 1305* → 130** → …`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shoal.data.hierarchies.paths import Step, nodes_of
from shoal.data.parameters import plain
from shoal.data.style import distinct
from shoal.data.tree import Nodes
from shoal.errors import HierarchyError


def build(values: Iterable[object], *, steps: Sequence[int], mask: str) -> Nodes:
    """Build the tree of prefixes; `steps` has how many characters each level masks (default: one more per level)."""
    steps = plain(steps)
    if isinstance(steps, str) or not all(isinstance(step, int) for step in steps):
        raise HierarchyError(f"The masking steps {steps!r} must be whole numbers, such as [2, 4].")
    if any(later <= earlier for earlier, later in zip([0, *steps], steps, strict=False)):
        raise HierarchyError(f"The masking steps {', '.join(map(str, steps))} must grow from 1 upwards.")
    if not mask:
        raise HierarchyError("The mask is empty: give the character that replaces a masked one, such as *.")
    labels = sorted(distinct(values))
    longest = max([1, *map(len, labels)])
    root = mask * longest if all(len(label) == longest for label in labels) else mask

    def groups(label: str) -> list[Step]:
        masked = dict.fromkeys(min(step, len(label)) for step in steps or range(1, longest))
        lengths = [len(label) - count for count in masked if count]
        forms = [(label[:length], label[:length] + mask * (len(label) - length)) for length in lengths]
        return [((len(label), start), form) for start, form in forms if start or form != root]

    return nodes_of(((label, groups(label)) for label in labels), root=root)
