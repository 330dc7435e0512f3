"""Files of SPSS, Stata and SAS; of SAS's .sas7bdat only refusals are tested here, as nothing but SAS writes it."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path

import pandas as pd
import pytest

import shoal
from shoal import InputError
from shoal.io.source import Source

pyreadstat = pytest.importorskip("pyreadstat")

TABLE = {
    "age": [23.0, 27.0, 99.0],
    "sex": [1.0, 2.0, 1.0],
    "part": [1.0, 2.0, 5.0],
    "twin": [1.0, 2.0, 1.0],
    "height": [1.5, 2.5, None],
    "name": ["Ann", "Bø", " "],
    "born": [dt.date(2000, 1, 2), dt.date(1990, 1, 2), None],
    "seen": [dt.datetime(2000, 1, 2, 3, 4, 5)] * 3,
}
LABELS = {"sex": {1: "Male", 2: "Female"}, "part": {5: "many"}, "twin": {1: "same", 2: "same"}}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_spss():
    missing = {"age": [{"lo": 99, "hi": 99}]}
    pyreadstat.write_sav(pd.DataFrame(TABLE), "x.sav", variable_value_labels=LABELS, missing_ranges=missing)
    table = Source.of("x.sav").to_arrow()
    assert table.to_pydict() == TABLE | {
        "age": [23, 27, None],
        "sex": ["Male", "Female", "Male"],
        "name": ["Ann", "Bø", None],
    }
    assert [str(kind) for kind in table.schema.types] == [
        "int64", "string", "int64", "int64", "double", "string", "date32[day]", "timestamp[us]"
    ]  # fmt: skip


def test_stata():
    pyreadstat.write_dta(pd.DataFrame(TABLE), "x.dta", variable_value_labels={"sex": LABELS["sex"]})
    assert Source.of("x.dta").to_arrow().to_pydict() == TABLE | {
        "sex": ["Male", "Female", "Male"],
        "name": ["Ann", "Bø", None],
    }


def test_sas_transport():
    pyreadstat.write_xport(pd.DataFrame(TABLE), "x.xpt", file_format_version=8)
    assert Source.of("x.xpt").to_arrow().to_pydict() == TABLE | {"name": ["Ann", "Bø", None]}


@pytest.mark.parametrize("ending", ["sav", "dta", "xpt", "sas7bdat"])
def test_a_file_of_another_kind_is_refused(ending):
    Path(f"x.{ending}").write_bytes(b"no such thing" * 100)
    with pytest.raises(InputError) as error:
        Source.of(f"x.{ending}")
    assert str(error.value).startswith(f"x.{ending}: not readable as .{ending} (")
    with pytest.raises(InputError, match=r"cannot be read \(No such file"):
        Source.of(f"no.{ending}")


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_release_of_a_survey():
    table = pd.DataFrame({"age": [30.0, 31.0, 32.0, 47.0, 48.0, 49.0], "sex": [1.0, 2.0] * 3})
    pyreadstat.write_sav(table, "survey.sav", variable_value_labels={"sex": LABELS["sex"]})
    release = shoal.anonymize("survey.sav", quasi_identifiers=["age"], sensitive="sex", model=shoal.KAnonymity(3))
    release.save("safe.csv")
    assert Path("safe.csv").read_text().splitlines()[:2] == ["age,sex", "30-32,Male"]
    with pytest.raises(InputError, match="shoal reads such files but does not write them"):
        release.save("safe.sav")


def test_what_is_missing_is_named(monkeypatch):
    Path("x.dta").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(InputError) as error:
        Source.of("x.dta")
    assert str(error.value) == "SPSS, Stata and SAS files need pyreadstat: pip install 'shoal[statistics]'."
