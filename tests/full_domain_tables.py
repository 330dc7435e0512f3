"""Small tables with trees, and the oracle's verdicts on their nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log1p

import numpy as np
from hypothesis import strategies as st

from oracles import lattice as oracle
from shoal.algorithms.full_domain.objectives import WEIGHTED
from shoal.data.domain import SetDomain, TreeDomain
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics import METRICS
from strategies import hierarchies


@st.composite
def trees_only(draw, most=3, max_rows=16):
    """A small table whose quasi-identifiers all have hierarchies, some with a missing value."""
    domains = tuple(
        TreeDomain.of(draw(hierarchies(max_nodes=8)), missing=draw(st.sampled_from([None, None, "?"])))
        for _ in range(draw(st.integers(1, most)))
    )
    rows = draw(st.integers(2, max_rows))
    codes = [draw(st.lists(st.integers(0, len(d) - 1), min_size=rows, max_size=rows)) for d in domains]
    secret = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    return Table(
        quasi=tuple(f"q{j}" for j in range(len(domains))),
        domains=domains,
        codes=np.array(codes, np.int32).T.copy(),
        sensitive=("s",),
        sensitive_domains=(SetDomain(("a", "b", "c")),),
        sensitive_codes=np.array(secret, np.int32)[:, None],
        weights=np.ones(rows, np.int64),
    )


def judging(table, definition, budget, together=lambda groups: True, secret=None):
    """The oracle's verdict on a node of this table; `definition` takes what is `secret` of a class and of all.

    This is the sensitive value of each row, unless it is given.
    """
    secret = table.sensitive_codes[:, 0].tolist() if secret is None else secret
    paths, sizes = [], []
    for domain in table.domains:
        tree = domain.hierarchy
        own = []
        for node in tree.leaf_nodes.tolist():
            up = [node]
            while tree.parents[up[-1]] >= 0:
                up.append(int(tree.parents[up[-1]]))
            own.append(up)
        paths.append(own)
        sizes.append(Counter(number for up in own for number in up))
    rows = table.codes.tolist()

    def allowed(group):
        return definition([secret[r] for r in group], secret)

    return lambda node: oracle.judge(node, rows, paths, sizes, allowed, budget, together)


def heights(table):
    return tuple(domain.hierarchy.height for domain in table.domains)


def recoded(table, verdict):
    """The oracle's verdict as a recoding, for the measures."""
    ids = np.full(len(table.weights), -1, np.int32)
    for number, group in enumerate(verdict.groups.values()):
        ids[group] = number
    shown = tuple(np.array(column, np.int32) for column in zip(*verdict.groups, strict=True))
    return Recoding(ids, np.array([len(group) for group in verdict.groups.values()], np.int64), shown)


def cost(table, verdict, objective, weights, factor=0.5):
    """What a node costs, by the measure itself; with weights, by those of single attributes.

    The factor of suppression multiplies what cells cost that are shown, or suppressed ones.
    """
    recoding = recoded(table, verdict)
    if objective == "height":
        return sum(verdict.node) + METRICS["loss"](table, recoding) / 2
    if objective not in WEIGHTED:
        return METRICS[objective](table, recoding)
    total = max(weights.values()) if objective in ("loss_maximum", "loss_rank") else sum(weights.values())
    measure = "loss" if objective.startswith("loss") else objective
    shares = []
    for j, name in enumerate(table.quasi):
        alone = replace(table, quasi=(name,), domains=table.domains[j : j + 1], codes=table.codes[:, j : j + 1])
        value = METRICS[measure](alone, Recoding(recoding.ids, recoding.sizes, recoding.shown[j : j + 1]))
        if objective == "precision":
            value = 1 - value
        if factor != 0.5:
            tall = objective != "precision" or table.domains[j].hierarchy.height > 0
            gone = len(verdict.suppressed) / table.rows if tall else 0
            value = min(1, 2 - 2 * factor) * (value - gone) + min(1, 2 * factor) * gone
        value = log1p(value) if objective == "loss_geometric" else value
        shares.append(weights[name] / total * value)
    if objective == "loss_rank":  # the largest decides, then the second largest
        return tuple(round(share, 12) for share in sorted(shares, reverse=True))
    return max(shares) if objective == "loss_maximum" else sum(shares)


def same(made, verdict, table):
    """Whether a recoding is that of a verdict: the same node, the same rows suppressed, the same classes."""
    groups = {tuple(group) for group in verdict.groups.values()}
    found = {tuple(np.flatnonzero(made.ids == number).tolist()) for number in range(made.sizes.size)}
    gone = np.flatnonzero(made.ids < 0).tolist()
    return made.node == verdict.node and gone == verdict.suppressed and found == groups
