"""Tab tree: one label per line, its depth the number of leading tabs, the root first.

The format of the COMP 430/530 assignment. A group's label is opaque text and may appear several times; a value may not.
"""

from __future__ import annotations

from os import PathLike

from shoal.data.hierarchies.lines import numbered_lines
from shoal.data.tree import Nodes, Tree
from shoal.errors import HierarchyError


def read(path: str | PathLike[str]) -> Nodes:
    """Read a tab tree."""
    labels: list[str] = []
    parents: list[int] = []
    numbers: list[int] = []
    above: list[int] = []  # the open node at each depth
    for number, line in numbered_lines(path):
        label = line.lstrip("\t").rstrip()
        depth = len(line) - len(line.lstrip("\t"))
        if depth > len(above):
            raise HierarchyError(
                f"{path}, line {number}: {label!r} is indented by {depth} tabs below a line with {len(above) - 1}. "
                f"Indent a child by one tab more than its parent."
                if labels
                else f"{path}, line {number}: the root {label!r} must not be indented."
            )
        if depth == 0 and labels:
            raise HierarchyError(
                f"{path}, line {number}: {label!r} is a second root besides {labels[0]!r}. Indent it with tabs."
            )
        del above[depth:]
        parents.append(above[-1] if above else -1)
        above.append(len(labels))
        labels.append(label)
        numbers.append(number)
    inner = set(parents)
    first: dict[str, int] = {}
    for node, label in enumerate(labels):
        if node not in inner and label in first:
            raise HierarchyError(
                f"{path}, line {numbers[node]}: the value {label!r} is already in line {first[label]}. "
                f"Keep it under one parent."
            )
        if node not in inner:
            first[label] = numbers[node]
    return Nodes(labels, parents)


def render(tree: Tree) -> str:
    """Write the tree as the text of a tab tree."""
    if "" in tree.labels:
        raise HierarchyError("A value without a label cannot be written in a tab tree: write pairs or levels instead.")
    return "".join("\t" * depth + label + "\n" for depth, label, _ in tree.walk())
