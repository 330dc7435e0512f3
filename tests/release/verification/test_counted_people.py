"""How the verification counts people, beside counts with Python's own sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from shoal import VerificationError
from shoal.data.classes import Overall
from shoal.release.verification.people import (
    People,
    check_pseudonyms,
    classes_of_people,
    names_nobody,
    people_in,
    people_of_counts,
    profiles,
)

LABELS = ("flu", "cold", "HIV")
ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=25)


def array(values):
    return np.array(values, np.int64)


def counted(rows, *, spread=1, weights=None):
    """Count classes of (class, person, value) rows; the numbers of people are `spread` apart."""
    ids, people, codes = (array(column) for column in zip(*rows, strict=True))
    ids = np.unique(ids, return_inverse=True)[1]
    table = Overall(LABELS, np.bincount(codes, minlength=3))
    own = np.ones(len(rows), np.int64) if weights is None else array(weights)
    whose = People(people * spread, people * spread, weights=own)
    return classes_of_people(ids, whose, {"ill": (codes, codes, table)}, np.bincount(ids))


def held(rows):
    """The values of each person in each class, by Python's own sets."""
    found = defaultdict(lambda: defaultdict(set))
    for number, person, value in rows:
        found[number][person].add(value)
    return [found[number] for number in sorted(found)]


def histograms(counts):
    return [
        {int(value): int(count) for value, count in zip(counts.values[a:b], counts.counts[a:b], strict=True)}
        for a, b in zip(counts.starts[:-1], counts.starts[1:], strict=True)
    ]


@given(ROWS, st.sampled_from([1, 7, 2**58]))
def test_people_and_their_values_are_counted_once(rows, spread):
    classes, expected = counted(rows, spread=spread), held(rows)
    assert classes.sizes.tolist() == [len(people) for people in expected]
    once = [dict(Counter(value for values in people.values() for value in values)) for people in expected]
    assert histograms(classes.counts("ill")) == once
    shares, one = classes.by_person.shares("ill")
    for found, people in zip(histograms(shares), expected, strict=True):
        parts = defaultdict(Fraction)
        for values in people.values():
            for value in values:
                parts[value] += Fraction(1, len(values))
        assert {value: Fraction(count, one) for value, count in found.items()} == parts
    overall = classes.sensitive["ill"]
    whole = held([(0, person, value) for _, person, value in rows])[0]
    assert overall.people == len(whole)
    assert overall.counts.tolist() == [sum(code in values for values in whole.values()) for code in range(3)]
    divided = overall.divided()
    for code in range(3):
        share = sum(Fraction(1, len(values)) for values in whole.values() if code in values)
        assert Fraction(int(divided.counts[code]), divided.people) == share / len(whole)


@given(ROWS, st.data())
def test_the_most_rows_of_one_person(rows, data):
    weights = data.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    most = defaultdict(Counter)
    for (number, person, _), weight in zip(rows, weights, strict=True):
        most[number][person] += weight
    expected = [max(most[number].values()) for number in sorted(most)]
    assert counted(rows, weights=weights).by_person.most().tolist() == expected


@given(ROWS)
def test_rows_that_stand_for_several_people_count_all_of_them(rows):
    """The distinct (class, value) rows, each with several people, count like the rows themselves."""
    distinct = sorted({(number, value) for number, _, value in rows})
    place = {pair: at for at, pair in enumerate(distinct)}
    at = array([place[number, value] for number, _, value in rows])
    people = array([person for _, person, _ in rows])
    ids = np.unique(array([number for number, _ in distinct]), return_inverse=True)[1]
    codes = array([value for _, value in distinct])
    table = Overall(LABELS, np.bincount(codes, minlength=3))
    whose = People(people, people, at=at, weights=np.ones(people.size, np.int64), whole_at=at)
    classes = classes_of_people(ids, whose, {"ill": (codes, codes, table)}, np.bincount(ids[at]))
    same = counted(rows)
    assert classes.sizes.tolist() == same.sizes.tolist()
    assert histograms(classes.counts("ill")) == histograms(same.counts("ill"))
    assert classes.sensitive["ill"].counts.tolist() == same.sensitive["ill"].counts.tolist()
    assert classes.by_person.most().tolist() == same.by_person.most().tolist()


def test_who_shares_the_set_of_their_rows():
    """Vector V6: rows 0 (1, W1), 1 (5, W2), 2 (1, W2), 3 (5, W1)."""
    owned = {"a": [0, 1], "b": [1, 0], "c": [2, 3], "d": [0], "e": [0], "f": [0, 0]}
    pairs = [(number, owner) for owner, ids in enumerate(owned.values()) for number in ids]
    sets = profiles(array([number for number, _ in pairs]), array([owner for _, owner in pairs]))
    by_owner = {"abcdef"[owner]: int(found) for (_, owner), found in zip(pairs, sets, strict=True)}
    shared = Counter(by_owner.values())
    assert {owner: shared[found] for owner, found in by_owner.items()} == dict(
        zip("abcdef", (2, 2, 1, 2, 2, 1), strict=True)
    )


def test_values_that_name_nobody():
    texts = pa.array(["a", "", "  ", None, "NA", "na"])
    assert names_nobody(texts, ["NA"]).tolist() == [False, True, True, True, True, False]
    assert names_nobody(texts, []).tolist() == [False, True, True, True, False, False]
    assert names_nobody(pa.array([1.0, float("nan"), None]), ["1"]).tolist() == [False, True, True]


def test_people_of_rows_that_stand_for_several():
    names = pa.chunked_array([["a", "b", None], ["a", ""]])
    numbers, at, rows = people_of_counts(names, array([2, 3, 2, 1, 1]), ())
    assert at.tolist() == [0, 1, 2, 2, 3, 4]
    assert rows.tolist() == [2, 3, 1, 1, 1, 1]
    assert numbers[0] == numbers[4]
    assert len(set(numbers.tolist())) == 5  # a, b, and three who have no name


@pytest.mark.parametrize("linked", [True, False])
def test_people_by_a_column_of_the_release(linked):
    column = pa.chunked_array([pa.array(["x", "y", "x", None, "?"]).dictionary_encode()])
    people = people_in(column, ("?",), linked=linked)
    assert people.released[0] == people.released[2]
    assert len(set(people.released.tolist())) == 4
    assert people.released.tolist() == people.whole.tolist()
    assert (people.owners is None) == (not linked)
    if linked:
        assert people.owners.tolist() == people.released.tolist()


def test_categories_that_repeat_a_value_are_one_person():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["x", "x", "y"]))
    assert len(set(people_in(pa.chunked_array([column]), (), linked=False).released.tolist())) == 2


def test_pseudonyms_link_the_rows_of_one_owner_and_no_others():
    owners = array([0, 0, 1, 2])
    check_pseudonyms(pa.chunked_array([["p", "p", "q", "r"]]), owners)
    for wrong in (["p", "q", "r", "s"], ["p", "p", "q", "q"], ["p", "q", "q", "r"]):
        with pytest.raises(VerificationError, match="pseudonyms of the release do not link"):
            check_pseudonyms(pa.chunked_array([wrong]), owners)
