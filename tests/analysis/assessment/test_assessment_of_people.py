"""assess(), check() and verify() where people are counted, against plain Python."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import people as oracle
from shoal import InputError, KAnonymity, VerificationError

SEEN = {
    "who": list("aaabbcdd"),
    "ward": list("MMNMNMNO"),
    "ill": list("xyxxyzxz"),
}
ROWS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("MNO"), st.sampled_from("xyz")), min_size=1, max_size=20
)


def table(rows):
    return pa.table({name: list(column) for name, column in zip(SEEN, zip(*rows, strict=True), strict=True)})


def by_ward(rows):
    groups = defaultdict(list)
    for who, ward, ill in rows:
        groups[ward].append((who, ill))
    return groups


def assessed(rows, **options):
    return shoal.assess(table(rows), quasi_identifiers="ward", sensitive="ill", unit="who", **options)


@given(ROWS, st.sampled_from([0.2, 0.34, 0.5]))
@settings(max_examples=100, deadline=None)
def test_every_figure_counts_people(rows, threshold):
    found, groups = assessed(rows, threshold=threshold), by_ward(rows)
    whole = [(who, ill) for who, _, ill in rows]
    sizes = {ward: oracle.number(own) for ward, own in groups.items()}
    smallest = {who: min(sizes[ward] for one, ward, _ in rows if one == who) for who, _, _ in rows}
    assert found.k == min(sizes.values())
    assert found.class_sizes == dict(sorted(Counter(sizes.values()).items()))
    assert found.unique_rows == sum(size == 1 for size in smallest.values())
    assert found.prosecutor.highest == 1 / min(smallest.values())
    assert found.prosecutor.average == pytest.approx(sum(1 / size for size in smallest.values()) / len(smallest))
    assert found.prosecutor.rows_above == sum(1 / size > threshold for size in smallest.values())
    assert found.people["people"] == len(smallest)
    assert found.people["by_smallest_class"] == Counter(smallest.values())
    profile = {who: tuple(sorted(ward for one, ward, _ in rows if one == who)) for who in smallest}
    sharing = Counter(profile.values())
    assert found.people["share_a_profile"] == min(sharing.values())
    assert found.people["unique_profiles"] == sum(number == 1 for number in sharing.values())
    assert found.sensitive["ill"].distinct_l == min(map(oracle.distinct, groups.values()))
    assert found.sensitive["ill"].alpha == pytest.approx(
        float(max(max(oracle.once(own).values()) for own in groups.values()))
    )
    distance = max(oracle.equal_distance(own, whole) for own in groups.values())
    assert found.sensitive["ill"].t_equal == pytest.approx(float(distance))


@given(ROWS, st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_requirements_and_people_at_risk(rows, k):
    groups = by_ward(rows)
    failing = [own for own in groups.values() if oracle.number(own) < k]
    people = {who for own in failing for who, _ in own}
    [verdict] = shoal.check(table(rows), KAnonymity(k), quasi_identifiers="ward", unit="who")
    assert (verdict.holds, verdict.failing_classes, verdict.failing_rows) == (not failing, len(failing), len(people))
    assert assessed(rows).at_risk(KAnonymity(k)) == len(people)
    limited = shoal.FrequencyDiversity(2)
    [verdict] = shoal.check(table(rows), limited, quasi_identifiers="ward", sensitive="ill", unit="who")
    assert verdict.holds == all(oracle.frequency(own, 2) for own in groups.values())


@given(ROWS, st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_verify_counts_people_in_classes_and_in_sets_of_rows(rows, k):
    profile = defaultdict(list)
    for who, ward, _ in rows:
        profile[who].append(ward)
    shared = min(Counter(tuple(sorted(own)) for own in profile.values()).values())
    least = min(oracle.number(own) for own in by_ward(rows).values())
    for promise, reached in (("classes", least), ("profiles", min(least, shared))):
        asked = {"quasi_identifiers": "ward", "model": KAnonymity(k), "unit": "who", "promise": promise}
        if reached >= k:
            assert shoal.verify(table(rows), **asked).sizes.min() == least
        else:
            with pytest.raises(VerificationError):
                shoal.verify(table(rows), **asked)


def test_verify_says_what_fails():
    people = pa.table({"who": list("aabb"), "ward": list("MNMM")})
    with pytest.raises(VerificationError) as refusal:
        shoal.verify(people, quasi_identifiers="ward", model=KAnonymity(2), unit="who")
    assert refusal.value.reason == (
        "The release does not satisfy k = 2: 1 of 2 classes fail, the first with 1 person at row 2 (ward=N)."
    )
    linked = pa.table({"who": list("aabbb"), "ward": list("MNMNN")})
    assert shoal.verify(linked, quasi_identifiers="ward", model=KAnonymity(2), unit="who", promise="classes")
    with pytest.raises(VerificationError) as refusal:
        shoal.verify(linked, quasi_identifiers="ward", model=KAnonymity(2), unit="who")
    assert refusal.value.reason == (
        "The release does not satisfy k = 2: 2 of 2 sets of rows that can be linked fail, the first of 1 people."
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"unit": "nobody"}, "There is no column 'nobody'."),
        ({"unit": "ward"}, "Column 'ward' is named both as unit and as quasi-identifier"),
        ({"population": pa.table(SEEN)}, "A population is compared row by row and cannot count people"),
        ({"sampling_fraction": 0.1}, "People are in several classes, from which nobody can estimate"),
        ({"missing_units": "drop"}, "missing_units = 'drop' is not known: choose refuse or own."),
    ],
)
def test_what_cannot_be_assessed_is_told(options, sentence):
    with pytest.raises(InputError) as refusal:
        shoal.assess(pa.table(SEEN), quasi_identifiers="ward", **{"unit": "who"} | options)
    assert str(refusal.value).startswith(sentence)


def test_the_summary_says_people():
    found = shoal.assess(pa.table(SEEN), quasi_identifiers="ward", unit="who")
    assert "people 4" in repr(found)
    assert "unique people 1" in repr(found)
    assert json.loads(json.dumps(found.to_dict()))["people"]["unit"] == "who"
    assert "unique rows" in repr(shoal.assess(pa.table(SEEN), quasi_identifiers="ward"))


def test_missing_units_without_a_unit_are_refused():
    table = pa.table({"age": [1, 1, 2, 2]})
    with pytest.raises(shoal.InputError, match="missing_units = 'own' is about people: name the column"):
        shoal.assess(table, quasi_identifiers="age", missing_units="own")
