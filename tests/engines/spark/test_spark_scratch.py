"""Spark's scratch files hold raw values: nobody else can read them, and none is left behind."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import stat
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

import shoal
from shoal.engines.spark import scratch

OF_SPARK = ("spark", "blockmgr", "artifacts", "pyspark", "tmp", "executor", "liblz4", "hsperf")


def table(folder: Path, marker: str) -> None:
    """Write a file of two parts with a marker in a column that Spark shuffles."""
    lines = [f"{marker}{at % 97:03},{at % 50},{'x' * 3000}" for at in range(4000)]
    (folder / "in.csv").write_text("\n".join(["name,age,note", *lines, ""]))


def started(folder: Path, **places: str) -> subprocess.Popen:
    words = ["anonymize", "in.csv", "--quasi", "name,age", "--k", "2", "--engine", "spark", "--master", "local[2]"]
    more = ["--algorithm", "mondrian", "-o", "safe"]
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_LOCAL_DIRS"} | places
    environment["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # short jobs start sooner
    command = [sys.executable, "-m", "shoal", *words, *more]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=-1, stderr=-1, text=True)


def files_in(place: Path) -> list[Path]:
    return [Path(folder) / name for folder, _, names in os.walk(place) for name in names]


def holds(path: Path, marker: str) -> bool:
    try:
        return marker.encode() in path.read_bytes()
    except OSError:  # it is gone
        return False


def is_private(path: Path, top: Path) -> bool:
    """Tell whether a folder on the path to a file is closed to other users."""
    for folder in path.parents:
        if folder == top:
            return False
        try:
            if stat.S_IMODE(folder.stat().st_mode) == 0o700:
                return True
        except OSError:
            return True  # it is gone
    return False


def new_in_tmp(before: set[str]) -> list[Path]:
    names = set(os.listdir("/tmp")) - before
    return [Path("/tmp") / name for name in names if name.lstrip(".").startswith(OF_SPARK)]


@pytest.mark.deep("starts Spark in two processes of their own, for half a minute")
@pytest.mark.parametrize("variable", ["TMPDIR", "SPARK_LOCAL_DIRS"])
def test_nobody_else_reads_the_scratch_files_of_a_run(has_spark, tmp_path, variable):
    marker, before = f"marker{secrets.token_hex(6)}", set(os.listdir("/tmp"))
    place, work = tmp_path / "place of scratch", tmp_path / "work"
    place.mkdir(mode=0o755)
    work.mkdir(mode=0o755)
    table(work, marker)
    run, seen, bare = started(work, **{variable: str(place)}), set(), set()
    while run.poll() is None:
        for path in [one for top in (place, work) for one in files_in(top)]:
            if path != work / "in.csv" and not path.is_relative_to(work / "safe") and holds(path, marker):
                (seen if is_private(path, tmp_path) else bare).add(path)
        bare |= {path for one in new_in_tmp(before) for path in files_in(one) if holds(path, marker)}
        time.sleep(0.1)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 0, errors
    assert "Traceback" not in errors
    assert [path for path in seen if path.is_relative_to(place)], "no scratch file was seen"
    assert not bare
    assert list(place.iterdir()) == []
    assert sorted(one.name for one in work.iterdir()) == ["in.csv", "safe"]


def wait_for_scratch(place: Path, run: subprocess.Popen) -> None:
    while not any("blockmgr" in folder for folder, _, _ in os.walk(place)):
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)


def test_ctrl_c_and_a_kill_leave_nothing(has_spark, tmp_path):
    table(tmp_path, "marker")
    place = tmp_path / "scratch"
    place.mkdir()
    run = started(tmp_path, TMPDIR=str(place))
    wait_for_scratch(place, run)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=120)
    assert run.returncode == 130
    assert list(place.iterdir()) == []

    killed = started(tmp_path, TMPDIR=str(place))
    wait_for_scratch(place, killed)
    killed.kill()
    killed.communicate(timeout=120)
    left = {one.name for one in place.iterdir()}
    assert all(stat.S_IMODE(one.stat().st_mode) == 0o700 for one in place.iterdir())
    assert left, "Java alone does not remove the folder"
    code = "import shoal.engines.spark.scratch as s; print(s._folders()[0].name)"
    again = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"TMPDIR": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout.strip() not in left
    assert list(place.iterdir()) == []


def test_a_place_that_cannot_be_written_to(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path / "nowhere"))
    monkeypatch.setattr(scratch, "_made", {})
    with pytest.raises(shoal.InputError, match=r"nowhere: the scratch files .* folder in SPARK_LOCAL_DIRS"):
        scratch._folders()


def test_java_that_is_starting_ends_with_an_interrupt(monkeypatch):
    gateway = pytest.importorskip("pyspark.java_gateway")
    monkeypatch.setattr(scratch.atexit, "register", lambda *_: None)
    before, context = gateway.Popen, SimpleNamespace(_gateway=None, _active_spark_context=None)
    for known in (False, True):
        with suppress(KeyboardInterrupt), scratch.scratch(context):
            java = gateway.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            context._gateway = SimpleNamespace(proc=java) if known else None
            raise KeyboardInterrupt
        assert gateway.Popen is before
        assert (java.poll() is None) == known
    java.kill()
    java.wait()


def test_the_end_is_silent_where_java_is_gone(monkeypatch, capfd):
    py4j = pytest.importorskip("py4j.protocol")
    logger, told = logging.getLogger("py4j"), []
    monkeypatch.setattr(scratch, "_open_folders", ExitStack())

    def stop():
        told.append("stop")
        logging.getLogger("py4j.clientserver").warning("Java is gone")
        raise py4j.Py4JNetworkError("Java is gone")

    level = logger.level
    try:
        for lives in (True, False):
            java = subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1, stderr=subprocess.DEVNULL)
            if not lives:
                java.kill()
                java.wait()
            context = SimpleNamespace(
                _gateway=SimpleNamespace(proc=java), _active_spark_context=SimpleNamespace(stop=stop)
            )
            scratch._end(context, os.getpid())
            assert java.poll() is not None
    finally:
        logger.setLevel(level)
    assert told == ["stop"]
    assert "Java is gone" not in "".join(capfd.readouterr())
