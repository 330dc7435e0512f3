"""The clusterings: CPU seconds and loss, how the time grows, and a literal version in plain Python beside each.

With SHOAL_REFERENCE_DATA the tables are those of its folders, otherwise slices of the shipped Adult table. Times are
CPU seconds of all cores together, warm, from the encoded table to the recoding.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal
from shoal.algorithms.algorithm import describe
from shoal.data.encoding import encode
from shoal.data.table import Table
from shoal.io.source import Source
from shoal.metrics import METRICS

UCI = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship"),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country"),
]


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without the runs that take a minute")
    options = parser.parse_args()
    tables = tables_of()
    runs = [
        ("course", shoal.CentroidClustering(), 4),
        ("course", shoal.CentroidClustering(), 16),
        ("eight", shoal.RandomGrouping(), 10),
        ("eight", shoal.CentroidClustering(), 10),
        ("eight", shoal.KMember(), 10),
        ("eight", shoal.KMember(start="random"), 10),
        ("eight", shoal.SequentialClustering(), 10),
        ("eight", shoal.OnePassKMeans(), 10),
        ("eight", shoal.GraphClustering(), 10),
        ("eight", shoal.HilbertClustering(), 10),
        ("eight", shoal.AgglomerativeClustering(), 10),
        ("eight", shoal.Mondrian(), 10),
        ("paper", shoal.HilbertClustering(), 10),
        ("paper", shoal.KMember(), 10),
        ("paper", shoal.KMember(start="random"), 10),
        ("paper", shoal.SequentialClustering(), 100),
        ("paper", shoal.SequentialClustering(), 50),
    ]
    if not options.quick:
        runs += [("paper", shoal.SequentialClustering(), 10), ("paper", shoal.AgglomerativeClustering(), 10)]
    show = RichTable("table", "rows", "algorithm", "k", "loss", "information loss", "CPU s", "s", title="Clusterings")
    for name, algorithm, k in runs:
        table = tables[name]
        warm(algorithm, table)
        recoding, cpu, wall = timed(algorithm, table, k)
        figures = (METRICS["loss"](table, recoding), METRICS["information_loss"](table, recoding))
        start = "_random" if getattr(algorithm, "start", "") == "random" else ""
        note(f"{name}.{type(algorithm).__name__}{start}.k{k}", loss=figures[0], cpu=cpu)
        show.add_row(
            name,
            f"{table.rows:,}",
            describe(algorithm),
            str(k),
            f"{figures[0]:.4f}",
            f"{figures[1]:,.0f}",
            f"{cpu:.2f}",
            f"{wall:.2f}",
        )
    Console(width=120).print(show)
    growth(tables["eight"])
    literal(tables["eight"], 2000)


def growth(table: Table) -> None:
    """How the time grows from n to 2n and 4n rows."""
    show = RichTable("algorithm", "n", "2n", "4n", title=f"CPU s for n = {table.rows // 4:,} rows, k = 10")
    for algorithm in (
        shoal.CentroidClustering(),
        shoal.KMember(),
        shoal.OnePassKMeans(),
        shoal.GraphClustering(),
        shoal.HilbertClustering(),
        shoal.AgglomerativeClustering(),
        shoal.SequentialClustering(),
    ):
        warm(algorithm, table)
        times = [timed(algorithm, first_rows(table, table.rows * part // 4), 10)[1] for part in (1, 2, 4)]
        note(f"growth.{type(algorithm).__name__}", n1_cpu=times[0], n2_cpu=times[1], n4_cpu=times[2])
        show.add_row(type(algorithm).__name__, *(f"{seconds:.2f}" for seconds in times))
    Console(width=120).print(show)


def literal(table: Table, rows: int) -> None:
    """Centroid clustering beside a literal version in plain Python."""
    small = first_rows(table, rows)
    start = time.process_time()
    groups = literal_centroid_clustering(small, 10)
    slow = time.process_time() - start
    recoding, fast, _ = timed(shoal.CentroidClustering(), small, 10)
    show = RichTable("", "CPU s", "groups", title=f"Centroid clustering of {rows:,} rows, k = 10")
    note("literal", shoal_cpu=fast, python_cpu=slow)
    show.add_row("shoal", f"{fast:.3f}", f"{recoding.sizes.size}")
    show.add_row("literal Python", f"{slow:.2f}", f"{groups}")
    Console(width=120).print(show)


def literal_centroid_clustering(table: Table, k: int) -> int:
    """The assignment's procedure as it is printed, with distances looked up per attribute; returns the groups."""
    trees = [domain.hierarchy for domain in table.domains]
    steps = 2 * sum(tree.height for tree in trees)
    apart = []
    for tree in trees:
        values = np.arange(len(tree.leaf_nodes), dtype=np.int32)
        low, high = np.minimum.outer(values, values), np.maximum.outer(values, values)
        shown = tree.cover(low.ravel(), high.ravel()).reshape(low.shape)
        depths = tree.depths[tree.leaf_nodes]
        up = depths[:, None] + depths[None, :] - 2 * tree.depths[shown]
        apart.append((tree.loss[shown] / len(trees) + up / steps).tolist())
    records = table.codes.tolist()
    unused, totals, centroid, groups = list(range(len(records))), [0.0] * len(records), 0, 0
    while len(unused) >= k:
        own = records[centroid]
        distance = {row: sum(far[a][b] for far, a, b in zip(apart, own, records[row], strict=True)) for row in unused}
        nearest = sorted((row for row in unused if row != centroid), key=lambda row: (distance[row], row))[: k - 1]
        gone = {centroid, *nearest}
        unused = [row for row in unused if row not in gone]
        for row in unused:
            totals[row] += distance[row]
        groups += 1
        centroid = max(unused, key=lambda row: (totals[row], -row), default=0)
    return groups


