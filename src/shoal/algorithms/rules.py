"""Models on sensitive values as rules that compiled code decides.

Exactly as the model itself does, but for classes within rounding of an entropy, which count as good.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal.algorithms.local_recoding.verdict import Rule, conditions_of, rule_of
from shoal.data.classes import Classes, Overall
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.rules import Rules
from shoal.models import Closeness, KAnonymity, PrivacyModel
from shoal.models.exact import SAFE, exact

MORE = 1000  # rows than the table has, in compositions that are only tried
Group = tuple[Longs, int, int]  # combined values, their rows in the whole table, weight


def rules_of(model: PrivacyModel, whole: Classes, own: Mapping[str, Ints]) -> Rules | None:
    """Return the rules of a model; None if it asks for something else, or numbers could leave 64 bits.

    `own` has for each attribute its value within each combined value. If there are several attributes, only t-closeness
    has rules.
    """
    rows = int(whole.sizes.sum()) + MORE
    rules: list[list[int]] = []
    groups: list[Group] = []
    conditions: list[Rule] = []
    for part in model.parts:
        if isinstance(part, KAnonymity):
            continue
        if not isinstance(part, Closeness):
            condition = rule_of(part, rows)
            if condition is None or len(own) > 1 or any(whole.sensitive[name].people is not None for name in own):
                return None
            conditions.append(condition)
            continue
        if part.distance == "ordered":
            return None
        for name in part.attributes(whole):
            overall, t = whole.sensitive[name], exact(part.t)
            if overall.people is not None or not overall.counts[own[name]].all():
                return None
            farthest = 2 * (max(1, part.hierarchy.height) if part.hierarchy else 1)
            if farthest * rows * overall.size * max(t.numerator, t.denominator) >= SAFE:
                return None
            first = len(groups)
            groups += _groups(part, name, overall, own[name])
            rules.append([first, len(groups), overall.size, t.denominator, t.numerator * farthest * overall.size])
    if not rules and not conditions:
        return None
    ends = np.cumsum([0, *(members.size for members, _, _ in groups)]).tolist()
    lines = [[ends[at], ends[at + 1], *group[1:]] for at, group in enumerate(groups)]
    return Rules(
        model.smallest,
        np.array(rules, np.int64).reshape(-1, 5),
        np.array(lines, np.int64).reshape(-1, 4),
        np.concatenate([np.zeros(0, np.int64), *(members for members, _, _ in groups)]),
        conditions_of(conditions),
    )


def _groups(part: Closeness, name: str, overall: Overall, own: Ints) -> list[Group]:
    """Return each value of the table, or the values below each edge of the tree."""
    there = np.flatnonzero(overall.counts)
    if part.distance == "equal":
        return [(np.flatnonzero(own == value), int(overall.counts[value]), 1) for value in there.tolist()]
    edges = part.edges(name, overall)
    members: dict[int, list[int]] = {}
    for node in edges.nodes[there].tolist():
        while edges.tree.parents[node] >= 0:
            members.setdefault(node, [])
            node = int(edges.tree.parents[node])
    for combined, node in enumerate(edges.nodes[own].tolist()):
        while edges.tree.parents[node] >= 0:
            members[node].append(combined)
            node = int(edges.tree.parents[node])
    return [
        (np.array(values, np.int64), int(edges.below[node]), int(edges.weights[node]))
        for node, values in sorted(members.items())
    ]
