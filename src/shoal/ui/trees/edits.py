"""Edits of a hierarchy: rename, move, group, dissolve, add and remove; each returns a new tree or refuses.

Nodes are numbered in depth-first order; the root is 0. Groups that become empty are removed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import shoal

Children = list[list[int]]


def children_of(tree: shoal.Hierarchy) -> Children:
    """List the children of each node in order."""
    children: Children = [[] for _ in tree.labels]
    for node, parent in enumerate(tree.parents.tolist()):
        if parent >= 0:
            children[parent].append(node)
    return children


def rename(tree: shoal.Hierarchy, node: int, *, label: str, values: Collection[str] = ()) -> shoal.Hierarchy:
    """Rename a node, which must not be a value of the table (`values`)."""
    old = tree.labels[node]
    if is_leaf(tree, node) and old in values:
        raise shoal.InputError(f"{old!r} is a value of the table and keeps its name: put it into a group instead.")
    labels = list(tree.labels)
    labels[node] = _checked(label)
    return shoal.Hierarchy.from_parents(labels, tree.parents.tolist())


def move(tree: shoal.Hierarchy, nodes: Iterable[int], *, under: int) -> shoal.Hierarchy:
    """Move nodes, with everything below them, under another group; they keep their order."""
    chosen = _topmost(tree, nodes)
    _check_group(tree, under)
    for node in chosen:
        if node <= under <= _last(tree, node):
            raise shoal.InputError(f"{tree.labels[node]!r} cannot be moved under itself: choose another group.")
    if all(tree.parents[node] == under for node in chosen):
        raise shoal.InputError(f"The ticked nodes are under {tree.labels[under]!r} already: choose another group.")
    children = children_of(tree)
    _take_out(children, tree, chosen)
    children[under] = sorted([*children[under], *chosen])
    return _rebuilt(list(tree.labels), children, groups=_groups(tree))


def group(tree: shoal.Hierarchy, nodes: Iterable[int], *, label: str) -> shoal.Hierarchy:
    """Put nodes into a new group, under the lowest group that contains them all."""
    chosen = _topmost(tree, nodes)
    name = _checked(label)
    place = int(tree.parents[chosen[0]]) if len(chosen) == 1 else _common(tree, chosen)
    children = children_of(tree)
    # The new group takes the place of the branch with its first member.
    branch = sum(_last(tree, child) < chosen[0] for child in children[place])
    _take_out(children, tree, chosen)
    children[place].insert(branch, len(tree.labels))
    children.append(chosen)
    return _rebuilt([*tree.labels, name], children, groups=_groups(tree))


def dissolve(tree: shoal.Hierarchy, nodes: Iterable[int]) -> shoal.Hierarchy:
    """Dissolve groups: their members take their places."""
    children = children_of(tree)
    for node in sorted(set(nodes), reverse=True):
        if node == 0:
            raise shoal.InputError(f"{tree.root!r} covers every value and cannot be dissolved: rename it instead.")
        _check_group(tree, node)
        siblings = children[tree.parents[node]]
        place = siblings.index(node)
        siblings[place : place + 1] = children[node]
        children[node] = []
    return _rebuilt(list(tree.labels), children)


def add(tree: shoal.Hierarchy, values: Iterable[str], *, under: int = 0) -> shoal.Hierarchy:
    """Add the values that are not in the tree as new leaves of a group."""
    unknown = [value for value in dict.fromkeys(values) if value not in tree.codes]
    if not unknown:
        raise shoal.InputError("The tree contains all of these values already: there is nothing to add.")
    labels, children = list(tree.labels), children_of(tree)
    if len(labels) == 1:
        unknown = [labels[0], *unknown]  # a root that is itself a value stays a value
    else:
        _check_group(tree, under)
    children[under].extend(range(len(labels), len(labels) + len(unknown)))
    return _rebuilt([*labels, *unknown], [*children, *([] for _ in unknown)])


def remove(tree: shoal.Hierarchy, leaves: Collection[str], *, values: Collection[str]) -> shoal.Hierarchy:
    """Remove leaves, none of which may be a value of the table (`values`)."""
    needed = next((leaf for leaf in leaves if leaf in values), None)
    if needed is not None:
        raise shoal.InputError(f"Rows of the table have the value {needed!r}: it must stay in the tree.")
    removed = {int(tree.leaf_nodes[tree.codes[leaf]]) for leaf in leaves}
    if len(removed) == len(tree.leaves):
        raise shoal.InputError("No value would be left: a tree needs at least one.")
    children = [[child for child in below if child not in removed] for below in children_of(tree)]
    return _rebuilt(list(tree.labels), children, groups=_groups(tree))


def is_leaf(tree: shoal.Hierarchy, node: int) -> bool:
    """Whether a node is a value, not a group."""
    return int(tree.leaf_nodes[tree.lows[node]]) == node


def way_up(tree: shoal.Hierarchy, node: int) -> list[int]:
    """List a node and the groups above it, up to the root."""
    nodes = [node]
    while nodes[-1]:
        nodes.append(int(tree.parents[nodes[-1]]))
    return nodes


def _checked(label: str) -> str:
    name = label.strip()
    if not name:
        raise shoal.InputError("The name is empty: give the group a name.")
    if "\t" in name or len(name.splitlines()) > 1:
        raise shoal.InputError(f"The name {name!r} contains a tab or a line break: write it in one line.")
    return name


def _topmost(tree: shoal.Hierarchy, nodes: Iterable[int]) -> list[int]:
    """Sort the chosen nodes, without those below another one."""
    chosen: list[int] = []
    end = -1
    for node in sorted(set(nodes)):
        if node == 0:
            raise shoal.InputError(f"{tree.root!r} covers every value and stays on top: choose nodes below it.")
        if node > end:
            chosen.append(node)
            end = _last(tree, node)
    if not chosen:
        raise shoal.InputError("Nothing is chosen: tick one or more nodes of the tree.")
    return chosen


def _last(tree: shoal.Hierarchy, node: int) -> int:
    """Return the last node of the branch that starts at a node."""
    return int(tree.leaf_nodes[tree.highs[node]])


def _common(tree: shoal.Hierarchy, nodes: Sequence[int]) -> int:
    """Return the lowest group that contains all nodes, none of which is below another."""
    low, high = tree.lows[nodes].min(keepdims=True), tree.highs[nodes].max(keepdims=True)
    return int(tree.cover(low, high)[0])


def _check_group(tree: shoal.Hierarchy, node: int) -> None:
    if is_leaf(tree, node):
        raise shoal.InputError(f"{tree.labels[node]!r} is a value, not a group: choose a group.")


def _groups(tree: shoal.Hierarchy) -> set[int]:
    return set(tree.parents.tolist())


def _take_out(children: Children, tree: shoal.Hierarchy, nodes: Sequence[int]) -> None:
    removed = set(nodes)
    for parent in set(tree.parents[nodes].tolist()):
        children[parent] = [child for child in children[parent] if child not in removed]


def _rebuilt(labels: list[str], children: Children, *, groups: Collection[int] = ()) -> shoal.Hierarchy:
    """Build a tree from lists of children, without groups that have become empty."""
    parent_of = {child: node for node, below in enumerate(children) for child in below}
    empty = [node for node in parent_of if node in groups and not children[node]]
    while empty:
        node = empty.pop()
        parent = parent_of[node]
        children[parent].remove(node)
        if not children[parent] and parent:
            empty.append(parent)
    order: list[str] = []
    parents: list[int] = []
    stack = [(0, -1)]
    while stack:
        node, parent = stack.pop()
        stack.extend((child, len(order)) for child in reversed(children[node]))
        order.append(labels[node])
        parents.append(parent)
    return shoal.Hierarchy.from_parents(order, parents)
