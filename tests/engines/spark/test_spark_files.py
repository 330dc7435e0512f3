"""Files that Spark reads, writes and verifies."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import shoal
import shoal.spark
from depth import every
from shoal.cli.app import app
from shoal.engines.spark import files
from shoal.engines.spark.tables import read_back, write

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
NAMES = ["age", "sex", "education", "occupation", "note"]
ASKED = {
    "quasi_identifiers": NAMES[:3],
    "sensitive": "occupation",
    "model": shoal.KAnonymity(5),
    "algorithm": "mondrian",
}
NOTES = ["plain", "", " outer ", 'quo"ted', "a,b", "two\nlines", "back\\slash", "日本", "'", '"']


def table() -> pa.Table:
    adult = shoal.datasets.adult().select(NAMES[:-1]).slice(0, 800)
    return adult.append_column("note", pa.array([NOTES[at % len(NOTES)] for at in range(800)]))


def as_text(data: pa.Table) -> pa.Table:
    return data.cast(pa.schema([(name, pa.string()) for name in data.column_names]))


def written(folder: Path, ending: str, *, parts: int = 1) -> Path:
    """Write the table as a file or as a folder of files."""
    data, source = table(), folder / f"in{ending}"
    if parts > 1:
        source = folder / "in"
        source.mkdir()
    for number in range(parts):
        file = source / f"{number}{ending}" if parts > 1 else source
        some = data.slice(number * 800 // parts, 800 // parts)
        if ending == ".parquet":
            pq.write_table(some, file)
        else:
            pyarrow.csv.write_csv(as_text(some), file, pyarrow.csv.WriteOptions(quoting_style="needed"))
    return source


def read(folder: Path) -> pa.Table:
    """Read all parts of a release in order."""
    found = sorted(one for one in folder.iterdir() if one.name.startswith("part-"))
    return pa.concat_tables([shoal.io.source.Source.of(one).to_arrow() for one in found])


@pytest.mark.parametrize(("ending", "parts"), [(".parquet", 1), (".csv", 2)])
def test_files_become_a_folder_of_files(spark, tmp_path, ending, parts):
    source, target, report = written(tmp_path, ending, parts=parts), tmp_path / "out", tmp_path / "out.html"
    found = shoal.spark.anonymize_files(source, target, report=report, **ASKED)
    plain = shoal.anonymize(table() if ending == ".parquet" else as_text(table()), **ASKED)
    shown = read(target)
    assert shown.column_names == NAMES
    for name in NAMES:
        assert sorted(shown[name].to_pylist()) == sorted(plain.frame[name].to_pylist())
    if parts == 1:
        assert shown.equals(plain.frame)
    assert found.report.metrics == pytest.approx(plain.report.metrics)
    assert "shoal.spark.anonymize_files(" in report.read_text()
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([source.name, "out", "out.html"])


def test_the_command_line(spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, ".parquet")
    words = ["anonymize", "in.parquet", "--quasi", "age,sex", "--k", "5", "--engine", "spark"]
    done = CliRunner().invoke(app, [*words, "-o", "out", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rows"] == 800
    assert read(Path("out")).num_rows == 800
    Path("case.toml").write_text('[engine]\nname = "spark"\nmaster = "local[2]"\n[output]\nfile = "same"\n')
    done = CliRunner().invoke(app, [*words[:-2], "--config", "case.toml", "--json"])
    assert done.exit_code == 0, done.output
    assert read(Path("same")).equals(read(Path("out")))
    for more, code, sentence in [
        (["-o", "out"], 2, "the folder is not empty"),
        (["-o", "out.parquet"], 2, "Spark writes a folder of files"),
        (["-o", "new", "--memory", "2GB"], 2, "--memory is not for Spark"),
        (["-o", "new", "--k", "900"], 3, "k can be at most 800"),
        (["-o", "new", "--order", "classes"], 2, "--order needs the whole table in memory"),
    ]:
        done = CliRunner().invoke(app, [*words, *more])
        assert (done.exit_code, sentence in done.output) == (code, True), (done.output, sentence)
    wrong = CliRunner().invoke(app, [*words[:-1], "dask", "-o", "new"])
    assert "--engine 'dask' is not known: choose local or spark" in wrong.output
    alone = CliRunner().invoke(app, [*words[:-2], "--master", "local", "-o", "new"])
    assert "--master names a Spark cluster: add --engine spark." in alone.output
    assert sorted(one.name for one in tmp_path.iterdir()) == ["case.toml", "in.parquet", "out", "same"]


def lost_rows(*given):
    write(given[0].limit(700), *given[1:])


def broken_file(*given):
    file = next(given[1].glob("part-*"))
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    file.write_bytes(b"PAR1 and no more" * 9)
    return read_back(*given)


def damaged_pages(*given):
    file = next(given[1].glob("part-*"))
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    content = bytearray(file.read_bytes())
    content[4:400] = bytes(396)
    file.write_bytes(bytes(content))
    return read_back(*given)


def other_header(*given):
    for file in given[1].glob("part-*"):
        file.write_bytes(file.read_bytes().replace(b"age,sex", b"sex,age", 1))
    return read_back(*given)


def open_quote(*given):
    file = next(given[1].glob("part-*"))
    file.write_bytes(file.read_bytes() + b'1,2,3,4,"5\n')
    return read_back(*given)


@pytest.mark.parametrize(
    ("step", "spoiled", "ending", "sentence"),
    every(
        2,
        [
            ("write", lost_rows, ".parquet", "The release has"),
            ("read_back", broken_file, ".parquet", "cannot be read back"),
            ("read_back", damaged_pages, ".parquet", "cannot be read back"),
            ("read_back", other_header, ".csv", r"has the columns \['sex', 'age'"),
            ("read_back", open_quote, ".csv", "cannot be read back"),
        ],
    ),
)
def test_what_fails_leaves_nothing(spark, tmp_path, monkeypatch, step, spoiled, ending, sentence):
    source = written(tmp_path, ending)
    if step == "write":
        monkeypatch.setattr(files, "parts_of", lambda *given, **named: None)
    monkeypatch.setattr(files, step, spoiled)
    with pytest.raises(shoal.VerificationError, match=rf"{sentence}.*Nothing was released"):
        shoal.spark.anonymize_files(source, tmp_path / "out", report=tmp_path / "out.json", **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == [f"in{ending}"]


def test_values_that_were_written_otherwise_are_noticed(spark, tmp_path, monkeypatch):
    source = written(tmp_path, ".csv")

    def spoiled(frame, folder, kind, dialect):
        write(frame, folder, kind, dialect)
        for file in folder.glob("part-*"):
            file.with_name(f".{file.name}.crc").unlink()
            file.write_text(file.read_text().replace("plain", "plane"))

    monkeypatch.setattr(files, "write", spoiled)
    with pytest.raises(shoal.VerificationError, match="The values were not written as they are"):
        shoal.spark.anonymize_files(source, tmp_path / "out", **ASKED)
    assert [one.name for one in tmp_path.iterdir()] == ["in.csv"]
