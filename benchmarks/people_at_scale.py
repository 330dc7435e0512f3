"""Ten million visits of a million people, released by the command line within 2 GB: seconds, peak memory, and a check.

The people are those of Adult, resampled; each has a Poisson number of visits, in months that vary. Whether every class
has rows of k different people is counted anew: `visit`, a column without a role, says which visit each released row is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from notes import note

import shoal

STATIC = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
STEP = 100_000  # people written at a time


def write_visits(path: Path, *, people: int, mean: float, checked: bool) -> int:
    """Write the visits, sorted by person; return how many there are."""
    adult, random, rows = shoal.datasets.adult(), np.random.default_rng(1), 0
    writer = None
    for first in range(0, people, STEP):
        picked = random.integers(0, adult.num_rows, min(STEP, people - first))
        whose = np.repeat(np.arange(picked.size), random.poisson(mean, picked.size))
        columns = {"person": pa.array([f"P{first + number:07d}" for number in whose.tolist()])}
        columns |= {name: adult[name].take(pa.array(picked[whose])) for name in STATIC}
        columns["month"] = pa.array(random.integers(1, 25, whose.size))
        columns["occupation"] = adult["occupation"].take(pa.array(picked[whose]))
        if checked:
            columns["visit"] = pa.array(rows + np.arange(whose.size))
        table, rows = pa.table(columns), rows + whose.size
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return rows


def fewest_people(original: Path, release: Path) -> int:
    """Count the people of each class of a release by a group-by of its labels."""
    person = pq.read_table(original, columns=["person"])["person"].combine_chunks()
    table = pq.read_table(release, columns=[*STATIC, "month", "visit"])
    table = table.append_column("person", person.take(table["visit"].combine_chunks())).drop_columns("visit")
    classes = table.group_by([*STATIC, "month"]).aggregate([("person", "count_distinct")])
    return int(np.min(classes["person_count_distinct"].to_numpy()))


def run(source: Path, target: Path, *, k: int, memory: str) -> tuple[float, int]:
    """Release the visits; return the seconds and the peak memory in bytes."""
    command = [sys.executable, "-m", "shoal", "anonymize", str(source), "--quasi", ",".join([*STATIC, "month"])]
    command += ["--sensitive", "occupation", "--unit", "person", "--k", str(k), "--algorithm", "mondrian"]
    command += ["--memory", memory, "-o", str(target), "--report", str(target.with_suffix(".json"))]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if status:
        raise SystemExit(f"shoal ended with {os.waitstatus_to_exitcode(status)}.")
    return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Generate, release and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--mean", type=float, default=10.0, help="visits of a person")
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--check", action="store_true", help="number the visits, and count the people of each class")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "visits.parquet", Path(folder) / "safe.parquet"
        rows = write_visits(source, people=given.people, mean=given.mean, checked=given.check)
        seconds, peak = run(source, target, k=given.k, memory=given.memory)
        note("visits", rows=rows, seconds=seconds, gb=peak / 1e9)
        print(f"{rows:,} visits: {seconds:.1f} s, {peak / 1e9:.2f} GB at most")
        if given.check:
            print(f"fewest people of a class: {fewest_people(source, target)}, asked for {given.k}")


if __name__ == "__main__":
    main()
