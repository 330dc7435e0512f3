"""Releases that promised something to people are certified by people, or not at all."""

from __future__ import annotations

import csv
import json
import random

import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles.second_verifier import Verifier
from oracles.second_verifier.command import read
from oracles.second_verifier.models import Group, failing
from oracles.second_verifier.people import unshared
from people_tables import DEFINITIONS
from shoal import InputError, KAnonymity, VerificationError
from shoal.certificates.case import plain_model
from shoal.certificates.page import document

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
GIVEN = {"quasi_identifiers": ["age", "ward"], "sensitive": "ill", "model": KAnonymity(2), "unit": "who"}


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def visits(seed, *, static=False, number=False, people=8, rows=30):
    rng = random.Random(seed)
    found = []
    for row in range(rows):
        who = rng.randrange(people)
        place = who if static else rng.randrange(1000)
        one = {"who": f"p{who}", "age": str(20 + place % 7), "ward": "NSW"[place % 3], "ill": rng.choice("stuvwxyz")}
        found.append(one | ({"visit": str(row)} if number else {}))
    return found


def made(folder, rows, **options):
    write(folder / "visits.csv", rows)
    release = shoal.anonymize(folder / "visits.csv", **GIVEN | options)
    release.save(folder / "safe.csv", report=folder / "safe.json")
    return release


def certified(folder, *, report=True, **options):
    report = folder / "safe.json" if report else None
    return shoal.certify(folder / "safe.csv", folder / "visits.csv", report=report, **GIVEN | options)


def second_opinion(folder, certificate):
    case = json.loads(certificate.case_json(), parse_float=str)["case"]
    return Verifier(read(folder / "visits.csv", ","), read(folder / "safe.csv", ","), case).run()


@pytest.mark.parametrize("number", [True, False], ids=["by column", "as a multiset"])
@pytest.mark.parametrize("static", [True, False], ids=["static", "varying"])
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "not strict"])
def test_people_are_certified_and_the_second_verifier_repeats_it(tmp_path, number, static, strict):
    for seed in range(6):
        folder = tmp_path / str(seed)
        folder.mkdir()
        model = KAnonymity(3) & shoal.FrequencyDiversity(1.1) & shoal.EntropyDiversity(1.1)
        options = {"model": model, "strict": strict}
        release = made(folder, visits(seed, static=static, number=number), **options)
        for report in (True, False):
            certificate = certified(folder, report=report, **options)
            assert second_opinion(folder, certificate) == []
            assert certificate.body["figures"]["people"] == release.report.people["people"]
            assert certificate.body["figures"]["k"] >= 3
            assert certificate.body["asked"]["unit"]["column"] == "who"
            assert ("matched" in certificate.case["case"]) == (not number)
            [sentence] = [check["sentence"] for check in certificate.body["checks"] if check["check"] == "people"]
            assert sentence.startswith("The people of column 'who', ")
            assert "every class has rows of at least as many different people as promised." in sentence
            assert "Every class has rows of at least 3 people" in " ".join(certificate.sentences)


def test_classes_of_overlapping_labels_are_certified(tmp_path):
    for algorithm in ("local", "k-member"):
        made(tmp_path, visits(3, static=True, people=12, rows=40), algorithm=algorithm, order=None)
        certificate = certified(tmp_path, algorithm=algorithm)
        assert second_opinion(tmp_path, certificate) == []
        (tmp_path / "safe.csv").unlink()


def test_the_page_states_the_promise_in_words(tmp_path):
    made(tmp_path, visits(1))
    page = str(document(certified(tmp_path).to_dict(), "certificate.json"))
    assert "people of 'who'. The rows of a person cannot be linked with one another" in page


def refusal(folder, **options):
    with pytest.raises(VerificationError) as error:
        certified(folder, **options)
    return str(error.value)


def test_a_release_that_counted_rows_is_no_release_of_people(tmp_path):
    # Both rows of each class are about one person.
    rows = [{"who": who, "age": age, "ward": "N", "ill": "x"} for who, age in zip("aabb", "1122", strict=True)]
    write(tmp_path / "visits.csv", rows)
    safe = shoal.anonymize(
        tmp_path / "visits.csv", **GIVEN | {"unit": None}, identifying="who", order="shuffled", algorithm="mondrian"
    )
    safe.save(tmp_path / "safe.csv", report=tmp_path / "safe.json")
    sentence = refusal(tmp_path, report=False)
    assert "The release does not satisfy k = 2: 2 of 2 classes fail, the first with 1 person" in sentence
    assert refusal(tmp_path) == (
        "The report counts rows, and the request the people of column 'who': give the unit of the release (unit=…, "
        "--unit).\nNo certificate was made."
    )


def test_a_release_of_people_is_not_certified_by_rows(tmp_path):
    made(tmp_path, visits(1))
    assert refusal(tmp_path, unit=None, identifying="who", order="shuffled") == (
        "The report counts people (unit 'who', group None, promise 'classes', strict False), and the request rows: "
        "give the unit of the release (unit=…, --unit).\nNo certificate was made."
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"unit": "ward"}, "The report counts people (unit 'ward', "),
        ({"strict": True}, "strict True), and the request the people of column 'who': "),
        ({"promise": "profiles"}, "promise 'profiles', "),
        ({"people": 99}, "The report says people = 99, and it is 8."),
        ({"rows_per_person": 1}, "The report says rows_per_person = 1, and it is 3.75."),
        ({"varying": {}}, "The report says varying = {}, and it is {"),
    ],
)
def test_a_changed_unit_in_the_report_is_refused(tmp_path, change, sentence):
    made(tmp_path, visits(1))
    report = json.loads((tmp_path / "safe.json").read_text())
    report["people"] |= change
    (tmp_path / "safe.json").write_text(json.dumps(report))
    assert sentence in refusal(tmp_path)


