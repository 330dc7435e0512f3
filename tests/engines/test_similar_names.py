"""People who are written in several ways are counted as several, which is told."""

from __future__ import annotations

import json
import warnings

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from streams.test_anonymize_files import written

import shoal
from shoal.engines.similar_names import surplus
from shoal.engines.streams import person_numbers
from shoal.engines.streams.person_numbers import PersonNumbers

ASKED = {"quasi_identifiers": "age", "model": shoal.KAnonymity(2), "unit": "who"}
TOLD = (
    "Column 'who' has 2 values that differ from another one only in blanks or in upper and lower case, and are counted "
    "as different people: if they are the same, classes have fewer people than stated. Write each person in one way."
)


def visits(names=("p1", "p1 ", "P1", "p2", "p3", "p4", "", "  ")) -> pa.Table:
    return pa.table({"who": [*names] * 3, "age": [30, 31, 32] * len(names)})


def bare(name: str) -> str:
    return "".join(name.split()).lower()


ALPHABET = "aA bB\u00a0\u2003\u00c4\u00e4"


@given(st.sets(st.text(ALPHABET, max_size=4), max_size=30), st.integers(1, 5))
def test_names_are_counted_as_plain_python_does(names, part):
    listed = sorted(names)
    parts = [pa.array(listed[at : at + part], pa.string()) for at in range(0, len(listed), part)]
    assert surplus(parts) == len(names) - len({bare(name) for name in names})


@given(st.lists(st.text(ALPHABET, min_size=1, max_size=4), min_size=1, max_size=30), st.integers(1, 5))
def test_files_remember_the_names(names, part):
    named = {name for name in names if name.strip()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(person_numbers, "PART", part)
        numbers = PersonNumbers("who", ())
        for at in range(0, len(names), 7):
            numbers.add(pa.array(names[at : at + 7]), learn=True)
        assert numbers.similar() == len(named) - len({bare(name) for name in named})


def told(made) -> list[str]:
    return [one for one in made.report.warnings if "blanks" in one]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_memory_and_files_tell_the_same(tmp_path, ending):
    source = written(visits(), tmp_path / f"in{ending}")
    with pytest.warns(shoal.PrivacyWarning, match="2 values that differ from another one only in blanks"):
        made = shoal.anonymize(source, missing_units="own", **ASKED)
    assert told(made) == [TOLD]
    assert TOLD in made.to_html().replace("&#x27;", "'")
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        files = shoal.anonymize_files(
            source, tmp_path / f"out{ending}", missing_units="own", report=tmp_path / "r.json", **ASKED
        )
    assert told(files) == [TOLD]
    assert TOLD in json.loads((tmp_path / "r.json").read_text())["warnings"]


def test_households_are_told_and_numbers_are_not(tmp_path):
    table = visits(("h1", "H1", "h2", "h3"))
    asked = ASKED | {"unit": None, "group": "who"}
    with pytest.warns(shoal.PrivacyWarning, match="'who' has 1 value that differs from another one only in blanks"):
        shoal.anonymize(table, max_suppression=0.5, **asked)
    numbers = pa.table({"who": [1, 2, 3, 4] * 3, "age": [30, 31, 32] * 4})
    assert told(shoal.anonymize(numbers, **ASKED)) == []
    target = tmp_path / "out.parquet"
    assert told(shoal.anonymize_files(written(numbers, tmp_path / "in.parquet"), target, **ASKED)) == []
