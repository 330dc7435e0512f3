"""Suggestions for tables without a description."""

from __future__ import annotations

import datetime
import re

import pandas as pd
import pyarrow as pa
import pytest

import odd_tables
import shoal
from shoal.analysis.suggestions import marks_in, suggest_roles
from shoal.data.column_names import MEANINGS, meaning_of
from shoal.io.source import Source

TABLES = {"patients": odd_tables.patients()} | {name: table for name, (table, _) in odd_tables.ODD.items()}


def roles(found):
    return {one.column: one.role for one in found}


def test_an_ordinary_table():
    found = suggest_roles(pa.table(odd_tables.patients()))
    assert roles(found) == {
        "patient id": "identifying",
        "Name": "identifying",
        "age": "quasi",
        "sex": "quasi",
        "zip": "quasi",
        "birth_date": "quasi",
        "city": "quasi",
        "marital status": "quasi",
        "height": "other",
        "smoker": "other",
        "disease": "sensitive",
        "notes": "identifying",
    }
    spellings = {one.column: one.hierarchy for one in found if one.role == "quasi"}
    assert spellings == {
        "age": None,
        "sex": None,
        "zip": "prefix",
        "birth_date": "dates",
        "city": "by-frequency:4",
        "marital status": None,
    }


def test_adult():
    found = suggest_roles(shoal.datasets.adult(), missing_values="?")
    assert [name for name, role in roles(found).items() if role == "other"] == [
        "capital-gain",
        "capital-loss",
        "hours-per-week",
    ]
    age = found[0]
    assert (age.kind, age.other_hierarchies, age.common_values) == ("number", ("intervals:5,10,20",), ())
    assert age.facts == "73 different values, rows with one of their own: 2 (0.0%), missing: 0"


@pytest.mark.parametrize("name", odd_tables.ODD)
def test_quasi_identifiers_of_odd_tables(name):
    table, quasi = odd_tables.ODD[name]
    source = Source.of(pa.table(table))
    found = suggest_roles(source, missing_values=marks_in(source))
    assert [one.column for one in found] == list(table)
    assert [one.column for one in found if one.role == "quasi"] == quasi
    assert all(one.why for one in found)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("name", TABLES)
def test_every_hierarchy_that_is_suggested_fits_the_data(name):
    source = Source.of(pa.table(TABLES[name]))
    marks = marks_in(source)
    for one in suggest_roles(source, missing_values=marks):
        if one.role == "quasi":
            spellings = [spelling for spelling in (one.hierarchy, *one.other_hierarchies) if spelling]
            for hierarchies in [{}, *({one.column: spelling} for spelling in spellings)]:
                release = shoal.anonymize(
                    source,
                    quasi_identifiers=[one.column],
                    identifying=[name for name in source.columns if name != one.column],
                    rows_are_people=True,
                    hierarchies=hierarchies,
                    model=shoal.KAnonymity(5),
                    missing_values=marks,
                )
                assert release.report.k >= 5


def test_typed_columns():
    table = pa.table(
        {
            "born": [datetime.date(1990, 1, day) for day in range(1, 21)],
            "age": pa.array(range(20, 40), pa.int32()),
            "lat": [number / 3 for number in range(20)],
            "married": [True, False] * 10,
            "shift date": [datetime.time(8, minute) for minute in range(20)],
            "tags": [["a"]] * 20,
            "zip": pa.array([13053, 14850] * 10),
        }
    )
    found = {one.column: one for one in suggest_roles(table)}
    assert roles(found.values()) == dict.fromkeys(table.column_names, "quasi") | {"tags": "identifying"}
    assert found["tags"].why.startswith("its values cannot be read (Column 'tags' holds values of type list")
    assert (found["born"].hierarchy, found["born"].other_hierarchies) == (None, ("dates",))
    assert found["age"].other_hierarchies == ("intervals:2,4,8",)
    assert found["zip"].hierarchy == "prefix"
    assert found["shift date"].other_hierarchies == ()


def test_categorical_columns_of_pandas():
    frame = pd.DataFrame({"sex": pd.Categorical(["f", "m"] * 10), "school": pd.Categorical(["?", "b"] * 10)})
    assert roles(suggest_roles(frame)) == {"sex": "quasi", "school": "quasi"}
    assert marks_in(Source.of(frame)) == ("?",)


def test_only_values_that_are_few_and_common_are_written_down():
    common = {"race": ["a", "b", "c"] * 20}
    assert suggest_roles(pa.table(common))[0].common_values == ("a", "b", "c")
    for values in (["a", "b", "c"] * 20 + ["rare"], ["a", "b"] * 40, ["a", "b", "c"] * 19, [*map(str, range(30))] * 25):
        assert suggest_roles(pa.table({"race": values}))[0].common_values == ()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("dateOfBirth", "a birth"),
        ("DOB", "a birth"),
        ("Geburtsdatum", "a birth"),
        ("age_at_diagnosis", "an age"),
        ("city name", "a place"),
        ("prénom", "the name of a person"),
        ("código postal", "a postal code"),
        ("Krankheit", "health"),
        ("patientID", "a number that identifies a person or record"),
        ("Versicherungsnummer", "a number that identifies a person or record"),
        ("salary2020", "money"),
        ("ZIPCode", "a postal code"),
        ("average", None),
        ("trace", None),
        ("dosage", None),
        ("", None),
        ("???", None),
    ],
)
def test_what_names_say(name, what):
    found = meaning_of(name)
    assert (found and found.what) == what


def test_every_word_of_the_table_is_found_by_itself():
    first: dict[str, str] = {}
    for meaning in MEANINGS:
        for word in meaning.words:
            assert re.fullmatch("[a-z0-9 ]+", word)
            assert first.setdefault(word, meaning.what) == meaning.what, word
            assert meaning_of(word) is not None


def test_values_bear_out_what_a_name_says():
    rows = 1000
    table = pa.table(
        {
            "phone": ["yes", "no"] * (rows // 2),
            "type id": ["1", "2", "3", "4"] * (rows // 4),
            "visitor id": [str(row // 4) for row in range(rows)],
            "email": ["one@all"] * rows,
            "diagnosis": [f"text {row}" for row in range(rows)],
        }
    )
    found = suggest_roles(table)
    assert list(roles(found).values()) == ["other", "other", "unit", "identifying", "sensitive"]
    assert found[-1].why == "the name says health; most texts are different and may name people: check them"
