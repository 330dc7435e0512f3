"""Releases that are made wrong on purpose are refused, and nothing is returned or written."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.spark
from depth import every
from shoal.engines.lookup import Lookup
from shoal.engines.spark import files, solve
from shoal.engines.spark.labellers import JoinLabeller, LookupLabeller
from shoal.engines.spark.tables import write

pytest.importorskip("pyspark")
from wrong_releases import MADE, people

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {
    "quasi_identifiers": ["age", "city"],
    "sensitive": "disease",
    "identifying": "name",
    "pseudonymize": "person",
    "key": b"0123456789abcdef",
    "model": shoal.KAnonymity(6),
    "algorithm": "mondrian",
}


def labels_made_otherwise(monkeypatch, spoil, claim=lambda made, kept: kept) -> None:
    """Let workers return a spoiled batch."""

    def labelling(*given, **named):
        right = LookupLabeller(*given, **named)

        def make(batch):
            made, kept = right(batch)
            return (spoil(batch, made), claim(made, kept)) if batch.num_rows else (made, kept)

        return make

    monkeypatch.setattr(solve, "LookupLabeller", labelling)


class Frame:
    """A DataFrame, which is not returned if it is wrong."""

    def __init__(self, spark, folder) -> None:
        self.spark = spark

    def refuses(self, sentence: str, *, parts: int | None = None, **asked) -> None:
        frame = self.spark.createDataFrame(people())
        with pytest.raises(shoal.VerificationError, match=sentence) as error:
            shoal.spark.release(frame.repartition(parts) if parts else frame, **asked)
        assert str(error.value).endswith("Nothing was released.")


class Files:
    """A folder of files, of which nothing is left if it is wrong."""

    def __init__(self, spark, folder) -> None:
        self.folder = folder

    def refuses(self, sentence: str, **asked) -> None:
        source, target, report = (self.folder / name for name in ("in.parquet", "out", "out.json"))
        pq.write_table(people(), source, row_group_size=32)
        with pytest.raises(shoal.VerificationError, match=sentence):
            shoal.spark.anonymize_files(source, target, report=report, **asked)
        assert [one.name for one in self.folder.iterdir()] == ["in.parquet"]


SAME = pytest.mark.deep("rows of files are checked like those of a DataFrame; some kinds are tried in both always")
BOTH_WAYS = pytest.mark.parametrize("way", [Frame, pytest.param(Files, marks=SAME)])
MADE_IN_FILES = [
    *("labels rolled", "values as they are", "a row lost", "a cell changed", "a column lost", "an error of Python"),
    *("pseudonyms of each part", "labels of another type"),
]


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        *every(4, ((kind, Frame) for kind in MADE)),
        *((kind, Files) for kind in MADE_IN_FILES),
    ],
)
def test_a_batch_that_is_made_wrong(spark, tmp_path, monkeypatch, kind, way):
    spoil, sentence = MADE[kind]
    labels_made_otherwise(monkeypatch, spoil)
    parts = {"parts": 2} if kind == "pseudonyms of each part" and way is Frame else {}
    way(spark, tmp_path).refuses(sentence, **parts, **ASKED)


@BOTH_WAYS
def test_the_class_of_another_row(spark, tmp_path, monkeypatch, way):
    def lookup(found, rows):
        return Lookup(lambda: [(codes, ids[::-1].copy()) for codes, ids in found()], rows)

    monkeypatch.setattr(solve, "Lookup", lookup)
    way(spark, tmp_path).refuses("does not cover that row's value", **ASKED)


@BOTH_WAYS
def test_rows_left_out_beyond_the_limit(spark, tmp_path, monkeypatch, way):
    def claim(made, kept):
        return np.arange(3, made.num_rows)

    labels_made_otherwise(monkeypatch, lambda batch, made: made.slice(3), claim)
    asked = ASKED | {"algorithm": "full-domain", "max_suppression": 2, "suppressed": "drop"}
    way(spark, tmp_path).refuses(r"The release has \d+ rows of 64, of which 2 may be left out", **asked)


@BOTH_WAYS
def test_rows_that_miss_a_value_stay_out(spark, tmp_path, monkeypatch, way):
    class Keeps(LookupLabeller):
        def __call__(self, batch):
            made, _ = super().__call__(batch.take(pa.array([0] * batch.num_rows)))
            return made, None

    asked = ASKED | {"missing_values": "d3", "drop_missing": True}
    monkeypatch.setattr(solve, "LookupLabeller", lambda *given, **named: Keeps(*given, **named).__call__)
    way(spark, tmp_path).refuses("rows and should have", **asked)


@BOTH_WAYS
def test_numbers_that_are_not_the_mean(spark, tmp_path, monkeypatch, way):
    asked = ASKED | {"style": shoal.Style(numbers="mean")}
    right = shoal.spark.release(spark.createDataFrame(people()), **asked)
    assert "62.5" in set(right.frame.toArrow()["age"].to_pylist())

    def spoil(batch, made):
        shown = [str(float(label) + 0.5) for label in made.column("c1").to_pylist()]
        return made.set_column(0, "c1", pa.array(shown))

    labels_made_otherwise(monkeypatch, spoil)
    way(spark, tmp_path).refuses("'age' shows .* which is not their mean", **asked)


JOINED = {
    "labels of others": (
        lambda rows: rows.selectExpr("*", "'Kiel' l").drop("shown_c2").withColumnRenamed("l", "shown_c2"),
        "does not cover",
    ),
    "a sensitive cell": (
        lambda rows: rows.withColumn("c3", swapped("c3", "'d9'")),
        "The cells of a row are not as they were",
    ),
    "a cell": (lambda rows: rows.withColumn("c4", swapped("c4", "null")), "The cells of a row are not as they were"),
    "a value behind a label": (
        lambda rows: rows.withColumn("c1", swapped("c1", "27L")),
        "The cells of a row are not as they were",
    ),
    "a row twice": (lambda rows: rows.union(rows.where("c5 = 0.25")), "The release has 65 rows of 64"),
    "one pseudonym": (
        lambda rows: rows.withColumn("shown_c6", swapped("shown_c6", "repeat('0', 32)")),
        "not replaced, value by value",
    ),
    "a row lost": (lambda rows: rows.where("c5 is null or c5 != 0.25"), "The release has 63 rows of 64"),
    "a row lost, another twice": (
        lambda rows: rows.where("c5 != 0.25").union(rows.where("c5 = 0.5")),
        "Rows are missing from the release, and others",
    ),
}


def swapped(name: str, value: str):
    from pyspark.sql import functions

    return functions.expr(f"if(c5 = 0.25, {value}, {name})")


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        *every(4, ((kind, Frame) for kind in JOINED)),
        *(pytest.param(kind, Files, marks=() if kind == "a cell" else SAME) for kind in JOINED),
    ],
)
def test_rows_joined_wrong(spark, tmp_path, monkeypatch, kind, way):
    spoil, sentence = JOINED[kind]

    class Spoiled(JoinLabeller):
        def __call__(self, source):
            return spoil(super().__call__(source))

    monkeypatch.setattr(solve, "JoinLabeller", Spoiled)
    way(spark, tmp_path).refuses(sentence, block_rows=24, **ASKED)


def test_blocks_that_are_right(spark, tmp_path):
    release = shoal.spark.release(spark.createDataFrame(people()), block_rows=24, **ASKED)
    assert release.report.blocks["blocks"] > 1
    assert release.frame.columns == people().column_names[1:]
    assert sorted(release.frame.toArrow()["disease"].to_pylist()) == sorted(people()["disease"].to_pylist())
    release.unpersist()


@BOTH_WAYS
@pytest.mark.parametrize("step", every(2, ["other labels", "answers twice"]))
def test_answers_that_are_wrong(spark, tmp_path, monkeypatch, step, way):
    right = solve._answers

    def answered(*given):
        found = right(*given)
        if step == "answers twice":
            return found.union(found.where("label1 = 'Kiel'").selectExpr("* except (summary)", "null summary"))
        return found.withColumn("label0", found["label1"]).withColumn("label1", found["label1"])

    monkeypatch.setattr(solve, "_answers", answered)
    sentence = {"other labels": "does not cover", "answers twice": "rows of 64"}[step]
    way(spark, tmp_path).refuses(sentence, block_rows=24, **ASKED)


def part_lost(frame, folder, *others):
    write(frame.repartition(2), folder, *others)
    next(folder.glob("part-*")).unlink()


def part_doubled(frame, folder, *others):
    write(frame, folder, *others)
    part = next(folder.glob("part-*"))
    part.with_name(f"part-again{part.suffix}").write_bytes(part.read_bytes())


def written_with(change):
    return lambda frame, *others: write(change(frame), *others)


OTHERWISE = "The values were not written as they are"
WRITTEN = {
    "a part lost": (part_lost, OTHERWISE),
    "a part twice": (part_doubled, OTHERWISE),
    "a cell": (written_with(lambda frame: frame.replace("a", "A", "note")), OTHERWISE),
    "null for a text": (written_with(lambda frame: frame.replace("a", None, "note")), OTHERWISE),
    "cells of other rows": (
        written_with(
            lambda frame: frame.selectExpr(
                "age", "city", "disease", "lag(note) over (order by score) note", "score", "person"
            )
        ),
        OTHERWISE,
    ),
    "a column lost": (written_with(lambda frame: frame.drop("note")), "The release has the columns"),
    "a column renamed": (
        written_with(lambda frame: frame.withColumnRenamed("note", "Note")),
        "The release has the columns",
    ),
    "columns in another order": (
        written_with(lambda frame: frame.select(*frame.columns[::-1])),
        "The release has the columns",
    ),
    "another type": (
        written_with(lambda frame: frame.withColumn("score", frame["score"].cast("float"))),
        "'score' is of type float and should be of type double",
    ),
}


@pytest.mark.parametrize("kind", every(4, WRITTEN))
def test_files_that_hold_something_else(spark, tmp_path, monkeypatch, kind):
    spoiled, sentence = WRITTEN[kind]
    monkeypatch.setattr(files, "parts_of", lambda *given, **named: None)
    monkeypatch.setattr(files, "write", spoiled)
    pq.write_table(people(), tmp_path / "in.parquet")
    with pytest.raises(shoal.VerificationError, match=sentence):
        shoal.spark.anonymize_files(tmp_path / "in.parquet", tmp_path / "out", **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == ["in.parquet"]


@pytest.mark.parametrize("kind", every(3, ["a cell", "a part lost", "a part twice"]))
def test_csv_files_that_hold_something_else(spark, tmp_path, monkeypatch, kind):
    spoiled, sentence = WRITTEN[kind]
    monkeypatch.setattr(files, "write", spoiled)
    pyarrow.csv.write_csv(people(), tmp_path / "in.csv")
    with pytest.raises(shoal.VerificationError, match=sentence):
        shoal.spark.anonymize_files(tmp_path / "in.csv", tmp_path / "out", **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("block_rows", [None, 24])
def test_cells_of_every_kind_pass(spark, tmp_path, block_rows):
    kinds = [
        "map(disease, score, 'k', null) as pairs",
        "array(note, null) as list",
        "named_struct('a', note, 'b', map('x', score)) as record",
        "timestamp_micros(1000000000000001) as moment",
        "cast(note as binary) as bytes",
    ]
    spark.createDataFrame(people()).selectExpr("*", *kinds).write.parquet(str(tmp_path / "in"))
    asked = ASKED | {"keep": ["pairs"]}  # scores follow the ages here
    found = shoal.spark.anonymize_files(tmp_path / "in", tmp_path / "out", block_rows=block_rows, **asked)
    assert found.report.rows == pq.read_table(tmp_path / "out").num_rows == 64
