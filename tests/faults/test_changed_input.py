"""Inputs that change while they are read: an error that says so, or a release of one consistent state."""

from __future__ import annotations

import os

import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
from faults.writers import rows, table

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ASKED = {
    "quasi_identifiers": ["age", "sex", "zip"],
    "sensitive": "disease",
    "identifying": "name",
    "model": shoal.KAnonymity(5),
    "algorithm": "mondrian",
}
STATES = {"first": table(), "other": table(shift=3), "longer": table() + rows(40, 5)}
SENTENCE = "the input changed while it was read. Run again when nobody writes to it."


def write(path, state):
    """Write a state of the table in the format of the file's suffix."""
    if path.suffix == ".csv":
        path.write_text(STATES[state])
    else:
        pq.write_table(pyarrow.csv.read_csv(pyarrow.BufferReader(STATES[state].encode())), path)
    os.utime(path, ns=(10**18, 10**18 + list(STATES).index(state)))  # so that no change is too quick to be seen


def change(path, how):
    """Change a file as other programs do."""
    if how == "replaced":
        write(path.with_name("new" + path.suffix), "other")
        path.with_name("new" + path.suffix).replace(path)
    elif how == "rewritten":
        write(path, "other")
    elif how == "cut":
        os.truncate(path, path.stat().st_size // 2)
    else:
        with path.open("a") as file:
            file.write(rows(40, 5) if path.suffix == ".csv" else "more")


def release(source, target, *, memory):
    """Make a release in memory or part by part."""
    if memory:
        shoal.anonymize_files(source, target, report=target.with_suffix(".json"), **ASKED)
    else:
        shoal.anonymize(source, **ASKED).save(target, report=target.with_suffix(".json"))


def refused(source, target, *, memory):
    """Return the message if no release is made."""
    try:
        release(source, target, memory=memory)
    except shoal.InputError as error:
        return str(error)
    return None


class Changes:
    """Changes a file after a given number of calls of the functions that read it."""

    def __init__(self, monkeypatch, path, how, at):
        self.path, self.how, self.at, self.calls = path, how, at, 0
        for module, name in (
            ("shoal.io.csv", "csv_header"),
            ("shoal.io.csv", "has_quotes"),
            ("shoal.io.csv", "_whole_rows"),
            ("shoal.engines.scan", "csv_header"),
            ("shoal.engines.scan", "stream_csv"),
            ("shoal.engines.scan", "_widths"),
            ("shoal.engines.scan", "_header"),
            ("shoal.io.files", "read_parquet"),
            ("shoal.io.files", "checksum"),
        ):
            function = getattr(__import__(module, fromlist=[name]), name)
            monkeypatch.setattr(f"{module}.{name}", self.counted(function))

    def counted(self, function):
        def call(path, *args, **options):
            self.step(path)
            found = function(path, *args, **options)
            self.step(path)
            return found

        return call

    def step(self, path):
        if path == self.path:
            self.calls += 1
            if self.calls == self.at:
                change(self.path, self.how)


@pytest.mark.parametrize("memory", [False, True], ids=["whole", "part by part"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("how", ["replaced", "rewritten", "cut", "grown"])
def test_an_input_that_changes_at_any_step_of_reading_gives_no_mixture(tmp_path, monkeypatch, how, ending, memory):
    source, target = tmp_path / f"in{ending}", tmp_path / f"safe{ending}"
    wanted = {}
    for state in STATES:
        write(source, state)
        release(source, target, memory=memory)
        wanted[target.read_bytes()] = state
    refusals = 0
    for at in range(1, 100):
        write(source, "first")
        target.write_text("old")
        with monkeypatch.context() as patched:
            changes = Changes(patched, source, how, at)
            refusal = refused(source, target, memory=memory)
        if refusal is not None:
            assert "the input changed while it was read" in refusal
            assert target.read_text() == "old"
            refusals += 1
        else:
            assert target.read_bytes() in wanted
            if changes.calls < at:
                assert wanted[target.read_bytes()] == "first"
                break
        assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
    assert refusals >= 2


def test_a_file_that_joins_the_folder_is_noticed(tmp_path):
    (tmp_path / "in").mkdir()
    write(tmp_path / "in" / "a.csv", "first")

    def progress(stage, share):
        if stage == "mondrian" and not (tmp_path / "in" / "b.csv").exists():
            write(tmp_path / "in" / "b.csv", "other")

    with pytest.raises(shoal.InputError) as error:
        shoal.anonymize_files(tmp_path / "in", tmp_path / "safe", progress=progress, **ASKED)
    assert str(error.value) == f"{tmp_path / 'in'}: {SENTENCE}"
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
