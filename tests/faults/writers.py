"""The command lines that write files, each with the previous content of its folder."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq

ALL = bool(os.environ.get("SHOAL_FAULTS"))  # every case, which takes minutes
ROWS = 240
ROLES = ["--quasi", "age,sex,zip", "--sensitive", "disease", "--identifying", "name", "-q"]
ALGORITHM = ["--algorithm", "mondrian"]
TREES = ["--hierarchy", "age=intervals:10,30", "--hierarchy", "sex=flat", "--hierarchy", "zip=prefix"]


def rows(count: int = ROWS, shift: int = 0) -> str:
    """Return the rows of a table of patients."""
    return "".join(
        f"n{row},{18 + (row * 7 + shift) % 60},{'fm'[row * row % 3 % 2]},{13000 + (row * row * 31 + shift) % 97},"
        f"{('flu', 'cold', 'mumps', 'gout')[(row * 5 + shift) % 4]}\n"
        for row in range(count)
    )


def table(count: int = ROWS, shift: int = 0) -> str:
    """Return a table of patients as CSV."""
    return "name,age,sex,zip,disease\n" + rows(count, shift)


def prepare(folder: Path) -> None:
    """Write the inputs of all commands."""
    (folder / "in.csv").write_text(table())
    pq.write_table(pyarrow.csv.read_csv(folder / "in.csv"), folder / "in.parquet")


def content(path: Path) -> object:
    """Return the content of a file or a folder of files."""
    if path.is_dir():
        return {one.name: one.read_bytes() for one in sorted(path.iterdir())}
    return path.read_bytes() if path.exists() else None


def sqlite_rows(path: Path) -> object:
    """Return the rows of the table `safe` in a SQLite file."""
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT * FROM safe").fetchall()


def duckdb_rows(path: Path) -> object:
    """Return the rows of the table `safe` in a DuckDB file."""
    import duckdb

    with duckdb.connect(path) as database:
        return database.execute("SELECT * FROM safe").fetchall()


@dataclass(frozen=True)
class Writer:
    """A command line, the command lines that made the old outputs, and its outputs, the release first."""

    words: list[str]
    before: list[list[str]]
    outputs: list[str]
    read: Callable[[Path], object] = content
    prepare: Callable[[Path], None] = prepare
    release_last: bool = True


def anonymize(source: str, output: str, outputs: list[str], *options: str, old: bool = True) -> Writer:
    """Replace a release at k = 8 with one at k = 5."""

    def words(k: int) -> list[str]:
        return ["anonymize", source, *ROLES, *ALGORITHM, "--k", str(k), "-o", output, *options]

    return Writer(words(5), [words(8)] if old else [], outputs)


def database(kind: str, read: Callable[[Path], object]) -> Writer:
    """Replace a release in a table of a database."""
    one = anonymize("in.csv", f"{kind}:///safe.db#safe", ["safe.db"], "--replace")
    return Writer(one.words, one.before, one.outputs, read, release_last=False)


REPORTS = ["--report", "safe.json", "--report", "safe.html"]
VIEWS = ["--statistics", "classes.txt", "--groups", "groups.html"]
LATTICE = [
    "--algorithm",
    "full-domain",
    *TREES,
    "--nodes",
    "nodes.csv",
    "--front",
    "front.svg",
]
FIRST = ["anonymize", "in.csv", *ROLES, *ALGORITHM, "--k", "8", "-o", "first.csv", "--report", "first.json"]
SECOND = ["anonymize", "in.csv", *ROLES, *ALGORITHM, "--k", "5", "-o", "second.csv", "--report", "second.json"]
APPLY = ["in.csv", "-q", "-o", "next.csv", "--report", "next.json"]
BUILD = ["--data", "in.csv", "--column", "age", "-o", "age.txt", "-q"]
WRITERS = {
    "csv": anonymize("in.csv", "safe.csv", ["safe.csv", "safe.json"], "--report", "safe.json"),
    "new": anonymize("in.csv", "safe.csv", ["safe.csv", "safe.json"], "--report", "safe.json", old=False),
    "parquet": anonymize("in.parquet", "safe.parquet", ["safe.parquet", "safe.json"], "--report", "safe.json"),
    "views": anonymize(
        "in.csv", "safe.csv", ["safe.csv", "safe.json", "classes.txt", "groups.html"], *VIEWS, "--report", "safe.json"
    ),
    "reports": anonymize("in.csv", "safe.csv", ["safe.csv", "safe.json", "safe.html"], *REPORTS),
    "paper": anonymize("in.csv", "safe.csv", ["safe.csv", "safe.pdf"], "--report", "safe.pdf"),
    "lattice": anonymize("in.csv", "safe.csv", ["safe.csv", "nodes.csv", "front.svg"], *LATTICE),
    "memory": anonymize("in.csv", "safe.csv", ["safe.csv", "safe.json"], "--memory", "1GB", "--report", "safe.json"),
    "memory-parquet": anonymize(
        "in.parquet",
        "safe.parquet",
        ["safe.parquet", "safe.json", "safe.html"],
        "--memory",
        "1GB",
        "--report",
        "safe.json",
        "--report",
        "safe.html",
    ),
    "folder": anonymize(
        "in.parquet", "safe", ["safe", "safe.json"], "--memory", "1GB", "--report", "safe.json", old=False
    ),
    "sqlite": database("sqlite", sqlite_rows),
    "duckdb": database("duckdb", duckdb_rows),
    "apply": Writer(
        ["apply", "second.json", *APPLY], [FIRST, SECOND, ["apply", "first.json", *APPLY]], ["next.csv", "next.json"]
    ),
    "hierarchy": Writer(
        ["hierarchy", "build", "intervals:10,30", *BUILD],
        [["hierarchy", "build", "intervals:5,10", *BUILD]],
        ["age.txt"],
    ),
    "init": Writer(["init", "in.csv", "--force", "-q"], [["init", "in.csv", "--k", "9", "-q"]], ["shoal.toml"]),
}
SLOW = ("lattice", "memory-parquet", "paper", "parquet", "reports")
QUICK = [name for name in WRITERS if ALL or name not in SLOW]
FEW = [name for name in QUICK if ALL or name in ("csv", "memory", "sqlite", "hierarchy")]