def timed(algorithm, table: Table, k: int):
    """(recoding, CPU seconds, seconds)."""
    cpu, wall = time.process_time(), time.perf_counter()
    recoding = algorithm.recode(table, shoal.KAnonymity(k))
    return recoding, time.process_time() - cpu, time.perf_counter() - wall


def warm(algorithm, table: Table) -> None:
    """Compile."""
    algorithm.recode(first_rows(table, 200), shoal.KAnonymity(10))


def first_rows(table: Table, rows: int) -> Table:
    """The first rows of a table."""
    from dataclasses import replace

    rows = min(rows, len(table.weights))
    return replace(
        table,
        codes=np.ascontiguousarray(table.codes[:rows]),
        sensitive_codes=table.sensitive_codes[:rows],
        weights=table.weights[:rows],
    )


def tables_of() -> dict[str, Table]:
    """The course file, 30,162 rows with eight quasi-identifiers, and the paper's 45,222 rows with fourteen."""
    reference = os.environ.get("SHOAL_REFERENCE_DATA")
    if not reference:
        adult = shoal.datasets.adult(drop_missing=True)
        trees = shoal.datasets.adult_hierarchies()
        whole = encoded({name: adult[name] for name in trees}, trees)
        return {"course": first_rows(whole, 9999), "eight": whole, "paper": whole}
    folder = Path(reference)
    course = Source.of(folder / "comp430" / "adult-hw1.csv")
    names = course.columns[:-1]
    trees = {name: shoal.Hierarchy.from_tab_tree(folder / "comp430" / "DGHs" / f"{name}.txt") for name in names}
    arx = Source.of(folder / "arx" / "adult.csv")
    eight = [name for name in arx.columns if name != "occupation"]
    levels = {name: shoal.Hierarchy.from_levels(folder / "arx" / f"adult_hierarchy_{name}.csv") for name in eight}
    return {
        "course": encoded({name: course.arrow(name) for name in names}, trees),
        "eight": encoded({name: arx.arrow(name) for name in eight}, levels),
        "paper": paper(folder / "uci"),
    }


def paper(folder: Path) -> Table:
    """The table of Goldberger & Tassa 2010: both files of Adult without missing values, value or nothing."""
    rows = []
    for name in ("adult.data", "adult.test"):
        with (folder / name).open(newline="") as file:
            rows += [row for row in csv.reader(file, skipinitialspace=True) if len(row) == 15 and "?" not in row]
    columns = {name: [row[at] for row in rows] for at, name in enumerate(UCI)}
    trees = {}
    for name, values in columns.items():  # numbers in their order, which the Hilbert curve follows
        numeric = all(value.isdigit() for value in values)
        trees[name] = shoal.Hierarchy.flat(sorted(set(values), key=int if numeric else str))
    return encoded({name: pa.chunked_array([values]) for name, values in columns.items()}, trees)


def encoded(columns, trees) -> Table:
    """The columns as a table."""
    return encode(columns, quasi=list(columns), sensitive=[], guides=trees, style=shoal.Style())


if __name__ == "__main__":
    main()
