"""Cells that a spreadsheet would take for formulas are marked on request; the written file is verified."""

from __future__ import annotations

import warnings

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import Closeness, DistinctDiversity, InputError, KAnonymity
from shoal.io.spreadsheet_formulas import formula_columns, marked, unmarked

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

NOTES = ["=cmd|' /C calc'!A0", "+1", "-x", "@SUM(A1)", "\tx", "\rx", "'=x", "''=x", "'t Hooft", "plain", "", "a=b"]
MARKED = ["'=cmd|' /C calc'!A0", "'+1", "'-x", "'@SUM(A1)", "'\tx", "'\rx", "''=x", "'''=x", *NOTES[8:]]


def table(**columns):
    return pa.table({"age": [30, 31] * 6, "note": NOTES, **columns})


def saved(tmp_path, data, *, escape_formulas=True, **options):
    options = {"quasi_identifiers": "age", "model": KAnonymity(2)} | options
    release = shoal.anonymize(data, **options)
    release.save(tmp_path / "safe.csv", escape_formulas=escape_formulas)
    return shoal.read(tmp_path / "safe.csv").frame.to_native().to_pydict()


def test_formulas_are_marked_where_that_is_asked_for(tmp_path):
    assert saved(tmp_path, table())["note"] == MARKED
    assert saved(tmp_path, table(), escape_formulas=False)["note"] == NOTES


KINDS = {
    "text": pa.array(NOTES),
    "large": pa.array(NOTES, pa.large_string()),
    "views": pa.array(NOTES, pa.string_view()),
    "dictionary": pa.array(NOTES).dictionary_encode(),
}


@pytest.mark.parametrize("notes", KINDS.values(), ids=KINDS)
def test_any_kind_of_text(tmp_path, notes):
    assert saved(tmp_path, table(note=notes))["note"] == MARKED


BYTES = [text.encode() for text in NOTES]
BINARY = {
    "binary": pa.array(BYTES, pa.binary()),
    "large binary": pa.array(BYTES, pa.large_binary()),
    "binary views": pa.array(BYTES, pa.binary_view()),
    "dictionary of binary": pa.array(BYTES).dictionary_encode(),
    "dictionary of large text": pa.array(NOTES, pa.large_string()).dictionary_encode(),
}


@pytest.mark.parametrize("notes", BINARY.values(), ids=BINARY)
def test_the_text_as_written_decides(tmp_path, notes):
    assert saved(tmp_path, table(note=notes))["note"] == MARKED


def test_binary_of_one_length(tmp_path):
    data = table(note=pa.array([b"=1", b"ab"] * 6, pa.binary(2)))
    assert saved(tmp_path, data)["note"] == ["'=1", "ab"] * 6


def test_numbers_without_measure_are_no_formulas_that_run(tmp_path):
    data = table(size=pa.array([-1.5, float("-inf"), float("nan")] * 4))
    assert saved(tmp_path, data)["size"] == ["'-1.5", "'-inf", ""] * 4


def test_columns_of_numbers_alone_stay(tmp_path):
    numbers = ["-5", "3", "-1.5", "", "-2e10", "0"] * 2
    mixed = ["-5", "3", "n/a"] * 4
    found = saved(tmp_path, table(typed=[-5, 3] * 6, numbers=numbers, mixed=mixed))
    assert found["typed"] == ["-5", "3"] * 6
    assert found["numbers"] == numbers
    assert found["mixed"] == ["'-5", "3", "n/a"] * 4


def test_labels_that_begin_with_a_sign(tmp_path):
    data = pa.table({"depth": [-9, -8, -5, -4, 1, 2]})
    found = saved(tmp_path, data, quasi_identifiers="depth")
    assert found["depth"] == ["'-9 - -8"] * 2 + ["'-5 - -4"] * 2 + ["1-2"] * 2


@pytest.mark.parametrize("model", [DistinctDiversity(4), KAnonymity(4) & Closeness(0.3)])
def test_sensitive_values_stay_as_many_as_they_are(tmp_path, model):
    diseases = ["=flu", "'=flu", "''=flu", "cold"] * 3
    data = pa.table({"age": [30] * 4 + [40] * 4 + [50] * 4, "disease": diseases})
    found = saved(tmp_path, data, sensitive="disease", model=model)
    assert found["disease"] == ["'=flu", "''=flu", "'''=flu", "cold"] * 3


def test_suppressed_rows_and_missing_values_may_show_signs(tmp_path):
    data = pa.table({"age": ["30"] * 5 + ["40", "-"], "disease": ["-", "flu"] * 3 + ["-"]})
    options = {"sensitive": "disease", "missing_values": ["-"], "style": shoal.Style(top="@all", missing="-")}
    found = saved(tmp_path, data, max_suppression=2, algorithm="full-domain", model=KAnonymity(3), **options)
    assert found["age"] == ["30"] * 5 + ["'@all"] * 2
    assert found["disease"] == ["'-", "flu"] * 3 + ["'-"]


def test_a_population_is_asked_by_the_labels(tmp_path):
    data = pa.table({"zone": ["-a", "-a", "-b"]})
    people = pa.table({"zone": ["-a"] * 5 + ["-b"] * 5})
    found = saved(tmp_path, data, quasi_identifiers="zone", model=shoal.KMap(5, people), algorithm="samarati")
    assert found["zone"] == ["'-a", "'-a", "'-b"]


def test_a_column_named_like_a_formula_is_refused(tmp_path):
    with pytest.raises(InputError) as error:
        saved(tmp_path, pa.table({"age": [30, 30], "=1+1": [1, 2]}))
    assert str(error.value) == "The name of column '=1+1' begins like a formula: rename the column."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["safe.parquet", "sqlite:///safe.db#safe"])
def test_other_formats_are_refused(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    release = shoal.anonymize(table(), quasi_identifiers="age", model=KAnonymity(2))
    with pytest.raises(InputError) as error:
        release.save(name, escape_formulas=True)
    assert str(error.value) == f"{name}: formulas are escaped in CSV files only. Name a .csv, or leave that out."
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text("'=+-@\t\r\nab1", max_size=4), min_size=1, max_size=12))
def test_different_texts_stay_different_and_come_back(texts):
    data = pa.table({"note": texts})
    names = formula_columns(data)
    there = marked(data, names)
    assert len(set(there["note"].to_pylist())) == len(set(texts))
    assert unmarked(there, names).equals(data)
    begins = {text[:1] for text in there["note"].to_pylist()}
    assert not names or not begins & set("=+-@\t\r\n")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["=a", "'=a", "-1", "b", "@"]), min_size=4, max_size=12))
def test_what_is_written_keeps_the_promise_by_its_own_labels(tmp_path_factory, towns):
    folder = tmp_path_factory.mktemp("formulas")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        saved(folder, pa.table({"town": towns}), quasi_identifiers="town")
    assert shoal.verify(folder / "safe.csv", quasi_identifiers="town", model=KAnonymity(2)).sizes.min() >= 2
