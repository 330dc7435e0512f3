"""How quick the workbench is with a large table: opening, paging, sorting, filtering, and the answer to a slider.

Adult resampled, with 3 % of its cells changed. No other Python tool has a page to measure beside it; a plain read of
the same file by pyarrow is the floor under opening it.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from pathlib import Path

import pyarrow.csv
from notes import note
from rich.console import Console
from rich.table import Table
from scale import QUASI, resampled

from shoal.ui.state.rows import View
from shoal.ui.state.workbench import Workbench


async def measure(rows: int) -> dict[str, float]:
    """Seconds of each step, as a page waits for them."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        pyarrow.csv.write_csv(resampled(rows, 0.03), path)
        start = time.perf_counter()
        pyarrow.csv.read_csv(path)
        found["pyarrow reads the file (the floor)"] = time.perf_counter() - start
        bench = Workbench(Path(folder) / "private")
        bench.folder.mkdir()

        async def timed(name: str, work) -> None:
            start = time.perf_counter()
            await work
            found[name] = time.perf_counter() - start

        async def answered(k: int) -> None:
            bench.risks, bench.project.models = None, {"k": {"k": k}}
            bench.changed()
            while bench.risks is None:
                await asyncio.sleep(0.002)

        await timed("open: read, keep, suggest roles, uniqueness, separation", bench.open(str(path)))
        bench.project.roles = {name: "quasi" if name in QUASI else "other" for name in bench.columns}
        await timed("rows at risk, the first time", answered(5))
        await timed("rows at risk, after a slider was moved", answered(10))
        table = bench.table
        page = {"start": 500_000 % rows, "count": 25}
        for name, view in {
            "a page": View(),
            "a page of an order by number": View("age"),
            "the next page of the same order": View("age"),
            "a page of an order by text": View("education"),
            "a page of a filter": View(containing=(("occupation", "sales"),)),
        }.items():
            await timed(name, asyncio.to_thread(table.page, view, **page))
        await timed("the values of a column with their rows", asyncio.to_thread(bench.counts, "native-country"))
        await bench.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    table = Table("step", "seconds", title=f"The workbench with {rows:,} rows")
    for name, seconds in asyncio.run(measure(rows)).items():
        note(re.sub(r"\W+", "_", name), seconds=seconds)
        table.add_row(name, f"{seconds:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
