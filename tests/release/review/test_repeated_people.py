"""A release is stopped if people repeat, and only then."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import shoal
from oracles import repeated_people as oracle
from review.tables import NOT_REPEATED, REPEATED, ROWS, values
from shoal.engines import repeated_values
from shoal.engines.repeated_values import RepeatedValues, people_of
from shoal.release.review.names import says_whose
from shoal.release.review.repeated_people import Suspect, fewest_people
from shoal.release.review.tally import MARKS

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
DATA = os.environ.get("SHOAL_REFERENCE_DATA")
KEY = "x" * 16
ROLES: dict[str, dict[str, str]] = {
    "i": {"identifying": "{}"},
    "p": {"pseudonymize": "{}", "key": KEY},
    "n": {"keep": "{}"},
}
V1 = {"patient_id": ["a", "a", "a", "b", "c"], "sex": ["M", "M", "M", "F", "F"]}
ONE_ROW_EACH = "Each row was taken as one person, as asked, although values of “patient_id” repeat."


def release(name: str, column: Any, role: str, **more: Any) -> shoal.Release:
    """Release a table with this column and a quasi-identifier."""
    table = pa.table({name: column, "q": [row % 7 for row in range(len(column))]})
    roles = {key: value.format(name) for key, value in ROLES[role].items()}
    return shoal.anonymize(
        table, quasi_identifiers="q", model=shoal.KAnonymity(2), algorithm="mondrian", **roles, **more
    )


def found(data: Any, **roles: Any) -> list[str]:
    """Return the columns in which people repeat."""
    try:
        shoal.anonymize(data, model=shoal.KAnonymity(2), algorithm="mondrian", **roles)
    except shoal.ReviewError as error:
        return [finding.column for finding in error.findings]
    return []


@pytest.mark.parametrize(("name", "kind", "role"), REPEATED)
def test_people_repeat(name: str, kind: str, role: str) -> None:
    with pytest.raises(shoal.ReviewError) as stopped:
        release(name, values(kind), role)
    (finding,) = stopped.value.findings
    assert (finding.code, finding.column) == ("repeated-people", name)
    assert str(stopped.value) == finding.sentence


@pytest.mark.parametrize(("name", "kind", "role"), NOT_REPEATED)
def test_no_false_alarm(name: str, kind: str, role: str) -> None:
    assert len(release(name, values(kind), role).frame) == ROWS


def test_quasi_identifiers_are_as_the_caller_says_and_sensitive_ids_are_not():
    table = pa.table({"patient_id": values("number"), "q": [row % 7 for row in range(ROWS)]})
    assert found(table, quasi_identifiers=["q", "patient_id"]) == []
    assert found(table, quasi_identifiers="q", sensitive="patient_id") == ["patient_id"]


def test_the_sentence_says_how_many_people_and_what_to_do() -> None:
    with pytest.raises(shoal.ReviewError) as stopped:
        shoal.anonymize(pa.table(V1), quasi_identifiers="sex", identifying="patient_id", model=shoal.KAnonymity(2))
    assert str(stopped.value) == (
        "Values of 'patient_id' repeat: 5 rows are of 3 people, and classes would count rows, not people. The smallest "
        "class of this release would have rows of 1 person. Name the column that says whose row it is "
        "(unit='patient_id', --unit patient_id), or say that each row is a different person (rows_are_people=True, "
        "--rows-are-people)."
    )


def test_several_columns_have_a_sentence_each() -> None:
    table = pa.table(V1 | {"customer no": [7, 7, 7, 7, 8]})
    with pytest.raises(shoal.ReviewError) as stopped:
        shoal.anonymize(table, quasi_identifiers="sex", identifying="patient_id", model=shoal.KAnonymity(2))
    first, second = str(stopped.value).splitlines()
    assert first.startswith("Values of 'patient_id' repeat: 5 rows are of 3 people")
    assert second.startswith("Values of 'customer no' repeat: 5 rows are of 2 people")
    assert "(unit='customer no', --unit 'customer no')" in second


def test_whoever_says_that_rows_are_people_gets_the_release_and_the_report_says_so() -> None:
    roles = {"quasi_identifiers": "sex", "identifying": "patient_id", "model": shoal.KAnonymity(2)}
    made = shoal.anonymize(pa.table(V1), rows_are_people=True, **roles)  # type: ignore[arg-type]
    assert made.report.statements == [ONE_ROW_EACH]
    assert made.report.parameters["rows_are_people"] is True
    assert ONE_ROW_EACH in made.to_html()
    assert "    rows_are_people=True,\n" in made.to_python()
    unasked = shoal.anonymize(
        pa.table(V1).drop_columns("patient_id"), quasi_identifiers="sex", model=shoal.KAnonymity(2)
    )
    assert unasked.report.statements == []
    assert "rows_are_people" not in unasked.to_python()


def test_the_statement_names_what_repeats_and_nothing_else() -> None:
    roles = {"quasi_identifiers": "sex", "model": shoal.KAnonymity(2), "rows_are_people": True}
    ids = ["patient_id", "policy nr", "mrn"]
    alone = pa.table(V1).set_column(0, "patient_id", pa.array(range(5)))
    assert shoal.anonymize(alone, keep=ids[0], **roles).report.statements == [
        "Each row was taken as one person, as asked."
    ]
    two = pa.table(V1 | {"policy nr": [1, 1, 2, 2, 3], "mrn": [1, 1, 2, 2, 3]})
    (sentence,) = shoal.anonymize(two, keep=ids, **roles).report.statements
    assert sentence == (
        "Each row was taken as one person, as asked, although values of “patient_id”, “policy nr” and “mrn” repeat."
    )


def test_a_switch_is_true_or_false() -> None:
    with pytest.raises(shoal.InputError, match=r"rows_are_people = 'no' is not known: choose True or False\."):
        release("q2", [1, 2], "n", rows_are_people="no")


def test_a_missing_value_is_not_a_person() -> None:
    ids: list[Any] = [None, "", "NA", "-9"] * 100 + [f"P{number}" for number in range(600)]
    roles = {"quasi_identifiers": "q", "keep": "patient_id"}
    assert found(pa.table({"patient_id": ids, "q": [1] * 1000}), missing_values="-9", **roles) == []
    assert found(pa.table({"patient_id": ids, "q": [1] * 1000}), **roles) == ["patient_id"]  # -9
    numbers = pd.DataFrame({"patient_id": [np.nan] * 400 + list(range(600)), "q": 1})
    assert found(numbers, **roles) == []


def test_a_duplicate_by_mistake_is_not_yet_a_table_of_visits() -> None:
    table = {"patient_id": [*range(999), 0], "q": [1] * 1000}
    assert found(pa.table(table), quasi_identifiers="q", identifying="patient_id") == []
    table["patient_id"] = [*range(990), *range(10)]
    assert found(pa.table(table), quasi_identifiers="q", identifying="patient_id") == ["patient_id"]


def test_values_of_mixed_types_and_lists() -> None:
    lists = pa.table({"id": [[1], [1], [2]], "q": [1, 1, 1]})
    assert found(lists, quasi_identifiers="q", identifying="id") == ["id"]
    mixed = pd.DataFrame({"id": np.array([1, "a", "b", None] * 2, dtype=object), "q": 1})
    assert found(mixed, quasi_identifiers="q", identifying="id") == ["id"]


@pytest.mark.parametrize(
    "kind", ["dictionary", "large_string", "binary", "string_view", "decimal", "short decimal", "struct"]
)
def test_ids_of_any_type(kind: str) -> None:
    ids = pa.array([f"{person:08}" for person in values("number")])
    made = {
        "dictionary": lambda: ids.dictionary_encode(),
        "large_string": lambda: ids.cast(pa.large_string()),
        "binary": lambda: ids.cast(pa.binary()),
        "string_view": lambda: ids.cast(pa.string_view()),
        "short decimal": lambda: pa.array(values("number")).cast(pa.decimal128(19)).cast(pa.decimal64(15)),
        "struct": lambda: pa.StructArray.from_arrays([ids], ["number"]),
        "decimal": lambda: pa.array(values("number")).cast(pa.decimal128(20)),
    }[kind]()
    assert found(pa.table({"patient_id": made, "q": [1] * ROWS}), quasi_identifiers="q", identifying="patient_id") == [
        "patient_id"
    ]


def test_the_shipped_table_has_a_row_for_each_person() -> None:
    adult = shoal.datasets.adult()
    assert found(adult, quasi_identifiers=["age", "sex"], sensitive="occupation", identifying="fnlwgt") == []
    assert (
        found(adult, quasi_identifiers=["age", "sex"], identifying=["fnlwgt", "hours-per-week", "capital-gain"]) == []
    )
    assert found(adult, quasi_identifiers=["age"], pseudonymize=["fnlwgt", "education-num"], key=KEY) == []


@pytest.mark.skipif(not DATA, reason="needs the reference tables")
@pytest.mark.parametrize(
    ("file", "roles", "expected"),
    [
        ("sdc/testdata.csv", {"quasi_identifiers": ["sex", "age"], "sensitive": "income"}, ["ori_hid"]),
        ("sdc/testdata.csv", {"quasi_identifiers": ["sex", "age"], "identifying": "ori_hid"}, ["ori_hid"]),
        ("sdc/eia.csv", {"quasi_identifiers": ["STATE"], "identifying": ["UTILITYID", "UTILNAME"]}, ["UTILITYID"]),
        ("sdc/tarragona.csv", {"quasi_identifiers": ["SALES"], "identifying": ["TREASURY", "DEPRECIATION"]}, []),
        ("sdc/cascrefmicrodata.csv", {"quasi_identifiers": ["AGI"], "identifying": ["AFNLWGT", "WSALVAL"]}, []),
        ("arx/adult.csv", {"quasi_identifiers": ["age"], "identifying": ["native-country", "education"]}, []),
        ("comp430/adult-hw1.csv", {"quasi_identifiers": ["age"], "identifying": ["relationship"]}, []),
        ("peers/adult30162.csv", {"quasi_identifiers": ["age"], "identifying": ["fnlwgt", "capital-gain"]}, []),
    ],
)
def test_reference_tables(file: str, roles: dict[str, Any], expected: list[str]) -> None:
    assert found(Path(str(DATA)) / file, **roles) == expected


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("patient_id", "person"),
        ("id_patient", "person"),
        ("Patientennummer", "person"),
        ("Patient", "people"),
        ("household", "other"),
        ("Mitglieds-Nr.", "nothing"),
        ("customer no", "person"),
        ("N° client", "nothing"),
        ("numero de paciente", "person"),
        ("matricule", "nothing"),
        ("student_number", "person"),
        ("SSN", "person"),
        ("IBAN", "person"),
        ("login", "person"),
        ("user_name", "person"),
        ("UTILITYID", "record"),
        ("uuid", "record"),
        ("ID", "record"),
        ("E-Mail", "contact"),
        ("telephone", "contact"),
        ("Vorname", "name"),
        ("hospital_id", "other"),
        ("passport country", "other"),
        ("number of children", "other"),
        ("num_patients", "nothing"),
        ("hours-per-week", "nothing"),
        ("thyroid", "nothing"),
        ("uric_acid", "nothing"),
        ("", "nothing"),
    ],
)
def test_what_names_say(name: str, says: str) -> None:
    assert says_whose(name) == says


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "", "NA", "-", None]), min_size=1, max_size=40)


@given(TEXTS, st.data())
def test_the_fewest_people_of_a_class(people: list[str | None], data: st.DataObject) -> None:
    classes = data.draw(st.lists(st.integers(-1, 4), min_size=len(people), max_size=len(people)))
    if max(classes) < 0:
        classes[0] = 0
    known = [None if person in (*MARKS, "-") else person for person in people]
    places = people_of(pa.chunked_array([people], pa.string()), ["-"])
    assert fewest_people(np.array(classes, np.int32), places) == oracle.fewest_people(classes, known)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.booleans())
def test_values_are_counted_over_batches(batches: list[list[str | None]], categories: bool) -> None:
    counter = RepeatedValues(Suspect("id", "record"), ["-"])
    for batch in batches:
        column = pa.array(batch, pa.string())
        counter.add(column.dictionary_encode() if categories else column)
    tally = counter.tally()
    everything = [value for batch in batches for value in batch]
    assert (tally.rows, tally.different, tally.single) == oracle.tally(everything, [*MARKS, "-"])
    assert tally.exact


def test_too_many_values_are_estimated_from_a_part_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_values, "MAX_VALUES", 4000)
    people = np.repeat(np.arange(60_000), np.tile([1, 2, 6], 20_000))
    np.random.default_rng(3).shuffle(people)
    counter = RepeatedValues(Suspect("id", "record"), ())
    for part in np.array_split(people, 7):
        counter.add(pa.array(part))
    tally = counter.tally()
    assert (tally.rows, tally.exact) == (180_000, False)
    assert tally.different == pytest.approx(60_000, rel=0.1)
    assert tally.mean == pytest.approx(3, rel=0.05)
    assert tally.repeated_share == pytest.approx(1 - 20 / 180, rel=0.05)
