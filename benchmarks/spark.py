"""Spark on this machine beside the local run over files, on the same rows: seconds from Parquet to a verified release.

The table is Adult resampled, 3% of the cells drawn anew. Spark's time is given without the
start of its session, once cold and once warm.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

from any_size import QUASI, write_table
from rich.console import Console
from rich.table import Table as RichTable

K = 10


def measure(engine: str, source: Path, master: str) -> list[float]:
    """The seconds of two runs, one after the other in one process."""
    import shoal

    warnings.simplefilter("ignore")
    asked = {
        "quasi_identifiers": QUASI,
        "sensitive": "occupation",
        "model": shoal.KAnonymity(K),
        "algorithm": "mondrian",
    }
    work = shoal.anonymize_files
    if engine == "spark":
        shoal.spark.session(master)
        work = shoal.spark.anonymize_files
    found = []
    for number in range(2):
        start = time.perf_counter()
        work(source, source.parent / f"{engine}-{source.name}-{number}", **asked)
        found.append(time.perf_counter() - start)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--master", default="local[*]")
    parser.add_argument("--one", nargs=2, metavar=("ENGINE", "FOLDER"), help="measure one engine alone")
    arguments = parser.parse_args()
    if arguments.one:
        engine, source = arguments.one
        print(*measure(engine, Path(source), arguments.master))
        return
    from shoal.engines.spark.session import check_java, pyspark

    pyspark("sql")
    check_java()
    shown = RichTable(title=f"{len(QUASI)} quasi-identifiers, Mondrian k={K}, seconds")
    for head in ("rows", "local, cold", "warm", "Spark, cold", "warm"):
        shown.add_column(head, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for rows in arguments.rows:
            source = Path(folder) / str(rows)
            source.mkdir()
            write_table(source / "table.parquet", rows, 0.03)
            cells = [f"{rows:,}"]
            for engine in ("local", "spark"):
                command = [sys.executable, __file__, "--one", engine, str(source), "--master", arguments.master]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                cells += [f"{float(seconds):.1f}" for seconds in done.stdout.split()]
            shown.add_row(*cells)
    Console(width=100).print(shown)


if __name__ == "__main__":
    main()
