"""DataFrames in which several rows are about one person: the classes are those of memory, and rows are shuffled."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streams.test_people_in_files import TREE, fewest_people, rows_of, same_row_in_two_classes, visits

import shoal
import shoal.spark
from shoal.engines.spark import solve, whole_table

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {"quasi_identifiers": ["age", "month"], "sensitive": "ill", "unit": "person", "algorithm": "mondrian"}
KEPT = ASKED | {"keep": "row"}
K = {"model": shoal.KAnonymity(3)}
NAMES = visits()["person"].to_pylist()
DROPPED = {"hierarchies": TREE, "algorithm": "datafly", "max_suppression": 0.3, "suppressed": "drop"}


@pytest.mark.parametrize(
    "asked",
    [
        {**K, "strict": True},
        {"model": shoal.KAnonymity(2) & shoal.Closeness(0.4)},
        {"model": shoal.KAnonymity(2) & shoal.Closeness(0.3), **DROPPED},
    ],
    ids=str,
)
def test_the_classes_are_those_of_memory(spark, asked):
    table = visits()
    made = shoal.spark.release(spark.createDataFrame(table).repartition(3), **{**KEPT, **asked})
    expected = shoal.anonymize(table, **{**KEPT, **asked})
    release = made.frame.toArrow()
    assert rows_of(release) == rows_of(expected.frame)
    assert (made.report.k, made.report.people) == (expected.report.k, expected.report.people)
    assert sorted(made.classes.sizes.tolist()) == sorted(expected.classes.sizes.tolist())
    if "max_suppression" not in asked:
        assert fewest_people(table, release) == made.report.k


def test_files(spark, tmp_path):
    table = visits(people=300)
    pq.write_table(table, tmp_path / "in.parquet")
    made = shoal.spark.anonymize_files(tmp_path / "in.parquet", tmp_path / "out", **KEPT, **K)
    release = pq.read_table(tmp_path / "out")
    assert fewest_people(table, release) == made.report.k >= 3
    assert Counter(release["row"].to_pylist()) == Counter(table["row"].to_pylist())
    order = release["row"].to_numpy()
    person = np.array(table["person"].to_pylist())[order]
    assert (person[1:] == person[:-1]).mean() < 0.05
    assert not [warning for warning in made.report.warnings if "sorted" in warning]


def test_missing_people(spark):
    names = visits()["person"].to_pylist()
    table = visits().set_column(0, "person", [[None if row % 10 == 3 else name for row, name in enumerate(names)]])
    frame = spark.createDataFrame(table)
    count = table["person"].null_count
    with pytest.raises(shoal.InputError, match=f"'person' does not say whose row it is in {count} rows: fill it in"):
        shoal.spark.release(frame, **KEPT, **K)
    made = shoal.spark.release(frame, **KEPT, **K, missing_units="own")
    expected = shoal.anonymize(table, **KEPT, **K, missing_units="own")
    assert made.report.people == expected.report.people
    assert rows_of(made.frame.toArrow()) == rows_of(expected.frame)


def test_people_who_are_written_in_several_ways_are_told(spark):
    names = [f"{name} " if row == 3 else name.lower() if row == 30 else name for row, name in enumerate(NAMES)]
    table = visits().set_column(0, "person", [names])
    made = shoal.spark.release(spark.createDataFrame(table), **ASKED, **K, identifying="row")
    expected = [
        one for one in shoal.anonymize(table, **ASKED, **K, identifying="row").report.warnings if "blanks" in one
    ]
    assert [one for one in made.report.warnings if "blanks" in one] == expected != []
    made = shoal.spark.release(spark.createDataFrame(visits()), **ASKED, **K, identifying="row")
    assert not [one for one in made.report.warnings if "blanks" in one]


def test_a_column_that_links_the_rows_of_a_few_people_is_warned_of(spark):
    table = visits()
    few = [name if name in ("P1", "P2", "P3") else "none" for name in NAMES]
    table = table.append_column("badge", pa.array(few))
    made = shoal.spark.release(spark.createDataFrame(table), **ASKED, **K, identifying="row")
    assert [one for one in made.report.warnings if one.startswith("Column 'badge' links the rows of")]


LINKED = {"quasi_identifiers": ["age", "month"], "unit": "person", "pseudonymize": "person", "max_suppression": 0.2}
LINKED |= {"key": b"0123456789abcdef", "identifying": ["row", "ill"]}


def test_profiles_are_made_on_the_driver(spark, tmp_path):
    table = visits()
    expected = shoal.anonymize(table, **LINKED, **K)
    made = shoal.spark.release(spark.createDataFrame(table).repartition(1), **LINKED, **K)
    assert made.report.people == expected.report.people
    assert made.report.input == {"file": None, "sha256": None, "sha256_of": None, "rows": table.num_rows}
    assert made.frame.count() == len(expected.frame)
    pq.write_table(table, tmp_path / "in.parquet")
    files = shoal.spark.anonymize_files(tmp_path / "in.parquet", tmp_path / "out", **LINKED, **K)
    assert rows_of(pq.read_table(tmp_path / "out")) == rows_of(expected.frame)
    assert files.report.people == expected.report.people


def test_dates_are_shifted_on_the_driver(spark):
    table = visits()
    table = table.append_column("day", pa.array(table["month"].to_pylist(), pa.int32()).cast(pa.date32()))
    asked = {"quasi_identifiers": "age", "identifying": ["row", "month"], "unit": "person", "shift_dates": "day"}
    asked |= {"key": b"0123456789abcdef", "keep": "day"}  # as all days lie within two weeks, they link a person's rows
    made = shoal.spark.release(spark.createDataFrame(table), **asked, **K)
    assert rows_of(made.frame.toArrow()) == rows_of(shoal.anonymize(table, **asked, **K).frame)


def test_what_is_too_large_for_the_driver_is_refused(spark, tmp_path, monkeypatch):
    table = visits()
    pq.write_table(table, tmp_path / "in.parquet")
    monkeypatch.setattr(whole_table, "DRIVER_BYTES", 500_000_000)
    which = "The promise of profiles matches all rows of 'person', which needs the whole table in memory: about 0.6 GB "
    which += f"for {table.num_rows} rows, and 0.5 GB may be used. "
    with pytest.raises(shoal.InputError) as refusal:
        shoal.spark.release(spark.createDataFrame(table), **LINKED, **K)
    assert str(refusal.value) == (
        f"{which}Write it to files, and release these by shoal.anonymize_files(…, memory='1GB')."
    )
    with pytest.raises(shoal.InputError) as refusal:
        shoal.spark.anonymize_files(tmp_path / "in.parquet", tmp_path / "out", **LINKED, **K)
    assert str(refusal.value) == (
        f"{which}Leave out Spark, and give as much if the machine has it: memory='1GB', --memory 1GB."
    )
    assert not (tmp_path / "out").exists()


def test_what_spark_does_not_do_with_people(spark):
    frame = spark.createDataFrame(visits())
    with pytest.raises(shoal.InputError, match="more than 20 different rows of people, which are solved all together"):
        shoal.spark.release(frame, **KEPT, **K, block_rows=20)


def test_people_who_are_taken_for_several_are_noticed(spark, monkeypatch):
    honest = solve.count_people

    def wrong(*given):
        counted, rows = honest(*given)
        return counted, type(rows)(rows.places, np.arange(rows.units.size, dtype=np.int32), rows.weights)

    monkeypatch.setattr(solve, "count_people", wrong)
    with pytest.raises(shoal.VerificationError, match=r"does not satisfy k = 3.*with \d+ people"):
        shoal.spark.release(spark.createDataFrame(visits()), **KEPT, **K)


def test_an_equal_row_of_two_people_in_two_classes(spark):
    table, asked = same_row_in_two_classes()
    with pytest.raises(shoal.InputError, match="puts equal rows of different people into different classes"):
        shoal.spark.release(spark.createDataFrame(table), **asked)


def test_one_person_alone_is_infeasible(spark):
    table = pa.table({"person": ["a"] * 9, "age": list(range(9)), "month": [1] * 9, "ill": ["x"] * 9})
    with pytest.raises(shoal.InfeasibleError):
        shoal.spark.release(spark.createDataFrame(table), **ASKED, **K)
