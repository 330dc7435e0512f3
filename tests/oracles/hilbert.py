"""Clustering along a Hilbert curve word for word: all cells in their order, and every way to cut the line."""

from __future__ import annotations

from functools import cache

from oracles.sequential_clustering import Table


@cache
def curve(bits, dimensions):
    """All cells of a grid of 2**bits cells per side, in the order of the curve: Skilling's TransposetoAxes."""
    cells = []
    for place in range(2 ** (bits * dimensions)):
        digits = f"{place:0{bits * dimensions}b}"
        x = [int(digits[d::dimensions], 2) for d in range(dimensions)]
        last = x[-1] >> 1
        for d in range(dimensions - 1, 0, -1):
            x[d] ^= x[d - 1]
        x[0] ^= last
        q = 2
        while q != 2**bits:
            for d in range(dimensions - 1, -1, -1):
                if x[d] & q:
                    x[0] ^= q - 1
                else:
                    t = (x[0] ^ x[d]) & (q - 1)
                    x[0] ^= t
                    x[d] ^= t
            q *= 2
        cells.append(tuple(x))
    return cells


def line(table):
    """The rows in the order of their cells; equal ones as in the table."""
    bits = max(1, (max(map(len, table.domains)) - 1).bit_length())
    place = {cell: at for at, cell in enumerate(curve(bits, len(table.domains)))}

    def cell(row):
        return tuple(
            code * (2**bits - 1) // max(1, len(domain) - 1)
            for code, domain in zip(table.codes[row].tolist(), table.domains, strict=True)
        )

    return sorted(range(len(table.codes)), key=lambda row: place[cell(row)])


def cluster(table, k):
    """The cheapest runs of k to 2k − 1 rows of the line; of equals the one whose last group is the shortest."""
    order, costs = line(table), Table(table, "loss")
    if len(order) < 2 * k:
        return [order]

    @cache
    def best(end):
        if end == 0:
            return 0, []
        found = None
        for size in range(k, min(2 * k - 1, end) + 1):
            before = best(end - size)
            if before is not None:
                cost = before[0] + costs.cost(order[end - size : end])
                if found is None or cost < found[0]:
                    found = cost, [*before[1], order[end - size : end]]
        return found

    return best(len(order))[1]


def lowest_cost(table, k):
    """What the cheapest runs of at least k rows cost, however long."""
    order, costs = line(table), Table(table, "loss")

    @cache
    def best(end):
        starts = [start for start in range(end - k + 1) if start == 0 or start >= k]
        return min((best(start) + costs.cost(order[start:end]) for start in starts), default=0)

    return best(len(order))
