"""Spark gets files and folders by their exact names, whatever characters they contain."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.spark
from depth import every
from shoal.engines.scan import Scan
from shoal.engines.spark import tables
from shoal.engines.spark.tables import Files, read
from shoal.io import files

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {"quasi_identifiers": ["age"], "model": shoal.KAnonymity(2), "algorithm": "mondrian"}
NAMES = [
    *("p[1]", "p1", "{a,b}", "a", "b", "*", "?", "p?", "b\\c", "\\", "\\[1]", "[^p]", "[", "]", "{", "}", "^x", "a,b"),
    *(" lead", "trail ", "%20", "a%b", "a#b", "é", "e\u0301", "日本", "😀", "-x", "k=1", "$HOME", "~"),
    *("'", '"', "a+b", "a&b", "a;b", "a|b", "x_COPYING_", "part-00000"),
]


def write(path: Path, texts: list[str]) -> Path:
    data = pa.table({"age": texts, "note": texts})
    if path.suffix == ".parquet":
        pq.write_table(data, path)
    else:
        pyarrow.csv.write_csv(data, path)
    return path


@pytest.mark.parametrize("ending", every(2, [".parquet", ".csv"]))
def test_every_character_in_the_name_of_a_file(spark, tmp_path, ending):
    for name in NAMES:
        write(tmp_path / f"{name}{ending}", [name])
    for name in NAMES:
        table = read(spark, Files.of(Scan.of(tmp_path / f"{name}{ending}")))
        assert [row.note for row in table.collect()] == [name]


@pytest.mark.parametrize("ending", every(2, [".csv", ".parquet"]))
def test_every_character_in_the_name_of_a_folder(spark, tmp_path, ending):
    names = [*NAMES, "a:b", "_x", ".x"]
    for name in names:
        (tmp_path / name).mkdir()
        for part in ("1", "2") if ":" in name else ("1", "[1]"):
            write(tmp_path / name / f"{part}{ending}", [name])
    for name in names:
        table = read(spark, Files.of(Scan.of(tmp_path / name)))
        assert [row.note for row in table.collect()] == [name, name]


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_name_that_is_a_pattern_for_another_file(spark, tmp_path, ending):
    place = tmp_path / "{x,y} [z] _%41"
    place.mkdir()
    asked = write(place / f"p[1]{ending}", ["31", "32", "33", "34"])
    write(place / f"p1{ending}", ["71", "72", "73", "74"])
    target = place / "out [1] {a,b} *? \\ % é"
    shoal.spark.anonymize_files(asked, target, report=place / "r.json", **ASKED)
    released = [shoal.read(one).to_arrow() for one in sorted(target.iterdir())]
    assert sorted(pa.concat_tables(released)["note"].to_pylist()) == ["31", "32", "33", "34"]
    assert files.checksum(asked) in (place / "r.json").read_text()
    assert {one.name for one in place.iterdir()} == {asked.name, f"p1{ending}", target.name, "r.json"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("_x.parquet", r"skips files whose names begin with '_'. Rename the file"),
        (".x.parquet", r"skips files whose names begin with '\.'. Rename the file"),
        ("a:b/[1].parquet", r"cannot find a path with ':' and one of .* Rename the file or its folder"),
        ("a:b.parquet", r"cannot read a file with ':' in its name. Rename the file"),
        (os.fsdecode(b"a\xff.parquet"), r"represents bytes that are not UTF-8"),
        ("new\nline.parquet", r"'\\n' in the name of a file is a control character"),
        ("a\u2028b.parquet", r"ends a line"),
    ],
)
def test_names_that_spark_cannot_read_are_refused_before_it_starts(tmp_path, monkeypatch, name, sentence):
    data = pa.table({"age": ["1", "2"]})
    (tmp_path / "a:b").mkdir()
    with (tmp_path / name).open("wb") as file:
        pq.write_table(data, file)
    monkeypatch.setattr("shoal.engines.spark.files.session", lambda master: pytest.fail("Spark was started"))
    with pytest.raises(shoal.InputError, match=sentence):
        shoal.spark.anonymize_files(tmp_path / name, tmp_path / "out", **ASKED)
    source = write(tmp_path / "in.csv", ["1", "2"])
    with pytest.raises(shoal.InputError, match="bytes that are not UTF-8"):
        shoal.spark.anonymize_files(source, tmp_path / os.fsdecode(b"\xff"), **ASKED)
    with pytest.raises(shoal.InputError, match=r"cannot find a path with ':' .* Choose another name"):
        shoal.spark.anonymize_files(source, tmp_path / "a: [b]", **ASKED)


def test_csv_files_with_such_names_are_read(spark, tmp_path):
    for name in ("_x.csv", ".x.csv", "a:b.csv"):
        table = read(spark, Files.of(Scan.of(write(tmp_path / name, [name]))))
        assert [row.note for row in table.collect()] == [name]


def test_a_link_goes_by_its_own_name(spark, tmp_path):
    write(tmp_path / "data.parquet", ["x"]).rename(tmp_path / "_data:1")
    (tmp_path / "in.parquet").symlink_to(tmp_path / "_data:1")
    table = read(spark, Files.of(Scan.of(tmp_path / "in.parquet")))
    assert [row.note for row in table.collect()] == ["x"]


def test_other_files_than_those_asked_for_are_refused(spark, tmp_path, monkeypatch):
    files = Files.of(Scan.of(write(tmp_path / "p[1].parquet", ["x"])))
    write(tmp_path / "p1.parquet", ["y"])
    monkeypatch.setattr(tables, "_pattern", tables._address)
    with pytest.raises(shoal.InputError, match="does not read these files by their exact names"):
        read(spark, files)


def test_signs_that_java_does_not_know(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "_encoding_of_java", lambda spark: "ANSI_X3.4-1968")
    source = write(tmp_path / "in.csv", ["1", "2"])
    with pytest.raises(shoal.InputError, match=r"Zürich: Java cannot write this name in ANSI_X3.4-1968: set LC_ALL="):
        shoal.spark.anonymize_files(source, tmp_path / "Zürich", **ASKED)
