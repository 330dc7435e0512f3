"""Facts about the tree of a column: the rows of each node, problems, and the labels of each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import shoal
from shoal.ui.trees.methods import Counts

MAX_EXAMPLES = 5  # in a sentence


@dataclass(frozen=True)
class Problem:
    """A problem of a tree, or only a remark (`serious` is False), and the values that it concerns."""

    kind: str
    sentence: str
    serious: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Levels:
    """The labels of some values at each level, and the number of different labels of each level."""

    rows: Sequence[Sequence[str]]
    labels: Sequence[int]


def rows_of(tree: shoal.Hierarchy, counts: Counts) -> NDArray[np.int64]:
    """Count the rows of the table under each node."""
    before = np.zeros(len(tree.leaves) + 1, np.int64)
    np.cumsum([counts.get(leaf, 0) for leaf in tree.leaves], out=before[1:])
    return before[tree.highs + 1] - before[tree.lows]


def problems_of(tree: shoal.Hierarchy, counts: Counts) -> list[Problem]:
    """List the problems of a tree, the serious ones first."""
    return list(_problems(tree, counts))


def _problems(tree: shoal.Hierarchy, counts: Counts) -> Iterator[Problem]:
    unknown = [value for value in counts if value not in tree.codes]
    if unknown:
        rows = sum(counts[value] for value in unknown)
        sentence = (
            f"The tree lacks {counted(len(unknown), 'value')} of the table "
            f"({counted(rows, 'row')}): {some(unknown)}. Add them, or declare them missing on the Data page."
        )
        yield Problem("unknown", sentence, serious=True, values=tuple(unknown))
    unused = [leaf for leaf in tree.leaves if not counts.get(leaf)]
    if unused:
        have = "value of the tree is in no row" if len(unused) == 1 else "values of the tree are in no row"
        yield Problem("unused", f"{len(unused):,} {have}: {some(unused)}. They do no harm.", values=tuple(unused))
    twice = [label for label, times in Counter(tree.labels).items() if times > 1]
    if twice:
        sentence = f"A label appears several times: {some(twice)}. A release does not distinguish them: rename groups."
        yield Problem("twice", sentence, values=tuple(twice))
    members = np.bincount(tree.parents[1:], minlength=len(tree.labels))
    lone = [tree.labels[node] for node in np.flatnonzero(members == 1).tolist()]
    if lone:
        sentence = f"{counted(len(lone), 'group')} with only one member: {some(lone)}. These levels hide nothing."
        yield Problem("lone", sentence, values=tuple(lone))
    depths = tree.depths[tree.leaf_nodes]
    if depths.min() < depths.max():
        sentence = (
            f"Values are {depths.min()} to {depths.max()} levels below the top. "
            f"If all rows go up by the same number of levels, the top label fills the missing ones."
        )
        yield Problem("uneven", sentence)


def levels_of(tree: shoal.Hierarchy, counts: Counts, *, max_values: int = 6) -> Levels:
    """Return the labels of the most frequent and the rarest values at each level, in the order of the tree."""
    present = sorted((value for value in counts if value in tree.codes), key=lambda value: (-counts[value], value))
    rare = max_values - max_values // 2
    picked = present if len(present) <= max_values else present[: max_values // 2] + present[-rare:]
    paths = [tree.path(value) for value in sorted(picked, key=tree.codes.__getitem__)]
    # If a value is less deep than others, its top label fills the levels above.
    rows = [[*path, *[path[-1]] * (tree.height + 1 - len(path))] for path in paths]
    different = [len(np.unique(tree.ancestors(tree.leaf_nodes, steps))) for steps in range(tree.height + 1)]
    return Levels(rows, different)


def some(values: list[str]) -> str:
    """Quote the first few values: 'a', 'b' and 3 more."""
    shown = ", ".join(map(repr, values[:MAX_EXAMPLES]))
    return f"{shown} and {len(values) - MAX_EXAMPLES:,} more" if len(values) > MAX_EXAMPLES else shown


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: `1 row`, `2,000 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
