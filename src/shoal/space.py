"""The domains of a table as flat arrays for the kernels."""

from __future__ import annotations

import numpy as np

from shoal.domain import AnyDomain, Ranges, SetDomain, TreeDomain
from shoal.kernels.costs import ONE, RANGE, SET, TREE, Space


def space_of(domains: tuple[AnyDomain, ...]) -> Space:
    """Lay the domains one after another, their losses as integers with `ONE` for the top value."""
    sizes = np.array([len(domain) for domain in domains], np.int64)
    codes_at = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    position = np.zeros(int(sizes.sum()), np.int64)
    leaf_node = np.zeros(int(sizes.sum()), np.int32)
    kinds, nodes_at, trees, count = [], [], [], 0
    for domain, at in zip(domains, codes_at.tolist(), strict=True):
        nodes_at.append(count)
        here = slice(at, at + len(domain))
        if isinstance(domain, TreeDomain):
            kinds.append(TREE)
            leaf_node[here] = domain.hierarchy.leaf_nodes
            trees.append(domain.hierarchy)
            count += len(domain.hierarchy.labels)
        elif isinstance(domain, SetDomain):
            kinds.append(SET)
        else:
            kinds.append(RANGE)
            first = np.full(len(domain), domain.missing + 1, np.int32)
            codes = np.arange(len(domain), dtype=np.int32)
            codes[: domain.missing + 1] = min(domain.missing + 1, len(domain) - 1)
            position[here] = np.rint(domain.loss(Ranges(np.minimum(first, codes), codes)) * ONE).astype(np.int64)

    def per_node(name: str) -> np.ndarray:
        return np.concatenate([np.zeros(0, np.int32), *(getattr(tree, name) for tree in trees)]).astype(np.int32)

    cost = np.concatenate([np.zeros(0), *(tree.loss for tree in trees)])
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
        cost=np.rint(cost * ONE).astype(np.int64),
    )
