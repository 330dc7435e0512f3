"""Full-domain generalization by brute force: every node, every row, exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product


@dataclass(frozen=True)
class Verdict:
    """A node that satisfies the model: the rows of each class, the suppressed rows, LM as a sum over cells."""

    node: tuple[int, ...]
    groups: dict[tuple[int, ...], list[int]]
    suppressed: list[int]
    loss: Fraction


def judge(node, rows, paths, sizes, allowed, max_suppressed, together=lambda groups: True):
    """The verdict on a node, or None where too many rows are in failing classes, or all of them.

    paths[j][value] are the node numbers from a value up to the root; sizes[j][number] the values under a number;
    `allowed` says whether a class satisfies the model, `together` whether those that do also do so as a whole.
    """
    members = {}
    for number, row in enumerate(rows):
        key = tuple(path(paths[j][row[j]], steps) for j, steps in enumerate(node))
        members.setdefault(key, []).append(number)
    good = {key: group for key, group in members.items() if allowed(group)}
    if not together(list(good.values())):
        good = {}
    suppressed = sorted(number for key, group in members.items() if key not in good for number in group)
    # Suppressed rows show the top values: a class that does so, too, is one with them for the reader.
    top = tuple(own[0][-1] for own in paths)
    if suppressed and top in good and not allowed(sorted(suppressed + good[top])):
        suppressed = sorted(suppressed + good.pop(top))
    if len(suppressed) > max_suppressed or not good:
        return None
    loss = Fraction(len(suppressed) * len(node))
    for key, group in good.items():
        for j, number in enumerate(key):
            leaves = len(paths[j])
            loss += len(group) * (Fraction(sizes[j][number] - 1, leaves - 1) if leaves > 1 else 0)
    return Verdict(node, good, suppressed, loss)


def path(steps_up, steps):
    return steps_up[min(steps, len(steps_up) - 1)]


def nodes(bottom, top):
    return product(*(range(low, high + 1) for low, high in zip(bottom, top, strict=True)))


def solutions(bottom, top, verdict):
    """The verdicts on all nodes that have one."""
    return [found for node in nodes(bottom, top) if (found := verdict(node)) is not None]


def lowest(found):
    """Those in the lowest level that has any."""
    height = min(sum(verdict.node) for verdict in found)
    return [verdict for verdict in found if sum(verdict.node) == height]


def minimal(found):
    """Those with no other one below them."""
    return [v for v in found if not any(below(other.node, v.node) for other in found)]


def below(lower, upper):
    return lower != upper and all(a <= b for a, b in zip(lower, upper, strict=True))
