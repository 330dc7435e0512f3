"""`-` for standard input and output: a release alone on standard output, or nothing at all."""

from __future__ import annotations

import gzip
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from shoal.system import temporary_files

ROLES = "--quasi age,zip --sensitive disease --identifying name,sex --algorithm mondrian --k 3"


@pytest.fixture
def shell(folder):
    """Run a command line as a process, with bytes on its standard input."""

    def start(line: str, content: bytes = b"", **settings: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "shoal", *line.split()]
        return subprocess.run(command, input=content, capture_output=True, cwd=folder, env=os.environ | settings)

    return start


def leftovers() -> list[Path]:
    """Return the private files that are still there."""
    marks = [temporary_files._mark(Path(tempfile.gettempdir(), name)) for name in ("standard-input", "standard-output")]
    return [path for mark in marks for path in Path(tempfile.gettempdir()).glob(f"{mark}*")]


def test_a_table_goes_through_a_pipe(folder, shell) -> None:
    content = (folder / "patients.csv").read_bytes()
    shell(f"anonymize patients.csv {ROLES} -o safe.csv")
    expected = (folder / "safe.csv").read_bytes()
    assert expected.count(b"\n") == 7
    done = shell(f"anonymize - {ROLES} -o -", content)
    assert (done.returncode, done.stdout) == (0, expected)
    said = done.stderr.decode()
    assert "at least" in said or "classes" in said
    assert "standard-output.csv" in said
    assert tempfile.gettempdir() not in said
    assert leftovers() == []


@pytest.mark.parametrize("more", ["--json", "--quiet", "--memory 2GB"])
def test_nothing_else_is_on_standard_output(folder, shell, more: str) -> None:
    done = shell(f"anonymize - {ROLES} {more} -o -", (folder / "patients.csv").read_bytes())
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "age,zip,disease"
    assert len(lines) == 7
    assert (b'"report"' in done.stderr or b'"k": 3' in done.stderr) == (more == "--json")


def test_reports_name_the_streams_and_no_folder(folder, shell) -> None:
    content = (folder / "patients.csv").read_bytes()
    for more in ("", "--memory 2GB "):
        done = shell(f"anonymize - {ROLES} {more}-o - --report safe.json --report safe.html", content)
        assert done.returncode == 0
        for report in ("safe.json", "safe.html"):
            text = (folder / report).read_text()
            assert tempfile.gettempdir() + os.sep + "." not in text
            assert ".shoal-" not in text
        assert "standard-input.csv" in (folder / "safe.json").read_text()


@pytest.mark.parametrize(
    ("more", "code", "sentence"),
    [
        ("--k 7", 3, "shoal: "),
        ("--k 3 --quasi nothing", 2, "there is no column"),
        ("--k 3 --report nowhere/safe.html", 2, "there is no folder 'nowhere'"),
    ],
)
def test_a_failed_release_writes_nothing(folder, shell, more: str, code: int, sentence: str) -> None:
    line = f"anonymize - --quasi age,zip --identifying name,sex --sensitive disease {more} -o -"
    done = shell(line, (folder / "patients.csv").read_bytes())
    assert (done.returncode, done.stdout) == (code, b"")
    assert sentence.lower() in done.stderr.decode().lower()
    assert leftovers() == []


def test_a_stopped_review_writes_nothing(folder, shell) -> None:
    done = shell("anonymize - --quasi age,zip --k 3 -o -", (folder / "patients.csv").read_bytes())
    assert (done.returncode, done.stdout) == (1, b"")


def test_a_release_that_fails_its_check_writes_nothing(folder, monkeypatch) -> None:
    from typer.testing import CliRunner

    from shoal.cli.app import app
    from shoal.io import files

    write = files.write

    def wrong(table, file, kind, dialect) -> None:  # one row fewer than was promised
        write(table.slice(1), file, kind, dialect)

    monkeypatch.setattr(files, "write", wrong)
    done = CliRunner().invoke(app, [*f"anonymize patients.csv {ROLES}".split(), "-o", "-"])
    assert (done.exit_code, done.stdout) == (4, "")


def test_mistakes_in_the_input_name_no_temporary_file(shell) -> None:
    done = shell(f"anonymize - {ROLES} -o -", b"age,zip\n1\n")
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "shoal: standard input, line 2: the row has 1 field, the header 2. Fix the row, or name the separator if "
        "it is not ','.\n"
    )


