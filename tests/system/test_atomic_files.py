"""Temporary files: beside what a link leads to, with names that do not depend on the spelling of a target."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

import shoal
from shoal.system import atomic_files, temporary_files

OTHER = Path("/dev/shm")
TABLE = "age,sex\n" + "".join(f"{30 + row % 5},{'fm'[row % 2]}\n" for row in range(40))
ASKED = {"quasi_identifiers": ["age", "sex"], "model": shoal.KAnonymity(2)}


@pytest.fixture
def elsewhere(tmp_path):
    """A folder in another file system."""
    if not OTHER.is_dir() or OTHER.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second file system")
    import tempfile

    with tempfile.TemporaryDirectory(dir=OTHER) as folder:
        yield Path(folder)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("old", [True, False])
def test_a_link_to_another_file_system_stays_a_link(tmp_path, elsewhere, old):
    (tmp_path / "in.csv").write_text(TABLE)
    for name in ("safe.csv", "safe.parquet", "report.json"):
        if old:
            (elsewhere / name).write_text("old\n")
        (tmp_path / name).symlink_to(elsewhere / name)
    (elsewhere / "parts").mkdir()
    (tmp_path / "parts").symlink_to(elsewhere / "parts")
    for name in ("safe.csv", "safe.parquet", "parts"):
        shoal.anonymize_files(tmp_path / "in.csv", tmp_path / name, **ASKED)
    shoal.anonymize(tmp_path / "in.csv", **ASKED).save(tmp_path / "safe.csv", report=tmp_path / "report.json")
    assert (elsewhere / "safe.csv").read_text().startswith("age,sex\n")
    assert (elsewhere / "report.json").read_text().startswith("{")
    assert shoal.read(elsewhere / "safe.parquet").columns == ["age", "sex"]
    assert [path.name for path in (elsewhere / "parts").iterdir()] == ["part-00000.csv"]
    assert all((tmp_path / name).is_symlink() for name in ("safe.csv", "safe.parquet", "report.json", "parts"))
    left = [path.name for folder in (tmp_path, elsewhere) for path in folder.iterdir() if path.name.startswith(".")]
    assert left == []


def test_a_temporary_file_stays_however_its_target_is_spelled(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file.csv").symlink_to(tmp_path / "real" / "x.csv")
    monkeypatch.chdir(tmp_path / "real")
    spellings = [
        Path("x.csv"),
        Path("../real/x.csv"),
        tmp_path / "link" / "x.csv",
        tmp_path / "real" / "x.csv",
        tmp_path / "link" / ".." / "real" / "x.csv",
        tmp_path / "file.csv",
    ]
    for one in spellings:
        with temporary_files.beside(one) as own:
            own.write_text("in use")
            for other in spellings:
                temporary_files.remove_leftovers(other)
                assert own.exists(), (one, other)
            monkeypatch.chdir(tmp_path)
        assert list((tmp_path / "real").iterdir()) == []
        monkeypatch.chdir(tmp_path / "real")


def test_the_mask_of_the_process_is_left_alone(tmp_path, monkeypatch):
    """Let another thread create files meanwhile, whose permissions a temporary umask would change."""
    calls = []
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", lambda mask: calls.append(mask) or 0o027)
        (tmp_path / "made").mkdir(mode=0o700)
        (tmp_path / "old.txt").write_text("old")
        (tmp_path / "old.txt").chmod(0o604)
        writers = {
            tmp_path / name: lambda file: atomic_files.write_text("new", file) for name in ("new.txt", "old.txt")
        }
        thread = threading.Thread(
            target=atomic_files.replace_whole,
            args=(writers,),
            kwargs={"made": {tmp_path / "folder": tmp_path / "made"}},
        )
        thread.start()
        thread.join()
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert calls == []
    rights = {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in tmp_path.iterdir()}
    assert rights == {"new.txt": "0o640", "old.txt": "0o604", "folder": "0o750"}


def test_what_is_written_can_be_read_by_nobody_else_before_it_has_its_name(tmp_path):
    modes = []

    def write(file):
        modes.append(stat.S_IMODE(file.stat().st_mode))
        file.write_text("x")

    atomic_files.replace_whole({tmp_path / "x.txt": write})
    assert modes == [0o600]
