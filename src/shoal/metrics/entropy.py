"""MI and PMI: J. Goldberger, T. Tassa, Efficient anonymizations with enhanced utility (2010), section 5.

Transactions on Data Privacy 3(2), 149–175. The probabilities are the shares in the original table; R̄ is the set of
values that a label covers. MI is also the non-uniform entropy of A. Gionis, T. Tassa, k-Anonymization with minimal
loss of information (2009), doi:10.1109/TKDE.2008.129.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fsum, log2

import numpy as np

from shoal.data.domain import AnyDomain, Sets
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.metrics.cells import bounds, cells_of, covered, running, suppressed_rows, times_log2, value_counts

MAX_NUMBERS = 2**22  # in memory beside the table


def entropy_loss(table: Table, recoding: Recoding) -> float:
    """MI: −1/(n·M) Σ rows Σ attributes log2 Pr(X = raw value | X ∈ R̄), in bits per cell; R̄: what the label covers."""
    return fsum(_bits(table, recoding)) / table.rows / len(table.quasi)


def private_entropy_loss(table: Table, recoding: Recoding) -> float:
    """PMI: −1/(n·M) Σ rows Σ attributes log2 Pr(Y = the row's first sensitive value | X ∈ R̄), in bits per cell."""
    classes, values = recoding.sizes.size, len(table.sensitive_domains[0])
    secret = np.ascontiguousarray(table.sensitive_codes[:, 0])
    # Rows of one class with one sensitive value have the same share; the suppressed rows are one more class.
    home = np.where(recoding.suppressed, np.int32(classes), recoding.ids)
    pairs, firsts = group_rows([home, secret], [classes + 1, values], home.size)
    weights = np.bincount(pairs, table.weights, firsts.size)
    ids, secrets = home[firsts], secret[firsts]
    gone = ids == classes
    overall = np.bincount(secret, table.weights, values).astype(np.int64)
    # A label covers the rows of its class, so if no other row has their value there is nothing to count.
    settled = gone | (overall[secrets] == weights)
    terms: list[float] = []
    for attribute, (domain, shown) in enumerate(zip(table.domains, recoding.shown, strict=True)):
        alike, among = overall[secrets], np.full(ids.size, table.rows)
        if not settled.all():
            alike[~settled] = _with_value(table, attribute, shown, ids[~settled], secrets[~settled])
        among[~gone] = covered(domain, shown, value_counts(table, attribute))[ids[~gone]]
        terms += (weights * np.log2(among / alike)).tolist()
    return fsum(terms) / table.rows / len(table.quasi)


def _bits(table: Table, recoding: Recoding) -> list[float]:
    """Return for each attribute Σ rows −log2 Pr(X = raw value | X ∈ R̄) = Σ rows log2 |R̄| − Σ rows log2 |raw value|."""
    lost = suppressed_rows(table, recoding) * log2(table.rows)
    totals = []
    for attribute, (domain, shown) in enumerate(zip(table.domains, recoding.shown, strict=True)):
        cells = cells_of(table, recoding, attribute)
        counts = np.bincount(cells.codes, cells.rows, len(domain)).astype(np.int64)
        shared = recoding.sizes * np.log2(covered(domain, shown, counts))
        totals.append(max(0.0, fsum([*shared.tolist(), lost, -times_log2(counts)])))
    return totals


def _with_value(table: Table, attribute: int, shown: object, ids: Ints, secrets: Ints) -> Longs:
    """Count for each pair of a class and a sensitive value the rows with the value that the class's label covers."""
    domain: AnyDomain = table.domains[attribute]
    width = len(domain)
    keys = table.sensitive_codes[:, 0].astype(np.int64) * width + table.codes[:, attribute]
    below = _below(keys, table.weights, len(table.sensitive_domains[0]) * width)
    first = secrets.astype(np.int64) * width
    if not isinstance(shown, Sets):
        low, high = bounds(domain, shown)
        return below(first + high[ids] + 1) - below(first + low[ids])
    totals = np.zeros(ids.size, np.int64)
    lengths = shown.sizes[ids]
    ends = np.cumsum(lengths)
    start = 0
    while start < ids.size:
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] - lengths[start] + MAX_NUMBERS, "right")))
        size = lengths[start:stop]
        begin = np.cumsum(size) - size
        member = np.arange(int(size.sum())) + np.repeat(shown.starts[ids[start:stop]] - begin, size)
        wanted = np.repeat(first[start:stop], size) + shown.codes[member]
        totals[start:stop] = np.add.reduceat(below(wanted + 1) - below(wanted), begin)
        start = stop
    return totals


def _below(keys: Longs, weights: Longs, bound: int) -> Callable[[Longs], Longs]:
    """Return a function that counts the rows with a key below a given one; all keys are below the bound."""
    if bound <= MAX_NUMBERS:
        counted = running(np.bincount(keys, weights, bound).astype(np.int64))
        return lambda wanted: counted[wanted]
    order = np.argsort(keys, kind="stable")
    ordered, upto = keys[order], running(weights[order])
    return lambda wanted: upto[np.searchsorted(ordered, wanted)]
