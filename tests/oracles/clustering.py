"""Centroid clustering and greedy k-member clustering word for word: lists of records, fractions, one step at a time.

Each returns the clusters as lists of row numbers, in the order in which they were made.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from oracles.metrics import height, path
from shoal.data.domain import NumericDomain, SetDomain, TreeDomain


def common_ancestor(tree, codes):
    """The lowest node that is on the way up from every value."""
    shared = set.intersection(*(set(path(tree, code)) for code in codes))
    return next(node for node in path(tree, min(codes)) if node in shared)


def span(domain, codes):
    """The share of the range that the values lie in: of numbers by value, of an order by place."""
    if domain.missing in codes:
        return Fraction(1)
    if isinstance(domain, NumericDomain):
        numbers = [Fraction(value) for value in domain.values.tolist() if value == value]
        shown = [Fraction(domain.values[code]) for code in codes]
        return (max(shown) - min(shown)) / (max(numbers) - min(numbers))
    return Fraction(max(codes) - min(codes), len(domain) - 1)


def loss(domain, codes):
    """LM of a cell that shows these values."""
    codes = set(codes)
    if len(codes) == 1:
        return Fraction(0)
    if isinstance(domain, TreeDomain):
        node = common_ancestor(domain.hierarchy, codes)
        leaves = [code for code in range(len(domain)) if node in path(domain.hierarchy, code)]
        return Fraction(len(leaves) - 1, len(domain) - 1)
    if isinstance(domain, SetDomain):
        return Fraction(len(codes) - 1, len(domain) - 1)
    return span(domain, codes)


def steps(domain, codes):
    """MD of the cells of these records."""
    if isinstance(domain, TreeDomain):
        node = common_ancestor(domain.hierarchy, codes)
        return sum(path(domain.hierarchy, code).index(node) for code in codes)
    return len(codes) if len(set(codes)) > 1 else 0


def diversity(domain, codes):
    """What a cell that shows these values adds to D, the information loss of a record."""
    codes = set(codes)
    if len(codes) == 1:
        return Fraction(0)
    if isinstance(domain, TreeDomain):
        return Fraction(height(domain.hierarchy, common_ancestor(domain.hierarchy, codes)), height(domain.hierarchy, 0))
    return Fraction(1) if isinstance(domain, SetDomain) else span(domain, codes)


def distance(table, one, other):
    """LM_dist + MD_dist / (2 Σ heights)."""
    cells = list(zip(table.domains, table.codes[one].tolist(), table.codes[other].tolist(), strict=True))
    heights = [height(d.hierarchy, 0) if isinstance(d, TreeDomain) else int(len(d) > 1) for d in table.domains]
    lm = sum(loss(domain, codes) for domain, *codes in cells) / len(cells)
    md = sum(steps(domain, codes) for domain, *codes in cells)
    return lm + (Fraction(md, 2 * sum(heights)) if md else 0)


def centroid_clustering(table, k):
    unused = list(range(len(table.codes)))
    apart = [[distance(table, one, other) for other in unused] for one in unused]
    centroids, clusters = [], []
    current = 0
    while len(unused) >= k:
        others = [record for record in unused if record != current]
        nearest = sorted(others, key=lambda record: (apart[current][record], record))[: k - 1]
        clusters.append([current, *nearest])
        unused = [record for record in unused if record not in clusters[-1]]
        centroids.append(current)
        totals = {record: sum(apart[record][centroid] for centroid in centroids) for record in unused}
        current = max(unused, key=lambda record: (totals[record], -record), default=None)
    for record in unused:
        to_centroids = [apart[record][centroid] for centroid in centroids]
        clusters[to_centroids.index(min(to_centroids))].append(record)
    return clusters


def information_loss(table, cluster):
    """|cluster| · D."""
    columns = table.codes[cluster].T.tolist()
    return len(cluster) * sum(diversity(domain, codes) for domain, codes in zip(table.domains, columns, strict=True))


def k_member(table, k, seed, start="furthest"):
    unused = list(range(len(table.codes)))
    if len(unused) <= k:
        return [unused]
    random = np.random.RandomState(seed)
    last = int(random.randint(len(unused)))
    clusters = []
    while len(unused) >= k:
        if start == "random":
            last = unused.pop(int(random.randint(len(unused), dtype=np.int64)))
        else:
            apart = [information_loss(table, [last, record]) for record in unused]
            last = unused.pop(apart.index(max(apart)))
        cluster = [last]
        while len(cluster) < k:
            before = information_loss(table, cluster)
            grown = [information_loss(table, [*cluster, record]) - before for record in unused]
            last = unused.pop(grown.index(min(grown)))
            cluster.append(last)
        clusters.append(cluster)
    rest = np.array(unused, np.int32)
    random.shuffle(rest)
    for record in rest.tolist():
        more = [information_loss(table, [*c, record]) - information_loss(table, c) for c in clusters]
        clusters[more.index(min(more))].append(record)
    return clusters
