"""The COMP 430/530 assignment: its five functions, its experiment, and a literal version in plain Python beside them.

With SHOAL_REFERENCE_DATA the table is the course's (9,999 rows), otherwise that of examples/comp430. Times are wall
seconds, warm, from file to file. No other tool on PyPI has these algorithms; the assignment says of its own reference
implementation that it takes one to two minutes.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from notes import note
from rich.console import Console
from rich.table import Table as RichTable

from shoal import comp430
from shoal.comp430.experiment import compare_course

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
KS = (4, 16, 256)
FEW = 150  # rows for the literal version, whose time grows with their square and more


def main() -> None:
    """Print both tables."""
    reference = os.environ.get("SHOAL_REFERENCE_DATA")
    folder = Path(reference) / "comp430" if reference else ROOT / "examples" / "comp430"
    raw = folder / ("adult-hw1.csv" if reference else "adult.csv")
    with tempfile.TemporaryDirectory() as name:
        functions(raw, folder / "DGHs", Path(name))
        beside_plain_python(raw, folder / "DGHs", Path(name))
        experiment(raw, folder / "DGHs")


def functions(raw: Path, trees: Path, place: Path) -> None:
    """Each function on the whole table."""
    table = RichTable("function", "parameters", "seconds", "MD", "LM", title=f"{raw.name}: from file to file")
    out = place / "out.csv"
    runs: list[tuple[str, str, Callable[[], object]]] = [
        ("random_anonymizer", f"k = {k}", lambda k=k: comp430.random_anonymizer(raw, trees, k, 1, out)) for k in KS
    ]
    for k in KS:
        runs.append(
            ("clustering_anonymizer", f"k = {k}", lambda k=k: comp430.clustering_anonymizer(raw, trees, k, out))
        )
    for k, l in [*((k, 1) for k in KS), (16, 8)]:  # noqa: E741
        named = f"k = {k}, l = {l}"
        runs.append(("bottomup_anonymizer", named, lambda k=k, d=l: comp430.bottomup_anonymizer(raw, trees, k, d, out)))
    for name, parameters, run in runs:
        seconds = warm(run)
        costs = comp430.cost_MD(raw, out, trees), comp430.cost_LM(raw, out, trees)
        note(f"{name}.{re.sub(r'[ =,]+', '', parameters)}", seconds=seconds, md=costs[0], lm=costs[1])
        table.add_row(name, parameters, f"{seconds:.3f}", f"{costs[0]:,}", f"{costs[1]:,.4f}")
    for cost in (comp430.cost_MD, comp430.cost_LM):
        seconds = warm(lambda cost=cost: cost(raw, out, trees))
        note(cost.__name__, seconds=seconds)
        table.add_row(cost.__name__, "", f"{seconds:.3f}", "", "")
    Console().print(table)


def beside_plain_python(raw: Path, trees: Path, place: Path) -> None:
    """The assignment word for word, on a few rows, and the same bytes from shoal."""
    from oracles.comp430 import Assignment

    few, out = place / "few.csv", place / "few-out.csv"
    few.write_bytes(b"".join(raw.read_bytes().splitlines(keepends=True)[: FEW + 1]))
    literal = Assignment(few, trees)
    table = RichTable("function", "plain Python, s", "shoal, s", "times", title=f"{FEW} rows, the same output")
    runs: list[tuple[str, Callable[[], list[list[str]]], Callable[[], None]]] = [
        ("random, k = 10", lambda: literal.random(10, 1), lambda: comp430.random_anonymizer(few, trees, 10, 1, out)),
        ("clustering, k = 4", lambda: literal.clustering(4), lambda: comp430.clustering_anonymizer(few, trees, 4, out)),
    ]
    for name, plainly, run in runs:
        start = time.perf_counter()
        rows = plainly()
        slow = time.perf_counter() - start
        fast = warm(run)
        assert out.read_bytes() == literal.written(rows), f"{name}: shoal writes something else"
        note(f"plain.{name.partition(',')[0]}", python=slow, shoal=fast)
        table.add_row(name, f"{slow:.3f}", f"{fast:.3f}", f"{slow / fast:,.2f}")
    Console().print(table)


def experiment(raw: Path, trees: Path) -> None:
    """The whole of part 5: 28 settings, three times each, and its sheet."""
    start = time.perf_counter()
    found = compare_course(raw, trees)
    ran = time.perf_counter() - start
    inside = sum(value for cell in found.cells for value in cell.values("time"))
    with tempfile.TemporaryDirectory() as place:
        start = time.perf_counter()
        found.save(place)
        drawn = time.perf_counter() - start
    runs = sum(len(cell.runs) for cell in found.cells)
    note("experiment", runs=runs, seconds=ran, drawing=drawn)
    Console().print(
        f"The experiment: {runs} runs in {ran:.1f} s, of which the algorithms "
        f"themselves {inside:.1f} s; tables, plots, page and sheet in {drawn:.1f} s."
    )


def warm(run: Callable[[], object]) -> float:
    """The seconds of a run, the best of three after one that compiles."""
    run()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
