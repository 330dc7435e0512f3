"""Compile the kernels before the tests start, so that no two test processes compile the same kernel."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

import shoal
from contract.lists import ALGORITHMS
from shoal.algorithms.people.bags import group_bags
from shoal.algorithms.people.blocks import blocks_of
from shoal.data.encoding import encode
from shoal.kernels.compiling import SOURCES
from shoal.kernels.kept_code import cache_folder

COLUMNS = {
    "age": [23, 25, 25, None, 31, 31, 38, 40, 40, 41, 52, 55, 57, None, 61, 64],
    "zip": ["131", "132", "131", "141"] * 4,
    "job": ["cook", "nurse", "cook", "clerk", "clerk", "nurse", None, "cook"] * 2,
    "illness": ["flu", "cold", "flu", "asthma"] * 4,
}
ROLES = {"quasi_identifiers": ["age", "zip", "job"], "sensitive": "illness"}
TREE = shoal.Hierarchy.from_parents(["*", "13", "14", "131", "132", "141"], [-1, 0, 0, 1, 1, 2])
LONGEST = ("local", "auto")  # compile as long as all the others together
HALVES = ("longest", "others")
MODELS = [shoal.KAnonymity(2), shoal.KAnonymity(2) & shoal.Closeness(0.6)]


def use_every_kernel(half: str) -> None:
    """Anonymize a tiny table by half of the algorithms, part by part, too, and attack the release."""
    table = pa.table(COLUMNS)
    for algorithm in ALGORITHMS:
        for model in MODELS if (algorithm.name in LONGEST) == (half == HALVES[0]) else ():
            release = shoal.anonymize(table, hierarchies={"zip": TREE}, model=model, algorithm=algorithm, **ROLES)
    if half == HALVES[0]:
        return
    people = table.append_column("who", pa.array([row // 2 for row in range(table.num_rows)]))
    shoal.anonymize(people, unit="who", model=MODELS[0], algorithm="local", **ROLES)
    group_events(table)
    shoal.attack(release.frame, table, known=ROLES["quasi_identifiers"], sensitive="illness", original=table)
    shoal.attack(release.frame, kind="all", original=table, known=ROLES["quasi_identifiers"], sensitive="illness")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        pyarrow.csv.write_csv(table, source)
        shoal.anonymize_files(source, target, memory="1GB", model=MODELS[1], algorithm=shoal.Mondrian(), **ROLES)


def group_events(table: pa.Table) -> None:
    """Group people of two rows each, among them groups that must join, and cut them into blocks."""
    columns = {name: table[name] for name in ROLES["quasi_identifiers"]}
    events = encode(columns, quasi=list(columns), sensitive=[], guides={"zip": TREE}, style=shoal.Style())
    owners = np.arange(len(events.weights)) // 2

    def holds(groups: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        return np.array([np.unique(owners[rows]).size > 2 for rows, _ in groups])

    group_bags(events, owners, k=2, max_dropped=0, holds=holds)
    blocks_of(events, events.codes, static=len(columns), events=1, smallest=2)


def warm() -> None:
    """Compile every kernel, unless an earlier call has done so for the same sources."""
    folder = cache_folder(SOURCES)
    if folder is not None and not (stamp := folder / "warm").exists():
        processes = [subprocess.Popen([sys.executable, __file__, half]) for half in HALVES]
        codes = [process.wait() for process in processes]
        if any(codes):
            raise RuntimeError("The kernels could not be compiled: see the traceback above.")
        stamp.touch()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    use_every_kernel(sys.argv[1])
