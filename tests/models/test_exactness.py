"""Verdicts at the very edge, and on tables so large that products of their counts need more than 64 bits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import Hierarchy
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
from shoal.models.beta_likeness import beta
from shoal.models.delta_disclosure import delta
from shoal.models.exact import at_most, below, exact, log_ratio, times
from shoal.table import Classes, Overall

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


def test_logarithms_have_sixty_digits():
    assert str(log_ratio(2, 1)) == "0.693147180559945309417232121458176568075500134360255254120680"
    assert log_ratio(7, 7) == 0


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
        assert Closeness(0.5, **options).distances(classes, "s").tolist() == [0.5]
    missing = Overall(("a", None), np.array([BIG // 2, BIG // 2]))
    classes = Classes(np.array([BIG // 2]), {"s": missing}, lambda name: np.array([[BIG // 2, 0]]))
    assert Closeness(0.5, distance="hierarchical", hierarchy=TREE).distances(classes, "s").tolist() == [0.5]


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
        assert (Fraction(2 * a, rows) - 1 <= Fraction(str(log_ratio(2, 1)))) == holds
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


def test_values_that_no_row_has_do_not_count():
    assert beta(one_class((1, 1, 0), (1, 1, 0)), "s").tolist() == [0.0]
    assert delta(one_class((1, 1, 0), (1, 1, 0)), "s").tolist() == [0.0]
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
