"""Spark on this machine beside the local run over files, on the same rows: seconds from Parquet to a verified release.

The table is Adult resampled, 3% of the cells drawn anew. Times are without the start of Spark's session; the warm run
is the best of several. The CPU seconds of Spark are shown by process: the driver's Python, which plans and solves; the
workers' Python, which read, count, label, check and write; and Java, which is Spark itself, its own reading, shuffling
and writing and its scheduling of tasks. Beside them is what Spark alone needs to group the table by all its columns and
to write it again unchanged: what reading, shuffling and writing cost if all rows go through Spark.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from any_size import QUASI, write_table
from notes import note
from rich.console import Console
from rich.table import Table as RichTable
from spark_cpu import PARTS, cpu_seconds

K = 10


def measure(engine: str, source: Path, master: str, warm: int) -> dict[str, Any]:
    """The seconds of one cold and several warm runs in one process; of the best, also by stage, and CPU by process."""
    import shoal

    warnings.simplefilter("ignore")
    asked = {
        "quasi_identifiers": QUASI,
        "sensitive": "occupation",
        "model": shoal.KAnonymity(K),
        "algorithm": "mondrian",
    }
    work: Callable[..., object] = shoal.anonymize_files
    if engine == "spark":
        shoal.spark.session(master)
        work = shoal.spark.anonymize_files
    runs = [one_run(work, source, asked) for _ in range(1 + warm)]
    cold, *others = runs
    found = {"cold": cold["seconds"], **min(others, key=lambda run: run["seconds"])}
    found["cpu"] = min((run["cpu"] for run in others), key=lambda cpu: sum(cpu.values()))
    return found | ({"alone": spark_alone(source, warm)} if engine == "spark" else {})


def one_run(work: Callable[..., object], source: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """The seconds of a run, in all and by stage, and its CPU seconds by process."""
    began: dict[str, float] = {}

    def tell(stage: str, share: float) -> None:
        began.setdefault(stage.split(":")[0], time.perf_counter())

    target, cpu, start = source.parent / f"release-{source.name}", cpu_seconds(), time.perf_counter()
    work(source, target, progress=tell, **asked)
    end, cpu_after = time.perf_counter(), cpu_seconds()
    shutil.rmtree(target)
    stages = {stage: after - at for (stage, at), after in zip(began.items(), [*began.values(), end][1:], strict=True)}
    return {"seconds": end - start, "stages": stages, "cpu": {part: cpu_after[part] - cpu[part] for part in PARTS}}


def spark_alone(source: Path, times: int) -> float:
    """The seconds in which Spark groups the table and writes it again unchanged, at best."""
    import shoal

    files, target = f"file:{source.absolute()}", source.parent / f"alone-{source.name}"
    spark, found = shoal.spark.session(), []
    for _ in range(1 + times):
        start = time.perf_counter()
        table = spark.read.parquet(files)
        table.groupBy(*(f"`{name}`" for name in table.columns)).count().toArrow()
        table.write.parquet(f"file:{target.absolute()}")
        found.append(time.perf_counter() - start)
        shutil.rmtree(target)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--master", default="local[*]")
    parser.add_argument("--warm", type=int, default=3, help="how many warm runs there are")
    parser.add_argument("--one", nargs=2, metavar=("ENGINE", "FOLDER"), help="measure one engine alone")
    arguments = parser.parse_args()
    if arguments.one:
        engine, source = arguments.one
        print(json.dumps(measure(engine, Path(source), arguments.master, arguments.warm)))
        return
    from shoal.engines.spark.session import check_java, pyspark

    pyspark("sql")
    check_java()
    title = f"{len(QUASI)} quasi-identifiers, Mondrian k={K}"
    seconds, stages = RichTable(title=f"{title}, seconds"), RichTable(title="The warm run of Spark, seconds by stage")
    cpu = RichTable(title="The warm runs, CPU seconds")
    for head in ("rows", "local, cold", "warm", "Spark, cold", "warm", "Spark alone"):
        seconds.add_column(head, justify="right")
    for head in ("rows", "local", "Spark", *PARTS, "Java's share"):
        cpu.add_column(head, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for rows in arguments.rows:
            source = Path(folder) / str(rows)
            source.mkdir()
            write_table(source / "table.parquet", rows, 0.03)
            found = {}
            for engine in ("local", "spark"):
                command = [sys.executable, __file__, "--one", engine, str(source), "--master", arguments.master]
                command += ["--warm", str(arguments.warm)]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                found[engine] = json.loads(done.stdout.splitlines()[-1])
            local, spark = found["local"], found["spark"]
            figures = [local["cold"], local["seconds"], spark["cold"], spark["seconds"], spark["alone"]]
            seconds.add_row(f"{rows:,}", *(f"{figure:.1f}" for figure in figures))
            totals = [sum(one["cpu"].values()) for one in (local, spark)]
            note(f"rows{rows}.local", cold=local["cold"], warm=local["seconds"], cpu=totals[0])
            note(f"rows{rows}.spark", cold=spark["cold"], warm=spark["seconds"], cpu=totals[1], alone=spark["alone"])
            note(f"rows{rows}.spark", **{f"{part.lower()}_cpu": spark["cpu"][part] for part in PARTS})
            note(f"rows{rows}.spark", java_percent=100 * spark["cpu"]["Java"] / totals[1])
            figures = [*totals, *(spark["cpu"][part] for part in PARTS)]
            cpu.add_row(f"{rows:,}", *(f"{one:.1f}" for one in figures), f"{spark['cpu']['Java'] / totals[1]:.0%}")
            if not stages.columns:
                for head in ("rows", *spark["stages"]):
                    stages.add_column(head, justify="right")
            stages.add_row(f"{rows:,}", *(f"{one:.1f}" for one in spark["stages"].values()))
    for table in (seconds, stages, cpu):
        Console(width=100).print(table)


if __name__ == "__main__":
    main()
