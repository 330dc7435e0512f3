"""A table of a MySQL or MariaDB server, read, released and written, beside the driver's own ways to read and write.

A server of its own is started in a temporary folder and filled with Adult, drawn with replacement. What shoal writes it
also reads back and verifies; the driver alone does neither. CPU seconds are those of this process and of the server.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from os import sysconf
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "io"))
from databases import servers

ROLES = {"quasi_identifiers": ["age", "sex", "race", "education"], "sensitive": "occupation", "keep": "fnlwgt"}
COLUMNS = ["age", "sex", "race", "education", "occupation", "fnlwgt"]
KINDS = ["int", "varchar(10)", "varchar(20)", "varchar(20)", "varchar(20)", "int"]
K = 10
FIGURES = {  # by step
    "driver: fetchall": "fetchall",
    "shoal: read_database": "read",
    "shoal: anonymize": "anonymize",
    "driver: executemany": "executemany",
    "driver: LOAD DATA": "load_data",
    "shoal: save (written, read back, verified)": "save",
}


@dataclass
class Step:
    """What one step took; `result` is what it gave."""

    name: str
    wall: float
    here: float
    server: float
    result: Any


def server_seconds(process: Any) -> float:
    """The CPU seconds of a server so far."""
    parts = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / sysconf("SC_CLK_TCK")


def steps(server: servers.MySQL, rows: int) -> Iterator[Step]:
    """Read, release and write so many rows, by shoal and by the driver alone."""
    import pymysql

    def step(name: str, work: Callable[[], Any]) -> Step:
        wall, here, there = time.perf_counter(), time.process_time(), server_seconds(server.process)
        result = work()
        ended = time.perf_counter() - wall, time.process_time() - here, server_seconds(server.process) - there
        return Step(name, *ended, result)

    where = server.options
    url = f"mysql://admin:{quote(where['password'], safe='')}@{where['host']}:{where['port']}/bench"
    with (
        closing(pymysql.connect(**where, local_infile=True, charset="utf8mb4")) as driver,
        closing(driver.cursor()) as own,
    ):

        def table(name: str, kinds: list[str]) -> str:
            pairs = ", ".join(f"{column} {kind}" for column, kind in zip(COLUMNS, kinds, strict=True))
            own.execute(f"CREATE TABLE bench.{name} ({pairs})")
            return f"bench.{name}"

        def insert(into: str, values: list[tuple[Any, ...]]) -> None:
            own.executemany(f"INSERT INTO {into} VALUES (%s, %s, %s, %s, %s, %s)", values)
            driver.commit()

        def load(into: str, content: pa.Table) -> None:
            with tempfile.NamedTemporaryFile(suffix=".csv") as file:
                pacsv.write_csv(content, file.name, pacsv.WriteOptions(include_header=False, quoting_style="needed"))
                own.execute(
                    f"LOAD DATA LOCAL INFILE '{file.name}' INTO TABLE {into} FIELDS TERMINATED BY ',' ENCLOSED BY '\"'"
                )
            driver.commit()

        def fetch() -> int:
            own.execute("SELECT * FROM bench.given")
            return len(own.fetchall())

        own.execute("CREATE DATABASE bench CHARACTER SET utf8mb4")
        adult = shoal.datasets.adult().select(COLUMNS)
        load(table("given", KINDS), adult.take(np.random.RandomState(1).randint(0, adult.num_rows, rows)))
        yield step("driver: fetchall", fetch)
        yield step("shoal: read_database", lambda: shoal.read_database(f"{url}#given"))
        data = shoal.read_database(f"{url}#given")
        made = step("shoal: anonymize", lambda: shoal.anonymize(data, model=shoal.KAnonymity(K), **ROLES))
        yield made
        frame = made.result.frame
        texts = ["longtext"] * 4 + KINDS[4:]  # as shoal makes them
        values = list(zip(*frame.to_pydict().values(), strict=True))
        yield step("driver: executemany", lambda: insert(table("inserted", texts), values))
        yield step("driver: LOAD DATA", lambda: load(table("loaded", texts), frame))
        yield step("shoal: save (written, read back, verified)", lambda: made.result.save(f"{url}#safe"))
        own.execute("SELECT count(*) FROM bench.safe")
        assert own.fetchone() == (rows,)


def main() -> None:
    """Run the benchmark and print a table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--rows", type=int, default=1_000_000)
    asked = given.parse_args()
    warnings.simplefilter("ignore")
    shoal.anonymize(
        shoal.datasets.adult().select(COLUMNS), model=shoal.KAnonymity(K), **ROLES
    )  # so that all is compiled
    shown = RichTable("step", "wall s", "CPU s here", "CPU s of the server", title=f"{asked.rows:,} rows, six columns")
    try:
        with servers.mysql() as server:
            for step in steps(server, asked.rows):
                note(FIGURES[step.name], wall=step.wall, cpu=step.here, server_cpu=step.server)
                shown.add_row(step.name, f"{step.wall:.1f}", f"{step.here:.1f}", f"{step.server:.1f}")
    except servers.NoServerError as error:
        print(f"Left out: {error}.")
        return
    Console().print(shown)


if __name__ == "__main__":
    main()