def test_empty_input_is_refused(shell) -> None:
    done = shell("assess - --quasi age")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "standard input: the file is empty" in done.stderr.decode()


def test_compressed_and_parquet_input_is_recognized(folder, shell) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    import shoal

    content = (folder / "patients.csv").read_bytes()
    pq.write_table(shoal.read(folder / "patients.csv").to_arrow(), folder / "t.parquet")
    for packed in (
        gzip.compress(content),
        pa.compress(content, "zstd", asbytes=True),
        (folder / "t.parquet").read_bytes(),
    ):
        done = shell(f"anonymize - {ROLES} -o -", packed)
        assert (done.returncode, done.stdout.count(b"\n")) == (0, 7), done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "assess - --quasi age,zip",
        "review - --quasi age,zip --keep name,sex,disease",
        "attack patients.csv --original - --columns age,zip --sensitive disease --sample 0.5",
        "metrics patients.csv - --quasi age,sex --measure discernibility",
        "intersect - patients.csv --quasi age --sensitive disease --same-rows",
        "hierarchy build intervals:5 --data - --column age -o age.txt",
        "compare - --quasi age --algorithms mondrian --k 2 -o compared",
    ],
)
def test_commands_read_standard_input_like_the_file(folder, shell, line: str) -> None:
    content = (folder / "patients.csv").read_bytes()
    piped, named = shell(line, content), shell(line.replace(" - ", " patients.csv ").replace("compared", "other"))
    assert piped.returncode == named.returncode
    assert b"Traceback" not in piped.stderr
    assert piped.returncode in (0, 1), piped.stderr
    if "compare" not in line:
        same = piped.stdout.replace(b"standard-input.csv", b"patients.csv")
        assert same.split() == named.stdout.split()
    assert leftovers() == []


def test_standard_input_without_a_table_is_named_so(shell) -> None:
    done = shell("assess - --quasi age", b"")
    said = b"shoal: standard input: the file is empty: it has neither names of columns nor rows.\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_standard_input_is_read_once(shell) -> None:
    done = shell("metrics - - --quasi age")
    assert done.returncode == 2
    assert "which can be read once only" in " ".join(done.stderr.decode().replace("│", " ").split())


def test_a_configuration_cannot_name_standard_input(shell) -> None:
    done = shell("init -")
    assert done.returncode == 2
    assert "save it to a file first" in " ".join(done.stderr.decode().replace("│", " ").split())


def test_a_dash_is_still_a_separator(folder, shell) -> None:
    (folder / "dashes.csv").write_text((folder / "patients.csv").read_text().replace(",", "-"))
    assert shell(f"anonymize dashes.csv {ROLES} --separator - -o safe.csv").returncode == 0


def test_the_next_delivery_goes_through_a_pipe(folder, shell) -> None:
    content = (folder / "patients.csv").read_bytes()
    assert shell(f"anonymize patients.csv {ROLES} -o safe.csv --report safe.json").returncode == 0
    assert shell("apply safe.json patients.csv -o next.csv").returncode == 0
    done = shell("apply safe.json - -o -", content)
    assert (done.returncode, done.stdout) == (0, (folder / "next.csv").read_bytes()), done.stderr


@pytest.mark.parametrize(
    ("line", "closed", "sentence"),
    [
        (f"anonymize - {ROLES} -o safe.csv", "<&-", "standard input, which is closed"),
        (f"anonymize patients.csv {ROLES} -o -", ">&-", "standard output, which is closed"),
    ],
)
def test_a_closed_stream_is_refused(folder, line: str, closed: str, sentence: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m shoal {line} {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=folder, stderr=subprocess.PIPE, check=False)
    said = " ".join(done.stderr.decode().replace("│", " ").split())
    assert done.returncode == 2
    assert sentence in said
    assert not (folder / "safe.csv").exists()
    assert leftovers() == []


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-"])
def test_a_command_works_and_keeps_its_exit_code_if_nobody_listens(folder, closed: str) -> None:
    for line, code in ((f"anonymize patients.csv {ROLES} -o safe.csv", 0), ("assess patients.csv --quasi nothing", 2)):
        command = f"{shlex.quote(sys.executable)} -m shoal {line} {closed}"
        assert subprocess.run(["sh", "-c", command], cwd=folder, check=False).returncode == code
    assert (folder / "safe.csv").exists()
