"""measure(): any release against its original."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from shoal import Hierarchy, InputError
from shoal.measurement import measure
from shoal.metrics import METRICS, SENSITIVE_METRICS

BEFORE = pa.table({"age": [20, 30, 40, 40], "sex": ["f", "m", "m", "m"], "ill": ["flu", "cold", "flu", "flu"]})
AFTER = pa.table({"age": ["20-30", "20-30", "40", "40"], "sex": ["*", "*", "m", "m"], "ill": BEFORE["ill"]})
TREES = {"sex": Hierarchy.flat(["f", "m"])}


def test_every_measure_of_a_pair():
    found = measure(BEFORE, AFTER, quasi_identifiers=["age", "sex"], sensitive="ill", hierarchies=TREES)
    assert list(found) == [*METRICS, *SENSITIVE_METRICS]
    assert found["loss"] == (2 * 0.5 + 2 * 1) / 8
    assert found["classification"] == 1 / 4
    assert found["discernibility"] == 8


def test_measures_that_need_a_sensitive_column_are_left_out_without_one():
    assert list(measure(BEFORE, AFTER, quasi_identifiers=["age"])) == list(METRICS)


@pytest.mark.parametrize("kind", [pa.Table.to_pandas, pl.from_arrow])
def test_any_frame(kind):
    options = {"quasi_identifiers": ["age", "sex"], "hierarchies": TREES, "measures": "loss"}
    assert measure(kind(BEFORE), kind(AFTER), **options) == measure(BEFORE, AFTER, **options)


def test_two_files(tmp_path):
    for name, table in {"before.csv": BEFORE, "after.csv": AFTER}.items():
        pyarrow.csv.write_csv(table, tmp_path / name)
    found = measure(
        tmp_path / "before.csv", str(tmp_path / "after.csv"), quasi_identifiers="age", measures=["distortion", "loss"]
    )
    assert found == {"distortion": 2, "loss": 0.25}


@pytest.mark.filterwarnings("ignore::shoal.errors.PrivacyWarning")
def test_what_shoal_releases_is_measured_as_its_report_says():
    adult = shoal.datasets.adult().slice(0, 3000)
    quasi = ["age", "workclass", "sex", "native-country"]
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in ("workclass", "sex")}
    release = shoal.anonymize(
        adult,
        quasi_identifiers=quasi,
        sensitive="occupation",
        identifying="fnlwgt",
        hierarchies=trees,
        model=shoal.KAnonymity(5),
    )
    found = measure(adult, release.frame, quasi_identifiers=quasi, sensitive="occupation", hierarchies=trees)
    for name, value in release.report.metrics.items():
        assert found[name] == pytest.approx(value, rel=1e-12), name


def test_missing_values_are_read_as_missing():
    before = pd.DataFrame({"age": ["1", "?", "3"]})
    after = pd.DataFrame({"age": ["1", "?", "3"]})
    options = {"quasi_identifiers": "age", "measures": "loss"}
    assert measure(before, after, missing_values="?", **options) == {"loss": 0}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"measures": "los"}, "There is no measure 'los': did you mean 'loss'?"),
        ({"measures": "xyz"}, "There is no measure 'xyz': choose from ambiguity, "),
        ({"measures": "classification"}, "The measure 'classification' needs a sensitive column and none is named."),
        ({"quasi_identifiers": "agee"}, "There is no column 'agee'. Did you mean 'age'?"),
        ({"released": AFTER.drop(["age"])}, "The release: There is no column 'age'."),
        ({"released": AFTER.slice(1)}, "The release has 3 rows and the original 4: give a release with the same rows"),
        (
            {"sensitive": "ill", "released": AFTER.set_column(2, "ill", [["cold", "flu", "flu", "flu"]])},
            "Row 1 of the release has 'cold' in column 'ill' and the original 'flu': give the same rows in the same",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused(change, sentence):
    options = {"released": AFTER, "quasi_identifiers": ["age"]} | change
    with pytest.raises(InputError) as refused:
        measure(BEFORE, options.pop("released"), **options)
    assert str(refused.value).startswith(sentence)
