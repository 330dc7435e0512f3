"""What shoal.assess finds in raw Adult and how fast, beside pycanon, and how it grows with the rows.

Both see the same 30,162 rows, seven quasi-identifiers and occupation as the sensitive column. shoal is timed warm, as
the best of five, from a pyarrow table to the whole assessment: all values of all models, risks, riskiest rows. pycanon
is timed by one call for each value. Then shoal alone on Adult resampled with 3 % of its cells changed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

from notes import note
from rich.console import Console
from rich.table import Table as RichTable
from scale import QUASI as MANY, resampled

import shoal
from shoal.io.csv_dialect import Dialect
from shoal.io.files import write

QUASI = ["age", "education-num", "workclass", "marital-status", "race", "sex", "native-country"]
SENSITIVE = "occupation"
REPEATS = 5
FIELDS = {
    "distinct l": "distinct_l",
    "entropy l": "entropy_l",
    "alpha": "alpha",
    "basic beta": "beta",
    "delta": "delta",
    "t": "t_equal",
}


def timed(work) -> tuple[float, object]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def beside_pycanon(peers: Path | None) -> RichTable:
    adult = shoal.datasets.adult(drop_missing=True).select([*QUASI, SENSITIVE])
    runs = [
        timed(lambda: shoal.assess(adult, quasi_identifiers=QUASI, sensitive=SENSITIVE)) for _ in range(REPEATS + 1)
    ]
    seconds, found = min(runs[1:], key=lambda run: run[0])
    own = {"k": found.k} | {name: getattr(found.sensitive[SENSITIVE], field) for name, field in FIELDS.items()}
    theirs, tool = {}, "pycanon (not installed here)"
    if peers is not None and peers.exists():
        with tempfile.TemporaryDirectory() as folder:
            csv = Path(folder) / "adult.csv"
            write(adult, csv, "csv", Dialect())
            script = Path(__file__).parent / "peers" / "run_pycanon.py"
            command = [str(peers), str(script), str(csv), "--quasi", ",".join(QUASI), "--sensitive", SENSITIVE]
            done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        theirs, tool = done["checks"], f"pycanon {done['version']}"
    shown = RichTable(title="30,162 raw rows of Adult, 7 quasi-identifiers")
    for column in ("", "shoal", tool, "CPU s", "times shoal's whole"):
        shown.add_column(column, justify="left" if not column else "right")
    for name, value in own.items():
        other = theirs.get(name)
        cells = ["–"] * 3 if other is None else [f"{other['value']:.6g}", f"{other['cpu_s']:.2f}"]
        cells = cells if other is None else [*cells, f"{other['cpu_s'] / seconds:,.0f}"]
        shown.add_row(name, f"{value:.6g}", *cells)
    total = sum(check["cpu_s"] for check in theirs.values())
    note("shoal", cpu=seconds, values=len(own))
    if theirs:
        note("pycanon", cpu=total, values=len(theirs), times=total / seconds)
    shown.add_section()
    cells = [f"{total:.2f}", f"{total / seconds:,.0f}"] if theirs else ["–", "–"]
    shown.add_row("all values, CPU s", f"{seconds:.4f}", "", *cells)
    return shown


def by_rows(largest: int) -> RichTable:
    shown = RichTable(title="Rows of strings, 8 quasi-identifiers, 3 % of the cells changed")
    for column in ("rows", "classes", "CPU s", "wall s"):
        shown.add_column(column, justify="right")
    for rows in (largest // 100, largest // 10, largest):
        data = resampled(rows, 0.03)
        wall = time.perf_counter()
        seconds, found = timed(lambda data=data: shoal.assess(data, quasi_identifiers=MANY, sensitive=SENSITIVE))
        wall = time.perf_counter() - wall
        note(f"rows{rows}", cpu=seconds, wall=wall, classes=found.classes)
        shown.add_row(f"{rows:,}", f"{found.classes:,}", f"{seconds:.2f}", f"{wall:.2f}")
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pycanon", type=Path, help="the Python of the environment with pycanon")
    parser.add_argument("--rows", type=int, default=10_000_000, help="the largest size")
    arguments = parser.parse_args()
    console = Console(width=120)
    console.print(beside_pycanon(arguments.pycanon))
    console.print("delta is infinite where a class lacks a value; pycanon leaves such values out.")
    console.print(by_rows(arguments.rows))


if __name__ == "__main__":
    main()
