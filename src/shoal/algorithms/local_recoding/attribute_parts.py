"""What the attributes of a table can show, for lower bounds: no dearer than in a release, and no fewer rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from shoal.data.domain import RangeDomain, SetDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.costs import RANGE, TREE
from shoal.kernels.local_recoding.lower_bound import Parts, cell_costs
from shoal.kernels.local_recoding.row_clusters import Measure
from shoal.metrics.cells import running, value_counts

FINE, COARSE = 512, 16  # steps by width, and as many by rows, of a range that is the last attribute, or is not


class Column(NamedTuple):
    """One attribute as in `Parts`, with the code of each row and the cost of the top."""

    codes: Ints
    kind: int
    size: int
    depths: int
    apart: int
    block: Ints
    cost: Longs
    least: Longs  # of each code: what it costs alone
    top: int


def columns_of(table: Table, measure: Measure, attributes: Sequence[int]) -> list[Column]:
    """Return the attributes in the order in which boxes are enumerated: small trees first, ranges last."""

    def order(attribute: int) -> tuple[bool, int, int]:
        domain = table.domains[attribute]
        height = domain.hierarchy.height if isinstance(domain, TreeDomain) else 1
        return isinstance(domain, RangeDomain), height, len(domain)

    attributes = sorted(attributes, key=order)
    steps = [COARSE] * (len(attributes) - 1) + [FINE]
    return [_column(table, measure, attribute, most) for attribute, most in zip(attributes, steps, strict=True)]


def parts_of(columns: Sequence[Column]) -> Parts:
    """Concatenate the columns."""
    lengths = [column.cost.size for column in columns]
    return Parts(
        kind=np.array([column.kind for column in columns], np.int64),
        size=np.array([column.size for column in columns], np.int64),
        depths=np.array([column.depths for column in columns], np.int64),
        apart=np.array([column.apart for column in columns], np.int64),
        at=np.cumsum([0, *lengths])[:-1].astype(np.int64),
        block=np.concatenate([column.block for column in columns]),
        cost=np.concatenate([column.cost for column in columns]),
    )


def _column(table: Table, measure: Measure, attribute: int, steps: int) -> Column:
    """Return one attribute, a range in as few steps as can be enumerated."""
    domain, codes = table.domains[attribute], np.ascontiguousarray(table.codes[:, attribute])
    each = np.arange(len(domain), dtype=np.int32)
    start = int(measure.space.codes_at[attribute])
    weights = measure.weight[start : start + each.size]
    pair = np.sort(weights[np.bincount(codes, minlength=each.size) > 0])[:2].sum()

    def costs(low: Ints, high: Ints) -> Longs:
        """Return the costs of nodes and ranges; of sets as if they had the two cheapest values."""
        cells: Longs = cell_costs(measure, attribute, low, high, np.full(low.size, pair))
        return cells

    alone: Longs = cell_costs(measure, attribute, each, each, weights)
    top = int(costs(codes.min(keepdims=True), codes.max(keepdims=True))[0])
    if isinstance(domain, TreeDomain):
        tree, levels = domain.hierarchy, _by_depth(domain.hierarchy)
        cost = np.concatenate([costs(tree.lows[nodes], tree.highs[nodes]) for nodes in levels])
        return Column(codes, TREE, each.size, len(levels), -1, np.concatenate(levels), cost, alone, top)
    if isinstance(domain, SetDomain):
        # One value or several: a tree with all values under the root.
        cost = np.concatenate([costs(each * 0, each * 0 + each[-1]), alone])
        return Column(codes, TREE, each.size, 2, -1, np.concatenate([each * 0, each]), cost, alone, top)
    group = _groups(table, attribute, costs, steps)
    first = np.flatnonzero(np.diff(group, prepend=-1)).astype(np.int32)
    last = np.append(first[1:] - 1, each[-1]).astype(np.int32)
    # A range from one group to another costs at least as much as from the last value of one to the first of the other.
    low, high = np.repeat(last, first.size), np.tile(first, first.size)
    cost = costs(np.minimum(low, high), high)
    alone = np.minimum.reduceat(alone, first)
    cost[:: first.size + 1] = alone
    return Column(group[codes], RANGE, first.size, 0, domain.missing, np.zeros(cost.size, np.int32), cost, alone, top)


def _groups(table: Table, attribute: int, costs: Callable[[Ints, Ints], Longs], steps: int) -> Ints:
    """Group the values of a range if there are many: by rows or by width; the missing value is on its own."""
    domain = table.domains[attribute]
    each = np.arange(len(domain), dtype=np.int32)
    if each.size <= 2 * steps:
        return each
    first = domain.missing + 1
    width = costs(np.full(each.size - first, first, np.int32), each[first:])
    before = running(value_counts(table, attribute))[first:-1]
    by_width, by_rows = width // max(1, width[-1] // steps), before * steps // table.rows
    changes = (np.diff(by_width, prepend=by_width[0]) > 0) | (np.diff(by_rows, prepend=by_rows[0]) > 0)
    return np.append(each[:first], first + np.cumsum(changes)).astype(np.int32)


def _by_depth(tree: Hierarchy) -> list[Ints]:
    """Return for each depth from the root on the node of each value; a value that is less deep is its own node."""
    levels = [tree.leaf_nodes.astype(np.int32)]
    for depth in range(tree.height - 1, -1, -1):
        nodes = levels[-1]
        levels.append(np.where(tree.depths[nodes] > depth, tree.parents[nodes], nodes).astype(np.int32))
    return levels[::-1]
