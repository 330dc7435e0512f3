"""Patterns such as visits-*.csv: several files that are one table."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app
from shoal.engines.scan import Scan
from shoal.errors import InputError

ROLES = {"quasi_identifiers": ["age"], "sensitive": "disease", "model": shoal.KAnonymity(5), "algorithm": "mondrian"}


@pytest.fixture
def visits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three files of visits and another one, to work in."""
    monkeypatch.chdir(tmp_path)
    for month in (3, 1, 2):
        rows = "".join(f"{month}{at % 4},{'flu' if at % 2 else 'cold'}\n" for at in range(20))
        (tmp_path / f"visits-{month}.csv").write_text(f"age,disease\n{rows}")
    (tmp_path / "visitors.csv").write_text("other\n1\n")
    (tmp_path / ".visits-hidden.csv").write_text("other\n1\n")
    return tmp_path


def test_files_are_read_by_name(visits: Path) -> None:
    scan = Scan.of(Path("visits-*.csv"))
    assert [path.name for path in scan.paths] == ["visits-1.csv", "visits-2.csv", "visits-3.csv"]
    ages = [value for batch in scan.batches(["age"]) for value in batch.column(0).to_pylist()]
    assert [ages[0], ages[20], ages[40]] == ["10", "20", "30"]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")  # the rows are few and sorted
def test_a_pattern_is_released_like_a_folder_of_its_files(visits: Path) -> None:
    (visits / "folder").mkdir()
    for path in visits.glob("visits-?.csv"):
        (visits / "folder" / path.name).write_bytes(path.read_bytes())
    by_pattern = shoal.anonymize_files("visits-[123].csv", "pattern.csv", report="pattern.json", **ROLES)
    shoal.anonymize_files("folder", "folder.csv", **ROLES)
    assert (visits / "pattern.csv").read_bytes() == (visits / "folder.csv").read_bytes()
    assert by_pattern.report.rows == 60
    assert '"visits-[123].csv"' in (visits / "pattern.json").read_text()


def test_on_the_command_line(visits: Path) -> None:
    line = ["anonymize", "visits-*.csv", "--quasi", "age", "--sensitive", "disease", "--k", "5", "-o", "safe.csv"]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 0, done.output
    assert (visits / "safe.csv").read_text().count("\n") == 61


def test_no_file_like_it(visits: Path) -> None:
    with pytest.raises(InputError, match=r"^visit-\*\.csv: no file has a name like this"):
        shoal.anonymize_files("visit-*.csv", "safe.csv", **ROLES)
    done = CliRunner().invoke(app, ["anonymize", "visit-*.csv", "--quasi", "age", "--k", "5", "-o", "safe.csv"])
    assert done.exit_code == 2
    assert "no file has a name like this" in done.stderr
    assert not (visits / "safe.csv").exists()


def test_a_name_with_such_characters_is_the_file(visits: Path) -> None:
    (visits / "visits-[1].csv").write_bytes((visits / "visits-2.csv").read_bytes())
    assert Scan.of(Path("visits-[1].csv")).paths == (Path("visits-[1].csv"),)
    assert shoal.read("visits-[1].csv").to_arrow()["age"][0].as_py() == "20"


@pytest.mark.parametrize(
    ("output", "report"), [("visits-safe.csv", None), ("visits-1.csv", None), ("safe.csv", "visits-1.json")]
)
def test_outputs_are_not_the_next_input(visits: Path, output: str, report: str | None) -> None:
    before = (visits / "visits-1.csv").read_bytes()
    with pytest.raises(InputError, match="the next run would read this as input 'visits-\\*"):
        shoal.anonymize_files("visits-*.csv" if report is None else "visits-*", output, report=report, **ROLES)
    assert (visits / "visits-1.csv").read_bytes() == before
    assert not (visits / "visits-safe.csv").exists()


@pytest.mark.parametrize(
    ("pattern", "output"),
    [("*/visits-*.csv", "safe"), ("../*/visits-1.csv", "visits-1.csv"), ("../vis*/*.csv", "new.csv")],
)
def test_outputs_elsewhere_are_not_the_next_input(
    visits: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, output: str
) -> None:
    here = visits / "visits"
    here.mkdir()
    for number in (1, 2):
        (visits / f"visits-{number}.csv").rename(here / f"visits-{number}.csv")
    monkeypatch.chdir(visits if pattern.startswith("*") else here)
    with pytest.raises(InputError, match="the next run would read this as input"):
        shoal.anonymize_files(pattern, output, **ROLES)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")  # the rows are few and sorted
