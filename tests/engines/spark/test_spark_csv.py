"""Spark reads the exact content of CSV and Parquet files, or refuses them with the same message as without Spark."""

from __future__ import annotations

import codecs
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.spark
from depth import every
from shoal.engines.scan import Scan
from shoal.engines.spark import tables

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {"quasi_identifiers": ["age"], "model": shoal.KAnonymity(2), "algorithm": "mondrian"}


def outcome(make, path: Path) -> dict[str, list[str]] | str:
    """Return the columns of a release with their values, or the message of a refusal."""
    try:
        return {name: sorted(values) for name, values in make(path).to_pydict().items()}
    except shoal.InputError as error:
        return str(error)


def on_spark(path: Path) -> pa.Table:
    target = path.with_name("safe")
    shoal.spark.anonymize_files(path, target, **ASKED)
    parts = sorted(target.iterdir())
    return pa.concat_tables([shoal.read(one, separator=",").to_arrow() for one in parts])


def in_memory(path: Path) -> pa.Table:
    return shoal.anonymize(shoal.read(path), **ASKED).frame


ODD = {
    "not UTF-8": b"age,name\n1,M\xfcller\n1,M\xe4ller\n2,x\n2,y\n",
    "cut within a sign": b"age,name\n1,x\n1,y\xc3",
    "a quote that never closes": b'age,name\n1,"x\n1,y\n2,z\n2,w\n',
    "a quote that never closes at the end": b'age,name\n1,x\n1,y\n2,"w',
    "blank lines": b"age,name\n\n1,x\n1,y\n\n\n2,z\n2,w\n\n",
    "letters after a quote": b'age,name\n1,"a"b\n1,y\n2,z\n2,w\n',
    "a quote within": b'age,name\n1,a"b\n1,y"\n2,z""\n2,w\n',
    "a row too short": b"age,name\n1,x\n1\n2,z\n2,w\n",
    "a row too long": b"age,name\n1,x\n1,y,z\n2,z\n2,w\n",
    "a mark at the beginning": codecs.BOM_UTF8 + b'"age",name\n1,x\n1,y\n',
    "line breaks in a cell": b'age,name\n1,"x\ny"\n1,"x\r\ny"\n2,"\n"\n2,"x\ry"\n',
    "CR": b"age,name\r1,x\r1,y\r2,z\r2,w\r",
    "CRLF": b'age,name\r\n1,x\r\n1,"y"\r\n2,z\r\n2,w\r\n',
    "CRLF and LF": b'age,name\r\n1,x\r\n1,"y"\n2,z\r\n2,w\n',
    "NUL": b"age,name\n1,x\0y\n1,\0\n",
    "a name twice": b"age,age\n1,x\n1,y\n",
    "a header alone": b"age,name\n",
    "nothing": b"",
    "blanks": b"age,name\n 1, x \n 1,\ty\n2, \n2,\n",
    "empty cells": b"age,name\n,\n,\n2,\n2,w\n",
    "one column with an empty line": b"age\n1\n1\n\n\n",
    "one column with blanks": b"age\n1\n1\n \n \n",
}


@pytest.mark.parametrize("odd", every(3, ODD))
def test_odd_files(spark, tmp_path, odd):
    path = tmp_path / "in.csv"
    path.write_bytes(ODD[odd])
    assert outcome(on_spark, path) == outcome(in_memory, path)


def test_rows_of_tabs_alone(spark, tmp_path):
    path = tmp_path / "in.tsv"
    path.write_bytes(b"age\tname\n\t\n\t\n1\tx\n1\ty\n")
    shoal.spark.anonymize_files(path, tmp_path / "out", **ASKED)
    found = shoal.read(next((tmp_path / "out").iterdir()), separator="\t").to_arrow()
    assert sorted(found["age"].to_pylist()) == ["", "", "1", "1"]


@pytest.mark.parametrize("encoding", every(5, ["utf-16", "latin-1", "utf-16-le", "utf-16-be", "ascii"]))
def test_encodings(spark, tmp_path, encoding):
    text = 'age,name\r\n1,"Müller, é"\r\n1,"x\ny"\r\n2,"a ""b"""\r\n2,\r\n'
    text = text if encoding != "ascii" else text.replace("ü", "u").replace("é", "e")
    (tmp_path / "in.csv").write_bytes(text.encode(encoding))
    shoal.spark.anonymize_files(tmp_path / "in.csv", tmp_path / "out", encoding=encoding, **ASKED)
    found = shoal.read(next((tmp_path / "out").iterdir()), encoding=encoding).to_arrow()
    assert found.equals(shoal.read(tmp_path / "in.csv", encoding=encoding).to_arrow())


def test_encodings_that_spark_cannot_write(tmp_path):
    (tmp_path / "in.csv").write_bytes(b"age\n1\n1\n")
    with pytest.raises(shoal.InputError, match=r"Spark does not write cp1252: save the CSV as UTF-8, or leave out"):
        shoal.spark.anonymize_files(tmp_path / "in.csv", tmp_path / "out", encoding="cp1252", **ASKED)


@pytest.fixture
def careless(spark):
    """A session that is configured to skip damaged and missing files."""
    names = ["spark.sql.files.ignoreCorruptFiles", "spark.sql.files.ignoreMissingFiles"]
    for name in names:
        spark.conf.set(name, "true")
    yield spark
    for name in names:
        assert spark.conf.get(name) == "true"
        spark.conf.unset(name)


def damaged(path: Path) -> None:
    """Write a Parquet file with an intact footer and damaged pages."""
    pq.write_table(pa.table({"age": [str(at % 7) for at in range(900)]}), path, compression="none")
    content = bytearray(path.read_bytes())
    content[4:40] = b"\xff" * 36
    path.write_bytes(bytes(content))


def test_damaged_files_are_not_passed_over(careless, tmp_path):
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table({"age": ["1", "1", "2", "2"]}), tmp_path / "in" / "a.parquet")
    damaged(tmp_path / "in" / "b.parquet")
    with pytest.raises(shoal.InputError):
        shoal.spark.anonymize_files(tmp_path / "in", tmp_path / "out", **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == ["in"]


def test_files_that_are_gone_are_not_passed_over(careless, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.parquet", "b.parquet"):
        pq.write_table(pa.table({"age": ["1", "1"]}), tmp_path / "in" / name)
    files = tables.Files.of(Scan.of(tmp_path / "in"))
    table = tables.read(careless, files)
    (tmp_path / "in" / "b.parquet").unlink()
    with pytest.raises(Exception, match=r"b\.parquet"):
        table.collect()


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_another_number_of_rows_is_refused(spark, tmp_path, monkeypatch, ending):
    data, source = pa.table({"age": ["1", "1", "2", "2", "2"]}), tmp_path / f"in{ending}"
    if ending == ".parquet":
        pq.write_table(data, source)
    else:
        source.write_text("age\n1\n1\n2\n2\n2\n")
    monkeypatch.setattr("shoal.engines.spark.files.parts_of", lambda *given, **named: None)
    monkeypatch.setattr("shoal.engines.spark.files.read", lambda *given: tables.read(*given).limit(4))
    with pytest.raises(shoal.InputError, match=f"in{ending}: Spark has read 4 rows, and there are 5"):
        shoal.spark.anonymize_files(source, tmp_path / "out", **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == [source.name]
