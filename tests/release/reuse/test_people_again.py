"""The next delivery of a release that counted people."""

from __future__ import annotations

import json
from collections import defaultdict

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import people as oracle
from shoal import DistinctDiversity, InfeasibleError, InputError, KAnonymity
from shoal.release.reuse.generalization import generalization_in

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
STATIC = {"who": list("aabbccdd"), "age": [31, 31, 32, 32, 45, 45, 47, 47]}
VARYING = {"who": list("abababcdcd"), "age": [31, 31, 32, 32, 33, 33, 45, 45, 47, 47]}


def released(data, **options):
    asked = {"quasi_identifiers": "age", "model": KAnonymity(2), "unit": "who", "algorithm": "mondrian"}
    return shoal.anonymize(pa.table(data), **asked | options)


def again(earlier, data, **options):
    return shoal.apply(earlier, pa.table(data), **options)


def people_by_label(release, data):
    groups = defaultdict(list)
    for row, group in enumerate(release.ids.tolist()):
        if group >= 0:
            groups[release.labels["age"][group]].append((data["who"][row], None))
    return groups


@pytest.mark.parametrize("data", [STATIC, VARYING], ids=["static", "varying"])
@pytest.mark.parametrize("form", ["release", "report", "file"])
def test_rows_of_one_person_do_not_fill_an_earlier_class(data, form, tmp_path):
    first = released(data)
    first.save_report(tmp_path / "first.json")
    earlier = {"release": first, "report": json.loads(first.to_json()), "file": tmp_path / "first.json"}[form]
    # Both rows of the older class are about one person now.
    news = {"who": list("aabbee"), "age": [31, 32, 31, 32, 45, 47]}
    second = again(earlier, news, max_suppression=2)
    assert second.report.suppressed_rows == 2
    assert second.report.people["unit"] == "who"
    assert all(oracle.number(rows) >= 2 for rows in people_by_label(second, news).values())
    with pytest.raises(InfeasibleError):
        again(earlier, news)


def test_people_that_fit_no_class_are_told():
    news = {"who": list("aabbee"), "age": [31, 31, 32, 32, 45, 45]}
    with pytest.raises(InfeasibleError) as refusal:
        again(released(STATIC), news)
    assert str(refusal.value) == (
        "Of 3 people 1 is left without a class of the earlier release and fewer rows may be suppressed: 1 is in "
        "classes that fail k = 2. Allow for their rows (max_suppression=…, --max-suppression), or anonymize the "
        "table anew."
    )
    with pytest.raises(InfeasibleError, match=r"Of 3 people 1 is left .* and none may be: "):
        again(released(STATIC), news, misfits="refuse")


def test_a_table_without_the_unit_is_refused():
    with pytest.raises(InputError) as refusal:
        again(released(STATIC), {"age": [31, 31]})
    assert str(refusal.value) == (
        "The earlier release counted the people of column 'who', not rows. There is no column 'who'. The columns "
        "are 'age'."
    )


@pytest.mark.parametrize(
    "options",
    [{}, {"strict": True}, {"missing_units": "own"}, {"model": KAnonymity(2) & DistinctDiversity(3)}],
    ids=str,
)
def test_the_record_keeps_what_was_promised_to_people(options):
    data = STATIC | {"ill": list("xyzxyzxy")}
    first = released(data, sensitive="ill", algorithm="full-domain", **options)
    kept = generalization_in(json.loads(first.to_json()))
    assert kept.unit == first.request.unit
    second = again(json.loads(first.to_json()), data)
    assert second.request.unit == first.request.unit
    assert second.request.model == first.request.model
    third = again(json.loads(second.to_json()), data)
    assert third.request.unit == first.request.unit


def test_rows_without_a_person_are_refused_again():
    first = released(STATIC)
    with pytest.raises(InputError, match="Column 'who' does not say whose row it is in 1 row"):
        again(first, {"who": ["a", "b", None], "age": [31, 32, 31]})


def test_profiles_are_not_applied_as_classes():
    linked = {"pseudonymize": "who", "key": "a secret of more than sixteen bytes", "algorithm": "auto"}
    first = released(VARYING, max_suppression=0.5, **linked)
    assert first.request.unit.promise == "profiles"
    sentence = (
        "It promised profiles, sets of rows that are alike, which classes alone cannot keep: anonymize the next table "
        "itself."
    )
    with pytest.raises(InputError) as refusal:
        again(first, VARYING)
    assert str(refusal.value) == sentence
    with pytest.raises(InputError) as refusal:
        again(json.loads(first.to_json()), VARYING)
    assert str(refusal.value) == f"The report: this release cannot be applied to another table. {sentence}"


def test_a_report_that_lost_its_unit_is_refused():
    report = json.loads(released(STATIC).to_json())
    assert report["generalization"]["version"] == 2
    for change in ({"unit": None}, {"version": 1}):
        entry = {name: value for name, value in report["generalization"].items() if change.get(name, value) is not None}
        with pytest.raises(InputError, match="changed or damaged"):
            again(report | {"generalization": entry | {k: v for k, v in change.items() if v}}, STATIC)


def test_reports_without_a_unit_are_written_and_read_as_before():
    first = released(STATIC, unit=None, identifying="who")
    report = json.loads(first.to_json())
    assert report["generalization"]["version"] == 1
    assert "unit" not in report["generalization"]
    assert again(report, STATIC).report.people is None


@st.composite
def deliveries(draw):
    def one():
        rows = draw(st.integers(4, 16))
        who = draw(st.lists(st.sampled_from("abcdef"), min_size=rows, max_size=rows))
        if draw(st.booleans()):
            return {"who": who, "age": [20 + "abcdef".index(person) // 2 for person in who]}
        return {"who": who, "age": draw(st.lists(st.integers(20, 26), min_size=rows, max_size=rows))}

    return one(), one()


@given(
    both=deliveries(), k=st.integers(2, 3), strict=st.booleans(), algorithm=st.sampled_from(["mondrian", "samarati"])
)
@settings(max_examples=80, deadline=None)
def test_every_class_of_the_next_delivery_has_enough_people(both, k, strict, algorithm):
    first, news = both
    try:
        earlier = released(first, model=KAnonymity(k), strict=strict, algorithm=algorithm)
        second = again(earlier, news, max_suppression=0.5)
    except InfeasibleError:
        return
    for rows in people_by_label(second, news).values():
        assert oracle.number(rows) >= k
        assert not strict or oracle.limited(rows, k)
    assert second.report.k == min(map(oracle.number, people_by_label(second, news).values()))
