"""The same input and seed give the same bytes here as where they were recorded."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import same_bytes


def test_what_is_written_has_the_recorded_checksums():
    assert same_bytes.differences() == []


def test_another_result_would_be_told(monkeypatch, tmp_path):
    recorded = json.loads(same_bytes.RECORD.read_text("utf-8"))
    altered = tmp_path / "altered.json"
    altered.write_text(json.dumps(recorded | {"in parts": "0" * 64, "more": "0" * 64}))
    monkeypatch.setattr(same_bytes, "RECORD", altered)
    monkeypatch.setattr(same_bytes, "digests", lambda: recorded)
    assert same_bytes.differences() == ["in parts", "more"]


@pytest.mark.deep("computes every checksum in a second process")
def test_neither_threads_nor_the_order_of_hashes_nor_the_language_change_them(tmp_path):
    """Another process with one thread, other hashes of texts and another locale, in another time zone."""
    elsewhere = os.environ | {
        "PYTHONHASHSEED": "4711",
        "NUMBA_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "ARROW_USER_SIMD_LEVEL": "NONE",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "TZ": "Pacific/Kiritimati",
    }
    run = subprocess.run(
        [sys.executable, same_bytes.__file__], env=elsewhere, cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "as recorded" in run.stdout
