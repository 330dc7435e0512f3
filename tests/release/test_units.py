"""Releases that count people: what is asked, what is refused, and what is reported."""

from __future__ import annotations

from collections import defaultdict

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import people as oracle
from shoal import FrequencyDiversity, InfeasibleError, InputError, KAnonymity, ReviewError
from shoal.release.request import Request

KEY = "a secret key of more than sixteen characters"
VISITS = {
    "who": list("aabbccdd"),
    "age": [31, 31, 32, 32, 45, 45, 47, 47],
    "ward": list("NNNSSSNN"),
    "diagnosis": list("xyxyxyxy"),
}
HALF = VISITS | {"who": list("aaaabcde")}

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def released(data=VISITS, **options):
    asked = {"quasi_identifiers": ["age", "ward"], "model": KAnonymity(2), "unit": "who"}
    return shoal.anonymize(pa.table(data), **asked | options)


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        (
            VISITS | {"who": ["a", None, "b", "b", "c", "c", None, "d"]},
            {},
            "Column 'who' does not say whose row it is in 2 rows, the first of them row 2: fill it in, leave these "
            "rows out, or take each as a person of its own (missing_units='own', --missing-units own).",
        ),
        (
            VISITS | {"who": list("?abbccdd")},
            {"missing_values": "?"},
            "Column 'who' does not say whose row it is in 1 row, the first of them row 1: fill it in, leave these "
            "rows out, or take each as a person of its own (missing_units='own', --missing-units own).",
        ),
        (
            VISITS,
            {"quasi_identifiers": ["age", "who"]},
            "Column 'who' is named both as unit and as quasi-identifier: the unit is removed or pseudonymized, so "
            "leave it out of the others.",
        ),
        (
            VISITS,
            {"sensitive": "who"},
            "Column 'who' is named both as unit and as sensitive: the unit is removed or pseudonymized, so leave it "
            "out of the others.",
        ),
        (VISITS, {"unit": "nobody"}, "There is no column 'nobody'."),
        (VISITS, {"missing_units": "drop"}, "missing_units = 'drop' is not known: choose refuse or own."),
        (VISITS, {"strict": 1}, "strict is True or False, not 1."),
        (
            VISITS,
            {"unit": None, "strict": True},
            "strict is about people: name the column that says whose row it is (unit=…, --unit).",
        ),
        (
            VISITS,
            {"unit": None, "missing_units": "own"},
            "missing_units = 'own' is about people: name the column that says whose row it is (unit=…, --unit).",
        ),
        (
            VISITS,
            {"unit": None, "promise": "profiles"},
            "promise = 'profiles' is about people: name the column that says whose row it is (unit=…, --unit).",
        ),
        (
            VISITS,
            {"promise": "secrets"},
            "promise = 'secrets' is not known: choose from classes, profiles, households.",
        ),
        (
            VISITS,
            {"promise": "classes", "pseudonymize": "who", "key": KEY},
            "The pseudonyms of 'who' link the rows of a person, which the promise of classes does not cover: remove "
            "the column, or choose promise='profiles'.",
        ),
        (
            VISITS,
            {"order": "rows"},
            "order = 'rows' could link the rows of a person, who often stand together in the table: leave it out, and "
            "the rows are shuffled.",
        ),
        (
            VISITS,
            {"order": "classes"},
            "order = 'classes' could link the rows of a person, who often stand together in the table: leave it out, "
            "and the rows are shuffled.",
        ),
        (
            VISITS,
            {"algorithm": "k-member"},
            "k-member clustering cannot count people if quasi-identifiers of a person change from row to row (ward): "
            "choose from auto, bottom-up, datafly, full-domain, incognito, local, mondrian, samarati.",
        ),
    ],
)
def test_what_cannot_be_asked_is_told(data, options, sentence):
    with pytest.raises(InputError) as refusal:
        released(data, **options)
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        (
            VISITS,
            {"model": KAnonymity(5)},
            "No release of this table can satisfy k = 5: the table has 4 people, so k can be at most 4.",
        ),
        (
            HALF,
            {"model": KAnonymity(3), "strict": True},
            "No release of this table can satisfy k = 3 and at most 1/3 of a class by one person: one person has 4 of "
            "the 8 rows, so k can be at most 2.",
        ),
        (
            VISITS,
            {"model": FrequencyDiversity(2), "sensitive": "diagnosis"},
            "No release of this table can satisfy frequency l = 2: column 'diagnosis' allows l of at most 1.",
        ),
    ],
)
def test_what_cannot_be_reached_is_told_in_people(data, options, sentence):
    with pytest.raises(InfeasibleError) as refusal:
        released(data, **options)
    assert str(refusal.value) == sentence


def test_the_report_says_who_was_counted():
    report = released().report
    assert report.people == {
        "unit": "who",
        "group": None,
        "promise": "classes",
        "strict": False,
        "people": 4,
        "rows_per_person": 2,
        "most_rows_of_a_person": 2,
        "largest_share_of_a_class": report.people["largest_share_of_a_class"],
        "varying": {"ward": 1},
        "shifted_dates": [],
    }
    assert report.rows == 8
    assert report.rows_per_person == 2
    assert report.k >= 2


