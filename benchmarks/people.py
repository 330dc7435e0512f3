"""Counting people instead of rows: loss, CPU seconds, and people who are left among fewer than k others.

The table of visits (`shoal.datasets.visits`) has seven static quasi-identifiers and three that differ between visits.
All losses and counts of people are computed here, from the classes of each row. Times are warm, the best of three, from
the encoded table to the classes. With `--peers FILE`, the interpreter of an environment with anonypy, its Mondrian,
which counts rows, runs on the same table. Profiles and households are in people_bags.py, files of any size in
people_at_scale.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.csv
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal
from shoal.algorithms import Algorithm
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics import loss
from shoal.release.people import Task

STATIC = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
VARYING = ["month", "ward", "age_at_visit"]
NUMERIC = ["age", "month", "age_at_visit"]
REPEATS = 3


def main() -> None:
    """Print the figures."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="the Python interpreter of an environment with anonypy")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the large table")
    options = parser.parse_args()
    show = RichTable("table", "k", "method", "loss", "CPU s", "people below k", "of them alone")
    data = shoal.datasets.visits()
    people = np.unique(data["person"].to_numpy(zero_copy_only=False), return_inverse=True)[1].astype(np.int32)
    for name, quasi in (("static", STATIC), ("varying", STATIC + VARYING)):
        table = encoded(data, quasi)
        for k in (5, 10):
            methods = {
                "rows": ("Mondrian, rows", shoal.Mondrian(), None),
                "people": ("Mondrian, people", shoal.Mondrian(), people),
                "local": ("local (fast), people", shoal.LocalRecoding("fast"), people),
            }
            for method, (title, algorithm, units) in methods.items():
                kept = f"{name}.k{k}.{method}"
                show.add_row(name, str(k), title, *figures(kept, table, algorithm, k, units, people))
            if options.peers and Path(options.peers).exists():
                kept = f"{name}.k{k}.anonypy"
                show.add_row(name, str(k), "anonypy, rows", *peer(kept, options.peers, data, table, quasi, k, people))
    first = np.flatnonzero(np.diff(people, prepend=-1))
    table = encoded(data.take(first), STATIC)
    for k in (5, 10):
        one = ("one row per person", str(k), "Mondrian")
        show.add_row(*one, *figures(f"first.k{k}.rows", table, shoal.Mondrian(), k, None, np.arange(first.size)))
    large = shoal.datasets.visits(options.rows // 5)
    people = np.unique(large["person"].to_numpy(zero_copy_only=False), return_inverse=True)[1].astype(np.int32)
    table = encoded(large, STATIC + VARYING)
    for method, units in (("rows", None), ("people", people)):
        found = figures(f"large.k10.{method}", table, shoal.Mondrian(), 10, units, people)
        show.add_row(f"{large.num_rows:,} rows", "10", f"Mondrian, {method}", *found)
    Console(width=140).print(show)


def encoded(data: pyarrow.Table, quasi: list[str]) -> Table:
    """Return the quasi-identifiers as codes."""
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in quasi}
    columns = {name: data[name] for name in quasi}
    return encode(columns, quasi=quasi, sensitive=[], guides=trees, style=shoal.Style())


def figures(
    name: str, table: Table, algorithm: Algorithm, k: int, units: np.ndarray | None, people: np.ndarray
) -> list[str]:
    """Return the loss, the time, and how many people are left among fewer than k."""
    counted = replace(table, units=units)
    times = []
    for _ in range(REPEATS + 1):
        start = time.process_time()
        task = Task.of(counted, shoal.KAnonymity(k))
        made = task.of_rows(algorithm.recode(task.table, task.model))
        times.append(time.process_time() - start)
    return told(name, loss(table, made), min(times[1:]), below(made.ids, people, k))


def told(name: str, lm: float, cpu: float, few: list[int]) -> list[str]:
    """Note the figures of a line, and return them as texts."""
    note(name, loss=lm, cpu=cpu, below_k=few[0], alone=few[1])
    return [f"{lm:.4f}", f"{cpu:.2f}", *(f"{people:,}" for people in few)]


def below(ids: np.ndarray, people: np.ndarray, k: int) -> list[int]:
    """Count the people with a row in a class of fewer than k people, and those alone in one."""
    pairs = np.unique(np.column_stack([ids, people]), axis=0)
    among = np.bincount(pairs[:, 0])[pairs[:, 0]]
    return [np.unique(pairs[among < fewer, 1]).size for fewer in (k, 2)]


def peer(
    name: str, python: str, data: pyarrow.Table, table: Table, quasi: list[str], k: int, people: np.ndarray
) -> list[str]:
    """Run anonypy on the same table."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "visits.csv", Path(folder) / "classes.json"
        pyarrow.csv.write_csv(data.select([*quasi, "occupation"]), file)
        script = Path(__file__).parent / "peers" / "run_anonypy.py"
        numeric = ",".join(name for name in quasi if name in NUMERIC)
        categorical = ",".join(name for name in quasi if name not in NUMERIC)
        command = [python, str(script), str(file), "--numeric", numeric, "--categorical", categorical, "--k", str(k)]
        said = subprocess.run([*command, "--out", str(out)], check=True, capture_output=True, text=True).stdout
        ids = np.loadtxt(out, dtype=np.int32)
    made = Recoding.of_groups(table, np.unique(ids, return_inverse=True)[1].astype(np.int32))
    return told(name, loss(table, made), json.loads(said)["cpu_s"], below(ids, people, k))


if __name__ == "__main__":
    main()
