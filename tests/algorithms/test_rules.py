"""Rules in compiled code say what the model itself says, of classes exactly at the limit, too."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shoal.algorithms.judge import judge_of
from shoal.algorithms.rules import rules_of
from shoal.data.classes import Classes
from shoal.data.domain import SetDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.table import Table
from shoal.kernels.rules import satisfying_lines
from shoal.models import (
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    KAnonymity,
    RecursiveDiversity,
)

TREE = Hierarchy.from_parents(["*", "x", "d", "y", "c", "a", "b", "unused"], [-1, 0, 0, 1, 1, 3, 3, 3])
PATHS = {"a": ("x", "y", "a"), "b": ("x", "y", "b"), "c": ("x", "c"), "d": ("d",)}
HEIGHTS = {"*": 3, "x": 2, "y": 1, "a": 0, "b": 0, "c": 0, "d": 0}
COUNTS = (16, 10, 10, 4)


def table_of(*columns):
    """Return a table with these sensitive columns of the values a to d."""
    return Table(
        quasi=("q",),
        domains=(SetDomain(("u", "v")),),
        codes=np.zeros((len(columns[0]), 1), np.int32),
        sensitive=tuple(f"s{number}" for number in range(len(columns))),
        sensitive_domains=tuple(SetDomain(tuple("abcd")) for _ in columns),
        sensitive_codes=np.stack(columns, axis=1).astype(np.int32),
        weights=np.ones(len(columns[0]), np.int64),
    )


ONE = table_of(np.repeat(np.arange(4), COUNTS))
COMPOSITIONS = np.array([counts for counts in product(range(6), repeat=4) if 0 < sum(counts) <= 12])


def literal_distance(counts, distance):
    """Return the earth mover's distance to COUNTS, in fractions."""
    gains = [Fraction(c, sum(counts)) - Fraction(whole, sum(COUNTS)) for c, whole in zip(counts, COUNTS, strict=True)]
    if distance == "equal":
        return sum(map(abs, gains)) / 2
    far = Fraction(0)
    for node in HEIGHTS:
        below = [value for value in "abcd" if node in PATHS[value]]
        if below:
            path = ("*", *PATHS[below[0]])
            parent = path[path.index(node) - 1]
            far += (HEIGHTS[parent] - HEIGHTS[node]) * abs(sum(gains["abcd".index(value)] for value in below))
    return far / (2 * HEIGHTS["*"])


@pytest.mark.parametrize("t", [0.0, 0.1, 0.15, 0.2, 0.25, 0.35, 0.4, 1.0])
@pytest.mark.parametrize("distance", ["equal", "hierarchical"])
def test_a_verdict_is_that_of_the_model_and_of_fractions(t, distance):
    model = KAnonymity(3) & Closeness(t, distance, hierarchy=TREE if distance == "hierarchical" else None)
    judge = judge_of(ONE, model)
    assert judge.rules is not None
    found = judge.satisfied(COMPOSITIONS)
    assert found.tolist() == replace(judge, rules=None).satisfied(COMPOSITIONS).tolist()
    wanted = Fraction(str(t))
    distances = [literal_distance(counts, distance) for counts in COMPOSITIONS.tolist()]
    sizes = COMPOSITIONS.sum(axis=1)
    assert found.tolist() == [bool(far <= wanted and n >= 3) for far, n in zip(distances, sizes, strict=True)]


@pytest.mark.parametrize(
    "model",
    [
        KAnonymity(3) & DistinctDiversity(2),
        DistinctDiversity(4),
        KAnonymity(2) & FrequencyDiversity(Fraction(3, 2)),
        FrequencyDiversity(2) & DistinctDiversity(3),
        KAnonymity(4) & EntropyDiversity(2),
        EntropyDiversity(Fraction(5, 2)),
        EntropyDiversity(4),
        KAnonymity(2) & RecursiveDiversity(1, 2),
        RecursiveDiversity(4, 3),
        KAnonymity(3) & Closeness(0.4) & DistinctDiversity(2) & RecursiveDiversity(2, 2),
        BetaLikeness(Fraction(1, 2)),
        KAnonymity(3) & BetaLikeness(1),
        BetaLikeness(2, enhanced=True) & DistinctDiversity(2),
        DeltaDisclosure(0.7),
        KAnonymity(2) & DeltaDisclosure(1.2) & BetaLikeness(0.8),
    ],
    ids=str,
)
def test_models_that_count_values_have_rules_that_agree_with_them(model):
    judge = judge_of(ONE, model)
    assert judge.rules is not None
    found = judge.satisfied(COMPOSITIONS)
    assert found.any()
    assert not found.all()
    assert found.tolist() == replace(judge, rules=None).satisfied(COMPOSITIONS).tolist()


def test_models_that_count_values_of_two_attributes_are_asked_themselves():
    table = table_of(*np.random.RandomState(1).randint(0, 4, (2, 60)))
    model = DistinctDiversity(2, sensitive="s0") & DistinctDiversity(2, sensitive="s1")
    assert judge_of(table, model).rules is None


@pytest.mark.parametrize("distance", ["equal", "hierarchical"])
def test_some_of_these_compositions_are_exactly_at_a_limit(distance):
    distances = {literal_distance(counts, distance) for counts in COMPOSITIONS.tolist()}
    assert distances & {Fraction(1, 10), Fraction(3, 20), Fraction(1, 5), Fraction(1, 4), Fraction(2, 5)}


def test_two_attributes_are_judged_each_by_its_own_values():
    random = np.random.RandomState(1)
    table = table_of(*random.randint(0, 4, (2, 60)))
    model = Closeness(0.4, sensitive="s0") & Closeness(0.3, "hierarchical", hierarchy=TREE, sensitive="s1")
    judge = judge_of(table, model)
    lines = judge.histogram((np.arange(60) % 9).astype(np.int32), 9)
    found = judge.satisfied(lines)
    assert judge.rules is not None
    assert found.any()
    assert not found.all()
    assert found.tolist() == replace(judge, rules=None).satisfied(lines).tolist()
    assert judge.joins(lines).tolist() == replace(judge, rules=None).joins(lines).tolist()


@pytest.mark.parametrize(
    "model",
    [
        KAnonymity(3),
        Closeness(0.2, "ordered", order=list("abcd")),
        Closeness(0.2) & Closeness(0.3, "ordered", order=list("abcd")),
        Closeness(Fraction(1, 10**18)),  # numbers that leave 64 bits
    ],
    ids=str,
)
def test_other_models_are_asked_themselves(model):
    assert judge_of(ONE, model).rules is None


def test_values_that_the_whole_table_lacks_are_left_to_the_model():
    judge = judge_of(ONE, Closeness(0.2))
    assert judge.rules is not None
    whole = ONE.whole()
    lacking = {"s0": replace(whole.sensitive["s0"], counts=np.array([16, 10, 14, 0]), _cache={})}
    assert rules_of(Closeness(0.2), Classes(whole.sizes, lacking, whole.counts), judge.own) is None
    assert satisfying_lines(judge.rules, np.array([COUNTS], np.int64)).all()
