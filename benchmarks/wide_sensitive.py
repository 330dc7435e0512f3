"""What many different values cost: sensitive columns of which nearly every row has another, different rows, columns.

Each run is the command line in a process of its own, from a CSV file to the files of a verified release: seconds, CPU
seconds, and peak memory beside the limit that was given. Runs on the same rows without the sensitive column stand above
those with it. Beside the release of few rows stands what pycanon needs to check the same ℓ and t of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
from any_size import timed
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

from shoal.engines.streams.memory import memory_of

QUASI = ["age", "sex", "zip", "children"]
CHECKS = "distinct l,t"


@dataclass(frozen=True)
class Case:
    """A run: the name of its figures, a line of the table, the file, and what is asked."""

    name: str
    title: str
    file: str
    asked: tuple[str, ...]
    memory: str | None = None
    algorithm: str = "auto"


def people(rows: int, values: int | None = None) -> pa.Table:
    """Rows of four quasi-identifiers and a salary, of so many different ones, or all different."""
    random = np.random.RandomState(1)
    salary = random.permutation(rows) if values is None else random.randint(0, values, rows)
    return pa.table(
        {
            "age": random.randint(17, 90, rows),
            "sex": pa.array(["f", "m"]).take(pa.array(random.randint(0, 2, rows))),
            "zip": random.randint(0, 1000, rows),
            "children": random.binomial(6, 0.2, rows),
            "salary": 10 * salary + 10_000,
        }
    )


def different(rows: int) -> pa.Table:
    """Rows that are nearly all different in their quasi-identifiers, and a disease."""
    random = np.random.RandomState(2)
    return people(rows, 100).set_column(2, "zip", pa.array(random.randint(0, 100_000, rows)))


def wide(rows: int, columns: int) -> pa.Table:
    """Rows of many quasi-identifiers with few values each."""
    random = np.random.RandomState(3)
    return pa.table({f"q{at}": random.randint(0, 2 + at % 9, rows) for at in range(columns)})


def cases(arguments: argparse.Namespace, folder: Path) -> list[Case]:
    """Write the tables, and say what is asked of each."""
    few, salaries, many, most = arguments.few, arguments.salaries, arguments.rows, arguments.different
    tables = {
        "few.csv": people(few),
        "salaries.csv": people(salaries, max(2, salaries // 10)),
        "many.csv": people(many),
        "different.csv": different(most),
        "wide.csv": wide(arguments.wide, arguments.columns),
    }
    for name, table in tables.items():
        csv.write_csv(table, folder / name)
    quasi = ("--quasi", ",".join(QUASI))
    secret, k = ("--sensitive", "salary"), ("--k", "5")
    columns = ",".join(f"q{at}" for at in range(arguments.columns))
    one, four = arguments.memory, arguments.more_memory
    return [
        Case("few", f"{few:,} rows, k = 5", "few.csv", (*quasi, *k), algorithm="mondrian"),
        Case("few_salary", "… salary sensitive, all different", "few.csv", (*quasi, *secret, *k), algorithm="mondrian"),
        Case("salaries", f"{salaries:,} rows, k = 5", "salaries.csv", (*quasi, *k), one),
        Case(
            "salaries_t",
            f"… ordered t ≤ 0.2, {salaries // 10:,} salaries",
            "salaries.csv",
            (*quasi, *secret, *k, "--require", "ordered t<=0.2"),
            one,
        ),
        Case("many", f"{many:,} rows, k = 5", "many.csv", (*quasi, *k)),
        Case("many_salary", "… salary sensitive, all different", "many.csv", (*quasi, *secret, *k)),
        Case("many_l", "… and ℓ = 5", "many.csv", (*quasi, *secret, *k, "--l", "5")),
        Case("many_memory", f"{many:,} rows, k = 5", "many.csv", (*quasi, *k), four),
        Case("many_memory_salary", "… salary sensitive, all different", "many.csv", (*quasi, *secret, *k), four),
        Case("many_memory_l", "… and ℓ = 5", "many.csv", (*quasi, *secret, *k, "--l", "5"), four),
        Case("different", f"{most:,} different rows, k = 5", "different.csv", (*quasi, *k), four),
        Case("different_l", "… and ℓ = 3 of 100 salaries", "different.csv", (*quasi, *secret, *k, "--l", "3"), four),
        Case(
            "wide", f"{arguments.wide:,} rows, {arguments.columns} columns", "wide.csv", ("--quasi", columns, *k), four
        ),
    ]


def released(case: Case, folder: Path) -> tuple[dict[str, object], list[str]]:
    """The report of a run, and its figures."""
    command = [sys.executable, "-m", "shoal", "anonymize", str(folder / case.file), "-o", str(folder / "safe.csv")]
    command += [*case.asked, "--algorithm", case.algorithm, "--json", "--quiet"]
    command += ["--memory", case.memory] if case.memory else []
    out, took, work, peak = timed(command)
    if case.name:
        note(case.name, seconds=took, cpu=work, mib=peak)
    limit, share = "–", "–"
    if case.memory:
        limit = f"{memory_of(case.memory) / 2**20:,.0f}"
        share = f"{100 * peak * 2**20 / memory_of(case.memory):.0f} %"
    return json.loads(out), [f"{took:.1f}", f"{work:.1f}", f"{peak:,}", limit, share]


def beside_pycanon(peers: Path | None, rows: int, folder: Path) -> RichTable:
    """What shoal and pycanon need to check a release of few rows."""
    csv.write_csv(people(rows), folder / "small.csv")
    asked = ("--quasi", ",".join(QUASI), "--sensitive", "salary", "--k", "5")
    released(Case("", "", "small.csv", asked, algorithm="mondrian"), folder)
    safe = folder / "safe.csv"
    options = ["--quasi", ",".join(QUASI), "--sensitive", "salary"]
    _, _, own, _ = timed([sys.executable, "-m", "shoal", "assess", str(safe), *options, "--json", "--quiet"])
    shown = RichTable(title=f"ℓ and t of a release of {rows:,} rows, all salaries different", title_justify="left")
    shown.add_column("")
    shown.add_column("CPU s", justify="right")
    note("checked.shoal", cpu=own)
    shown.add_row("shoal, from start to end, all models", f"{own:.2f}")
    if peers is None or not peers.exists():
        shown.add_row("pycanon (not installed here)", "–")
        return shown
    script = Path(__file__).parent / "peers" / "run_pycanon.py"
    command = [str(peers), str(script), str(safe), *options, "--checks", CHECKS]
    done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for name, check in done["checks"].items():
        note(f"checked.pycanon.{name.replace(' ', '_')}", cpu=check["cpu_s"])
        shown.add_row(f"pycanon {done['version']}, {name} alone", f"{check['cpu_s']:.2f}")
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pycanon", type=Path, help="the Python of the environment with pycanon")
    parser.add_argument("--few", type=int, default=80_000, help="rows of the small table, all salaries different")
    parser.add_argument("--salaries", type=int, default=100_000, help="rows of a table with a tenth as many salaries")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the large table, all salaries different")
    parser.add_argument("--different", type=int, default=5_000_000, help="rows with different quasi-identifiers")
    parser.add_argument("--wide", type=int, default=50_000, help="rows of the table with many columns")
    parser.add_argument("--columns", type=int, default=60, help="its quasi-identifiers")
    parser.add_argument("--checked", type=int, default=5_000, help="rows of the release that pycanon checks, too")
    parser.add_argument("--memory", default="1GB", help="the limit for the table of salaries")
    parser.add_argument("--more-memory", default="2GB", help="the limit for the large tables")
    parser.add_argument("--only", default="", help="run the cases on this file alone: few, salaries, many, …")
    arguments = parser.parse_args()
    console = Console(width=130)
    shown = RichTable(title="From CSV to a verified release", title_justify="left")
    for name in ("", "algorithm", "loss", "seconds", "CPU s", "peak MiB", "limit MiB", "of it"):
        shown.add_column(name, justify="right" if name else "left")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for case in cases(arguments, folder):
            if case.file.startswith(arguments.only):
                report, figures = released(case, folder)
                asked = report["parameters"]["algorithm"]
                shown.add_row(case.title, str(asked).partition("(")[0], f"{report['metrics']['loss']:.4f}", *figures)
        console.print(shown)
        if not arguments.only:
            console.print(beside_pycanon(arguments.pycanon, arguments.checked, folder))


if __name__ == "__main__":
    main()
