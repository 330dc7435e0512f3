"""The benchmark with many different values runs, on tables small enough to take seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIZES = ("few", "salaries", "rows", "different", "wide", "checked")
SMALL = [*(f"--{name}=60" for name in SIZES), "--columns=3"]


@pytest.mark.deep("a benchmark is no part of the product")
def test_the_benchmark_tells_time_and_memory_of_each_case():
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "wide_sensitive.py"), *SMALL, "--only", "few"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert "60 rows, k = 5" in done.stdout
    assert "salary sensitive, all different" in done.stdout
