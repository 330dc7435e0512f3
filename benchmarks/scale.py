"""From a table of strings to a written release, at n, 2n, 4n and 8n rows: seconds, memory and what bounds them.

The table is Adult resampled, with a small share of the cells replaced by those of other rows, so that it has many more
different rows than Adult. "scan" is the time to read every code once, the least that any grouping must do. Beside it
stands polars' group-by of the same rows, which is all that a check for k-anonymity costs there.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

QUASI = ["age", "workclass", "education", "marital-status", "relationship", "race", "sex", "native-country"]
COLUMNS = [*QUASI, "occupation"]
STEPS = ["scan", "polars group-by", "encode", "distinct rows", "Mondrian k=10", "Mondrian k=10, l=3"]
WHOLE = ["anonymize", "save CSV", "save Parquet"]
FIGURES = {  # that are kept, by their names
    "polars group-by": "polars_cpu",
    "Mondrian k=10": "mondrian_cpu",
    "anonymize": "anonymize_cpu",
    "save CSV": "save_csv_cpu",
    "peak MiB": "peak_mib",
    "loss": "loss",
}


def resampled(rows: int, changed: float) -> pa.Table:
    """Rows drawn from Adult, each cell with a small chance drawn anew."""
    import shoal

    adult = shoal.datasets.adult(drop_missing=True)
    random = np.random.RandomState(1)
    picked = random.randint(0, adult.num_rows, rows)
    columns = {}
    for name in COLUMNS:
        column = adult[name].combine_chunks()
        own = column.take(pa.array(picked))
        other = column.take(pa.array(random.randint(0, adult.num_rows, rows)))
        columns[name] = pc.if_else(pa.array(random.random_sample(rows) < changed), other, own).cast(pa.string())
    return pa.table(columns)


def measure(rows: int, changed: float) -> None:
    """Print the figures of one size as tab-separated text."""
    import polars as pl

    import shoal
    from shoal.data.encoding import encode
    from shoal.data.style import Style

    warnings.simplefilter("ignore", shoal.PrivacyWarning)
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name != "age"}
    few = resampled(2000, changed)
    k, both = shoal.KAnonymity(10), shoal.KAnonymity(10) & shoal.DistinctDiversity(3)
    options = {"quasi_identifiers": QUASI, "sensitive": "occupation", "hierarchies": trees, "algorithm": "mondrian"}
    for model in (k, both):  # compile first
        shoal.anonymize(few, model=model, **options)
    data = resampled(rows, changed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = {}

    def timed(name, work):
        start = time.process_time()
        result = work()
        seconds[name] = time.process_time() - start
        return result

    def encoded():
        columns = {name: data[name] for name in COLUMNS}
        return encode(columns, quasi=QUASI, sensitive=["occupation"], guides=trees, style=Style())

    table = timed("encode", encoded)
    after_encode = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    timed("scan", lambda: table.codes.max())
    distinct, _ = timed("distinct rows", lambda: table.distinct(sensitive=False))
    timed("Mondrian k=10", lambda: shoal.Mondrian().partition(table, k))
    timed("Mondrian k=10, l=3", lambda: shoal.Mondrian().partition(table, both))
    release = timed("anonymize", lambda: shoal.anonymize(data, model=k, **options))
    with tempfile.TemporaryDirectory() as folder:
        timed("save CSV", lambda: release.save(Path(folder) / "out.csv"))
        timed("save Parquet", lambda: release.save(Path(folder) / "out.parquet"))
    frame = pl.from_arrow(data)
    timed("polars group-by", lambda: frame.group_by(QUASI).len())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cells = [f"{rows:,}", f"{len(distinct.weights):,}"]
    cells += [f"{seconds[name]:.3f}" for name in [*STEPS, *WHOLE]]
    cells += [f"{table.codes.nbytes / 2**20:.0f}", f"{(after_encode - before) / 2**10:.0f}", f"{peak / 2**10:.0f}"]
    print("\t".join([*cells, f"{release.report.metrics['loss']:.4f}"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000, help="the largest size")
    parser.add_argument("--changed", type=float, default=0.03, help="the share of cells that are drawn anew")
    parser.add_argument("--one", action="store_true", help="measure this size alone and print tab-separated figures")
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.rows, arguments.changed)
        return
    shown = RichTable(title=f"8 quasi-identifiers, {arguments.changed:.0%} of the cells changed, CPU seconds")
    names = ["rows", "distinct", *STEPS, *WHOLE, "codes MiB", "MiB more by encoding", "peak MiB", "loss"]
    columns = [[name] for name in names]
    for size in (arguments.rows // 8, arguments.rows // 4, arguments.rows // 2, arguments.rows):
        command = [sys.executable, __file__, "--one", "--rows", str(size), "--changed", str(arguments.changed)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        cells = done.stdout.strip().split("\t")
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
        figures = {name: float(cell.replace(",", "")) for name, cell in zip(names, cells, strict=True)}
        note(f"rows{size}", **{FIGURES[name]: figure for name, figure in figures.items() if name in FIGURES})
    shown.add_column("")
    for _ in range(4):
        shown.add_column(justify="right")
    for column in columns:
        shown.add_row(*column)
    Console(width=120).print(shown)


if __name__ == "__main__":
    main()
