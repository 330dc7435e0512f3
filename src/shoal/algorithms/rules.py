"""Models on sensitive values as rules that compiled code decides.

Exactly as the model itself does, but classes within rounding of an entropy or a logarithm count as good.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

import numpy as np

from shoal.algorithms.local_recoding.verdict import Rule, conditions_of, rule_of
from shoal.data.classes import Classes, Overall
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.rules import UNIT, Rules
from shoal.models import BetaLikeness, Closeness, DeltaDisclosure, KAnonymity, PrivacyModel
from shoal.models.exact import SAFE, exact

FARTHEST = 700.0  # logarithm, or times a share, beyond which no bound is felt
MORE = 1000  # rows than the table has, in compositions that are only tried
Group = tuple[Longs, int, int]  # combined values, their rows in the whole table, weight


def rules_of(model: PrivacyModel, whole: Classes, own: Mapping[str, Ints]) -> Rules | None:
    """Return the rules of a model; None if it asks for something else, or numbers could leave 64 bits.

    `own` has for each attribute its value within each combined value. If there are several attributes, only t-closeness
    has rules.
    """
    rows = int(whole.sizes.sum()) + MORE
    distances: list[list[int]] = []
    groups: list[Group] = []
    conditions: list[Rule] = []
    bounds: list[Longs] = []
    for part in model.parts:
        if isinstance(part, KAnonymity):
            continue
        for name in part.attributes(whole):
            overall = whole.sensitive[name]
            if overall.people is not None or not overall.counts[own[name]].all():
                return None
            if isinstance(part, Closeness):
                t = exact(part.t)
                farthest = 2 * (max(1, part.hierarchy.height) if part.hierarchy else 1)
                most = farthest * rows * overall.size * max(t.numerator, t.denominator)
                if part.distance == "ordered" or most >= SAFE:
                    return None
                first = len(groups)
                groups += _groups(part, name, overall, own[name])
                limit = t.numerator * farthest * overall.size
                distances.append([first, len(groups), overall.size, t.denominator, limit])
            elif len(own) > 1:
                return None
            elif isinstance(part, BetaLikeness | DeltaDisclosure):
                if overall.present > own[name].size or UNIT * rows >= SAFE:
                    return None
                bounds.append(_bounds(part, overall.counts[own[name]] / overall.size))
            elif (condition := rule_of(part, rows)) is not None:
                conditions.append(condition)
            else:
                return None
    if not (distances or conditions or bounds):
        return None
    ends = np.cumsum([0, *(members.size for members, _, _ in groups)]).tolist()
    lines = [[ends[at], ends[at + 1], *group[1:]] for at, group in enumerate(groups)]
    return Rules(
        model.smallest,
        np.array(distances, np.int64).reshape(-1, 5),
        np.array(lines, np.int64).reshape(-1, 4),
        np.concatenate([np.zeros(0, np.int64), *(members for members, _, _ in groups)]),
        conditions_of(conditions),
        np.array(bounds, np.int64).reshape(-1, len(next(iter(own.values()))), 2),
    )


def _bounds(part: BetaLikeness | DeltaDisclosure, shares: Floats) -> Longs:
    """Return the lowest and the highest share of each value in a class, in UNITs that are rounded outwards."""
    if isinstance(part, DeltaDisclosure):
        factor = exp(min(float(part.delta), FARTHEST))
        low, high = shares / factor, shares * factor
    else:
        gain = np.full(shares.size, min(float(part.beta), FARTHEST))
        low, high = np.zeros(shares.size), shares * (1 + (np.minimum(gain, -np.log(shares)) if part.enhanced else gain))
    units = np.stack([np.floor(low * UNIT) - 1, np.ceil(np.minimum(high, 1) * UNIT) + 1], axis=1).astype(np.int64)
    return np.maximum(units, 1 if isinstance(part, DeltaDisclosure) else 0)  # under δ, each value occurs


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
