"""One-pass k-means word for word: lists of records, each centroid and distance anew, in fractions."""

from __future__ import annotations

import numpy as np

from oracles.graph_clustering import Records, seeded


def clusters(table, k, seed):
    """One pass over the sorted records, then the adjustment."""
    records, random = Records(table), np.random.RandomState(seed)
    found = seeded(list(range(len(records))), k, random)
    codes = table.codes.tolist()
    for record in sorted(range(len(records)), key=lambda record: codes[record]):
        if not any(record in cluster for cluster in found):
            join_nearest(records, found, record)
    pool = []
    for cluster in found:
        cluster[:], beyond = records.cut_down(cluster, k)
        pool += beyond
    pool = np.array(sorted(pool), np.int64)
    random.shuffle(pool)
    for record in pool.tolist():
        below = [cluster for cluster in found if len(cluster) < k]
        join_nearest(records, below or found, record)
    return found


def join_nearest(records, clusters, record):
    """Put a record where the centroid is nearest."""
    min(clusters, key=lambda cluster: records.distance(record, cluster)).append(record)
