"""DataFrames in which several rows are about one person: the classes are those of memory, and rows are shuffled."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streams.test_people_in_files import TREE, fewest_people, rows_of, visits

import shoal
import shoal.spark
from shoal.engines.spark import solve

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {"quasi_identifiers": ["age", "month"], "sensitive": "ill", "unit": "person", "algorithm": "mondrian"}
K = {"model": shoal.KAnonymity(3)}
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
    made = shoal.spark.release(spark.createDataFrame(table).repartition(3), **{**ASKED, **asked})
    expected = shoal.anonymize(table, **{**ASKED, **asked})
    release = made.frame.toArrow()
    assert rows_of(release) == rows_of(expected.frame)
    assert (made.report.k, made.report.people) == (expected.report.k, expected.report.people)
    assert sorted(made.classes.sizes.tolist()) == sorted(expected.classes.sizes.tolist())
    if "max_suppression" not in asked:
        assert fewest_people(table, release) == made.report.k


def test_files(spark, tmp_path):
    table = visits(people=300)
    pq.write_table(table, tmp_path / "in.parquet")
    made = shoal.spark.anonymize_files(tmp_path / "in.parquet", tmp_path / "out", **ASKED, **K)
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
        shoal.spark.release(frame, **ASKED, **K)
    made = shoal.spark.release(frame, **ASKED, **K, missing_units="own")
    expected = shoal.anonymize(table, **ASKED, **K, missing_units="own")
    assert made.report.people == expected.report.people
    assert rows_of(made.frame.toArrow()) == rows_of(expected.frame)


def test_what_spark_does_not_do_with_people(spark):
    frame = spark.createDataFrame(visits())
    with pytest.raises(shoal.InputError, match="The promise of profiles matches all rows of 'person'"):
        shoal.spark.release(frame, **ASKED, **K, pseudonymize="person", key=b"0123456789abcdef")
    with pytest.raises(shoal.InputError, match="more than 20 different rows of people, which are solved all together"):
        shoal.spark.release(frame, **ASKED, **K, block_rows=20)


def test_people_who_are_taken_for_several_are_noticed(spark, monkeypatch):
    honest = solve.count_people

    def wrong(*given):
        counted, rows = honest(*given)
        return counted, type(rows)(rows.places, np.arange(rows.units.size, dtype=np.int32), rows.weights)

    monkeypatch.setattr(solve, "count_people", wrong)
    with pytest.raises(shoal.VerificationError, match=r"does not satisfy k = 3.*person\(s\)"):
        shoal.spark.release(spark.createDataFrame(visits()), **ASKED, **K)


def test_static_rows_of_people_who_are_in_different_classes(spark):
    """Two people with the same row are in different classes because of their other rows."""
    table = visits(people=200, static=True)
    asked = {**ASKED, "algorithm": "local", "model": shoal.KAnonymity(3) & shoal.DistinctDiversity(2)}
    with pytest.raises(shoal.InputError, match="puts equal rows of different people into different classes"):
        shoal.spark.release(spark.createDataFrame(table), **asked)


def test_one_person_alone_is_infeasible(spark):
    table = pa.table({"person": ["a"] * 9, "age": list(range(9)), "month": [1] * 9, "ill": ["x"] * 9})
    with pytest.raises(shoal.InfeasibleError):
        shoal.spark.release(spark.createDataFrame(table), **ASKED, **K)
