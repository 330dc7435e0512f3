"""A DataFrame in which people repeat, or a column tells hidden values, is not released."""

from __future__ import annotations

import pyarrow as pa
import pytest
from review.tables import ROWS, values

import shoal
import shoal.spark
from shoal.engines.scan import Scan
from shoal.engines.spark import review, tables

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {"quasi_identifiers": "q", "model": shoal.KAnonymity(2), "algorithm": "mondrian"}
SENTENCE = (
    "Values of 'patient id' repeat: 1,994 rows are of 399 people, and classes would count rows, not people. Name the "
    "column that says whose row it is (unit='patient id', --unit 'patient id'), or say that each row is a different "
    "person (rows_are_people=True, --rows-are-people)."
)


def frame(spark, kind="number"):
    ids = [None if row < 6 else value for row, value in enumerate(values(kind))]
    return spark.createDataFrame(pa.table({"patient id": ids, "q": [row % 7 for row in range(ROWS)]}))


def test_people_repeat(spark):
    with pytest.raises(shoal.ReviewError) as stopped:
        shoal.spark.release(frame(spark), identifying="patient id", **ASKED)
    assert str(stopped.value) == SENTENCE
    assert stopped.value.findings[0].code == "repeated-people"


def test_rows_are_people_if_the_caller_says_so(spark):
    release = shoal.spark.release(frame(spark), identifying="patient id", rows_are_people=True, **ASKED)
    assert release.report.statements == [
        "Each row was taken as one person, as asked, although values of “patient id” repeat."
    ]


def test_each_row_is_a_person(spark):
    assert shoal.spark.release(frame(spark, "row numbers"), identifying="patient id", **ASKED).report.k >= 2


def test_files_in_which_people_repeat_are_not_released(spark, tmp_path):
    lines = "".join(f"P{row // 3},{row % 5}\n" for row in range(300))
    (tmp_path / "t.csv").write_text(f"patient id,q\n{lines}")
    with pytest.raises(shoal.ReviewError, match="300 rows are of 100 people"):
        shoal.spark.anonymize_files(tmp_path / "t.csv", tmp_path / "safe", keep="patient id", **ASKED)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize("suppressed", ["drop", "keep"])
def test_a_derived_column_is_told_as_in_memory(spark, suppressed):
    ages = [row % 60 + 20 for row in range(400)] + list(range(100, 110))
    table = pa.table({"age": ages, "born": [2000 - age for age in ages]})
    asked = {"quasi_identifiers": "age", "hierarchies": {"age": "intervals:5"}, "model": shoal.KAnonymity(8)}
    asked |= {"algorithm": "datafly", "max_suppression": 0.1, "suppressed": suppressed}
    with pytest.raises(shoal.ReviewError) as expected:
        shoal.anonymize(table, **asked)
    with pytest.raises(shoal.ReviewError) as stopped:
        shoal.spark.release(spark.createDataFrame(table), **asked)
    assert stopped.value.findings == expected.value.findings
    assert stopped.value.findings[0].figures["hidden"] == (400 if suppressed == "drop" else 410)


@pytest.mark.parametrize("rows", [3, 11, 10_000])
def test_the_driver_reads_the_first_rows_of_csv_files_as_spark_does(spark, tmp_path, monkeypatch, rows):
    monkeypatch.setattr(review, "FIRST_ROWS", rows)
    for number in range(3):
        lines = [f'{number}{at},"a, {at % 2}",' + ("" if at % 3 else "x") for at in range(5)]
        (tmp_path / f"{number}.csv").write_text("\n".join(["id,b c,d", *lines, ""]))
    scan = Scan.of(tmp_path)
    data = tables.read(spark, tables.Files.of(scan))
    for names in (["d", "id"], ["b c"], []):
        found, wanted = review.first_rows_of_csv(scan, names), review._first(data, names)
        assert {name: column.to_pylist() for name, column in found.items()} == {
            name: column.to_pylist() for name, column in wanted.items()
        }
        assert all((column.type, len(column)) == (pa.string(), min(15, rows)) for column in found.values())
