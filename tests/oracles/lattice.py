"""Full-domain generalization by brute force: every node, every row, exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product


def judge(node, rows, paths, sizes, allowed, max_suppressed):
    """(suppressed rows, loss as a sum over cells) of a node, or None where too many rows are in failing classes.

    paths[j][value] are the node numbers from a value up to the root; sizes[j][number] the values under a number.
    """
    shown = [tuple(path(paths[j][row[j]], steps) for j, steps in enumerate(node)) for row in rows]
    members = {}
    for number, key in enumerate(shown):
        members.setdefault(key, []).append(number)
    failed = {key for key, group in members.items() if not allowed(group)}
    counts = Counter(shown)
    suppressed = sum(counts[key] for key in failed)
    if suppressed > max_suppressed:
        return None
    loss = Fraction(suppressed * len(node))
    for key in set(shown) - failed:
        for j, number in enumerate(key):
            leaves = len(paths[j])
            loss += counts[key] * (Fraction(sizes[j][number] - 1, leaves - 1) if leaves > 1 else 0)
    return suppressed, loss


def path(steps_up, steps):
    return steps_up[min(steps, len(steps_up) - 1)]


def nodes(heights):
    return product(*(range(height + 1) for height in heights))


def lowest_level(heights, verdict):
    """The nodes with a verdict in the lowest level that has any, with their losses."""
    by_height = {}
    for node in nodes(heights):
        by_height.setdefault(sum(node), []).append(node)
    for height in sorted(by_height):
        found = [(node, verdict(node)) for node in by_height[height]]
        found = [(node, judged) for node, judged in found if judged is not None]
        if found:
            return found
    return []
