"""measure(): any release against its original."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from shoal import Hierarchy, InputError
from shoal.analysis.measure import measure
from shoal.metrics import METRICS, metrics_for

BEFORE = pa.table({"age": [20, 30, 40, 40], "sex": ["f", "m", "m", "m"], "ill": ["flu", "cold", "flu", "flu"]})
AFTER = pa.table({"age": ["20-30", "20-30", "40", "40"], "sex": ["*", "*", "m", "m"], "ill": BEFORE["ill"]})
TREES = {"sex": Hierarchy.flat(["f", "m"])}


def test_every_measure_of_a_pair():
    found = measure(BEFORE, AFTER, quasi_identifiers=["age", "sex"], sensitive="ill", hierarchies=TREES)
    assert list(found) == list(METRICS)
    assert found["loss"] == (2 * 0.5 + 2 * 1) / 8
    assert found["classification"] == 1 / 4
    assert found["discernibility"] == 8


def test_measures_that_need_a_sensitive_column_are_left_out_without_one():
    assert list(measure(BEFORE, AFTER, quasi_identifiers=["age"])) == list(metrics_for(sensitive=False))


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
        ({"released": AFTER.drop(["age"])}, "In the release, there is no column 'age'."),
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


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64()], ids=str)
@pytest.mark.parametrize("near", [2**53, 2**62, 2**63 - 5])
def test_the_loss_of_large_whole_numbers_is_exact(kind, near):
    original = pa.table({"id": pa.array([near, near + 1, near + 2, near + 4], kind)})
    released = pa.table({"id": [f"{near}-{near + 1}"] * 2 + [f"{near + 2}-{near + 4}"] * 2})
    found = shoal.measure(original, released, quasi_identifiers="id", measures=["loss"])
    assert found == {"loss": pytest.approx((1 / 4 + 2 / 4) / 2)}
    made = shoal.anonymize(original, quasi_identifiers="id", model=shoal.KAnonymity(2), algorithm="mondrian")
    assert made.report.loss_by_attribute["id"] == found["loss"]
    assert shoal.measure(original, made.frame, quasi_identifiers="id", measures=["loss"]) == found


def test_large_numbers_with_missing_ones_lose_all_among_them():
    original = pa.table({"id": [2**60, 2**60 + 1, None, 2**60 + 2]})
    released = pa.table({"id": [f"{2**60}-{2**60 + 1}"] * 2 + ["*"] * 2})
    assert shoal.measure(original, released, quasi_identifiers="id", measures=["loss"])["loss"] == 3 / 4


def test_a_label_beside_a_large_number_does_not_cover_it():
    original = pa.table({"id": [2**53 + 1, 2**53 + 1]})
    with pytest.raises(InputError, match="does not cover the original value '9007199254740993'"):
        shoal.measure(original, pa.table({"id": [f"0-{2**53}"] * 2}), quasi_identifiers="id")


def test_durations_and_times_of_day_are_read_back():
    from datetime import time, timedelta

    spans = [timedelta(hours=hours) for hours in (1, 2, 30, 49)]
    for values, labels in (
        (spans, ["0:30:00-2:00:00"] * 2 + ["1 day, 6:00:00-2 days, 1:00:00"] * 2),
        ([time(hour) for hour in (1, 2, 10, 13)], ["01:00-02:00:00"] * 2 + ["10:00:00 - 13:00:00"] * 2),
    ):
        found = shoal.measure(
            pa.table({"t": values}), pa.table({"t": labels}), quasi_identifiers="t", measures=["loss", "discernibility"]
        )
        assert found["discernibility"] == 8
        assert found["loss"] == pytest.approx((1 / 48 + 19 / 48) / 2 if values is spans else (1 / 12 + 3 / 12) / 2)


FAR = 10**20


@pytest.mark.parametrize("form", ["{}-{}", "[{}, {}]", "{} to {}", "({}, {}]"])
@pytest.mark.parametrize(
    ("original", "spelled"),
    [
        (pa.array([Decimal(FAR) + Decimal(at) / 10 for at in range(4)]), lambda at: f"{FAR}.{at}"),
        (pa.array([f"{FAR}.{at}" for at in range(4)]), lambda at: f"{FAR}.{at}"),
        (pa.array([str(FAR + at) for at in range(4)]), lambda at: str(FAR + at)),
        (pa.array([str(-FAR + at) for at in range(4)]), lambda at: str(-FAR + at)),
        (pa.array(range(4), pa.timestamp("ns")), lambda at: f"1970-01-01 00:00:00.00000000{at}"),
        (pa.array(range(4), pa.time64("ns")), lambda at: f"00:00:00.00000000{at}"),
    ],
    ids=["decimals", "texts", "whole", "negative", "moments", "times"],
)
def test_ranges_of_more_digits_than_doubles_have_are_read(original, spelled, form):
    first = form.format(spelled(0), spelled(2))
    table = pa.table({"x": original.take([1, 1, 2, 3])})
    found = shoal.measure(
        table, pa.table({"x": [first] * 3 + [spelled(3)]}), quasi_identifiers="x", measures=["discernibility"]
    )
    assert found == {"discernibility": 10}
    with pytest.raises(InputError, match="does not cover the original value"):
        shoal.measure(table, pa.table({"x": [first] * 4}), quasi_identifiers="x")


def test_a_label_that_cannot_be_read_is_told_so():
    seconds = pa.table({"x": pa.array([1, 2, 3], pa.duration("s"))})
    with pytest.raises(InputError, match="'1-3' cannot be read as a value, range or set of values such as '0:00:01'"):
        shoal.measure(seconds, pa.table({"x": ["1-3"] * 3}), quasi_identifiers="x")
