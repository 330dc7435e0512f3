"""CM, the classification metric: V. Iyengar, Transforming data to satisfy privacy constraints (2002).

doi:10.1145/775047.775089.
"""

from __future__ import annotations

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.metrics.cells import suppressed_rows


def classification(table: Table, recoding: Recoding) -> float:
    """CM: the share of rows that are suppressed or lack the most frequent first sensitive value of their class."""
    return classification_of(table, recoding, table.sensitive[0])


def classification_of(table: Table, recoding: Recoding, target: str) -> float:
    """Return CM for any sensitive attribute."""
    released = ~recoding.suppressed
    codes, width = table.sensitive_column(target)
    ids, labels, weights = recoding.ids[released], codes[released], table.weights[released]
    pairs, firsts = group_rows([ids, labels], [recoding.sizes.size, width], ids.size)
    counts = np.bincount(pairs, weights, firsts.size).astype(np.int64)
    most = np.zeros(recoding.sizes.size, np.int64)
    np.maximum.at(most, ids[firsts], counts)
    others = int((recoding.sizes - most).sum())
    return (others + suppressed_rows(table, recoding)) / table.rows
