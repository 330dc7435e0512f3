"""Level table: one line per value, `value;level 1;…;top`, separated by `;` or `,`.

The format of ARX. Lines may differ in length: they are aligned at the top. Positions count, not labels, so a
value may have the name of its group.
"""

from __future__ import annotations

from os import PathLike

from shoal.data.hierarchies.lines import fields, joined, numbered_lines, separator_of
from shoal.data.tree import Nodes, Tree
from shoal.errors import HierarchyError

Place = tuple[int, str]  # depth below the top, label


def read(path: str | PathLike[str]) -> Nodes:
    """Read a level table."""
    lines = numbered_lines(path)
    if len(lines) == 1 and separator_of(lines) is None:
        return Nodes([lines[0][1].strip()], [-1])
    rows = [(number, [field.strip() for field in row]) for number, row in fields(path, lines)]
    top = rows[0][1][-1]
    labels, parents = [top], [-1]
    groups: dict[Place, int] = {(0, top): 0}
    group_lines: dict[Place, int] = {}
    leaf_lines: dict[str, int] = {}
    for number, row in rows:
        if "" in row[1:]:
            raise HierarchyError(
                f"{path}, line {number}: {row[0]!r} has a group without a name. Name it, or remove the separator."
            )
        if row[-1] != top:
            raise HierarchyError(
                f"{path}, line {number}: {row[-1]!r} is a second root besides {top!r}. End every line "
                f"with the same root."
            )
        if row[0] in leaf_lines:
            raise HierarchyError(
                f"{path}, line {number}: the value {row[0]!r} is already in line {leaf_lines[row[0]]}. "
                f"Remove one of the two."
            )
        leaf_lines[row[0]] = number
        parent = 0
        for depth, label in enumerate(row[-2:0:-1], 1):
            place = (depth, label)
            if place not in groups:
                groups[place], group_lines[place] = len(labels), number
                labels.append(label)
                parents.append(parent)
            elif parents[groups[place]] != parent:
                raise HierarchyError(
                    f"{path}, line {number}: {label!r} has two parents, {labels[parent]!r} and "
                    f"{labels[parents[groups[place]]]!r} (line {group_lines[place]}). Keep one."
                )
            parent = groups[place]
        labels.append(row[0])
        parents.append(parent)
    return Nodes(labels, parents)


def render(tree: Tree) -> str:
    """Write the tree as a level table with `;`."""
    seen: dict[Place, int] = {}
    inner = set(tree.parents.tolist())
    for node in range(len(tree.labels)):
        place = (int(tree.depths[node]), tree.labels[node])
        if node in inner and seen.setdefault(place, node) != node:
            raise HierarchyError(
                f"The label {place[1]!r} appears twice at one level, which a level table cannot distinguish: "
                f"write a tab tree instead."
            )
    content = "".join(joined(tree.path(leaf), ";") for leaf in tree.leaves)
    if len(tree.labels) == 1 and content != tree.root + "\n":
        raise HierarchyError(f"A tree of one label ({tree.root!r}) has no levels: write a tab tree instead.")
    return content
