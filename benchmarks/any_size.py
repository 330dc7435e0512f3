"""From files to the files of a verified release, within a limit of memory: seconds, rows per second, peak memory.

The table is Adult resampled (9 columns), at 1, 10 and 100 million rows, with a small share of the cells drawn anew
where more different rows are wanted. Beside each run stand what polars needs for a group-by of the same columns, which
is all that a check for k-anonymity costs there, and what pyarrow needs to read the table and write it again unchanged,
batch by batch, which no release in files can do without. `--growth` measures what more different rows,
quasi-identifiers and larger classes cost, at 10 million rows.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

QUASI = ["age", "workclass", "education", "marital-status", "relationship", "race", "sex", "native-country"]
STEP = 1 << 20
MEMORY = "4GB"
CSV_UP_TO = 10_000_000


def write_table(path: Path, rows: int, changed: float) -> None:
    """Rows drawn from Adult, each cell with a small chance drawn anew, written a million at a time."""
    import shoal

    adult = shoal.datasets.adult(drop_missing=True).select([*QUASI, "occupation"])
    random = np.random.RandomState(1)
    schema = pa.schema([(name, pa.string()) for name in adult.column_names])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for at in range(0, rows, STEP):
            count = min(STEP, rows - at)
            picked = pa.array(random.randint(0, adult.num_rows, count))
            columns = []
            for name in adult.column_names:
                column = adult[name].combine_chunks()
                own = column.take(picked)
                if changed:
                    other = column.take(pa.array(random.randint(0, adult.num_rows, count)))
                    own = pc.if_else(pa.array(random.random_sample(count) < changed), other, own)
                columns.append(own.cast(pa.string()))
            writer.write_table(pa.table(columns, schema=schema))


def write_csv(source: Path, target: Path) -> None:
    """The same table as CSV."""
    import pyarrow.csv as csv

    with pq.ParquetFile(source) as file, csv.CSVWriter(target, file.schema_arrow) as writer:
        for batch in file.iter_batches(STEP):
            writer.write_batch(batch)


def timed(command: list[str]) -> tuple[str, float, float, int]:
    """What a command printed, its seconds, its seconds of work, and its peak memory in MiB."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=False)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, done.returncode)\n"
        "print(done.stdout if done.returncode == 0 else done.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    took = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    head, _, out = done.stdout.partition("\n")
    peak, failed = map(int, head.split())
    if failed:
        sys.exit(f"{' '.join(command)}\n{out}")
    return out, took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


def release(
    source: Path, target: Path, *, quasi: list[str], k: int, algorithm: str, name: str = ""
) -> tuple[dict[str, object], list[str]]:
    """The report of a release by the command line, and its figures, which are noted under a name."""
    command = [str(Path(sys.executable).parent / "shoal"), "anonymize", str(source), "-o", str(target), "--json"]
    command += ["--quasi", ",".join(quasi), "--sensitive", "occupation", "--k", str(k), "--memory", MEMORY]
    command += ["--algorithm", algorithm, "--quiet"]
    # The others tell what the labels hide, but it is the time that counts here.
    if others := [column for column in QUASI if column not in quasi]:
        command += ["--keep", ",".join(others)]
    for column in quasi:
        if column != "age":
            tree = target.parent / f"{column}.txt"
            command += ["--hierarchy", f"{column}={tree}"]
    out, took, work, peak = timed(command)
    target.unlink()
    report = json.loads(out)
    if name:
        figures = {"loss": report["metrics"]["loss"], "classes": report["classes"]}
        note(name, seconds=took, cpu=work, rate=report["rows"] / took / 1e6, mib=peak, **figures)
    return report, [f"{took:.1f}", f"{work:.1f}", f"{report['rows'] / took / 1e6:.2f}", f"{peak:,}"]


POLARS = """
import polars as pl, sys
rows = pl.scan_parquet(sys.argv[1]).group_by(sys.argv[2].split(",")).len().collect(engine="streaming")
print(rows.height)
"""
COPY = """
import pyarrow.parquet as pq, sys
file = pq.ParquetFile(sys.argv[1], read_dictionary=sys.argv[3].split(","))
with pq.ParquetWriter(sys.argv[2], file.schema_arrow, compression="zstd") as writer:
    for batch in file.iter_batches(1 << 20):
        writer.write_batch(batch)
"""


