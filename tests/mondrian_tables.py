"""Small tables as the literal Mondrian wants them, and partitions as sets of rows."""

from __future__ import annotations

import numpy as np

from oracles import mondrian as oracle
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain


def groups(ids):
    return {frozenset(np.flatnonzero(ids == g).tolist()) for g in set(ids.tolist())}


def literal(table):
    """The table as lists, and its attributes as the oracle wants them."""
    attributes = []
    for domain in table.domains:
        missing = domain.missing if domain.missing >= 0 else None
        if isinstance(domain, NumericDomain):
            attributes.append(oracle.Numbers(domain.values.tolist(), missing))
        elif isinstance(domain, RangeDomain):
            attributes.append(oracle.Numbers(list(range(len(domain))), missing, span=len(domain) - 1))
        elif isinstance(domain, SetDomain):
            attributes.append(oracle.Set(len(domain)))
        else:
            tree = domain.hierarchy
            paths = []
            for node in tree.leaf_nodes.tolist():
                path = [node]
                while tree.parents[path[-1]] >= 0:
                    path.append(int(tree.parents[path[-1]]))
                paths.append(path)
            attributes.append(oracle.Tree(paths))
    return table.codes.tolist(), attributes
