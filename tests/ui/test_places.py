"""Private folders, names of uploads, and the paths that may be opened."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from shoal import InputError
from shoal.ui.state import places
from shoal.ui.state.jobs import read_hierarchy
from shoal.ui.state.places import allowed_path, private_folder, upload_name


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """An empty folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_folder_is_private_and_gone_afterwards(temporary):
    before = os.environ.get("TMPDIR")
    with private_folder() as folder:
        assert folder.parent == temporary
        assert folder.name.startswith("shoal-ui-")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert tempfile.gettempdir() == os.environ["TMPDIR"] == os.environ["NICEGUI_STORAGE_PATH"] == str(folder)
        (folder / "visitor-1").mkdir()
        (folder / "visitor-1" / "data.csv").write_text("secret")
    assert list(temporary.iterdir()) == []
    assert (tempfile.gettempdir(), os.environ.get("TMPDIR")) == (str(temporary), before)


def test_the_folder_goes_with_an_error_too(temporary):
    with pytest.raises(KeyboardInterrupt), private_folder():
        raise KeyboardInterrupt
    assert list(temporary.iterdir()) == []


def test_a_folder_that_cannot_be_deleted_is_told(temporary, monkeypatch):
    monkeypatch.setattr(places.shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(InputError, match="this folder could not be deleted"), private_folder():
        pass


def test_leftovers_of_the_dead_go_and_those_of_the_living_stay(temporary):
    code = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from shoal.ui.state.places import private_folder\n"
        "with private_folder() as folder:\n"
        "    print(folder, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(temporary)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        theirs = Path(other.stdout.readline().strip())
        with private_folder():
            assert theirs.is_dir()
        other.kill()
        other.wait()
    assert theirs.is_dir()
    with private_folder():
        assert not theirs.exists()


def test_a_folder_without_a_lock_is_left_alone_while_it_is_new(temporary):
    new, old, other = temporary / "shoal-ui-new", temporary / "shoal-ui-old", temporary / "other"
    for folder in (new, old, other):
        folder.mkdir()
    os.utime(old, (time.time() - 3600,) * 2)
    os.utime(other, (time.time() - 3600,) * 2)
    with private_folder():
        assert (new.exists(), old.exists(), other.exists()) == (True, False, True)


def test_links_and_folders_of_other_people_are_not_followed(temporary, monkeypatch):
    precious = temporary / "precious"
    precious.mkdir()
    os.utime(precious, (0, 0))
    (temporary / "shoal-ui-link").symlink_to(precious)
    with private_folder():
        assert precious.is_dir()
    theirs = temporary / "shoal-ui-theirs"
    theirs.mkdir()
    os.utime(theirs, (0, 0))
    monkeypatch.setattr(places, "_is_mine", lambda folder: False)
    with private_folder():
        assert theirs.is_dir()


def test_where_there_is_no_flock_an_open_file_is_the_sign_of_life(temporary, monkeypatch):
    monkeypatch.setattr(places, "fcntl", None)
    dead, alive = temporary / "shoal-ui-dead", temporary / "shoal-ui-alive"
    for folder in (dead, alive):
        folder.mkdir()
        (folder / "lock").touch()
    unlink = Path.unlink

    def as_windows_does(path, *args, **options):
        if path.parent == alive:
            raise PermissionError(13, "in use")
        unlink(path, *args, **options)

    monkeypatch.setattr(Path, "unlink", as_windows_does)
    with private_folder() as folder:
        assert (folder / "lock").exists()
        assert (dead.exists(), alive.exists()) == (False, True)


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("patients.csv", "patients.csv"),
        ("Übersicht für 患者.csv", "Übersicht für 患者.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\system.ini", "system.ini"),
        ("/etc/shadow", "shadow"),
        ("C:evil.csv", "C_evil.csv"),
        ("file.csv:stream", "file.csv_stream"),
        ("..", "upload"),
        ("....csv", "csv"),
        (".bashrc", "bashrc"),
        (" . .x.csv . ", "x.csv"),
        ("a\x00b\n\x1b[31m.csv", "ab[31m.csv"),
        ("exe\u202evsc.csv", "exevsc.csv"),
        ("\ud800.csv", "csv"),
        ("", "upload"),
        ("/", "upload"),
        ("CON", "_CON"),
        ("nul.tar.gz", "_nul.tar.gz"),
        ("com1.csv", "_com1.csv"),
        ("LPT9 .txt", "_LPT9.txt"),
        ("console.csv", "console.csv"),
        ("e\u0301.csv", "é.csv"),
    ],
)
def test_names_of_uploads(given, safe):
    assert upload_name(given) == safe


@pytest.mark.parametrize("letter", ["x", "é", "患", "𝒳"])
def test_long_names_keep_their_ending(letter, tmp_path):
    name = upload_name(letter * 400 + ".parquet")
    assert name.endswith(".parquet")
    assert len(name) <= 150
    (tmp_path / name).write_text("fits into a file system")
    assert len(upload_name("x." + "y" * 400)) <= 150


@pytest.fixture
def home(tmp_path):
    """A folder to open tables from, with a secret beside it and a link to that."""
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "a.csv").touch()
    (tmp_path / "secret.csv").touch()
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "inner").symlink_to(tmp_path)
    return folder


def test_on_this_machine_alone_everything_may_be_opened(home):
    assert allowed_path(" a.csv ", folder=home, anywhere=True) == str(home / "a.csv")
    assert allowed_path("../secret.csv", folder=home, anywhere=True) == str(home.parent / "secret.csv")
    assert allowed_path("~/x.csv", folder=home, anywhere=True) == str(Path.home().resolve() / "x.csv")
    for address in ("sqlite:///clinic.db#patients", "postgresql://me@host/db#t"):
        assert allowed_path(address, folder=home, anywhere=True) == address


def test_for_other_machines_only_the_folder_may_be_opened(home):
    assert allowed_path("a.csv", folder=home, anywhere=False) == str(home / "a.csv")
    assert allowed_path(str(home / "a.csv"), folder=home, anywhere=False) == str(home / "a.csv")
    outside = ["../secret.csv", str(home.parent / "secret.csv"), "link.csv", "inner/secret.csv", "/etc/passwd"]
    for path in [*outside, "a/../../secret.csv", f"{home}-other/x.csv"]:
        with pytest.raises(InputError, match=r"only files in .* can be opened here"):
            allowed_path(path, folder=home, anywhere=False)
    assert allowed_path("~/x.csv", folder=home, anywhere=False) == str(home / "~" / "x.csv")


@pytest.mark.parametrize(
    "address", ["sqlite:////etc/x.db#t", "POSTGRESQL://me@host/db", " duckdb:///x.duckdb#t", "x+y://"]
)
def test_for_other_machines_no_database_is_opened(home, address):
    with pytest.raises(InputError, match="Databases can be opened only if the page is for this machine only"):
        allowed_path(address, folder=home, anywhere=False)


@pytest.mark.parametrize("text", ["", "  ", "a\0b"])
def test_what_is_no_path_is_refused(home, text):
    with pytest.raises(InputError, match="is not a path: type one such as"):
        allowed_path(text, folder=home, anywhere=True)


def test_an_upload_is_read_where_the_working_folder_was_removed(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    (tmp_path / "towns.txt").write_text("*\n\tUlm\n\tBonn\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert read_hierarchy(tmp_path / "towns.txt", progress=lambda stage, share: None).leaves == ("Ulm", "Bonn")