def others(source: Path, folder: Path, name: str) -> list[str]:
    """The seconds of polars' group-by and of a copy."""
    columns = ",".join([*QUASI, "occupation"])
    _, group, _, group_peak = timed([sys.executable, "-c", POLARS, str(source), columns])
    copied = folder / "copy.parquet"
    _, copy, _, _ = timed([sys.executable, "-c", COPY, str(source), str(copied), columns])
    copied.unlink()
    note(name, polars_seconds=group, polars_mib=group_peak, copy_seconds=copy)
    return [f"{group:.1f} ({group_peak:,} MiB)", f"{copy:.1f}"]


def trees(folder: Path) -> None:
    """The hierarchies of Adult as files."""
    import shoal

    for name, tree in shoal.datasets.adult_hierarchies().items():
        tree.save(folder / f"{name}.txt")


def sizes(console: Console, folder: Path, rows: list[int], algorithm: str) -> None:
    """The table of sizes."""
    table = RichTable(title=f"k = 10, 8 quasi-identifiers, --memory {MEMORY}, {algorithm}", title_justify="left")
    for name in ("rows", "file", "cells drawn anew", "loss", "classes", "seconds", "CPU s", "M rows/s", "peak MiB"):
        table.add_column(name, justify="right")
    table.add_column("polars group-by s", justify="right")
    table.add_column("copy s", justify="right")
    for count in rows:
        for changed in (0.0, 0.01) if count <= CSV_UP_TO else (0.0,):
            source = folder / "in.parquet"
            write_table(source, count, changed)
            name = f"rows{count}.anew{changed:.0%}".removesuffix("%")
            beside = others(source, folder, name)
            for path in (source, folder / "in.csv") if count <= CSV_UP_TO and not changed else (source,):
                if path.suffix == ".csv":
                    write_csv(source, path)
                target = folder / f"out{path.suffix}"
                kept = f"{name}.{path.suffix[1:]}"
                report, figures = release(path, target, quasi=QUASI, k=10, algorithm=algorithm, name=kept)
                size = f"{path.suffix[1:]} {path.stat().st_size / 1e6:,.0f} MB"
                lost = f"{report['metrics']['loss']:.5f}"
                told = [f"{count:,}", size, f"{changed:.0%}", lost, f"{report['classes']:,}", *figures]
                table.add_row(*told, *(beside if path == source else ["", ""]))
                if path != source:
                    path.unlink()
            source.unlink()
    console.print(table)


def growth(console: Console, folder: Path, count: int, algorithm: str) -> None:
    """What more different rows, more quasi-identifiers and larger classes cost."""
    import polars as pl

    table = RichTable(title=f"Growth at {count:,} rows, {algorithm}", title_justify="left")
    for name in ("what", "different rows", "loss", "classes", "seconds", "CPU s", "M rows/s", "peak MiB"):
        table.add_column(name, justify="left" if name == "what" else "right")

    def line(name: str, what: str, source: Path, quasi: list[str], k: int) -> None:
        different = pl.scan_parquet(source).group_by([*quasi, "occupation"]).len().collect(engine="streaming").height
        asked = {"quasi": quasi, "k": k, "algorithm": algorithm, "name": f"growth.{name}"}
        report, figures = release(source, folder / "out.parquet", **asked)
        note(f"growth.{name}", different=different)
        lost = f"{report['metrics']['loss']:.5f}"
        table.add_row(what, f"{different:,}", lost, f"{report['classes']:,}", *figures)

    source = folder / "in.parquet"
    for changed in (0.0, 0.001, 0.01, 0.05, 0.2):
        write_table(source, count, changed)
        line(f"anew{1000 * changed:g}", f"{changed:.1%} of the cells drawn anew", source, QUASI, 10)
    write_table(source, count, 0.01)
    for number in (2, 4, 6, 8):
        line(f"columns{number}", f"{number} quasi-identifiers", source, QUASI[:number], 10)
    for k in (2, 10, 100, 1000):
        line(f"k{k}", f"k = {k}", source, QUASI, k)
    source.unlink()
    console.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000, 100_000_000])
    parser.add_argument("--algorithm", default="auto")
    parser.add_argument("--growth", action="store_true", help="measure growth, too")
    parser.add_argument("--folder", type=Path, help="where the tables are written for a while (20 GB)")
    given = parser.parse_args()
    console = Console(width=170)
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        trees(folder)
        write_table(folder / "few.parquet", 2000, 0.01)
        for algorithm in (given.algorithm, "mondrian"):  # compile first
            release(folder / "few.parquet", folder / "few.out.parquet", quasi=QUASI, k=10, algorithm=algorithm)
        sizes(console, folder, given.rows, given.algorithm)
        if given.growth:
            growth(console, folder, 10_000_000, "mondrian")


if __name__ == "__main__":
    main()
