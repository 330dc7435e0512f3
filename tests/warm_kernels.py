"""Compile the kernels before the tests start, so that no two test processes compile the same kernel.

One process compiles them all: numba's index of a kernel may name the machine code of another signature if two processes
write it at the same time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

import shoal
from contract.lists import ALGORITHMS
from shoal.kernels.compiling import SOURCES, cache_folder

COLUMNS = {
    "age": [23, 25, 25, None, 31, 31, 38, 40, 40, 41, 52, 55, 57, None, 61, 64],
    "zip": ["131", "132", "131", "141"] * 4,
    "job": ["cook", "nurse", "cook", "clerk", "clerk", "nurse", None, "cook"] * 2,
    "illness": ["flu", "cold", "flu", "asthma"] * 4,
}
ROLES = {"quasi_identifiers": ["age", "zip", "job"], "sensitive": "illness"}
TREE = shoal.Hierarchy.from_parents(["*", "13", "14", "131", "132", "141"], [-1, 0, 0, 1, 1, 2])
MODELS = [shoal.KAnonymity(2), shoal.KAnonymity(2) & shoal.Closeness(0.6)]


def use_every_kernel() -> None:
    """Anonymize a tiny table by each algorithm, part by part, too, and attack the release."""
    table = pa.table(COLUMNS)
    for algorithm in ALGORITHMS:
        for model in MODELS:
            release = shoal.anonymize(table, hierarchies={"zip": TREE}, model=model, algorithm=algorithm, **ROLES)
    shoal.attack(release.frame, table, known=ROLES["quasi_identifiers"], sensitive="illness", original=table)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        pyarrow.csv.write_csv(table, source)
        shoal.anonymize_files(source, target, memory="1GB", model=MODELS[1], algorithm=shoal.Mondrian(), **ROLES)


def warm() -> None:
    """Compile every kernel, unless an earlier call has done so for the same sources."""
    folder = cache_folder(SOURCES)
    if folder is not None and not (stamp := folder / "warm").exists():
        subprocess.run([sys.executable, __file__], check=True)
        stamp.touch()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    use_every_kernel()
