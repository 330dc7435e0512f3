"""Mondrian on 30,162 rows of Adult, seven quasi-identifiers: loss and CPU seconds beside other Python tools.

All losses are computed here, by the same code, from the classes that each tool makes and with the trees that shoal
ships. shoal is timed warm, as the best of five, from the encoded table to the classes and, as "whole", from a pyarrow
table to a verified release. The other tools are timed by their public call alone, after compiling.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.io.csv_dialect import Dialect
from shoal.io.files import write
from shoal.metrics import loss

NUMERIC = ["age", "education-num"]
CATEGORICAL = ["workclass", "marital-status", "race", "sex", "native-country"]
REPEATS = 5


def shipped_trees() -> dict[str, shoal.Hierarchy]:
    """The trees of the categorical columns."""
    return {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in CATEGORICAL}


def write_trees(trees: dict[str, shoal.Hierarchy], folder: Path) -> None:
    """Write level files of the trees into a folder, for the other tools."""
    for name, tree in trees.items():
        tree.save(folder / f"adult_{name.replace('-', '_')}.txt", format="levels")


def best_time(work) -> float:
    """The least CPU seconds of several runs; the first, which compiles, does not count."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def run_peer(python: Path, script: str, csv: Path, k: int, folder: Path, trees: bool) -> tuple[dict, np.ndarray]:
    """One run of another tool in its own environment: its figures and the class of each row."""
    out = folder / "classes.csv"
    command = [str(python), str(Path(__file__).parent / "peers" / script), str(csv), "--k", str(k), "--out", str(out)]
    command += ["--numeric", ",".join(NUMERIC), "--categorical", ",".join(CATEGORICAL)]
    command += ["--trees", str(folder)] if trees else []
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ids = np.loadtxt(out, dtype=np.int64)
    ids = np.where(ids < 0, -1, np.unique(ids, return_inverse=True)[1] - (ids < 0).any()).astype(np.int32)
    return json.loads(done.stdout.strip().splitlines()[-1]), ids


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="the Python of the environment with the other tools")
    parser.add_argument("--k", default="5,10,50")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", shoal.PrivacyWarning)
    adult = shoal.datasets.adult(drop_missing=True).select([*NUMERIC, *CATEGORICAL, "occupation"])
    shown = RichTable(title="Mondrian, 30,162 rows, 7 quasi-identifiers")
    for column in ("tool", "k", "loss (LM)", "classes", "rows lost", "CPU s", "times shoal's CPU"):
        shown.add_column(column, justify="left" if column == "tool" else "right")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        trees = shipped_trees()
        write_trees(trees, folder)
        csv = folder / "adult.csv"
        write(adult, csv, "csv", Dialect())
        columns = {name: adult[name] for name in adult.column_names}
        table = encode(columns, quasi=[*NUMERIC, *CATEGORICAL], sensitive=[], guides=trees, style=Style())
        for k in map(int, arguments.k.split(",")):
            own = rows_of_shoal(adult, table, trees, k)
            cpu = own[0][2]
            for name, tool, seconds, ids in own:
                add(shown, name, tool, k, table, ids, seconds, seconds / cpu)
            for name, tool, with_trees in (
                ("lighthouse", "project-lighthouse-anonymize", True),
                ("anonypy", "anonypy", False),
            ):
                if arguments.peers is None or not arguments.peers.exists():
                    continue
                figures, ids = run_peer(arguments.peers, f"run_{name}.py", csv, k, folder, with_trees)
                seconds = figures["cpu_s"]
                add(shown, name, f"{tool} {figures['version']}", k, table, ids, seconds, seconds / cpu)
            shown.add_section()
    Console(width=120).print(shown)
    if arguments.peers is None or not arguments.peers.exists():
        print("The other tools are not installed here (they want Python 3.11 or 3.12): shoal was measured alone.")


def rows_of_shoal(adult: pa.Table, table, trees, k: int) -> list[tuple[str, str, float, np.ndarray]]:
    model = shoal.KAnonymity(k)
    found = []
    for name, title, mondrian in (
        ("shoal", "shoal Mondrian", shoal.Mondrian()),
        ("widest", "shoal Mondrian, widest, nearest the median", shoal.Mondrian(dimension="widest")),
    ):
        seconds = best_time(lambda mondrian=mondrian: mondrian.recode(table, model))
        found.append((name, title, seconds, mondrian.partition(table, model)))
    whole = best_time(
        lambda: shoal.anonymize(
            adult, quasi_identifiers=list(table.quasi), hierarchies=trees, model=model, algorithm="mondrian"
        )
    )
    return [found[0], ("whole", "  the whole: encode, cut, label, verify, report", whole, found[0][3]), found[1]]


def add(shown, name, tool, k, table, ids, seconds, ratio) -> None:
    recoding = Recoding.of_groups(table, ids)
    lost, lm = int(recoding.suppressed.sum()), loss(table, recoding)
    note(f"{name}.k{k}", loss=lm, cpu=seconds, lost_percent=100 * lost / table.rows, times=ratio)
    cells = (tool, str(k), f"{lm:.4f}", f"{recoding.sizes.size:,}", f"{lost:,}")
    shown.add_row(*cells, f"{seconds:.4f}", f"{ratio:,.0f}")


if __name__ == "__main__":
    main()
