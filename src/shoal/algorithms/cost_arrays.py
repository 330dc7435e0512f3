"""The domains of a table as flat arrays for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Literal

import numpy as np

from shoal.data.domain import AnyDomain, NumericDomain, Ranges, SetDomain, TreeDomain
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.costs import RANGE, SET, TREE, Space
from shoal.metrics.information_loss import heights

Measure = Literal["loss", "certainty_penalty", "information_loss"]
ONE = 1 << 30  # the cost of the top value if costs are rounded
LARGEST = 1 << 62


def space_of(
    domains: Sequence[AnyDomain], measure: Measure = "loss", *, exact: int = 0, weights: Sequence[int] | None = None
) -> Space:
    """Concatenate the domains, with their costs as integers, times the weights of the attributes.

    `exact` is how many cells may be added up: then costs are whole multiples of a common fraction, so that sums are
    compared without rounding, as long as such sums fit into 62 bits. Otherwise each is rounded to 30 bits, or to fewer
    if heavy weights require it.
    """
    parts = [_costs(domain, measure) for domain in domains]
    factors = weights or [1] * len(parts)
    unit = lcm(*(whole for _, whole in parts))
    sums = exact * max(factors, default=1)
    if not exact or unit * sums >= LARGEST:
        unit = ONE
    while unit * sums >= LARGEST:
        unit //= 2
    full = [unit * factor for factor in factors]
    sizes = np.array([len(domain) for domain in domains], np.int64)
    codes_at = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    position = np.zeros(int(sizes.sum()), np.int64)
    leaf_node = np.zeros(int(sizes.sum()), np.int32)
    kinds, nodes_at, trees, costs, count = [], [], [], [np.zeros(0, np.int64)], 0
    for domain, at, (steps, whole), top in zip(domains, codes_at.tolist(), parts, full, strict=True):
        nodes_at.append(count)
        here = slice(at, at + len(domain))
        if isinstance(domain, TreeDomain):
            kinds.append(TREE)
            leaf_node[here] = domain.hierarchy.leaf_nodes
            trees.append(domain.hierarchy)
            costs.append(_scaled(steps, whole, top))
            count += len(domain.hierarchy.labels)
        elif isinstance(domain, SetDomain):
            kinds.append(SET)
            position[here] = steps * top // whole
        else:
            kinds.append(RANGE)
            position[here] = _scaled(steps, whole, top)

    def per_node(name: str) -> Ints:
        return np.concatenate([np.zeros(0, np.int32), *(getattr(tree, name) for tree in trees)]).astype(np.int32)

    return Space(
        kind=np.array(kinds, np.int64),
        size=sizes,
        missing=np.array([domain.missing for domain in domains], np.int64),
        codes_at=codes_at,
        nodes_at=np.array(nodes_at, np.int64),
        position=position,
        leaf_node=leaf_node,
        parent=per_node("parents"),
        low=per_node("lows"),
        high=per_node("highs"),
        cost=np.concatenate(costs),
        full=np.array(full, np.int64),
        step=np.array(
            [
                top // whole if measure == "certainty_penalty" and _is_order(domain) else 0
                for domain, (_, whole), top in zip(domains, parts, full, strict=True)
            ],
            np.int64,
        ),
    )


def _costs(domain: AnyDomain, measure: Measure) -> tuple[Longs, int]:
    """Return what a cell costs as fractions: the numerators by node or value (of sets by size), and the denominator."""
    if isinstance(domain, TreeDomain):
        tree = domain.hierarchy
        if measure == "information_loss":
            return heights(tree), max(1, tree.height)
        return _shares((tree.highs - tree.lows).astype(np.int64), measure)
    if isinstance(domain, SetDomain):
        more = np.arange(len(domain))
        return (np.minimum(more, 1), 1) if measure == "information_loss" else _shares(more, measure)
    first = domain.missing + 1
    if isinstance(domain, NumericDomain):
        return _places(domain)
    # An order: the missing value, if any, is before the first; alone it counts like it, in a range like the top.
    values = np.maximum(np.arange(len(domain)) - first, 0)
    return values, len(domain) if measure == "certainty_penalty" else max(1, len(domain) - 1)


def _is_order(domain: AnyDomain) -> bool:
    return not isinstance(domain, TreeDomain | SetDomain | NumericDomain)


def _shares(more: Longs, measure: Measure) -> tuple[Longs, int]:
    """Return what it costs to show this many more values than one: their share of all others or, by NCP, of all."""
    most = int(more.max(initial=0))
    return (np.where(more > 0, more + 1, 0), most + 1) if measure == "certainty_penalty" else (more, max(1, most))


def _places(domain: NumericDomain) -> tuple[Longs, int]:
    """Return the place of each number from the lowest to the highest, in units of the last decimal that they need."""
    if domain.offsets is not None and int(domain.offsets[-1]) < LARGEST:
        return domain.offsets.astype(np.int64), max(1, int(domain.offsets[-1]))
    first = min(domain.missing + 1, len(domain) - 1)
    numbers = domain.values[domain.missing + 1 :]
    for unit in (10**digits for digits in range(7)):
        with np.errstate(over="ignore"):
            scaled = np.rint(numbers * unit)
        if numbers.size and np.abs(scaled).max() < 2**53 and (scaled / unit == numbers).all():
            places = (scaled - scaled[0]).astype(np.int64)
            return np.concatenate([np.zeros(domain.missing + 1, np.int64), places]), max(1, int(places[-1]))
    low = np.full(len(domain), first, np.int32)
    codes = np.maximum(np.arange(len(domain), dtype=np.int32), first)
    return np.rint(domain.loss(Ranges(low, codes)) * ONE).astype(np.int64), ONE


def _scaled(steps: Longs, whole: int, full: int) -> Longs:
    """Return the fractions as multiples of 1/full."""
    if full % whole == 0:
        return steps * (full // whole)
    return np.rint(steps / whole * full).astype(np.int64)
