"""Agglomerative clustering as its paper has it: every pair of clusters is compared anew before each union."""

from __future__ import annotations

from oracles.sequential_clustering import Table


def cluster(table, k, distance, *, shrink):
    """The clusters as lists of rows."""
    costs = Table(table, "loss")

    def apart(one, other):
        if distance == "rows":
            return costs.apart(one, other)
        return costs.gc(one + other) - costs.gc(one) - costs.gc(other)

    growing, ripe = [[row] for row in range(len(table.codes))], []
    if len(growing) < 2 * k:
        return [[row for rows in growing for row in rows]]
    if k == 1:
        return growing
    while len(growing) > 1:
        growing.sort(key=min)
        pairs = [(i, j) for i in range(len(growing)) for j in range(i + 1, len(growing))]
        i, j = min(pairs, key=lambda pair: apart(growing[pair[0]], growing[pair[1]]))
        union = sorted(growing[i] + growing[j])
        growing = [rows for place, rows in enumerate(growing) if place not in (i, j)]
        if len(union) < k:
            growing.append(union)
            continue
        while shrink and len(union) > k:
            # d_i = dist(S, S without R_i) is the highest where the others cost least.
            gone = min(union, key=lambda row: costs.gc([other for other in union if other != row]))
            union.remove(gone)
            growing.append([gone])
        ripe.append(union)
    for row in sorted(row for rows in growing for row in rows):
        closest = min(range(len(ripe)), key=lambda c: apart([row], ripe[c]))
        ripe[closest].append(row)
    return ripe
