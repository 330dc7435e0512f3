"""What the check of a release costs: from a CSV file to a CSV file, in memory and in files of any size.

The check holds every column, row and cell of what is released against the original, reads the written file back, and
asks the model about the classes that its labels form. Beside it stands pycanon's check of k alone, of the same release,
at a size that it can do, where its environment is there.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

from notes import note
from rich.console import Console
from rich.table import Table as RichTable
from scale import COLUMNS, QUASI, resampled

PYCANON = """
import sys, time
import pandas as pd
from pycanon import anonymity
data = pd.read_csv(sys.argv[1], dtype=str)
start = time.process_time()
k = anonymity.k_anonymity(data, sys.argv[2].split(","))
print(k, time.process_time() - start)
"""


class Watch:
    """The CPU seconds and seconds that were spent within some functions."""

    def __init__(self) -> None:
        self.cpu = self.seconds = 0.0

    @contextmanager
    def running(self, clock=time.process_time):
        cpu, start = clock(), time.perf_counter()
        try:
            yield
        finally:
            self.cpu += clock() - cpu
            self.seconds += time.perf_counter() - start

    def around(self, place: object, name: str, clock=time.process_time) -> None:
        """Let a function be watched, by the clock of its thread where others are at work beside it."""
        honest = getattr(place, name)

        def watched(*given, **named):
            with self.running(clock):
                return honest(*given, **named)

        setattr(place, name, watched)


def measure(rows: int, changed: float, way: str) -> None:
    """Print seconds and CPU seconds of the whole line and of the check, and the peak of memory, tab-separated."""
    import pyarrow.csv

    import shoal
    from shoal.engines.memory import verify as in_memory
    from shoal.engines.streams import run, verify
    from shoal.release import release

    warnings.simplefilter("ignore", shoal.PrivacyWarning)
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name != "age"}
    asked = {"quasi_identifiers": QUASI, "sensitive": "occupation", "hierarchies": trees, "algorithm": "mondrian"}
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.csv", Path(folder) / "out.csv"

        def line() -> None:
            if way == "in memory":
                shoal.anonymize(source, model=shoal.KAnonymity(10), **asked).save(target)
            else:
                shoal.anonymize_files(source, target, memory="1GB", model=shoal.KAnonymity(10), **asked)

        pyarrow.csv.write_csv(resampled(2000, changed), source)
        line()  # compile first
        pyarrow.csv.write_csv(resampled(rows, changed), source)
        check, whole = Watch(), Watch()
        for place, name in ((in_memory, "check_release"), (release, "check_release"), (run, "verify")):
            check.around(place, name)
        check.around(verify.WrittenRows, "check", time.thread_time)
        with whole.running():
            line()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print("\t".join(f"{figure:.2f}" for figure in (whole.seconds, whole.cpu, check.seconds, check.cpu, peak)))


def pycanon(python: str, rows: int) -> str | None:
    """The CPU seconds that pycanon needs for k of so many rows; None where it is not there."""
    import pyarrow.csv

    if not python or not Path(python).exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "released.csv"
        pyarrow.csv.write_csv(resampled(rows, 0.03), path)
        command = [python, "-c", PYCANON, str(path), ",".join(QUASI)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=3600)
    return done.stdout.split()[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--changed", type=float, default=0.03, help="the share of cells that are drawn anew")
    parser.add_argument("--one", choices=["in memory", "in files"], help="measure one way and print its figures")
    parser.add_argument("--pycanon", default="", help="the Python of an environment with pycanon")
    parser.add_argument("--pycanon-rows", type=int, default=30_000)
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.rows, arguments.changed, arguments.one)
        return
    shown = RichTable(title=f"CSV to CSV, {arguments.rows:,} rows, {len(COLUMNS)} columns, Mondrian, k = 10")
    for name in ("", "line s", "line CPU s", "check s", "check CPU s", "part of the CPU time", "peak MiB"):
        shown.add_column(name, justify="right" if name else "left")
    for way in ("in memory", "in files"):
        command = [sys.executable, __file__, "--one", way, "--rows", str(arguments.rows)]
        command += ["--changed", str(arguments.changed)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
        seconds, cpu, checked, spent, peak = done.stdout.strip().split("\t")
        share = 100 * float(spent) / float(cpu)
        figures = {"seconds": float(seconds), "cpu": float(cpu), "check_cpu": float(spent), "check_percent": share}
        note(way.replace(" ", "_"), **figures, mib=float(peak))
        shown.add_row(way, seconds, cpu, checked, spent, f"{float(spent) / float(cpu):.0%}", peak)
    console = Console(width=120)
    console.print(shown)
    peer = pycanon(arguments.pycanon, arguments.pycanon_rows)
    if peer is not None:
        note("pycanon", cpu=float(peer))
        console.print(f"pycanon, k alone of {arguments.pycanon_rows:,} rows: {float(peer):.2f} CPU s")


if __name__ == "__main__":
    main()
