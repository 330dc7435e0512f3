"""Every model against its definition for people, counted in three ways: by rows, by persons and by the verification."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles import people as oracle
from people_tables import DEFINITIONS, by_class, owned, rows_of
from shoal.data.classes import Overall
from shoal.data.people import classes_of_people
from shoal.data.persons import Persons, varying
from shoal.errors import InputError
from shoal.models import DistinctDiversity, EntropyDiversity, FrequencyDiversity, KAnonymity, PSensitivity
from shoal.models.people import LimitedContribution, OfPeople, for_people
from shoal.release.verification import people as verification
from strategies import histogram, tables

V8 = [("p1", "flu"), ("p1", "HIV"), ("p2", "flu"), ("p2", "cold"), ("p3", "flu"), ("p4", "cold")]


@st.composite
def grouped(draw, below=5):
    """A table of people, and the class of each row; some rows may be in none, and no class is empty."""
    table = draw(owned(tables()))
    lowest = draw(st.sampled_from([-1, 0]))
    drawn = np.array([draw(st.integers(lowest, below - 1)) for _ in table.weights])
    ids = np.full(drawn.size, -1, np.int32)
    ids[drawn >= 0] = np.unique(drawn[drawn >= 0], return_inverse=True)[1]
    return table, ids


def expected(definition, table, ids):
    rows = rows_of(table)
    return [definition(own, rows) for own in by_class(rows, ids)]


@pytest.mark.parametrize(("model", "definition"), DEFINITIONS, ids=lambda case: "" if callable(case) else str(case))
@given(case=grouped())
@settings(max_examples=100, deadline=None)
def test_classes_of_people_satisfy_a_model_by_its_definition(model, definition, case):
    table, ids = case
    assert model.satisfied(table.classes(ids)).tolist() == expected(definition, table, ids)


@pytest.mark.parametrize(("model", "definition"), DEFINITIONS, ids=lambda case: "" if callable(case) else str(case))
@given(case=grouped())
@settings(max_examples=60, deadline=None)
def test_the_verification_counts_people_by_the_definition(model, definition, case):
    table, ids = case
    inside = ids >= 0
    codes = table.sensitive_codes[:, 0].astype(np.int64)
    people = verification.People(table.units[inside].astype(np.int64), table.units.astype(np.int64))
    labels = table.sensitive_domains[0].labels
    overall = Overall(labels, np.bincount(codes, minlength=len(labels)))
    own = ids[inside].astype(np.int64)
    classes = verification.classes_of_people(own, people, {"s": (codes[inside], codes, overall)}, np.bincount(own))
    assert model.satisfied(classes).tolist() == expected(definition, table, ids)


@pytest.mark.parametrize(
    ("model", "definition"),
    [pair for pair in DEFINITIONS if not any(isinstance(part, LimitedContribution) for part in pair[0].parts)],
    ids=lambda case: "" if callable(case) else str(case),
)
@given(table=owned(tables()), data=st.data())
@settings(max_examples=60, deadline=None)
def test_one_row_for_each_person_is_judged_as_all_of_their_rows(model, definition, table, data):
    persons = Persons.of_rows(table, table.units)
    drawn = [data.draw(st.integers(0, 3)) for _ in persons.table.weights]
    of_person = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    asked = OfPeople(model, persons.sets, table.overall)
    found = asked.satisfied(persons.table.classes(of_person)).tolist()
    assert found == expected(definition, table, of_person[persons.of])


@given(case=grouped())
@settings(max_examples=100, deadline=None)
def test_people_and_their_rows_are_counted(case):
    table, ids = case
    groups, classes = by_class(rows_of(table), ids), table.classes(ids)
    assert classes.sizes.tolist() == [oracle.number(rows) for rows in groups]
    assert classes.rows.tolist() == [len(rows) for rows in groups]
    assert classes.by_person.most().tolist() == [oracle.most_rows(rows) for rows in groups]
    labels = table.sensitive_domains[0].labels
    shares = histogram(classes, "s") / np.maximum(1, classes.sizes)[:, None]
    divided = classes.divided("s")
    parts = histogram(divided, "s")
    for number, rows in enumerate(groups):
        once, evenly = oracle.once(rows), oracle.evenly(rows)
        assert shares[number].tolist() == [float(once.get(label, 0)) for label in labels]
        assert [Fraction(int(part), int(divided.sizes[number])) for part in parts[number]] == [
            Fraction(evenly.count(label), len(evenly)) for label in labels
        ]


@given(case=grouped(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_equal_rows_of_a_person_may_be_one_weighted_row(case, data):
    table, _ = case
    small, place = table.distinct()
    ids = np.unique([data.draw(st.integers(0, 2)) for _ in small.weights], return_inverse=True)[1].astype(np.int32)
    merged, apart = small.classes(ids), table.classes(ids[place])
    assert merged.sizes.tolist() == apart.sizes.tolist()
    assert merged.rows.tolist() == apart.rows.tolist()
    assert merged.by_person.most().tolist() == apart.by_person.most().tolist()
    assert (histogram(merged, "s") == histogram(apart, "s")).all()


@given(table=owned(tables()))
@settings(max_examples=60, deadline=None)
def test_quasi_identifiers_that_vary_are_named_with_the_number_of_people(table):
    counts = {}
    for name, column in zip(table.quasi, table.codes.T.tolist(), strict=True):
        values = oracle.values_of(zip(table.units.tolist(), column, strict=True))
        if several := sum(len(own) > 1 for own in values.values()):
            counts[name] = several
    assert varying(table, table.units) == counts


@given(case=grouped(), pair=st.sampled_from(DEFINITIONS))
@settings(max_examples=200, deadline=None)
def test_models_flagged_so_still_hold_when_any_rows_of_people_join(case, pair):
    model = pair[0]
    table, ids = case
    if model.monotone_with_suppression and (ids >= 0).any() and model.satisfied(table.classes(ids)).any():
        assert model.satisfied(table.classes(np.zeros_like(ids))).all()


@given(case=grouped(), k=st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_limited_contributions_stay_limited_when_classes_join(case, k):
    table, ids = case
    model = LimitedContribution(k)
    good = model.satisfied(table.classes(ids))
    if good.any():
        joined = np.where((ids >= 0) & good[ids], 0, -1).astype(np.int32)
        assert model.satisfied(table.classes(joined)).all()


def test_shares_that_people_can_be_sure_of():
    assert oracle.once(V8) == {"flu": Fraction(3, 4), "HIV": Fraction(1, 4), "cold": Fraction(1, 2)}
    evenly = oracle.evenly(V8)
    shares = {value: Fraction(evenly.count(value), len(evenly)) for value in ("flu", "HIV", "cold")}
    assert shares == {"flu": Fraction(1, 2), "HIV": Fraction(1, 8), "cold": Fraction(3, 8)}
    classes, _ = counted(V8)
    assert histogram(classes, "s").tolist() == [[3, 1, 2]]
    assert (histogram(classes.divided("s"), "s") / classes.divided("s").sizes).tolist() == [[1 / 2, 1 / 8, 3 / 8]]
    # Half of the rows show flu, but three of four people have it.
    assert not FrequencyDiversity(2).satisfied(classes).any()
    assert FrequencyDiversity(1.33).satisfied(classes).all()


def counted(rows):
    """The rows as one class, and the values by code."""
    people, values = list(dict.fromkeys(p for p, _ in rows)), list(dict.fromkeys(v for _, v in rows))
    units = np.array([people.index(p) for p, _ in rows], np.int32)
    codes = np.array([values.index(v) for _, v in rows], np.int32)
    overall = {"s": Overall(tuple(values), np.bincount(codes), len(people))}
    ones, ids = np.ones(len(rows), np.int64), np.zeros(len(rows), np.int32)
    column = {"s": (codes, len(values))}
    return classes_of_people(ids, units, weights=ones, classes=1, column=column.get, overall=overall), values


@pytest.mark.parametrize(
    ("model", "added"),
    [
        (DistinctDiversity(3), 3),
        (KAnonymity(2) & DistinctDiversity(3), 3),
        (KAnonymity(5) & DistinctDiversity(3), None),
        (PSensitivity(4, 2), 4),
        (KAnonymity(2) & FrequencyDiversity(3), None),
    ],
    ids=str,
)
def test_different_values_need_as_many_people(model, added):
    asked = for_people(model)
    assert asked.parts == (*model.parts, *(() if added is None else (KAnonymity(added),)))


def test_people_with_too_many_values_to_be_divided_are_told():
    sizes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
    rows = [(person, f"v{value}") for person, size in enumerate(sizes) for value in range(size)]
    classes, _ = counted(rows)
    with pytest.raises(InputError) as refusal:
        EntropyDiversity(2).satisfied(classes)
    assert str(refusal.value) == (
        "Some people have up to 53 different values of 's', too many to divide each person exactly among their values: "
        "choose a model that counts people by value, such as frequency ℓ."
    )
    assert FrequencyDiversity(1).satisfied(classes).all()
