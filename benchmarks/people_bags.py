"""Profiles and households: loss, dropped rows and CPU seconds beside those of earlier prototypes.

The table of visits has the people of Adult, each with Poisson(5) visits, of whom a few have none: seven attributes are
the same in all visits of a person, three differ. With SHOAL_REFERENCE_DATA also the households of sdcMicro's testdata.
Times are warm, on one core, from the encoded table to the slots. The loss counts a dropped row as 1 per cell.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

import numpy as np
import pyarrow.csv
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal
from shoal.algorithms.people.bags import group_bags
from shoal.data.encoding import encode
from shoal.data.table import Table
from shoal.metrics import METRICS

STATIC = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
MEMBERS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age"]
VARYING = ["month", "ward", "age_at_visit"]
PROTOTYPES = {
    ("visits", 5): ".1487 in 8 s; in larger blocks .1435 in 16 s",
    ("visits", 10): ".2233 in 8 s; in larger blocks .2157 in 16 s",
    ("households", 5): ".1075, attributes not recorded",
    ("households", 10): ".1776, attributes not recorded",
}


def main() -> None:
    """Print the figures of all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also a million visits of 200,000 people")
    options = parser.parse_args()
    tables = {"visits": visits()}
    if folder := os.environ.get("SHOAL_REFERENCE_DATA"):
        tables["households"] = households(Path(folder) / "sdc" / "testdata.csv")
    if options.large:
        tables["large"] = visits(200_000)
    show = RichTable("table", "rows", "people", "k", "loss", "dropped", "CPU s", "s", "prototype")
    for name, (table, owners) in tables.items():
        warm(table, owners)
        for k in (5, 10):
            cpu, wall = time.process_time(), time.perf_counter()
            made = group_bags(table, owners, k=k, max_dropped=owners.size)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            loss = METRICS["loss"](table, made.recoding(table))
            figures = f"{loss:.4f}", f"{made.dropped:,}", f"{cpu:.1f}", f"{wall:.1f}"
            people = np.unique(owners).size
            note(f"{name}.k{k}", loss=loss, dropped=made.dropped, cpu=cpu)
            show.add_row(name, f"{owners.size:,}", f"{people:,}", str(k), *figures, PROTOTYPES.get((name, k), ""))
    Console(width=140).print(show)
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def warm(table: Table, owners: np.ndarray) -> None:
    """Compile: the blocks of many people, and the groups of a few."""
    for people, k in ((20_000, 1), (1000, 5)):
        few = np.flatnonzero(owners < people)
        group_bags(table.some(few), owners[few], k=k, max_dropped=few.size)


def visits(people: int | None = None) -> tuple[Table, np.ndarray]:
    """Return the visits of all people of Adult, or of as many drawn from it, and whose each is."""
    data = shoal.datasets.visits(people)
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in STATIC}
    columns = {name: data[name] for name in (*STATIC, *VARYING)}
    owners = np.unique(data["person"].to_numpy(zero_copy_only=False), return_inverse=True)[1]
    return encode(columns, quasi=list(columns), sensitive=[], guides=trees, style=shoal.Style()), owners


def households(path: Path) -> tuple[Table, np.ndarray]:
    """Return the members of households and the household of each."""
    members = pyarrow.csv.read_csv(path)
    columns = {name: members[name] for name in MEMBERS}
    owners = np.unique(members["ori_hid"].to_numpy(), return_inverse=True)[1]
    return encode(columns, quasi=MEMBERS, sensitive=[], guides={}, style=shoal.Style()), owners


if __name__ == "__main__":
    main()
