"""Odd columns of people: of every type, blank, missing in several ways, in several households; and who is found."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import DistinctDiversity, InfeasibleError, InputError, KAnonymity

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

ROWS, KEY = 24, "a key of at least sixteen bytes"
WHO = [row // 3 for row in range(ROWS)]
OTHERS = {
    "age": [20 + row % 6 for row in range(ROWS)],
    "sex": ["M", "F"] * 12,
    "ill": ["flu", "cold", "gout"] * 8,
    "row": list(range(ROWS)),
}
ASKED = {"quasi_identifiers": ["age", "sex"], "sensitive": "ill", "keep": "row", "model": KAnonymity(2)}


def table(who, **more):
    return pa.table(OTHERS | {"who": who} | more)


def release(data, **options):
    return shoal.anonymize(data, **(ASKED | {"unit": "who"} | options))


def fewest(made, who, *, quasi=("age", "sex")):
    """Return the fewest people who have a row with the same labels as a released row."""
    released = made.frame.to_pylist()
    original = pa.table(OTHERS).to_pylist()
    labels = {shown["row"]: tuple(shown[name] for name in quasi) for shown in released}
    people = defaultdict(set)
    for row, person in zip(original, who, strict=True):
        if row["row"] in labels:
            people[labels[row["row"]]].add(person)
    return min(len(people[labels[shown["row"]]]) for shown in released)


COLUMNS = {
    "whole numbers": pa.array(WHO),
    "large numbers": pa.array([2**64 - 1 - person for person in WHO], pa.uint64()),
    "doubles": pa.array([person + 0.5 for person in WHO]),
    "decimals": pa.array([Decimal(person) / 4 for person in WHO]),
    "dates": pa.array([date(2000, 1, 1 + person) for person in WHO]),
    "categories": pa.array([f"p{person}" for person in WHO]).dictionary_encode(),
    "categories of numbers": pa.array(WHO).dictionary_encode(),
    "views": pa.array([f"p{person}" for person in WHO], pa.string_view()),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_people_of_any_type(kind):
    made = release(table(COLUMNS[kind]))
    assert made.report.people["people"] == 8
    assert made.report.k == fewest(made, WHO) >= 2


def test_two_people_by_a_flag():
    made = release(table([person % 2 == 0 for person in WHO]))
    assert (made.report.people["people"], made.report.k) == (2, 2)


def test_zeros_are_one_person():
    made = release(table([0.0, -0.0, 0.0, *(float(person) for person in WHO[3:])]))
    assert made.report.people["people"] == 8


@pytest.mark.parametrize("values", [[[1]] * ROWS, [{"a": 1}] * ROWS, [b"a"] * ROWS], ids=["lists", "structs", "binary"])
def test_people_that_cannot_be_told_apart(values):
    with pytest.raises(InputError, match=r"Column 'who' holds values of type .* which shoal cannot group: convert"):
        release(table(values))


@pytest.mark.parametrize("nobody", [None, "", "  ", "NA"])
@pytest.mark.parametrize("promise", [{}, {"pseudonymize": "who", "key": KEY}], ids=["classes", "profiles"])
def test_rows_of_nobody_are_not_linked(nobody, promise):
    who = [nobody if person == 0 else f"p{person}" for person in WHO]
    with pytest.raises(InputError, match="does not say whose row it is in 3 rows, the first of them row 1"):
        release(table(who), missing_values="NA", **promise)
    made = release(table(who), missing_values="NA", missing_units="own", max_suppression=0.5, **promise)
    assert made.report.people["people"] == 10
    if promise:
        pseudonyms = {row["row"]: row["who"] for row in made.frame.to_pylist()}
        assert {pseudonyms[row] for row in range(3) if row in pseudonyms} <= {None}
        assert Counter(made.frame["who"].to_pylist()).keys() - {None}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_the_same_people_as_categories_make_the_same_classes(frame):
    texts = [f"p{(person * 5 + 3) % 8}" for person in WHO]
    plain = frame(OTHERS | {"who": texts})
    categories = plain.astype({"who": "category"}) if frame is pd.DataFrame else plain.cast({"who": pl.Categorical})
    shown = []
    for data in (plain, categories):
        made = release(data, promise="profiles").frame
        rows = made.to_dict("records") if frame is pd.DataFrame else made.to_dicts()
        shown.append(sorted((row["row"], str(row["age"]), row["sex"]) for row in rows))
    assert shown[0] == shown[1]


def test_an_index_of_people_is_gone():
    data = pd.DataFrame(OTHERS | {"who": WHO}).set_index(pd.Index([f"p{person}" for person in WHO], name="pid"))
    assert list(release(data).frame.index) == list(range(ROWS))


def test_households_between_which_people_move_have_enough_people():
    who = [row % 6 for row in range(12)]
    moved = pa.table(
        {
            "who": who,
            "home": [f"H{row // 2}" for row in range(12)],
            "age": [20 + row * 5 % 12 for row in range(12)],
            "ill": ["flu", "cold", "gout"] * 4,
            "row": list(range(12)),
        }
    )
    asked = {"quasi_identifiers": "age", "sensitive": "ill", "unit": "who", "group": "home", "keep": "row"}
    made = shoal.anonymize(moved, model=KAnonymity(3), **asked)
    people = defaultdict(set)
    for row in made.frame.to_pylist():
        people[row["age"]].add(who[row["row"]])
    assert min(map(len, people.values())) >= 3
    with pytest.raises(InputError, match="6 of the people in 'who' are in several households of 'home'"):
        shoal.anonymize(moved, model=DistinctDiversity(2), **asked)


def test_a_node_named_as_a_value_is_not_taken_for_it():
    tree = shoal.Hierarchy.from_parents(["*", "1000", "1000", "1001", "1003"], [-1, 0, 1, 1, 1])
    data = pa.table({"q": [1001, 1003, 1001, 1003], "s": ["a", "b", "b", "a"]})
    made = shoal.anonymize(data, quasi_identifiers="q", sensitive="s", hierarchies={"q": tree}, model=KAnonymity(3))
    assert made.report.k == 4
    assert set(made.frame["q"].to_pylist()) == {"1000"}


@given(st.data())
@settings(max_examples=40)
def test_whoever_is_sought_is_one_of_k(data):
    people = data.draw(st.integers(1, 9))
    who = data.draw(st.lists(st.integers(0, people), min_size=ROWS, max_size=ROWS))
    k = data.draw(st.integers(2, 5))
    algorithm = data.draw(st.sampled_from(["mondrian", "local", "datafly", "full-domain", "auto"]))
    try:
        made = release(table(who), model=KAnonymity(k), algorithm=algorithm)
    except InfeasibleError:
        assert len(set(who)) < k
        return
    assert fewest(made, who) >= k


def test_rows_that_are_dropped_count_nowhere():
    ill = [None if row < 6 else ("flu", "cold")[row % 2] for row in range(ROWS)]
    data = table([None if row < 3 else f"p{person}" for row, person in enumerate(WHO)]).set_column(2, "ill", [ill])
    made = release(data, drop_missing=True, model=KAnonymity(2) & shoal.Closeness(0.4))
    assert (made.report.people["people"], made.report.dropped_rows) == (6, 6)
    assert fewest(made, WHO) == made.report.k
