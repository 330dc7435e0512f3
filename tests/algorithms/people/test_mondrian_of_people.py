"""Mondrian where people are counted, against its vectors and against the literal recursion."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from mondrian_tables import groups, literal
from oracles import mondrian as oracle
from people_tables import DEFINITIONS, owned, rows_of
from shoal import KAnonymity, Mondrian
from shoal.data.persons import Persons
from shoal.models.people import LimitedContribution, OfPeople
from strategies import tables

ONE_CLASS = "ignore:The table has . people, too few for two classes:shoal.PrivacyWarning"
MONTHS = {"who": list("aabbcdd"), "month": [1, 2, 2, 3, 3, 1, 4]}
TREE = shoal.Hierarchy.from_parents(["*", "X", "Y", "x1", "x2", "y1"], [-1, 0, 0, 1, 1, 2])


def released(columns, k, **options):
    """The released labels with their people, and the LM."""
    [name] = [column for column in columns if column != "who"]
    release = shoal.anonymize(
        pa.table(columns), quasi_identifiers=name, model=KAnonymity(k), unit="who", algorithm="mondrian", **options
    )
    shown = {}
    for person, group in zip(columns["who"], release.ids.tolist(), strict=True):
        shown.setdefault(release.labels[name][group], set()).add(person)
    lost = Fraction(release.report.metrics["loss"]).limit_denominator(1000)
    return {label: "".join(sorted(people)) for label, people in shown.items()}, lost


@pytest.mark.filterwarnings(ONE_CLASS)
def test_rows_of_one_person_do_not_make_a_class():
    shown, loss = released({"who": list("aaabc"), "sex": list("MMMFF")}, 2)
    assert list(shown.values()) == ["abc"]
    assert loss == 1


@pytest.mark.filterwarnings(ONE_CLASS)
@pytest.mark.parametrize(
    ("k", "classes", "loss"),
    [
        (2, {"1": "ad", "2": "ab", "3-4": "bcd"}, Fraction(1, 7)),
        (3, {"1-2": "abd", "3-4": "bcd"}, Fraction(1, 3)),
        (4, {"1-4": "abcd"}, Fraction(1)),
    ],
)
def test_months_of_four_people(k, classes, loss):
    assert released(MONTHS, k) == (classes, loss)


@pytest.mark.filterwarnings(ONE_CLASS)
@pytest.mark.parametrize(
    ("k", "classes", "loss"), [(2, {"X": "ab", "y1": "ac"}, Fraction(1, 4)), (3, {"*": "abc"}, Fraction(1))]
)
def test_a_tree_of_three_people(k, classes, loss):
    places = {"who": list("aabc"), "place": ["x1", "y1", "x2", "y1"]}
    assert released(places, k, hierarchies={"place": TREE}) == (classes, loss)


@given(
    table=owned(tables()),
    pair=st.sampled_from(DEFINITIONS),
    dimension=st.sampled_from(["loss", "widest"]),
    cut=st.sampled_from(["any", "median"]),
    categorical=st.sampled_from(["hierarchy", "order"]),
)
@settings(max_examples=300, deadline=None)
def test_partitions_are_those_of_the_recursion(table, pair, dimension, cut, categorical):
    model, definition = pair
    rows, attributes = literal(table)
    secret = rows_of(table)

    def allowable(side):
        return definition([secret[r] for r in side], secret)

    options = {"dimension": dimension, "cut": cut, "categorical": categorical}
    expected = oracle.anonymize(list(range(len(rows))), rows, attributes, allowable, **options)
    assert groups(Mondrian(**options).partition(table, model)) == set(map(frozenset, expected))


@given(table=owned(tables(max_rows=40), most=12), k=st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_more_people_are_counted_alike(table, k):
    rows, attributes = literal(table)

    def allowable(side):
        return len({int(table.units[r]) for r in side}) >= k

    expected = oracle.anonymize(list(range(len(rows))), rows, attributes, allowable)
    assert groups(Mondrian().partition(table, KAnonymity(k))) == set(map(frozenset, expected))


@given(table=owned(tables(max_rows=40)), pair=st.sampled_from(DEFINITIONS), random=st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_classes_are_cut_within(table, pair, random):
    """Each class is cut like a table of its own."""
    model, definition = pair
    rows, attributes = literal(table)
    secret = rows_of(table)
    within = np.random.RandomState(random).randint(0, 3, len(rows))
    within = np.unique(within, return_inverse=True)[1].astype(np.int32)

    def allowable(side):
        return definition([secret[r] for r in side], secret)

    expected = [
        part
        for number in range(within.max() + 1)
        for part in oracle.anonymize(np.flatnonzero(within == number).tolist(), rows, attributes, allowable)
    ]
    assert groups(Mondrian().partition(table, model, within=within)) == set(map(frozenset, expected))


@given(table=owned(tables(max_rows=40)), pair=st.sampled_from(DEFINITIONS))
@settings(max_examples=100, deadline=None)
def test_rows_of_people_can_be_moved_in_memory(table, pair):
    usual = Mondrian().partition(table, pair[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.algorithms.mondrian.MIN_GATHERED", 1)
        patch.setattr("shoal.algorithms.mondrian.GATHERED", 1)
        assert (Mondrian().partition(table, pair[0]) == usual).all()


@given(table=owned(tables()), pair=st.sampled_from(DEFINITIONS), data=st.data())
@settings(max_examples=150, deadline=None)
def test_where_nothing_varies_one_row_for_each_person_is_cut_like_all_their_rows(table, pair, data):
    """With as many rows for each person, so that preferences of cuts agree."""
    model = pair[0]
    if any(isinstance(part, LimitedContribution) for part in model.parts):
        return
    persons = Persons.of_rows(table, table.units)
    people = len(persons.table.weights)
    every = np.repeat(np.arange(people), data.draw(st.integers(1, 3)))
    static = table.some(np.unique(table.units, return_index=True)[1][every])
    alone = Persons.of_rows(static, static.units)
    asked = OfPeople(model, alone.sets, static.overall)
    found = Mondrian().partition(alone.table, asked)
    assert groups(found[alone.of]) == groups(Mondrian().partition(static, model))
