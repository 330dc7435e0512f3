"""Compile the kernels before the tests start, so that no two test processes compile the same kernel.

`python tests/warm_kernels.py FAMILY` runs the algorithms of one family on a tiny table; each family mostly uses its own
kernels, so the families compile side by side.
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
MODELS = [shoal.KAnonymity(2), shoal.KAnonymity(2) & shoal.Closeness(0.6)]


def is_local(algorithm: shoal.algorithms.Algorithm) -> bool:
    """Tell whether an algorithm uses the kernels of local recoding, about half of all."""
    return isinstance(algorithm, shoal.Auto | shoal.LocalRecoding)


def release(algorithm: object, model: shoal.models.Model) -> shoal.Release:
    """Anonymize the tiny table."""
    tree = shoal.Hierarchy.from_parents(["*", "13", "14", "131", "132", "141"], [-1, 0, 0, 1, 1, 2])
    return shoal.anonymize(pa.table(COLUMNS), hierarchies={"zip": tree}, model=model, algorithm=algorithm, **ROLES)


def compile_local() -> None:
    """Compile the kernels of local recoding."""
    for algorithm in filter(is_local, ALGORITHMS):
        for model in MODELS:
            release(algorithm, model)


def compile_others() -> None:
    """Compile all other kernels."""
    others = [algorithm for algorithm in ALGORITHMS if not is_local(algorithm)]
    # Local recoding calls these as well: by the time they are reached here, the other process has compiled them.
    for algorithm in sorted(others, key=lambda each: isinstance(each, shoal.Mondrian | shoal.SequentialClustering)):
        for model in MODELS:
            release(algorithm, model)
    table = pa.table(COLUMNS)
    safe = release(shoal.Mondrian(), MODELS[0])
    shoal.attack(safe.frame, table, known=ROLES["quasi_identifiers"], sensitive="illness", original=table)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        pyarrow.csv.write_csv(table, source)
        shoal.anonymize_files(source, target, memory="1GB", model=MODELS[1], algorithm=shoal.Mondrian(), **ROLES)


FAMILIES = {"local": compile_local, "others": compile_others}


def warm() -> None:
    """Compile every kernel in one process per family, unless an earlier call has done so for the same sources."""
    folder = cache_folder(SOURCES)
    if folder is None or (stamp := folder / "warm").exists():
        return
    processes = [subprocess.Popen([sys.executable, __file__, family]) for family in FAMILIES]
    codes = [process.wait() for process in processes]
    if not any(codes):
        stamp.touch()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    FAMILIES[sys.argv[1]]()