def test_a_report_of_more_people_than_there_are_is_refused(tmp_path):
    made(tmp_path, visits(1))
    report = json.loads((tmp_path / "safe.json").read_text())
    report["k"] = 30
    (tmp_path / "safe.json").write_text(json.dumps(report))
    assert "The report says k = 30, and it is " in refusal(tmp_path)


def test_the_second_verifier_refuses_rows_that_are_not_matched(tmp_path):
    made(tmp_path, visits(1))
    case = json.loads(certified(tmp_path).case_json(), parse_float=str)["case"]
    rows, shown = read(tmp_path / "visits.csv", ","), read(tmp_path / "safe.csv", ",")
    assert Verifier(rows, shown, case).run() == []
    turned = case["matched"][::-1]
    assert any("cells" in one for one in Verifier(rows, shown, case | {"matched": turned}).run())
    twice = [case["matched"][0]] * len(turned)
    assert any("of its own" in one for one in Verifier(rows, shown, case | {"matched": twice}).run())
    with pytest.raises(ValueError, match="names a column that is not there or stays"):
        Verifier(rows, shown, case | {"identifying": []})


def test_the_second_verifier_counts_people_not_rows(tmp_path):
    rows = [{"who": who, "age": age, "ward": "N", "ill": "x"} for who, age in zip("aabb", "1122", strict=True)]
    unit = {"column": "who", "group": None, "promise": "classes", "strict": False, "missing": "refuse"}
    case = {
        "quasi": {"age": {"kind": "numbers"}},
        "sensitive": ["ill"],
        "identifying": ["who"],
        "models": [{"model": "k-anonymity", "k": 2}],
        "order": "shuffled",
    }
    shown = [{name: text for name, text in row.items() if name != "who"} for row in rows]
    assert Verifier(rows, shown, case).run() == []
    assert Verifier(rows, shown, case | {"unit": unit}).run() == [
        "model: the class ('1',) of 1 people fails",
        "model: the class ('2',) of 1 people fails",
    ]
    nobody = [rows[0] | {"who": ""}, *rows[1:]]
    assert "people: 1 rows do not say whose they are" in Verifier(nobody, shown, case | {"unit": unit}).run()


PROFILES = {"model": KAnonymity(2), "pseudonymize": "who", "max_suppression": 0.3}


def test_profiles_are_certified_where_a_column_tells_the_rows_apart(tmp_path):
    made(tmp_path, visits(2, number=True, people=10), **PROFILES, key="a secret of more than sixteen bytes")
    certificate = certified(tmp_path, **PROFILES)
    assert "people as promised share the whole set of their released rows" in " ".join(certificate.sentences)
    assert second_opinion(tmp_path, certificate) == []
    shown = read(tmp_path / "safe.csv", ",")
    first, other = shown[0]["who"], next(row["who"] for row in shown if row["who"] != shown[0]["who"])
    write(tmp_path / "safe.csv", [row | {"who": other if row["who"] == first else row["who"]} for row in shown])
    assert "not replaced value by value" in refusal(tmp_path, report=False, **PROFILES)


def test_profiles_are_not_certified_where_rows_cannot_be_told_apart(tmp_path):
    made(tmp_path, visits(2, people=10), **PROFILES, key="a secret of more than sixteen bytes")
    with pytest.raises(InputError) as error:
        certified(tmp_path, **PROFILES)
    assert str(error.value) == (
        "The release promised profiles, and no column tells which row is which in it: this cannot be certified."
    )


@pytest.mark.parametrize(("model", "definition"), DEFINITIONS, ids=lambda case: "" if callable(case) else str(case))
@given(
    rows=st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abcd")), min_size=1, max_size=14),
    cut=st.integers(1, 14),
)
@settings(max_examples=60, deadline=None)
def test_the_models_of_the_second_verifier_count_people(model, definition, rows, cut):
    plain = json.loads(json.dumps([plain_model(part) for part in model.parts]), parse_float=str)
    own = rows[:cut]

    def group(some):
        return Group([{"s": value} for _, value in some], ["s"], owners=[person for person, _ in some])

    assert (not failing(plain, [group(own)], group(rows), ["s"])) == definition(own, rows)


def test_shared_sets_of_rows():
    rows = {
        "a": [(1, "W1"), (5, "W2")],
        "b": [(5, "W2"), (1, "W1")],
        "c": [(1, "W2"), (5, "W1")],
        "d": [(1, "W1")],
        "e": [(1, "W1")],
        "f": [(1, "W1"), (1, "W1")],
    }
    linked = [(who, key, who, {}) for who, own in rows.items() for key in own]
    # The sets of c and of f are theirs alone; {a, b} and {d, e} share theirs.
    assert unshared([{"model": "k-anonymity", "k": "2"}], linked, None, []) == (2, 4, 1)
    assert unshared([{"model": "k-anonymity", "k": "3"}], linked, None, []) == (4, 4, 1)
