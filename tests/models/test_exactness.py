"""Verdicts at the very edge, and on tables so large that products of their counts need more than 64 bits."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles.second_verifier.models import entropy as second_opinion
from pace import stopwatch
from shoal import Hierarchy
from shoal.data.classes import Classes, Overall
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DeltaPresence,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    RecursiveDiversity,
)
from shoal.models.exact import at_most, below, exact, sign_beside_log, sign_of_logs, times

COUNTS = st.one_of(st.integers(0, 50), st.integers(2**61 - 2, 2**61 + 2), st.integers(2**31 - 1, 2**31 + 1))
BOUNDS = st.one_of(
    st.sampled_from([Fraction(1, 10**25 + 1), Fraction(10**25, 3)]),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(2), Fraction(1, 3), Fraction(10**12 + 1, 10**12)]),
    st.fractions(0, 4, max_denominator=10**9),
)


def one_class(counts, table):
    """A class with these counts of the values a, b, … in a table with those."""
    overall = {"s": Overall(tuple("abcdefgh"[: len(table)]), np.array(table, np.int64))}
    return Classes(np.array([sum(counts)]), overall, lambda name: np.array([counts], np.int64))


@given(st.lists(st.tuples(COUNTS, COUNTS.filter(bool)), max_size=4), BOUNDS)
@settings(max_examples=200, deadline=None)
def test_comparisons_are_those_of_fractions(pairs, bound):
    numerators, denominators = np.array(pairs, np.int64).reshape(-1, 2).T
    shares = [Fraction(above, under) for above, under in pairs]
    assert at_most(numerators, denominators, bound).tolist() == [share <= bound for share in shares]
    assert below(numerators, denominators, bound).tolist() == [share < bound for share in shares]


@given(st.lists(COUNTS, max_size=4), COUNTS)
@settings(max_examples=100, deadline=None)
def test_products_are_those_of_whole_numbers(numbers, factor):
    factor = factor * 1000
    assert times(np.array(numbers, np.int64), factor).tolist() == [number * factor for number in numbers]


def test_a_number_is_what_was_written():
    for written in (0.2, "0.2", Decimal("0.2"), np.float64(0.2), Fraction(1, 5)):
        assert exact(written) == Fraction(1, 5)
    assert exact(3) == exact(np.int64(3)) == 3


BIG = 5 * 10**9  # its square needs 65 bits
TREE = Hierarchy.from_parents(["*", "a", "b"], [-1, 0, 0])
LINE = {"distance": "ordered", "order": ["a", "b"]}


@pytest.mark.parametrize(
    ("model", "counts", "holds"),
    [
        (BetaLikeness(0.5), (BIG // 2, 0), False),  # all of one value, which half of the table has
        (BetaLikeness(0.5, enhanced=True), (BIG // 2, 0), False),
        (BetaLikeness(1.1), (BIG // 2, 0), True),
        (BetaLikeness(0.5), (BIG // 4, BIG // 4), True),
        (BetaLikeness(0.5, enhanced=True), (BIG // 4, BIG // 4), True),
        (Closeness(0.1), (BIG // 4, BIG // 4), True),
        (Closeness(0.5), (BIG // 2, 0), True),
        (Closeness(0.49), (BIG // 2, 0), False),
        (Closeness(0.5, **LINE), (BIG // 2, 0), True),
        (Closeness(0.49, **LINE), (BIG // 2, 0), False),
        (Closeness(0.5, distance="hierarchical", hierarchy=TREE), (BIG // 2, 0), True),
        (Closeness(0.49, distance="hierarchical", hierarchy=TREE), (BIG // 2, 0), False),
        (DeltaDisclosure(0.1), (BIG // 4, BIG // 4), True),
        (DeltaDisclosure(0.6), (BIG // 2, 1), False),
        (FrequencyDiversity(1.999999999), (BIG // 4, BIG // 4), True),
        (FrequencyDiversity(2), (BIG // 4 + 1, BIG // 4 - 1), False),
        (AlphaK(0.5, 2), (BIG // 4, BIG // 4), True),
        (AlphaK(0.4999999999, 2), (BIG // 4, BIG // 4), False),
        (RecursiveDiversity(1.000000001, 2), (BIG // 4, BIG // 4), True),
        (RecursiveDiversity(1, 2), (BIG // 4, BIG // 4), False),
    ],
    ids=lambda value: str(value),
)
def test_tables_of_billions_of_rows(model, counts, holds):
    assert model.satisfied(one_class(counts, (BIG // 2, BIG // 2))).tolist() == [holds]


@pytest.mark.parametrize("options", [{}, LINE, {"distance": "hierarchical", "hierarchy": TREE}], ids=str)
def test_one_row_of_many_makes_a_difference(options):
    half = 2**60
    assert Closeness(0, **options).satisfied(one_class((half, half), (half, half))).all()
    assert not Closeness(0, **options).satisfied(one_class((half, half - 1), (half, half))).any()


@pytest.mark.parametrize("options", [{}, LINE, {"distance": "hierarchical", "hierarchy": TREE}], ids=str)
def test_a_distance_of_many_rows_is_exact(options):
    (a, b), (whole_a, whole_b) = (2000000003, 1000000001), (3000000001, 4000000006)
    distance = Fraction(a, a + b) - Fraction(whole_a, whole_a + whole_b)
    classes = one_class((a, b), (whole_a, whole_b))
    assert Closeness(distance, **options).satisfied(classes).all()
    just_below = distance - Fraction(1, (a + b) * (whole_a + whole_b))
    assert not Closeness(just_below, **options).satisfied(classes).any()
    nothing = classes.some(np.array([False]))
    assert Closeness(distance, **options).satisfied(nothing).tolist() == []


def test_distances_in_a_table_of_billions_of_rows():
    classes = one_class((BIG // 2, 0), (BIG // 2, BIG // 2))
    for options in ({}, LINE, {"distance": "hierarchical", "hierarchy": TREE}):
        assert Closeness(0.5, **options).measured(classes, "s").tolist() == [0.5]
    missing = Overall(("a", None), np.array([BIG // 2, BIG // 2]))
    classes = Classes(np.array([BIG // 2]), {"s": missing}, lambda name: np.array([[BIG // 2, 0]]))
    assert Closeness(0.5, distance="hierarchical", hierarchy=TREE).measured(classes, "s").tolist() == [0.5]


@pytest.mark.parametrize("kind", [float, Fraction, Decimal])
def test_logarithms_near_a_bound_are_told_apart(kind):
    # In this class the share of a is 1/2 instead of 1/4, so |ln(q / p)| is ln 2 = 0.69314718055994530941…
    classes = one_class((2, 2), (25, 75))
    assert not DeltaDisclosure(kind("0.6931471805")).satisfied(classes).any()
    assert DeltaDisclosure(kind("0.6931471806")).satisfied(classes).all()
    if kind is not float:
        assert not DeltaDisclosure(kind("0.693147180559945309417232")).satisfied(classes).any()
        assert DeltaDisclosure(kind("0.693147180559945309417233")).satisfied(classes).all()


def test_every_class_near_a_bound_is_looked_at():
    overall = {"s": Overall(("a", "b", "c"), np.array([25, 75, 0]))}
    lines = np.array([[2, 2, 0], [1, 3, 0], [4, 4, 0], [0, 4, 0]])
    classes = Classes(lines.sum(axis=1), overall, {"s": lines}.__getitem__)
    assert DeltaDisclosure(Fraction("0.69314718055994530942")).satisfied(classes).tolist() == [True, True, True, False]
    assert DeltaDisclosure(Fraction("0.69314718055994530941")).satisfied(classes).tolist() == [
        False,
        True,
        False,
        False,
    ]


def test_enhanced_likeness_near_its_logarithm():
    # Half of the table is a: its gain 2q − 1 may be −ln(1/2) = 0.69314718055994530… at most, and beta is far above.
    rows = 10**18  # so many that doubles cannot tell the two classes apart
    for a, holds in [(846573590279972654, True), (846573590279972655, False)]:
        assert (sign_beside_log(2, 1, Fraction(2 * a, rows) - 1) >= 0) == holds
        classes = one_class((a, rows - a), (rows, rows))
        assert BetaLikeness(5, enhanced=True).satisfied(classes).tolist() == [holds]


def test_an_enhanced_likeness_asks_beta_and_the_logarithm():
    # a: from 1/4 to 1/2 is a gain of 1, and -ln(1/4) is 1.386.
    classes = one_class((2, 2), (25, 75))
    assert BetaLikeness(1, enhanced=True).satisfied(classes).all()
    assert not BetaLikeness(0.99, enhanced=True).satisfied(classes).any()
    assert not BetaLikeness(5, enhanced=True).satisfied(one_class((1, 0), (1, 1))).any()
    # a: from 1/2 to 1 is a gain of 1, and ln 2 is 0.693.
    classes = one_class((4, 0), (50, 50))
    assert BetaLikeness(1).satisfied(classes).all()
    assert not BetaLikeness(1, enhanced=True).satisfied(classes).any()


def test_entropy_near_a_bound_is_decided_in_whole_numbers():
    # H of (2, 1) is ln 3 - 2/3 ln 2: l may be 3 / 2^(2/3) = 1.88988157484230974715…
    pair = one_class((2, 1, 0), (5, 5, 5))
    assert EntropyDiversity(Fraction("1.8898815748423097471")).satisfied(pair).all()
    assert not EntropyDiversity(Fraction("1.8898815748423097472")).satisfied(pair).any()
    # H of (3, 1): l may be the fourth root of 256/27 = 1.75476535060332328109…
    assert EntropyDiversity(Fraction("1.7547653506033232810")).satisfied(one_class((3, 1, 0), (5, 5, 5))).all()
    assert not EntropyDiversity(Fraction("1.7547653506033232811")).satisfied(one_class((3, 1, 0), (5, 5, 5))).any()
    overall = {"s": Overall(("a", "b", "c"), np.array([5, 5, 5]))}
    lines = np.array([[2, 1, 0], [1, 0, 0], [4, 2, 0]])
    classes = Classes(lines.sum(axis=1), overall, lambda name: lines)
    bound = Fraction("1.8898815748423097471")
    assert EntropyDiversity(bound).satisfied(classes).tolist() == [True, False, True]


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=6),
    st.one_of(st.fractions(1, 6, max_denominator=30), st.integers(1, 6).map(Fraction)),
)
@settings(max_examples=300, deadline=None)
def test_entropy_is_decided_as_by_whole_powers(counts, bound):
    n = sum(counts)
    whole = n**n * bound.denominator**n >= bound.numerator**n * prod(count**count for count in counts)
    logs = Counter({n: n}) + Counter({bound.denominator: n})
    logs.subtract({bound.numerator: n})
    for count in counts:
        logs[count] -= count
    assert (sign_of_logs(logs) >= 0) == whole
    classes = one_class(counts, [60] * len(counts))
    assert EntropyDiversity(bound).satisfied(classes).tolist() == [whole]
    group = SimpleNamespace(divided=lambda name: (dict(enumerate(counts)), n))
    assert second_opinion({"l": str(bound)}, group, "s", None) == whole


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(-40, 40)), max_size=5))
@settings(max_examples=300, deadline=None)
def test_the_sign_of_logarithms_is_that_of_powers(terms):
    above = prod(base**power for base, power in terms if power > 0)
    under = prod(base**-power for base, power in terms if power < 0)
    logs = Counter()
    for base, power in terms:
        logs[base] += power
    assert sign_of_logs(logs) == (above > under) - (above < under)
    # The same power products by other bases: 1 is reached exactly, and 10^-40 beside it is told apart.
    logs.subtract({above: 1})
    logs.update({under: 1})
    assert sign_of_logs(logs) == 0
    logs.update({10**40 + 1: 1})
    logs.subtract({10**40: 1})
    assert sign_of_logs(logs) == 1


@pytest.mark.parametrize(
    ("counts", "bound", "holds"),
    [
        ([10**6] * 3, 3, True),
        ([10**6] * 3, Fraction(3 * 10**70 + 1, 10**70), False),
        ([10**6 + 1, 10**6, 10**6 - 1], 3, False),
        ([10**6 + 1, 10**6, 10**6 - 1], Fraction("2.99999999999"), True),
        ([2 * 10**6, 10**6, 10**6], Fraction("2.8284271247461900976033774484193961571393437507538961"), True),
        ([2 * 10**6, 10**6, 10**6], Fraction("2.8284271247461900976033774484193961571393437507538962"), False),
        ([2**40, 2**40], 2, True),
        ([2**61 + 1, 2**61 - 1], 2, False),
    ],
    ids=str,
)
def test_entropy_of_millions_of_rows_in_a_class_is_decided_at_once(counts, bound, holds):
    with stopwatch() as watch:
        classes = one_class(counts, counts)
        assert EntropyDiversity(bound).satisfied(classes).tolist() == [holds]
        group = SimpleNamespace(divided=lambda name: (dict(enumerate(counts)), sum(counts)))
        if bound.denominator < 10**40:  # the second verifier takes parameters of 40 digits
            assert second_opinion({"l": str(bound)}, group, "s", None) == holds
    assert watch.seconds < 0.5


def test_entropy_of_many_different_counts_is_decided_at_once():
    counts = np.arange(1, 2451)  # three million rows
    overall = {"s": Overall(tuple(map(str, counts)), counts)}
    classes = Classes(np.array([counts.sum()]), overall, lambda name: counts[None])
    bound = Fraction(str(EntropyDiversity(1).measured(classes, "s")[0]))
    with stopwatch() as watch:
        one_of = [EntropyDiversity(bound + Fraction(more, 10**12)).satisfied(classes)[0] for more in (-1, 1)]
        assert one_of == [True, False]
        powers = {int(count): int(count) for count in counts}
        assert sign_of_logs(powers | {prod(powers): -1}) == 1
    assert watch.seconds < 2


def test_classes_alike_are_decided_once():
    lines = np.tile([3 * 10**5, 3 * 10**5], (2000, 1))
    overall = {"s": Overall(("a", "b"), lines.sum(axis=0))}
    classes = Classes(lines.sum(axis=1), overall, lambda name: lines)
    with stopwatch() as watch:
        assert EntropyDiversity(2).satisfied(classes).all()
    assert watch.seconds < 1


@given(
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.integers(20, 90).flatmap(lambda digits: st.tuples(st.just(digits), st.sampled_from([-1, 1]))),
)
@settings(max_examples=100, deadline=None)
def test_a_logarithm_is_told_from_any_fraction(numerator, denominator, beside):
    digits, side = beside
    with localcontext() as context:
        context.prec = 120
        near = Fraction((Decimal(numerator) / Decimal(denominator)).ln()) + Fraction(side, 10**digits)
    assert sign_beside_log(numerator, denominator, near) == -side
    assert sign_beside_log(numerator, denominator, Fraction(0)) == (numerator > denominator) - (numerator < denominator)


def test_likeness_and_disclosure_are_told_apart_beyond_sixty_digits():
    with localcontext() as context:
        context.prec = 120
        log_two = Fraction(Decimal(2).ln())
    classes = one_class((2, 2), (25, 75))
    assert DeltaDisclosure(log_two + Fraction(1, 10**80)).satisfied(classes).all()
    assert not DeltaDisclosure(log_two - Fraction(1, 10**80)).satisfied(classes).any()


def test_values_that_no_row_has_do_not_count():
    assert BetaLikeness(1).measured(one_class((1, 1, 0), (1, 1, 0)), "s").tolist() == [0.0]
    assert DeltaDisclosure(1).measured(one_class((1, 1, 0), (1, 1, 0)), "s").tolist() == [0.0]
    assert not DeltaDisclosure(9).satisfied(one_class((1, 1, 0), (1, 1, 1))).any()


def test_entropy_needs_as_many_values_as_its_bound():
    assert EntropyDiversity(2).satisfied(one_class((3, 3, 0), (5, 5, 5))).all()
    assert EntropyDiversity(2.5).satisfied(one_class((3, 3, 3), (5, 5, 5))).all()
    assert not EntropyDiversity(2.5).satisfied(one_class((5, 5, 0), (5, 5, 5))).any()


def test_risks_at_their_edge():
    classes = Classes(np.array([3, 2, 0]))
    assert HighestRisk(Fraction(1, 3)).satisfied(classes).tolist() == [True, False, False]
    assert HighestRisk(0.5).satisfied(classes).tolist() == [True, True, False]
    # An empty class is none: 2 of 5 rows.
    assert AverageRisk(0.4).satisfied(classes).tolist() == [True] * 3
    assert AverageRisk(0.39).satisfied(classes).tolist() == [False] * 3


def test_presence_at_its_edges():
    people = object()
    classes = Classes(np.array([0, 0, 2, 3]), people=np.array([0, 4, 4, 3]))
    assert DeltaPresence(0, 1, people).satisfied(classes).tolist() == [False, True, True, True]
    assert DeltaPresence(0, 0.5, people).satisfied(classes).tolist() == [False, True, True, False]
    assert DeltaPresence(0.5, 1, people).satisfied(classes).tolist() == [False, False, True, True]
    assert DeltaPresence(0.25, 1, people).satisfied(Classes(np.array([0, 1]), people=np.array([1, 4]))).tolist() == [
        False,
        True,
    ]
