"""KL divergence: D. Kifer, J. Gehrke, Injecting utility into anonymized datasets (2006).

doi:10.1145/1142473.1142499.
"""

from __future__ import annotations

from math import fsum, log2

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.mixtures import Boxes, add_boxes
from shoal.metrics.cells import intervals, suppressed_rows, values_covered

MAX_PAIRS = 2**24  # of a record and a class, up to which they are compared without dividing them further


def divergence(table: Table, recoding: Recoding) -> float:
    """KL: Σ_x p(x) log2(p(x) / q(x)) in bits, p the distribution of the original rows over the quasi-identifiers.

    q is the distribution of highest entropy that the release allows: each class spreads its share of the rows evenly
    over the combinations of values that its labels cover, the suppressed rows theirs over all combinations.
    """
    records, _ = table.distinct(sensitive=False)
    density = np.log2(recoding.sizes / table.rows)
    for domain, shown in zip(table.domains, recoding.shown, strict=True):
        density = density - np.log2(values_covered(domain, shown))
    lost = suppressed_rows(table, recoding) / table.rows
    everywhere = log2(lost) - fsum(log2(len(domain)) for domain in table.domains) if lost else -np.inf
    q = np.full(len(records.weights), everywhere)
    _add(q, np.ascontiguousarray(records.codes), _boxes(table, recoding), density)
    p = records.weights / table.rows
    return max(0.0, fsum((p * (np.log2(p) - q)).tolist()))


def _add(total: Floats, codes: Ints, boxes: Boxes, density: Floats) -> None:
    """Add every box to the records that it covers, after dividing records and boxes into neighbourhoods."""
    lows = boxes.low[boxes.pointers[:, :-1]]
    highs = boxes.high[boxes.pointers[:, 1:] - 1]
    parts = [(np.arange(len(codes)), np.arange(density.size))]
    while parts:
        rows, some = parts.pop()
        halves = _halves(codes, rows, boxes.order, lows, highs, some) if rows.size * some.size > MAX_PAIRS else []
        if halves:
            parts += halves
        else:
            add_boxes(total, codes, rows, boxes, some, density)


def _halves(codes: Ints, rows: Longs, order: Longs, lows: Ints, highs: Ints, some: Longs) -> list[tuple[Longs, Longs]]:
    """Divide at the middle of the attribute that keeps most boxes on one side; return nothing if none does well."""
    best, chosen = 1.6 * some.size, (-1, 0)
    sample = codes[rows[:: max(1, rows.size // 1000)]]
    for j, attribute in enumerate(order.tolist()):
        middle = int(np.median(sample[:, attribute]))
        boxes = int((lows[j, some] <= middle).sum() + (highs[j, some] > middle).sum())
        if boxes < best and middle < sample[:, attribute].max():
            best, chosen = boxes, (j, middle)
    j, middle = chosen
    if j < 0:
        return []
    left = codes[rows, order[j]] <= middle
    return [(rows[left], some[lows[j, some] <= middle]), (rows[~left], some[highs[j, some] > middle])]


def _boxes(table: Table, recoding: Recoding) -> Boxes:
    """Return what each class covers, the attribute that distinguishes most classes first."""
    shares = [
        float(values_covered(domain, shown).sum()) / len(domain)
        for domain, shown in zip(table.domains, recoding.shown, strict=True)
    ]
    order = np.argsort(shares, kind="stable")
    parts = [intervals(table.domains[a], recoding.shown[a], recoding.sizes.size) for a in order.tolist()]
    before = np.cumsum([0, *(low.size for _, low, _ in parts)])[:-1]
    return Boxes(
        order,
        np.array([len(table.domains[a]) for a in order.tolist()], np.int64),
        np.stack([starts for starts, _, _ in parts]) + before[:, None],
        np.concatenate([low for _, low, _ in parts]),
        np.concatenate([high for _, _, high in parts]),
    )