def test_without_a_unit_each_row_is_a_person():
    report = released(unit=None, identifying="who").report
    assert report.people is None
    assert report.rows_per_person == 1


@pytest.mark.parametrize("nobody", [None, "", "?"])
def test_rows_without_a_person_can_be_people_of_their_own(nobody):
    data = VISITS | {"who": ["a", nobody, "b", "b", "c", "c", nobody, "d"]}
    assert released(data, missing_units="own", missing_values="?").report.people["people"] == 6
    with pytest.raises(InputError, match="does not say whose row it is in 2 rows"):
        released(data, missing_values="?")


def test_half_of_the_rows_of_one_person_are_diluted():
    report = released(HALF, strict=True).report
    assert report.people["largest_share_of_a_class"] <= 0.5
    assert released(HALF).report.people["largest_share_of_a_class"] > 0.5


def test_the_unit_is_removed_and_nothing_links_the_rows():
    release = released()
    assert release.request.roles.identifying == ("who",)
    assert release.request.order == "shuffled"
    assert "who" not in release.frame.column_names


def test_a_pseudonymized_unit_promises_profiles():
    asked = {"quasi_identifiers": "age", "model": KAnonymity(2), "unit": "who", "pseudonymize": "who", "key": KEY}
    request = Request.of(list(VISITS), **asked)
    assert request.unit.promise == "profiles"
    assert request.unit.linked
    assert request.roles.identifying == ()
    assert request.suppressed == "drop"


@pytest.mark.parametrize("algorithm", [shoal.Mondrian(dimension="random", seed=4), "full-domain", "auto"], ids=str)
def test_the_same_seed_makes_the_same_classes(algorithm):
    first, again = (released(algorithm=algorithm) for _ in range(2))
    assert first.ids.tolist() == again.ids.tolist()
    assert first.labels == again.labels


def people_by_labels(release, data, names):
    """The rows of each released class: person and diagnosis, from the original at each row's number."""
    groups = defaultdict(list)
    for row, group in enumerate(release.ids.tolist()):
        if group >= 0:
            shown = tuple(release.labels[name][group] for name in names)
            groups[shown].append((data["who"][row], data["diagnosis"][row]))
    return groups


@st.composite
def visits(draw, most=30):
    rows = draw(st.integers(4, most))

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))

    people = {"who": column("abcdefgh"), "diagnosis": column("xyz")}
    ages, own = column([20, 30, 31, 40, 55]), draw(st.booleans())
    static = [ages["abcdefgh".index(who) % rows] for who in people["who"]] if own else ages
    return people | {"age": static, "ward": column("NSW") if not own else ["N"] * rows}


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        ("mondrian", {}),
        ("full-domain", {}),
        ("samarati", {"max_suppression": 3}),
        ("auto", {}),
        ("auto", {"strict": 1}),
    ],
    ids=str,
)
@given(data=visits(), k=st.integers(2, 4), share=st.sampled_from([None, 1.2, 2]))
@settings(max_examples=40, deadline=None)
def test_every_class_has_enough_people(algorithm, options, data, k, share):
    model = KAnonymity(k) if share is None else KAnonymity(k) & FrequencyDiversity(share)
    options = options | ({"strict": True} if "strict" in options else {})
    try:
        release = released(data, sensitive="diagnosis", model=model, algorithm=algorithm, **options)
    except (InfeasibleError, ReviewError):
        return
    groups = people_by_labels(release, data, ["age", "ward"])
    for rows in groups.values():
        assert oracle.number(rows) >= k
        assert share is None or oracle.frequency(rows, share)
        assert not options.get("strict") or oracle.limited(rows, k)
    assert release.report.k == min(map(oracle.number, groups.values()))
    assert release.classes.sizes.sum() >= sum(map(oracle.number, groups.values()))


def test_a_static_table_is_anonymized_by_any_algorithm():
    data = {name: VISITS[name] for name in ("who", "age")}
    for algorithm in ("k-member", "local", "mondrian", "full-domain"):
        release = released(data, quasi_identifiers="age", algorithm=algorithm)
        assert release.report.k >= 2
        assert release.report.people["varying"] == {}


def test_a_static_secret_is_warned_of_where_rows_differ():
    data = VISITS | {"diagnosis": list("xxyyxxyy")}
    warned = released(data, sensitive="diagnosis").report.warnings
    assert [sentence for sentence in warned if "'diagnosis' is the same" in sentence] == [
        "Column 'diagnosis' is the same in all rows of a person, which differ in 'ward': whoever knows several rows of "
        "a person may find the value that their classes have in common. Choose promise='profiles', or leave out the "
        "columns that differ."
    ]
    static = released(data, sensitive="diagnosis", quasi_identifiers="age", identifying="ward").report.warnings
    assert not any("'diagnosis' is the same" in sentence for sentence in static)
    assert not any(
        "'diagnosis' is the same" in sentence for sentence in released(sensitive="diagnosis").report.warnings
    )
