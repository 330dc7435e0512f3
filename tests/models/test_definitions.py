"""Every model of sensitive attributes against its definition in exact fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import contract.lists
from oracles import models as oracle
from shoal import Hierarchy, InputError
from shoal.data.classes import Classes, Overall
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    PSensitivity,
    RecursiveDiversity,
)
from strategies import hierarchies, histogram, tables

LS = st.sampled_from([1, 1.1, 1.28, 1.5, 2, 2.5, 3, 4])
SMALL = st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1])


@st.composite
def grouped(draw):
    """A table, classes of it, and the sensitive values of each class and of the whole."""
    table = draw(tables())
    ids = [draw(st.integers(0, 4)) for _ in table.weights]
    ids = np.unique(ids, return_inverse=True)[1].astype(np.int32)
    labels = [table.sensitive_domains[0].labels[code] for code in table.sensitive_codes[:, 0]]
    values = defaultdict(list)
    for group, label in zip(ids.tolist(), labels, strict=True):
        values[group].append(label)
    return table.classes(ids), [values[group] for group in sorted(values)], labels


def agrees(model, classes, expected):
    assert model.satisfied(classes).tolist() == list(expected)


@given(grouped(), LS)
@settings(max_examples=150, deadline=None)
def test_frequency(case, l):  # noqa: E741
    classes, groups, _ = case
    agrees(FrequencyDiversity(l), classes, (oracle.frequency(values, l) for values in groups))


@given(grouped(), LS)
@settings(max_examples=150, deadline=None)
def test_entropy(case, l):  # noqa: E741
    classes, groups, _ = case
    agrees(EntropyDiversity(l), classes, (oracle.entropy(values, l) for values in groups))


@given(grouped(), st.sampled_from([0.5, 1, 1.5, 2, 4]), st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_recursive(case, c, l):  # noqa: E741
    classes, groups, _ = case
    agrees(RecursiveDiversity(c, l), classes, (oracle.recursive(values, c, l) for values in groups))


@given(grouped(), SMALL, st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_alpha_k(case, bound, k):
    classes, groups, _ = case
    agrees(AlphaK(bound, k), classes, (len(v) >= k and oracle.alpha(v, bound) for v in groups))


@given(grouped(), st.integers(1, 4), st.integers(1, 4))
@settings(max_examples=80, deadline=None)
def test_p_sensitivity(case, p, k):
    classes, groups, _ = case
    agrees(PSensitivity(p, k), classes, (len(v) >= k and len(set(v)) >= p for v in groups))


@given(grouped(), st.sampled_from([0.1, 0.5, 1, 2, 3]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_beta_likeness(case, bound, enhanced):
    classes, groups, table = case
    expected = (oracle.beta(values, table, bound, enhanced=enhanced) for values in groups)
    agrees(BetaLikeness(bound, enhanced=enhanced), classes, expected)


@given(grouped(), st.sampled_from([0.1, 0.3, 0.7, 1, 1.5]))
@settings(max_examples=150, deadline=None)
def test_delta_disclosure(case, bound):
    classes, groups, table = case
    agrees(DeltaDisclosure(bound), classes, (oracle.delta(values, table, bound) for values in groups))


@given(grouped(), SMALL)
@settings(max_examples=150, deadline=None)
def test_equal_closeness(case, t):
    classes, groups, table = case
    expected = (oracle.equal_distance(values, table) <= Fraction(str(t)) for values in groups)
    agrees(Closeness(t), classes, expected)


@given(grouped(), SMALL, st.permutations(["a", "b", "c", "d"]))
@settings(max_examples=150, deadline=None)
def test_ordered_closeness(case, t, order):
    classes, groups, table = case
    expected = (oracle.ordered_distance(values, table, order) <= Fraction(str(t)) for values in groups)
    agrees(Closeness(t, distance="ordered", order=order), classes, expected)


@given(grouped(), hierarchies(max_nodes=9), st.data(), SMALL)
@settings(max_examples=80, deadline=None)
def test_hierarchical_closeness_is_the_cheapest_transport(case, tree, data, t):
    classes, groups, table = case
    parents = [*tree.parents.tolist(), *(data.draw(st.integers(0, len(tree.labels) - 1)) for _ in range(4))]
    tree = Hierarchy.from_parents([*tree.labels, "a", "b", "c", "d"], parents)

    def ground(one, other):
        above = tree.path(one)
        shared = next(place for place, _ in enumerate(above) if ends(tree, one, place) & ends(tree, other))
        return Fraction(height(tree, one, shared), tree.height) if one != other else Fraction(0)

    expected = [oracle.earth_movers_distance(values, table, ground) for values in groups]
    model = Closeness(t, distance="hierarchical", hierarchy=tree)
    assert model.measured(classes, "s") == pytest.approx([float(distance) for distance in expected])
    agrees(model, classes, (distance <= Fraction(str(t)) for distance in expected))


def nodes(tree, leaf):
    node, found = int(tree.leaf_nodes[tree.codes[leaf]]), []
    while node >= 0:
        found.append(node)
        node = int(tree.parents[node])
    return found


def ends(tree, leaf, place=None):
    found = nodes(tree, leaf)
    return set(found) if place is None else {found[place]}


def height(tree, leaf, place):
    top = nodes(tree, leaf)[place]
    below = [node for node in range(len(tree.labels)) if top in ancestors(tree, node)]
    return max(int(tree.depths[node]) for node in below) - int(tree.depths[top])


def ancestors(tree, node):
    found = set()
    while node >= 0:
        found.add(node)
        node = int(tree.parents[node])
    return found


MODELS = [*contract.lists.MODELS, Closeness(0.3, distance="ordered", order=list("abcd"))]


@given(grouped(), st.sampled_from(MODELS))
@settings(max_examples=300, deadline=None)
def test_models_still_hold_when_classes_that_satisfy_them_are_joined(case, model):
    classes, _, _ = case
    good = np.flatnonzero(model.satisfied(classes))
    if model.monotone and good.size:
        assert model.satisfied(joined(classes, good)).all()


@given(grouped(), st.sampled_from([model for model in MODELS if model.monotone_with_suppression]))
@settings(max_examples=200, deadline=None)
def test_models_still_hold_when_any_rows_join_a_class_that_satisfies_them(case, model):
    classes, _, _ = case
    if model.satisfied(classes).any():
        assert model.satisfied(joined(classes, np.arange(len(classes)))).all()


def joined(classes, which):
    """Some of the classes as one."""
    return Classes(
        np.array([classes.sizes[which].sum()]),
        classes.sensitive,
        lambda name: histogram(classes, name)[which].sum(axis=0, keepdims=True),
    )


@given(grouped(), st.sampled_from(MODELS))
@settings(max_examples=200, deadline=None)
def test_no_class_smaller_than_the_smallest_satisfies_a_model(case, model):
    classes, _, _ = case
    assert not model.satisfied(classes)[classes.sizes < model.smallest].any()


def one_class(counts, table):
    labels = tuple("abcdefgh"[: len(table)])
    overall = {"s": Overall(labels, np.array(table, np.int64))}
    return Classes(np.array([sum(counts)]), overall, lambda name: np.array([counts], np.int64))


def test_a_class_right_at_the_edge_passes():
    even = one_class([5, 5], [50, 50])
    assert EntropyDiversity(2).satisfied(even).all()
    assert not EntropyDiversity(2.0000000001).satisfied(even).any()
    assert FrequencyDiversity(2).satisfied(even).all()
    assert AlphaK(0.5, 2).satisfied(even).all()
    assert Closeness(0.3).satisfied(one_class([8, 2], [50, 50])).all()
    assert not Closeness(0.2999999).satisfied(one_class([8, 2], [50, 50])).any()
    assert not RecursiveDiversity(2, 2).satisfied(one_class([4, 2], [50, 50])).any(), "strictly below"
    assert BetaLikeness(0.6).satisfied(one_class([8, 2], [50, 50])).all()
    seven = one_class([1] * 7, [10] * 7)
    assert EntropyDiversity(7).satisfied(seven).all()


def test_large_tables_do_not_overflow():
    big = 4 * 10**9
    classes = one_class([big, big], [big * 2, big * 2])
    assert Closeness(0).satisfied(classes).all()
    assert not Closeness(0).satisfied(one_class([big, big - 1], [big * 2, big * 2])).any()
    assert Closeness(0, distance="ordered", order=list("ab")).satisfied(classes).all()
    assert FrequencyDiversity(1.99999999).satisfied(classes).all()


def test_the_salaries_of_the_paper():
    # Li et al. (2007), section 5: nine salaries 3k … 11k; {3,4,5}k is at 0.375 and {6,8,11}k at 0.167.
    labels = tuple(f"{salary}000" for salary in range(3, 12))
    overall = {"s": Overall(labels, np.ones(9, np.int64))}
    histogram = np.array([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]])
    classes = Classes(np.array([3, 3]), overall, lambda name: histogram)
    assert Closeness(0.2, distance="ordered").measured(classes, "s") == pytest.approx([0.375, 1 / 6])


def test_measured_values():
    classes = one_class([3, 2, 1], [5, 5, 5])
    assert AlphaK(1, 1).measured(classes, "s").tolist() == [0.5]
    assert EntropyDiversity(1).measured(classes, "s")[0] == pytest.approx(2.7495, abs=1e-4)
    assert RecursiveDiversity(1, 2).measured(classes, "s").tolist() == [1.0]
    assert RecursiveDiversity(1, 3).measured(classes, "s").tolist() == [3.0]


def test_average_risk_is_about_all_classes_at_once():
    classes = Classes(np.array([1, 9]))
    assert AverageRisk(0.2).satisfied(classes).tolist() == [True, True]
    assert AverageRisk(0.19).satisfied(classes).tolist() == [False, False]
    assert not AverageRisk(0.2).per_class


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: FrequencyDiversity(0.5), "l = 0.5 is out of range: choose a number of at least 1."),
        (lambda: EntropyDiversity("3"), "l must be a number of at least 1, not '3'."),
        (lambda: EntropyDiversity(float("nan")), "l must be a number of at least 1, not nan."),
        (lambda: RecursiveDiversity(0, 2), "c = 0 cannot be satisfied: choose a number above 0."),
        (lambda: AlphaK(1.2, 2), "alpha = 1.2 is out of range: choose a number from 0 to 1."),
        (lambda: AlphaK(0, 2), "alpha = 0 cannot be satisfied: choose a number above 0."),
        (
            lambda: BetaLikeness(0),
            "beta = 0 can be satisfied by the whole table alone: choose a number above 0.",
        ),
        (lambda: DeltaDisclosure(0), "delta = 0 cannot be satisfied: choose a number above 0."),
        (lambda: Closeness(2), "t = 2 is out of range: choose a number from 0 to 1."),
        (
            lambda: Closeness(0.2, distance="far"),
            "The distance 'far' is not known: choose equal, ordered or hierarchical.",
        ),
        (
            lambda: Closeness(0.2, distance="hierarchical"),
            "The hierarchical distance, and no other, needs a hierarchy of the sensitive attribute.",
        ),
        (
            lambda: Closeness(0.2, order=["a"]),
            "An order is for the ordered distance only: leave it out, or choose that distance.",
        ),
        (lambda: HighestRisk(0), "risk = 0 cannot be satisfied: choose a number above 0."),
    ],
    ids=range(13),
)
def test_parameters_are_checked(make, sentence):
    with pytest.raises(InputError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_an_order_is_needed_where_the_values_are_no_numbers():
    with pytest.raises(InputError) as refusal:
        Closeness(0.2, distance="ordered").satisfied(one_class([1, 1], [1, 1]))
    assert str(refusal.value) == (
        "The ordered distance of 's' needs an order of its values, and 'a' is not a number: give order=[…]."
    )
