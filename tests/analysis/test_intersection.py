"""Intersections of several releases, compared with plain loops."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import intersection as oracle
from shoal import Hierarchy, InputError, intersect
from shoal.analysis.intersection.intersection import Together

AGES = {"1": "1", "1-2": "12", "2-3": "23", "3": "3", "*": "123"}
TOWNS = {"a": "a", "p": "ab", "q": "c", "*": "abc"}
TREE = Hierarchy.from_parents(["*", "p", "a", "b", "q", "c"], [-1, 0, 1, 1, 0, 4])
COVERS = {"age": AGES, "town": TOWNS}
ROW = st.fixed_dictionaries(
    {
        "age": st.sampled_from(list(AGES)),
        "town": st.sampled_from(list(TOWNS)),
        "ill": st.sampled_from(["s", "t", "u", None]),
    }
)
PERSON = st.fixed_dictionaries({"age": st.sampled_from("123"), "town": st.sampled_from("abc")})


def frame(rows, **more):
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in rows[0]} | more)


def matches(found, expected, k):
    counted = oracle.counted(expected, k)
    learned = found.learned["ill"]
    assert found.people == len(expected)
    assert (found.below, found.sizes) == (counted["below"], counted["sizes"])
    assert (learned.certain, learned.none, learned.alone) == (counted["certain"], counted["none"], counted["alone"])
    assert found.smallest == min((rows for rows, _, _ in expected), default=0)
    assert learned.fewest == min((values for _, values, _ in expected if values), default=0)


@settings(deadline=None)
@given(st.integers(1, 8), st.integers(2, 3), st.integers(1, 4), st.data())
def test_the_same_rows_are_cut_as_plain_loops_do(rows, count, k, data):
    releases = [data.draw(st.lists(ROW, min_size=rows, max_size=rows)) for _ in range(count)]
    found = intersect(
        [frame(release) for release in releases],
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        same_rows=True,
        k=k,
    )
    people = [(row,) * count for row in range(rows)]
    matches(found, oracle.linked(releases, ["age", "town"], "ill", people), k)


@settings(deadline=None)
@given(st.lists(ROW, min_size=1, max_size=8), st.lists(ROW, min_size=1, max_size=8), st.data())
def test_people_with_a_common_column_are_cut_as_plain_loops_do(one, two, data):
    ids = [data.draw(st.permutations(range(10)))[: len(rows)] for rows in (one, two)]
    common = [person for person in ids[0] if person in ids[1]]
    tables = [frame(rows, id=pa.array(list(own))) for rows, own in zip((one, two), ids, strict=True)]
    call = {"quasi_identifiers": ["age", "town"], "sensitive": "ill", "on": "id", "k": 2}
    if not common:
        with pytest.raises(InputError, match="No value of column 'id' is in all releases"):
            intersect(tables, **call)
        return
    people = [(ids[0].index(person), ids[1].index(person)) for person in common]
    matches(intersect(tables, **call), oracle.linked((one, two), ["age", "town"], "ill", people), 2)


@settings(deadline=None)
@given(
    st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=2, max_size=3), st.lists(PERSON, min_size=1, max_size=6)
)
def test_people_who_are_looked_up_are_cut_as_plain_loops_do(releases, people):
    found = intersect(
        [frame(release) for release in releases],
        frame(people),
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        k=2,
        hierarchies={"town": TREE},
    )
    covers = lambda name, label, value: value in COVERS[name][label]  # noqa: E731
    matches(found, oracle.looked_up(releases, ["age", "town"], "ill", people, covers), 2)


def test_two_releases_that_are_each_diverse_make_a_value_certain():
    """The example of Ganta, Kasiviswanathan & Smith: one person, two hospitals, one disease in common."""
    one = pd.DataFrame({"age": ["20-30"] * 3, "ill": ["flu", "cold", "AIDS"]})
    two = pd.DataFrame({"age": ["25-35"] * 3, "ill": ["AIDS", "ulcer", "gastritis"]})
    found = intersect([one, two], pd.DataFrame({"age": [28]}), quasi_identifiers="age", sensitive="ill")
    assert (found.people, found.smallest, found.below) == (1, 3, 0)
    assert found.learned["ill"] == Together(certain=1, alone=0, fewest=1, none=0)
    assert found.sentences == ["Together the releases make 'ill' certain for 1 more person than one of them."]


def test_two_real_releases_of_the_same_people_shrink_to_less_than_k():
    adult = shoal.datasets.adult()[:3000]
    quasi = ["age", "education", "sex"]
    made = [
        shoal.anonymize(
            adult,
            quasi_identifiers=quasi,
            sensitive="occupation",
            identifying=["fnlwgt", "education-num"],
            model=shoal.KAnonymity(10) & shoal.DistinctDiversity(2),
            algorithm=algorithm,
        ).frame
        for algorithm in (shoal.Mondrian(), shoal.Mondrian(dimension="widest", cut="median"))
    ]
    found = intersect(made, quasi_identifiers=quasi, sensitive="occupation", same_rows=True, k=10)
    assert min(found.alone) >= 10
    assert found.smallest < 10
    assert 0 < found.below < 3000
    assert found.learned["occupation"].alone == 0 < found.learned["occupation"].certain
    same = intersect([made[0]] * 2, quasi_identifiers=quasi, sensitive="occupation", same_rows=True)
    assert (same.smallest, same.below, same.sentences) == (same.alone[0], 0, [])


def test_suppressed_rows_are_in_no_class():
    one = pl.DataFrame({"age": ["*", "2", "2", "3", "3"]})
    two = pl.DataFrame({"age": ["1", "1", "1", "3", "3"]})
    call = {"quasi_identifiers": "age", "same_rows": True, "k": 2}
    assert intersect([one, two], **call).below == 1
    assert intersect([one, two], suppressed="*", **call).below == 0


def test_a_release_need_not_have_every_quasi_identifier():
    one = pa.table({"age": ["1", "1", "2", "2"], "ill": list("abab")})
    two = pa.table({"town": ["x", "y", "x", "y"], "ill": list("abab")})
    found = intersect([one, two], quasi_identifiers=["age", "town"], sensitive="ill", same_rows=True)
    assert (found.k, found.smallest, found.below, found.learned["ill"].certain) == (2, 1, 4, 4)


ONE = pa.table({"id": [1, 2], "age": ["1", "1"], "ill": ["a", "b"]})


@pytest.mark.parametrize(
    ("releases", "call", "sentence"),
    [
        ([ONE], {"same_rows": True}, "An intersection needs several releases: name two or more."),
        ("a.csv", {"same_rows": True}, "An intersection needs several releases: name two or more."),
        (
            [ONE, ONE],
            {},
            "Say how people are found in the releases: by a column (on), by their position (same_rows) or by a table "
            "of people with raw values. Choose one of the three.",
        ),
        (
            [ONE, ONE.drop(["ill"])],
            {"same_rows": True},
            "In release 2, there is no column 'ill'. The columns are 'id', 'age'.",
        ),
        ([ONE, ONE.drop(["age"])], {"same_rows": True}, "Release 2 has none of the quasi-identifiers 'age'."),
        (
            [ONE, ONE.slice(1)],
            {"same_rows": True},
            "The releases have 2, 1 rows: with the same people in the same order the numbers must be equal.",
        ),
        (
            [ONE, ONE],
            {"on": "age"},
            "Column 'age' is a quasi-identifier or sensitive and cannot say whose row it is: name another column (on).",
        ),
        ([ONE, ONE], {"on": "id", "k": 0}, "k = 0 is too small: choose a whole number of at least 2."),
        (
            [ONE, ONE],
            {"people": pa.table({"id": [1]})},
            "In the people's table, there is no column 'age'. The columns are 'id'.",
        ),
    ],
)
def test_what_cannot_be_cut_is_refused(releases, call, sentence):
    with pytest.raises(InputError) as error:
        intersect(releases, quasi_identifiers="age", sensitive="ill", **call)
    assert str(error.value) == sentence


def test_a_suppressed_row_that_comes_first_is_in_no_class():
    first = pa.table({"age": ["*", "20-30", "20-30", "20-30"]})
    second = pa.table({"age": ["31-40", "25-35", "25-35", "31-40"]})
    found = shoal.intersect([first, second], quasi_identifiers="age", same_rows=True, suppressed="*")
    assert found.alone == (3, 2)
    assert (found.k, found.below) == (2, 1)