def test_an_output_beside_the_pattern_is_written(visits: Path) -> None:
    shoal.anonymize_files("visits-*.csv", "safe.csv", **ROLES)
    shoal.anonymize_files("visits-*.csv", "visits", **ROLES)
    assert Path("safe.csv").exists()
    assert list(Path("visits").iterdir())


def test_folders_within_folders_are_not_left_out_silently(visits: Path) -> None:
    with pytest.raises(InputError, match=r"\*\* for folders within folders is not read. Write one \* for each level"):
        Scan.of(Path("**/visits-1.csv"))


def test_folders_empty_and_other_files_are_refused(visits: Path) -> None:
    with pytest.raises(InputError, match="its columns are not those of"):
        Scan.of(Path("visit*.csv"))
    (visits / "visits-4.csv").touch()
    with pytest.raises(InputError, match=r"visits-4\.csv: the file is empty"):
        Scan.of(Path("visits-*.csv"))
    (visits / "visits-4.csv").unlink()
    (visits / "visits-4.csv").mkdir()
    with pytest.raises(InputError, match=r"visits-4\.csv: this is a folder, and visits-\*\.csv should stand for files"):
        Scan.of(Path("visits-*.csv"))


def test_a_new_file_is_a_change(visits: Path) -> None:
    scan = Scan.of(Path("visits-*.csv"))
    (visits / "visits-0.csv").write_bytes((visits / "visits-1.csv").read_bytes())
    with pytest.raises(InputError, match="the input changed while it was read"):
        list(scan.batches(["age"]))


def test_functions_that_read_one_table_say_so(visits: Path) -> None:
    with pytest.raises(
        InputError, match=r"visits-\*\.csv: there is no such file\. Several files are read as one table by"
    ):
        shoal.assess("visits-*.csv", quasi_identifiers="age")


SEVERAL = {
    "assess": ["assess", "{}", "--quasi", "age", "--json"],
    "attack": ["attack", "{}", "--original", "{}", "--columns", "age", "--sensitive", "disease", "--json"],
    "review": ["review", "{}", "--original", "{}", "--quasi", "age", "--json"],
}


def said(command: str, place: str) -> tuple[int, str]:
    """Run a command on a table; return its exit code and what it said."""
    done = CliRunner().invoke(app, [word.format(place) for word in SEVERAL[command]])
    return done.exit_code, done.output


@pytest.mark.parametrize("command", SEVERAL)
def test_commands_that_look_at_a_table_read_several_files(visits: Path, command: str) -> None:
    parts = [(visits / f"visits-{month}.csv").read_text().partition("\n")[2] for month in (1, 2, 3)]
    (visits / "all.csv").write_text("age,disease\n" + "".join(parts))
    found, whole = said(command, "visits-*.csv"), said(command, "all.csv")
    assert found[1].replace("visits-*.csv", "all.csv") == whole[1]
    assert found[0] == whole[0]


@pytest.mark.parametrize("command", SEVERAL)
@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("visit*.csv", "visits-1.csv: its columns are not those of visitors.csv. Make all files alike."),
        ("visit-*.csv", "visit-*.csv: no file has a name like this."),
        ("**/visits-1.csv", "** for folders within folders is not read."),
    ],
)
def test_files_that_are_no_table_are_refused_by_name(visits: Path, command: str, pattern: str, sentence: str) -> None:
    code, output = said(command, pattern)
    assert code == 2
    assert sentence in " ".join(output.split())


@pytest.mark.parametrize("command", SEVERAL)
def test_a_file_of_exactly_that_name_is_taken(visits: Path, command: str) -> None:
    for name in ("visits-[1].csv", "visits-*.csv"):
        alone = said(command, "visits-2.csv")
        (visits / name).write_bytes((visits / "visits-2.csv").read_bytes())
        assert said(command, name)[1].replace(name, "visits-2.csv") == alone[1]
        (visits / name).unlink()


def test_a_copy_beside_its_file_is_refused(visits: Path) -> None:
    (visits / "visits-4.csv").write_bytes((visits / "visits-2.csv").read_bytes())
    with pytest.raises(InputError, match=r"visits-4\.csv looks like a copy of visits-2\.csv: each of its rows"):
        Scan.of(Path("visits-*.csv"))
    assert len(Scan.of(Path("visits-[123].csv")).paths) == 3


def test_a_file_beside_its_compressed_one_is_refused(visits: Path) -> None:
    (visits / "visits-1.csv.gz").write_bytes(gzip.compress((visits / "visits-1.csv").read_bytes()))
    with pytest.raises(InputError, match=r"visits-1\.csv\.gz looks like a copy of visits-1\.csv"):
        Scan.of(Path("visits-1.csv*"))
