"""Models on the values that classes hold, up to as many as rows, beside the models of the second verifier."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles.second_verifier import models as oracle
from shoal import Hierarchy
from shoal.data.classes import Counts
from shoal.data.domain import SetDomain
from shoal.data.table import Table
from shoal.models import (
    AlphaK,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    PSensitivity,
    RecursiveDiversity,
)
from strategies import histogram

SHARES = st.sampled_from([0, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 0.9, 1])


@st.composite
def grouped(draw):
    """A table with classes (−1: rows in none) and the second verifier's groups and whole of the same."""
    rows = draw(st.integers(1, 30))
    numbers = draw(st.permutations(range(rows + 1)))  # codes in another order than the numbers that they stand for
    missing = draw(st.sampled_from([-1, 0]))
    labels = tuple("?" if code == missing else str(number) for code, number in enumerate(numbers))
    kind = draw(st.sampled_from(["different", "few", "any"]))
    most = {"different": 0, "few": min(2, rows), "any": rows}[kind]
    codes = list(range(rows)) if kind == "different" else [draw(st.integers(0, most)) for _ in range(rows)]
    weights = [draw(st.sampled_from([1, 1, 1, 2, 5])) for _ in range(rows)]
    classes = draw(st.sampled_from([1, 3, rows]))
    lowest = 0 if classes == 1 else -1
    ids = [draw(st.integers(lowest, classes - 1)) for _ in range(rows)]
    ids[0] = max(ids[0], 0)
    used = sorted(set(ids) - {-1})
    ids = [used.index(number) if number >= 0 else -1 for number in ids]
    table = Table(
        quasi=(),
        domains=(),
        codes=np.zeros((rows, 0), np.int32),
        sensitive=("s",),
        sensitive_domains=(SetDomain(labels, missing),),
        sensitive_codes=np.array(codes, np.int32)[:, None],
        weights=np.array(weights, np.int64),
    )
    values = [None if code == missing else labels[code] for code in codes]
    expanded = [
        (number, {"s": value})
        for number, value, weight in zip(ids, values, weights, strict=True)
        for _ in range(weight)
    ]
    groups = [oracle.Group([row for own, row in expanded if own == number], ["s"]) for number in range(len(used))]
    return table.classes(np.array(ids, np.int32)), groups, oracle.Group([row for _, row in expanded], ["s"])


def agrees(asked, case, **plain):
    classes, groups, whole = case
    failing = oracle.failing([plain], groups, whole, ["s"])
    assert asked.satisfied(classes).tolist() == [place not in failing for place in range(len(groups))]
    for which in (np.arange(len(groups)) % 2 == 0, np.arange(len(groups)) % 3 == 1):
        assert asked.satisfied(classes.some(which)).tolist() == asked.satisfied(classes)[which].tolist()


@given(grouped(), st.integers(1, 6), st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_distinct_and_p_sensitive(case, least, size):
    agrees(DistinctDiversity(least), case, model="distinct-l", l=least)
    agrees(PSensitivity(least, size), case, model="p-sensitive-k", p=least, k=size)


@given(grouped(), st.sampled_from([1, 1.5, 2, 3, 4.5]))
@settings(max_examples=150, deadline=None)
def test_frequency_entropy_and_alpha(case, least):
    agrees(FrequencyDiversity(least), case, model="frequency-l", l=least)
    agrees(EntropyDiversity(least), case, model="entropy-l", l=least)
    agrees(AlphaK(1 / Fraction(str(least)), 2), case, model="alpha-k", alpha=1 / Fraction(str(least)), k=2)


@given(grouped(), st.sampled_from([0.5, 1, 1.5, 2, 4]), st.integers(1, 5))
@settings(max_examples=150, deadline=None)
def test_recursive(case, most, least):
    agrees(RecursiveDiversity(most, least), case, model="recursive-cl", c=most, l=least)


@given(grouped(), st.sampled_from([0.1, 0.5, 1, 2, 3, 9]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_beta(case, most, enhanced):
    agrees(BetaLikeness(most, enhanced), case, model="beta-likeness", beta=most, enhanced=enhanced)


@given(grouped(), st.sampled_from([0.1, 0.3, 0.7, 1, 1.5, 3]))
@settings(max_examples=150, deadline=None)
def test_delta(case, most):
    agrees(DeltaDisclosure(most), case, model="delta-disclosure", delta=most)


@given(grouped(), SHARES)
@settings(max_examples=200, deadline=None)
def test_equal_and_ordered_closeness(case, most):
    agrees(Closeness(most), case, model="t-closeness", t=most)
    agrees(Closeness(most, "ordered"), case, model="t-closeness", t=most, distance="ordered")


@given(grouped(), SHARES, st.integers(1, 4), st.integers(2, 4))
@settings(max_examples=200, deadline=None)
def test_hierarchical_closeness(case, most, steps, width):
    classes, _, _ = case
    labels = [label for label in classes.sensitive["s"].labels if label is not None]
    # Leaves at different depths: every third value hangs under the root.
    paths = {
        label: ["*"]
        if int(label) % 3 == 0
        else [f"{step}:{int(label) // width**step}" for step in range(1, steps)] + ["*"]
        for label in labels
    }
    names = ["*", *sorted({name for path in paths.values() for name in path} - {"*"}, reverse=True)]
    above = {one: other for path in paths.values() for one, other in pairwise(path)}
    tree = Hierarchy.from_parents(
        [*names, *labels],
        [-1, *(names.index(above[name]) for name in names[1:]), *(names.index(paths[label][0]) for label in labels)],
    )
    model = Closeness(most, "hierarchical", hierarchy=tree)
    asked = {"model": "t-closeness", "t": most, "distance": "hierarchical", "paths": paths}
    agrees(model, case, **asked)


@given(grouped())
@settings(max_examples=50, deadline=None)
def test_counts_by_classes_are_those_of_a_histogram(case):
    classes, groups, _ = case
    found, lines = classes.counts("s"), histogram(classes, "s")
    again = Counts.of_histogram(lines)
    for one, other in zip((found.starts, found.values, found.counts), vars(again).values(), strict=False):
        assert one.tolist() == other.tolist()
    assert lines.sum(axis=1).tolist() == [group.size for group in groups]
    assert found.joined(found).counts.tolist() == [count for count in (2 * lines.sum(axis=0)).tolist() if count]


def test_distances_of_large_classes_need_more_than_64_bits():
    rows, most = 1000, 2**45
    table = Table(
        quasi=(),
        domains=(),
        codes=np.zeros((rows, 0), np.int32),
        sensitive=("s",),
        sensitive_domains=(SetDomain(tuple(map(str, range(rows)))),),
        sensitive_codes=np.arange(rows, dtype=np.int32)[:, None],
        weights=np.full(rows, most, np.int64),
    )
    classes = table.classes((np.arange(rows) * 2 // rows).astype(np.int32))
    assert Closeness(1).measured(classes, "s").tolist() == [0.5, 0.5]
    # Up to each of m places a half has i/m − 2i/m; the sum over all places is m/4.
    distance = Fraction(rows, 4 * (rows - 1))
    assert Closeness(distance, "ordered").satisfied(classes).all()
    assert not Closeness(distance - Fraction(1, 10**20), "ordered").satisfied(classes).any()
    tree = Hierarchy.flat(tuple(map(str, range(rows))))
    assert Closeness(Fraction(1, 2), "hierarchical", hierarchy=tree).satisfied(classes).all()
    assert Closeness(0.49, "hierarchical", hierarchy=tree).measured(classes, "s") == pytest.approx([0.5, 0.5])
