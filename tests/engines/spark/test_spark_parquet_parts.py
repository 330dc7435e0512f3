"""Parquet files that workers read and write themselves: the same release as in memory, or none."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.spark
from depth import every
from shoal.engines.scan import Scan
from shoal.engines.spark import count, files, parquet_parts
from shoal.engines.spark.parquet_parts import ParquetParts, Part, parts_of
from shoal.engines.whole_table import request_in_parts

pytest.importorskip("pyspark")
pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {
    "quasi_identifiers": ["age", "city", "wage"],
    "sensitive": "disease",
    "model": shoal.KAnonymity(4),
    "algorithm": "mondrian",
}


def people(rows: int = 700, start: int = 0) -> pa.Table:
    """Return rows with nulls, NaN and both zeros, and cells of other kinds that pass."""
    random = np.random.RandomState(start)
    ages, wages = random.randint(18, 90, rows), random.choice([np.nan, -0.0, 0.0, 1.5, 2.25], rows)
    return pa.table(
        {
            "age": pa.array(ages, mask=random.rand(rows) < 0.03),
            "name": [f"n{number}" for number in range(rows)],
            "city": pa.array(random.choice(["Ulm", "Bonn", "Kiel", ""], rows), mask=random.rand(rows) < 0.03),
            "wage": wages,
            "disease": random.choice(["flu", "cold", "none"], rows),
            "since": [dt.datetime(2001, 1, 1) + dt.timedelta(hours=int(hour)) for hour in random.randint(0, 50, rows)],
            "note": pa.array(random.choice(["a", "b"], rows), mask=random.rand(rows) < 0.5),
        }
    )


def written(folder: Path, files: int = 3, group: int = 90) -> tuple[Path, pa.Table]:
    """Write files of several row groups; return their folder and the whole table."""
    tables = [people(700, start) for start in range(files)]
    (folder / "in").mkdir()
    for number, table in enumerate(tables):
        pq.write_table(table, folder / "in" / f"{number}.parquet", row_group_size=group)
    return folder / "in", pa.concat_tables(tables)


def as_texts(table: pa.Table) -> list[list[str]]:
    return [list(map(str, column.to_pylist())) for column in table.columns]


@pytest.mark.parametrize("rows", [1, 89, 700, 2100])
@pytest.mark.parametrize("parallelism", [1, 2, 5])
def test_tasks_have_each_row_once_and_in_order(tmp_path, monkeypatch, rows, parallelism):
    monkeypatch.setattr(parquet_parts, "TASK_ROWS", 200)
    source, whole = written(tmp_path, group=rows)
    parts = ParquetParts.of(Scan.of(source), parallelism=parallelism)
    read = [
        batch.rename_columns(whole.column_names)
        for task in parts.tasks
        for part in task
        for batch in parquet_parts.read_part(part, parts.schema, whole.column_names)
    ]
    every_part = [part for task in parts.tasks for part in task]
    names = [name for part in every_part for name in [part.path.name] * len(part.groups)]
    assert names == sorted(names)
    assert as_texts(
        pa.concat_tables([pa.Table.from_batches([batch]).cast(whole.schema) for batch in read])
    ) == as_texts(whole)
    assert all(task for task in parts.tasks)
    starts = {
        part: sum(pq.read_metadata(part.path).row_group(at).num_rows for at in range(part.groups[0]))
        for part in every_part
    }
    assert all(part.start == start for part, start in starts.items())
    if rows < 100:
        assert max(sum(part.rows for part in task) for task in parts.tasks) <= 300
        assert len(parts.tasks) >= parallelism


@pytest.mark.parametrize(
    "more",
    every(
        2,
        [
            {},
            {"missing_values": "flu", "drop_missing": True},
            {"algorithm": "datafly", "max_suppression": 0.2, "suppressed": "drop"},
            {"algorithm": "datafly", "max_suppression": 0.2, "suppressed": "keep"},
            {"pseudonymize": "note", "key": "a key of many characters", "rows_are_people": True},
            {"style": shoal.Style(numbers="mean")},
        ],
    ),
    ids=str,
)
def test_the_release_is_that_of_the_table_in_memory(spark, tmp_path, monkeypatch, more):
    monkeypatch.setattr(files, "write", lambda *given: pytest.fail("Spark wrote the rows"))
    source, whole = written(tmp_path)
    asked = ASKED | {"identifying": "name", "keep": ["since", "note"]} | more
    if "pseudonymize" in more:
        asked["keep"] = ["since"]
    made = shoal.spark.anonymize_files(source, tmp_path / "out", **asked)
    plain = shoal.anonymize(whole, **asked)
    parts = sorted((tmp_path / "out").iterdir())
    assert [part.name for part in parts] == [f"part-{number:05}.parquet" for number in range(len(parts))]
    assert len(parts) > 1
    shown = pa.concat_tables([pq.read_table(part) for part in parts])
    assert shown.column_names == plain.frame.column_names
    assert as_texts(shown) == as_texts(plain.frame)
    assert made.report.metrics == pytest.approx(plain.report.metrics)
    assert made.report.dropped_rows == plain.report.dropped_rows
    assert sorted(made.classes.sizes) == sorted(plain.classes.sizes)


@pytest.mark.parametrize(
    ("kind", "direct"),
    [
        (pa.string(), True),
        (pa.int8(), True),
        (pa.timestamp("us"), False),
        (pa.decimal128(5, 2), False),
        (pa.dictionary(pa.int32(), pa.string()), False),
        (pa.uint32(), False),
    ],
    ids=str,
)
def test_types_that_spark_and_arrow_may_show_otherwise_go_through_spark(tmp_path, kind, direct):
    pq.write_table(pa.table({"q": pa.array([None, None], kind)}), tmp_path / "in.parquet")
    scan = Scan.of(tmp_path / "in.parquet")
    request = request_in_parts(scan.columns, {"quasi_identifiers": "q", "model": shoal.KAnonymity(2)}, block_rows=None)
    assert (parts_of(scan, request, parallelism=2) is not None) == direct


def test_a_part_with_many_different_rows_is_counted_in_portions(monkeypatch):
    monkeypatch.setattr(count, "MAX_DISTINCT", 20)
    table = people()
    names = ("age", "city", "wage")
    counter = count._CountRows(table.schema, names, ("c0", "c1", "c2"))
    batches = iter(table.select(names).to_batches(100))
    found = pa.Table.from_batches(counter(0, [(Part(Path(), (0,), 0, table.num_rows), batches)]))
    different = {tuple(map(str, row.values())) for row in table.select(names).to_pylist()}
    assert found.num_rows > len(different)
    totals = dict.fromkeys(different, 0)
    for *row, rows in zip(*(column.to_pylist() for column in found.columns), strict=True):
        totals[tuple(map(str, row))] += rows
    wanted = dict.fromkeys(different, 0)
    for row in table.select(names).to_pylist():
        wanted[tuple(map(str, row.values()))] += 1
    assert totals == wanted


def test_rows_that_are_not_read_are_noticed(spark, tmp_path, monkeypatch):
    source, _ = written(tmp_path)

    def some(*given, **named):
        parts = parts_of(*given, **named)
        return ParquetParts(parts.schema, parts.tasks[1:])

    monkeypatch.setattr(files, "parts_of", some)
    with pytest.raises(shoal.InputError, match=r"Spark has read [0-9,]+ rows, and there are 2,100"):
        shoal.spark.anonymize_files(source, tmp_path / "out", identifying="name", keep=["since", "note"], **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == ["in"]
