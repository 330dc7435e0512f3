"""Random small tables, trees and models for hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from shoal import Hierarchy
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain, TreeDomain
from shoal.data.table import Table


@st.composite
def hierarchies(draw, max_nodes=12):
    """Draw a ragged tree with unique labels."""
    parents = [-1]
    for node in range(1, draw(st.integers(2, max_nodes))):
        parents.append(draw(st.integers(0, node - 1)))
    inner = set(parents)
    return Hierarchy.from_parents([f"{'n' if i in inner else 'v'}{i}" for i in range(len(parents))], parents)


@st.composite
def domains(draw):
    """Draw a domain of any kind, with or without a missing value."""
    kind = draw(st.sampled_from(["tree", "numeric", "ordered", "set"]))
    if kind == "tree":
        return TreeDomain.of(draw(hierarchies()), missing="?" if draw(st.booleans()) else None)
    size = draw(st.integers(1, 6))
    missing = draw(st.booleans())
    if kind == "numeric":
        numbers = sorted(draw(st.sets(st.integers(-50, 50), min_size=size, max_size=size)))
        values = np.array(([np.nan] if missing else []) + [float(n) for n in numbers])
        labels = (["?"] if missing else []) + [str(n) for n in numbers]
        return NumericDomain(tuple(labels), 0 if missing else -1, values)
    labels = (["?"] if missing else []) + [f"w{i}" for i in range(size)]
    if kind == "ordered":
        return RangeDomain(tuple(labels), 0 if missing else -1)
    return SetDomain(tuple(labels), 0 if missing else -1)


@st.composite
def tables(draw, max_rows=24, max_attributes=3):
    """Draw a table of codes with unit weights and one sensitive attribute."""
    attributes = tuple(draw(st.lists(domains(), min_size=1, max_size=max_attributes)))
    rows = draw(st.integers(1, max_rows))
    codes = [draw(st.lists(st.integers(0, len(d) - 1), min_size=rows, max_size=rows)) for d in attributes]
    secret = SetDomain(("a", "b", "c", "d"))
    sensitive = draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    return Table(
        quasi=tuple(f"q{j}" for j in range(len(attributes))),
        domains=attributes,
        codes=np.array(codes, np.int32).T.copy(),
        sensitive=("s",),
        sensitive_domains=(secret,),
        sensitive_codes=np.array(sensitive, np.int32)[:, None],
        weights=np.ones(rows, np.int64),
    )


def histogram(classes, name):
    """Return how often each value occurs in each class, as a matrix."""
    counted = classes.counts(name)
    found = np.zeros((len(classes), len(classes.sensitive[name].labels)), np.int64)
    found[counted.spread(np.arange(len(classes))), counted.values] = counted.counts
    return found
