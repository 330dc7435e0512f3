"""Attacks on people with several rows, against plain loops."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import example, given, settings, strategies as st

import shoal
from shoal import InputError
from shoal.analysis.attack import people as linking

COVERS = {"1": "1", "1-2": "12", "2-3": "23", "3": "3", "*": "123"}
SECRETS = ["s", "t", None]
RELEASED = st.lists(
    st.tuples(st.sampled_from("PQRS"), st.sampled_from(list(COVERS)), st.sampled_from(SECRETS)), min_size=1, max_size=12
)
KNOWN = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("123")), min_size=1, max_size=8)


def tables(released, known, *, pseudonyms):
    who, labels, secrets = zip(*released, strict=True)
    columns = {"age": list(labels), "ill": pa.array(secrets, pa.string())} | ({"who": list(who)} if pseudonyms else {})
    people, ages = zip(*known, strict=True)
    return pa.table(columns), pa.table({"who": list(people), "age": list(ages)})


def rows_of(known):
    found = {}
    for who, age in known:
        found.setdefault(who, set()).add(age)
    return found


def among_people(released, ages):
    """The people of the release who have a row for each known one, but for those that nobody has."""
    left = [{who for who, label, _ in released if age in COVERS[label]} for age in ages]
    left = [some for some in left if some]
    return set.intersection(*left) if left else set()


def learned_of_people(released, candidates):
    held = {who: {ill for one, _, ill in released if one == who and ill is not None} for who, _, _ in released}
    shares = {}
    for value in ("s", "t"):
        share = sum(value in held[who] for who in candidates) / len(candidates)
        shares[value] = (share, share - sum(value in own for own in held.values()) / len(held))
    return max(share for share, _ in shares.values()), max(0, *(gain for _, gain in shares.values()))


@given(RELEASED, KNOWN, st.integers(1, 4), st.sampled_from([2**27, 1]))
@settings(max_examples=150, deadline=None)
def test_people_are_searched_for_people(released, known, k, flags):
    frame, attacker = tables(released, known, pseudonyms=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking, "MAX_FLAGS", flags)
        attack = shoal.attack(frame, attacker, known="age", sensitive="ill", unit="who", k=k)
    found, people = attack.released, rows_of(known)
    candidates = {who: among_people(released, ages) for who, ages in people.items()}
    sizes = [len(some) for some in candidates.values() if some]
    assert (attack.people, found.candidates) == (len(people), "people")
    assert found.sizes == dict(sorted(Counter(sizes).items()))
    assert found.linked == sum(size < k for size in sizes)
    assert found.unmatched == len(people) - len(sizes)
    told = [learned_of_people(released, some) for some in candidates.values() if some]
    learned = found.learned["ill"]
    assert learned.certain == sum(best == 1 for best, _ in told)
    assert learned.highest_confidence == pytest.approx(max((best for best, _ in told), default=0))
    assert learned.average_confidence == pytest.approx(sum(best for best, _ in told) / max(1, len(told)), abs=1e-6)
    assert learned.highest_gain == pytest.approx(max((gain for _, gain in told), default=0), abs=1e-6)


@given(RELEASED, KNOWN, st.integers(1, 4))
@example([("P", "1", None)], [("a", "1"), ("a", "2")], 2)  # one known row leaves a row without a value, the other none
@settings(max_examples=150, deadline=None)
def test_where_rows_are_not_linked_the_row_that_tells_most_counts(released, known, k):
    frame, attacker = tables(released, known, pseudonyms=False)
    attack = shoal.attack(frame, attacker, sensitive="ill", unit="who", k=k)
    found, people = attack.released, rows_of(known)
    sizes, best = [], []
    for ages in people.values():
        left = [[ill for _, label, ill in released if age in COVERS[label]] for age in ages]
        left = [some for some in left if some]
        if left:
            sizes.append(min(map(len, left)))
            best.append(max(max(some.count("s"), some.count("t")) / len(some) for some in left))
    assert (attack.known, attack.people, found.candidates) == (("age",), len(people), "rows")
    assert found.sizes == dict(sorted(Counter(sizes).items()))
    assert found.linked == sum(size < k for size in sizes)
    assert found.learned["ill"].certain == sum(one == 1 for one in best)
    assert found.learned["ill"].average_confidence == pytest.approx(sum(best) / max(1, len(best)))


def test_a_sample_is_of_people_with_all_of_their_rows():
    visits = pa.table({"who": [f"p{row // 5}" for row in range(100)], "age": [row % 7 for row in range(100)]})
    attack = shoal.attack(visits, original=visits, sample=0.25, known="age", unit="who")
    assert attack.people == 5
    assert attack.original.candidates == "people"


def test_a_release_of_people_hides_them():
    visits = pa.table({"who": [f"p{row // 3}" for row in range(90)], "age": [20 + row * 7 % 30 for row in range(90)]})
    release = shoal.anonymize(visits, quasi_identifiers="age", model=shoal.KAnonymity(5), unit="who")
    attack = shoal.attack(release.frame, original=visits, sample=1.0, known="age", unit="who", k=5)
    assert (attack.people, attack.released.candidates, attack.released.linked_by_one_row) == (30, "people", 0)
    assert attack.original.linked == 30
    # Few people are in the classes of all three visits.
    assert attack.released.linked > 0
    static = visits.set_column(1, "age", [[20 + row // 3 for row in range(90)]])
    release = shoal.anonymize(static, quasi_identifiers="age", model=shoal.KAnonymity(5), unit="who")
    attack = shoal.attack(release.frame, original=static, sample=1.0, known="age", unit="who", k=5)
    assert (attack.released.linked, attack.released.linked_by_one_row) == (0, 0)


ORIGINAL = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("123")), min_size=1, max_size=8)
LABELS = st.lists(st.sampled_from(list(COVERS)), min_size=1, max_size=8)


def through_classes(labels, original, ages):
    """The people of the original whom each known row leaves, by the classes that cover it and leave the fewest."""
    left = []
    for age in ages:
        classes = [{who for who, own in original if own in COVERS[label]} for label in labels if age in COVERS[label]]
        classes = [some for some in classes if some]
        if classes:
            fewest = min(map(len, classes))
            left.append(set().union(*(some for some in classes if len(some) == fewest)))
    return left


@given(LABELS, ORIGINAL, KNOWN, st.integers(1, 4), st.sampled_from([2**27, 1]))
@settings(max_examples=200, deadline=None)
def test_without_pseudonyms_people_are_sought_through_the_classes(labels, original, known, k, flags):
    whole = pa.table({"who": [who for who, _ in original], "age": [age for _, age in original]})
    attacker = pa.table({"who": [who for who, _ in known], "age": [age for _, age in known]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking, "MAX_FLAGS", flags)
        attack = shoal.attack(pa.table({"age": labels}), attacker, original=whole, known="age", unit="who", k=k)
    found, people = attack.released, rows_of(known)
    left = [through_classes(labels, original, ages) for ages in people.values()]
    sizes = [len(set.intersection(*some)) for some in left if some and set.intersection(*some)]
    assert (found.candidates, attack.original.candidates) == ("people", "people")
    assert found.sizes == dict(sorted(Counter(sizes).items()))
    assert (found.linked, found.unmatched) == (sum(size < k for size in sizes), len(people) - len(sizes))
    by_one = [min(map(len, some)) for some in left if some and set.intersection(*some)]
    assert found.linked_by_one_row == sum(size < k for size in by_one)


@given(ORIGINAL, st.integers(2, 3))
@settings(max_examples=60, deadline=None)
@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_no_row_alone_finds_a_person_in_classes_of_k_people(original, k):
    table = pa.table({"who": [who for who, _ in original], "age": [int(age) for _, age in original]})
    try:
        release = shoal.anonymize(table, quasi_identifiers="age", model=shoal.KAnonymity(k), unit="who")
    except shoal.InfeasibleError:
        return
    attack = shoal.attack(release.frame, original=table, sample=1.0, known="age", unit="who", k=k)
    assert attack.released.linked_by_one_row == 0
    assert attack.released.unmatched == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"unit": "nobody"}, "There is no column 'nobody'."),
        ({"unit": "age"}, "Column 'age' is named both as unit and as quasi-identifier"),
        ({"unit": "who", "k": 0}, "k = 0"),
    ],
)
def test_what_cannot_be_attacked_is_told(options, sentence):
    people = pa.table({"who": ["a", "b"], "age": ["1", "2"]})
    with pytest.raises(InputError) as refusal:
        shoal.attack(people, people, known="age", **options)
    assert str(refusal.value).startswith(sentence)
