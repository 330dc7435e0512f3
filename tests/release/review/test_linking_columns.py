"""Columns that stay and link the rows of a person stop a release that promises that rows cannot be linked."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal

PEOPLE = [person for person in range(60) for _ in range(3)]
MONTHS = [row % 6 for row in range(len(PEOPLE))]


def table(**columns):
    return pa.table({"who": PEOPLE, "month": MONTHS, "age": [person % 4 for person in PEOPLE], **columns})


def release(data, **options):
    return shoal.anonymize(data, quasi_identifiers=["age", "month"], unit="who", model=shoal.KAnonymity(3), **options)


@pytest.mark.parametrize("role", ["kept", "sensitive", "pseudonymized"])
def test_a_column_with_one_value_for_each_person_stops_the_release(role):
    data = table(phone=[f"+49 {person}" for person in PEOPLE])
    roles = {"sensitive": {"sensitive": "phone"}, "pseudonymized": {"pseudonymize": "phone", "key": "k" * 16}}
    with pytest.raises(shoal.ReviewError) as stopped:
        release(data, **roles.get(role, {}))
    assert str(stopped.value) == (
        "Column 'phone' links rows although 'who' is removed: for 60 of the 60 people with several rows it has the "
        "same value in all of them, and hardly anybody else has it. Remove one (identifying='phone', --identifying), "
        "or choose promise='profiles' (--promise profiles), which holds for rows that can be linked."
    )
    assert [found.code for found in stopped.value.findings] == ["repeated-people"]
    assert release(data, identifying="phone").report.k >= 3


def test_columns_link_together_if_each_alone_does_not():
    data = table(town=[person % 8 for person in PEOPLE], job=[person // 8 for person in PEOPLE])
    with pytest.raises(shoal.ReviewError, match="The columns 'town', 'job' together link rows"):
        release(data)
    assert release(data.drop_columns("job")).report.k >= 3
    assert release(data.drop_columns("town")).report.k >= 3


def test_profiles_hold_for_rows_that_are_linked_but_not_for_people_who_are_named():
    data = table(phone=[f"+49 {person}" for person in PEOPLE])
    with pytest.raises(shoal.ReviewError) as stopped:
        release(data, promise="profiles")
    assert str(stopped.value) == (
        "Column 'phone' tells people apart whose rows are made alike: for 60 of the 60 people with several rows it has "
        "the same value in all of them, and hardly anybody else has it. Remove one (identifying='phone', "
        "--identifying)."
    )
    assert release(data.drop_columns("phone"), promise="profiles").report.people["promise"] == "profiles"


def test_an_id_of_people_stops_a_release_to_households():
    data = table(home=[person // 2 for person in PEOPLE]).rename_columns(["patient_id", "month", "age", "home"])
    asked = {"quasi_identifiers": ["age", "month"], "group": "home", "model": shoal.KAnonymity(3)}
    for roles in (
        {"identifying": "patient_id"},
        {"pseudonymize": "patient_id", "key": "k" * 16},
        {"keep": "patient_id"},
    ):
        with pytest.raises(shoal.ReviewError, match="Values of 'patient_id' repeat: 180 rows are of 60 people"):
            shoal.anonymize(data, **asked, **roles)


def test_a_sensitive_column_that_says_whose_row_it_is_is_reviewed():
    data = table().rename_columns(["patient_id", "month", "age"])
    with pytest.raises(shoal.ReviewError, match="Values of 'patient_id' repeat"):
        shoal.anonymize(data, quasi_identifiers="age", sensitive="patient_id", model=shoal.KAnonymity(3))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_rare_sensitive_values_are_left_to_the_model():
    illness = [f"rare {person // 2}" if person < 20 else "flu" for person in PEOPLE]
    assert release(table(illness=illness), sensitive="illness").report.k >= 3
    with pytest.raises(shoal.ReviewError, match="'illness' links rows"):
        release(table(illness=illness))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize(
    "values",
    [
        [row for row, _ in enumerate(PEOPLE)],  # another value in each row
        [person % 10 for person in PEOPLE],  # shared by six people each
        [None for _ in PEOPLE],
        [f"note {row % 50}" for row, _ in enumerate(PEOPLE)],
    ],
)
def test_columns_that_link_nobody_are_released(values):
    assert release(table(kept=values), keep="kept").report.k >= 3


FEW = [f"badge {person}" if person < 4 else "none" for person in PEOPLE]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_column_that_links_the_rows_of_a_few_people_is_warned_of(tmp_path):
    data = table(badge=FEW)
    made = release(data)
    (warned,) = [one for one in made.report.warnings if "links the rows" in one]
    assert warned == (
        "Column 'badge' links the rows of 4 of the 60 people with several rows: it has the same value in all of them, "
        "and hardly anybody else has it. Remove it (identifying='badge', --identifying), or keep it (keep='badge', "
        "--keep) if you have looked."
    )
    assert not [one for one in release(data, keep="badge").report.warnings if "links the rows" in one]
    pq.write_table(data, tmp_path / "in.parquet")
    files = shoal.anonymize_files(
        tmp_path / "in.parquet",
        tmp_path / "out.parquet",
        quasi_identifiers=["age", "month"],
        unit="who",
        model=shoal.KAnonymity(3),
    )
    assert warned in files.report.warnings


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("linked", [0, 2, 3, 5])
def test_two_people_may_be_chance(linked):
    badges = [f"badge {person}" if person < linked else "none" for person in PEOPLE]
    warned = [one for one in release(table(badge=badges)).report.warnings if "links the rows" in one]
    assert len(warned) == (linked >= 3)
