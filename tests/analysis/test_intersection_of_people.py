"""Releases in which a pseudonym links several rows of a person, intersected as plain loops do."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

from shoal import InputError, intersect

ROWS = st.lists(
    st.tuples(st.sampled_from("pqrst"), st.sampled_from(["1", "1-2", "*"]), st.sampled_from(["s", "t", "u"])),
    min_size=1,
    max_size=12,
)


def table(rows):
    return pa.table(
        {name: list(column) for name, column in zip(("who", "age", "ill"), zip(*rows, strict=True), strict=True)}
    )


def sets_of(rows, hidden):
    """The multiset of labels of each person, without rows that show nothing."""
    found = {}
    for who, age, _ in rows:
        if age not in hidden:
            found.setdefault(who, Counter())[age] += 1
    return {who: frozenset(labels.items()) for who, labels in found.items()}


@given(st.lists(ROWS, min_size=2, max_size=3), st.integers(1, 4), st.sampled_from([(), ("*",)]))
@settings(max_examples=200, deadline=None)
def test_people_with_several_rows_are_cut_as_plain_loops_do(releases, k, hidden):
    assume(any(max(Counter(who for who, _, _ in rows).values()) > 1 for rows in releases))
    asked = {"quasi_identifiers": "age", "sensitive": "ill", "on": "who", "k": k, "suppressed": hidden}
    sets = [sets_of(rows, hidden) for rows in releases]
    people = [who for who in sets[0] if all(who in others for others in sets)]
    if not people:
        with pytest.raises(InputError, match="nobody is in all of them"):
            intersect([table(rows) for rows in releases], **asked)
        return
    found = intersect([table(rows) for rows in releases], **asked)
    traces = {who: tuple(own[who] for own in sets) for who in people}
    sizes, left, alone = [], [], []
    for who in people:
        alike = [other for other in people if traces[other] == traces[who]]
        sizes.append(len(alike))
        values = [{ill for one, age, ill in rows if one in alike and age not in hidden} for rows in releases]
        left.append(len(set.intersection(*values)))
        same = [[one for one, labels in own.items() if labels == own[who]] for own in sets]
        alone.append(
            [
                len({ill for one, age, ill in rows if one in some and age not in hidden})
                for rows, some in zip(releases, same, strict=True)
            ]
        )
    assert (found.people, found.candidates) == (len(people), "people")
    assert found.sizes == dict(sorted(Counter(sizes).items()))
    assert found.below == sum(size < k for size in sizes)
    assert found.alone == tuple(min(Counter(own.values()).values()) for own in sets)
    learned = found.learned["ill"]
    assert learned.certain == sum(number == 1 for number in left)
    assert learned.none == sum(number == 0 for number in left)
    assert learned.alone == max(sum(one[at] == 1 for one in alone) for at in range(len(releases)))


@given(
    st.lists(ROWS, min_size=2, max_size=2),
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123")), min_size=1),
)
@settings(max_examples=100, deadline=None)
def test_people_with_several_known_rows_are_looked_up_by_the_row_that_tells_most(releases, known):
    covers = {"1": "1", "1-2": "12", "*": "123"}
    people = pa.table({"who": [who for who, _ in known], "age": [age for _, age in known]})
    found = intersect(
        [table(rows) for rows in releases], people, quasi_identifiers="age", sensitive="ill", unit="who", k=2
    )
    sizes, certain = [], 0
    for person in {who for who, _ in known}:
        rows_left, values_left = [], []
        for age in {age for who, age in known if who == person}:
            candidates = [[ill for _, label, ill in rows if age in covers[label]] for rows in releases]
            if all(candidates):
                rows_left.append(min(map(len, candidates)))
                values_left.append(len(set.intersection(*map(set, candidates))))
        if rows_left:
            sizes.append(min(rows_left))
            certain += min((number for number in values_left if number), default=0) == 1
    assert (found.people, found.sizes) == (len(sizes), dict(sorted(Counter(sizes).items())))
    assert found.learned["ill"].certain == certain


def test_a_unit_without_a_table_of_people_is_refused():
    one = table([("p", "1", "s")])
    with pytest.raises(InputError) as refusal:
        intersect([one, one], quasi_identifiers="age", on="who", unit="who")
    assert str(refusal.value) == "unit = 'who' is a column of the table of people, and none is given: leave it out."


def test_the_sentence_says_people():
    one = table([("p", "1", "s"), ("p", "1", "s"), ("q", "1", "s"), ("q", "1", "t")])
    two = table([("p", "1", "s"), ("q", "1-2", "s")])
    found = intersect([one, two], quasi_identifiers="age", on="who", k=2)
    assert found.sentences == [
        "Together the releases leave 2 of 2 people with fewer than 2 people who could be them, the worst with 1."
    ]
