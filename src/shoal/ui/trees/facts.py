"""What there is to say about a tree over the values of a column: rows of each node, problems, what levels show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import shoal
from shoal.ui.trees.ways import Counts

FEW = 5  # examples that a sentence names


@dataclass(frozen=True)
class Problem:
    """What is wrong with a tree, or only to be known (`serious` is False), and the values that it is about."""

    kind: str
    sentence: str
    serious: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Levels:
    """For some values what each level shows, and for each level how many different labels there are."""

    rows: list[list[str]]
    labels: list[int]


def rows_of(tree: shoal.Hierarchy, counts: Counts) -> NDArray[np.int64]:
    """The number of rows of the table under each node."""
    before = np.zeros(len(tree.leaves) + 1, np.int64)
    np.cumsum([counts.get(leaf, 0) for leaf in tree.leaves], out=before[1:])
    return before[tree.highs + 1] - before[tree.lows]


def problems_of(tree: shoal.Hierarchy, counts: Counts) -> list[Problem]:
    """What a steward should know about a tree, the serious first."""
    found = [_unknown(tree, counts), _unused(tree, counts), _twice(tree), _lone(tree), _uneven(tree)]
    return [problem for problem in found if problem is not None]


def levels_of(tree: shoal.Hierarchy, counts: Counts, *, most: int = 6) -> Levels:
    """What each level shows for some values: the most frequent and the rarest, in the order of the tree."""
    known = sorted((value for value in counts if value in tree.codes), key=lambda value: (-counts[value], value))
    picked = known if len(known) <= most else known[: most // 2] + known[-(most - most // 2) :]
    paths = [tree.path(value) for value in sorted(picked, key=tree.codes.__getitem__)]
    # Where a value is less deep than others, its top stands for all levels above.
    rows = [[*path, *[path[-1]] * (tree.height + 1 - len(path))] for path in paths]
    different = [len(np.unique(tree.ancestors(tree.leaf_nodes, steps))) for steps in range(tree.height + 1)]
    return Levels(rows, different)


def some(values: list[str]) -> str:
    """The first few values, quoted: 'a', 'b' and 3 more."""
    shown = ", ".join(map(repr, values[:FEW]))
    return f"{shown} and {len(values) - FEW:,} more" if len(values) > FEW else shown


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 row`, `2,000 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _unknown(tree: shoal.Hierarchy, counts: Counts) -> Problem | None:
    values = [value for value in counts if value not in tree.codes]
    if not values:
        return None
    rows = sum(counts[value] for value in values)
    sentence = (
        f"The tree does not know {counted(len(values), 'value')} of the table "
        f"({counted(rows, 'row')}): {some(values)}. Add them, or name them as missing in the Data step."
    )
    return Problem("unknown", sentence, serious=True, values=tuple(values))


def _unused(tree: shoal.Hierarchy, counts: Counts) -> Problem | None:
    values = [leaf for leaf in tree.leaves if not counts.get(leaf)]
    if not values:
        return None
    have = "value of the tree that no row has" if len(values) == 1 else "values of the tree that no row has"
    return Problem("unused", f"{len(values):,} {have}: {some(values)}. They do no harm.", values=tuple(values))


def _twice(tree: shoal.Hierarchy) -> Problem | None:
    labels = [label for label, times in Counter(tree.labels).items() if times > 1]
    if not labels:
        return None
    sentence = f"The same label stands at several places: {some(labels)}. A release shows them as one: rename groups."
    return Problem("twice", sentence, values=tuple(labels))


def _lone(tree: shoal.Hierarchy) -> Problem | None:
    below = np.bincount(tree.parents[1:], minlength=len(tree.labels))
    nodes = np.flatnonzero(below == 1).tolist()
    if not nodes:
        return None
    labels = [tree.labels[node] for node in nodes]
    return Problem(
        "lone",
        f"{counted(len(nodes), 'group')} with one member only: {some(labels)}. Such a step hides nothing.",
        values=tuple(labels),
    )


def _uneven(tree: shoal.Hierarchy) -> Problem | None:
    depths = tree.depths[tree.leaf_nodes]
    if depths.min() == depths.max():
        return None
    sentence = (
        f"Values stand {depths.min()} to {depths.max()} levels below the top. "
        f"Where all rows go up by the same number of levels, the top fills the missing ones."
    )
    return Problem("uneven", sentence)
