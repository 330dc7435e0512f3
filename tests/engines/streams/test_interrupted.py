"""Runs over files that are killed or interrupted: the old output or the new one, never half of one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from depth import every
from streams.test_anonymize_files import ASKED, K, adult, written

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RUN = """
import os, signal, sys
sys.path[:0] = {folders!r}
import warnings; warnings.simplefilter("ignore")
import shoal
from streams.test_anonymize_files import ASKED, K

def progress(stage, share):
    if stage.startswith({stage!r}):
        os.kill(os.getpid(), signal.{signal})

shoal.anonymize_files("in.csv", "out", model=K, algorithm="mondrian", progress=progress, report="out.json", **ASKED)
"""


@pytest.mark.parametrize(
    ("stage", "sent"),
    every(
        2,
        [
            *(("reading", "SIGINT"), ("reading", "SIGKILL")),
            *(("mondrian", "SIGKILL"), ("mondrian", "SIGINT")),
            *(("writing", "SIGINT"), ("writing", "SIGKILL")),
            *(("verifying", "SIGKILL"), ("verifying", "SIGINT")),
        ],
    ),
)
def test_nothing_is_left_half_done(tmp_path, monkeypatch, stage, sent):
    monkeypatch.chdir(tmp_path)
    written(adult(800), tmp_path / "in.csv")
    folders = [str(folder) for folder in Path(__file__).parents[1:3]]
    code = RUN.format(folders=folders, stage=stage, signal=sent)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == -getattr(signal, sent), ended.stderr[-500:]
    left = sorted(path.name for path in tmp_path.iterdir())
    if sent == "SIGINT":
        assert left == ["in.csv"]
    else:
        assert [name for name in left if not name.startswith(".out.shoal-")] == ["in.csv"]
        assert len(left) == 2
    shoal.anonymize_files("in.csv", "out", model=K, algorithm="mondrian", report="out.json", **ASKED)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out", "out.json"]


def test_a_full_disk_leaves_the_old_release(tmp_path, monkeypatch):
    from shoal.engines.streams import sink

    written(adult(800), tmp_path / "in.csv")
    (tmp_path / "out.csv").write_text("old")

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sink._CsvFile, "close", full)
    with pytest.raises((OSError, shoal.InputError), match="No space left"):
        shoal.anonymize_files(tmp_path / "in.csv", tmp_path / "out.csv", model=K, algorithm="mondrian", **ASKED)
    assert (tmp_path / "out.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]
