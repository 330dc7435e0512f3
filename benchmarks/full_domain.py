"""The best full-domain generalization of Adult: loss, work, CPU time and memory, beside ARX and other Python tools.

With SHOAL_REFERENCE_DATA the table and its hierarchies are ARX's own, from the folder `arx`, otherwise those that shoal
ships. Every search is measured in a process of its own, from the encoded table to the recoding: CPU ms are the best of
five runs (of two on the large table) after one that does not count, on large lattices those of that one alone; "MiB
more" is what the peak of the resident memory in it is above what was resident before it, the table and compiled code
not counted. ARX's figures were measured once, in a warm JVM on another machine, and are typed in here: their ratio to
shoal's is a rough one. The other Python tools are timed by one public call.

All losses are LM and computed here, by the same code: those of shoal from the recoding, those of the other Python tools
from the labels that they release. With --check the best loss is compared with a brute force over all nodes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from notes import note
from rich.console import Console
from rich.table import Table as RichTable

import shoal
from shoal import algorithms
from shoal.data.budget import budget_of
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.metrics import loss

REFERENCE = os.environ.get("SHOAL_REFERENCE_DATA")
EIGHT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]
NINE = [*EIGHT, "occupation"]
TABLE = "arx" if REFERENCE else "shipped"  # whose hierarchies
KS = [2, 5, 10, 50, 100]
LIMITS = [0.0, 0.05, 1.0]
REPEATS = 5
# ARX 3.9.2, warm JVM, one thread: (LM, CPU ms) for each k and limit, measured on another machine at another time.
ARX = {
    2: [(0.5541, 41), (0.1192, 321), (0.1101, 329)],
    5: [(0.6250, 26), (0.1783, 308), (0.1690, 477)],
    10: [(0.6791, 28), (0.2326, 392), (0.2049, 760)],
    50: [(0.6791, 27), (0.3955, 320), (0.3027, 894)],
    100: [(0.6791, 13), (0.4697, 215), (0.3463, 968)],
}
SLOW = {"crowds": (10, 0.05)}  # other tools that take minutes, and what they are run for
PATIENCE = 300  # seconds for one run of another tool


def adult() -> tuple[pa.Table, dict[str, shoal.Hierarchy]]:
    """30,162 rows of Adult with the hierarchies of its columns."""
    if REFERENCE:
        folder = Path(REFERENCE) / "arx"
        data = pa.csv.read_csv(folder / "adult.csv", parse_options=pa.csv.ParseOptions(delimiter=";"))
        return data, {name: shoal.Hierarchy.from_levels(folder / f"adult_hierarchy_{name}.csv") for name in NINE}
    data = shoal.datasets.adult(drop_missing=True)
    data = data.append_column("salary-class", data["income"])
    flat = shoal.Hierarchy.flat(sorted(pc.unique(data["income"]).to_pylist()))
    return data, shoal.datasets.adult_hierarchies() | {"salary-class": flat}


def encoded(data: pa.Table, quasi: list[str], trees: dict[str, shoal.Hierarchy]) -> Table:
    columns = {name: data[name] for name in quasi}
    guides = {name: trees[name] for name in quasi}
    return encode(columns, quasi=quasi, sensitive=[], guides=guides, style=Style())


def resampled(table: Table, rows: int, changed: float = 0.03) -> Table:
    """Rows drawn from a table, each cell with a small chance drawn anew."""
    random = np.random.RandomState(1)
    codes = table.codes[random.randint(0, len(table.codes), rows)]
    for column, own in zip(codes.T, table.codes.T, strict=True):
        other = random.random_sample(rows) < changed
        column[other] = own[random.randint(0, len(own), int(other.sum()))]
    return with_rows(table, codes)


def with_rows(table: Table, codes: np.ndarray) -> Table:
    empty, ones = np.zeros((len(codes), 0), np.int32), np.ones(len(codes), np.int64)
    return replace(table, codes=np.ascontiguousarray(codes), sensitive_codes=empty, weights=ones)


def wide(attributes: int) -> Table:
    """All 15 columns of Adult as quasi-identifiers, and columns of skewed numbers up to the number asked for."""
    data, trees = shoal.datasets.adult(drop_missing=True), adult()[1]
    widths = {
        "fnlwgt": [10_000, 50_000, 100_000, 500_000],
        "education-num": [2, 4, 8],
        "capital-gain": [1000, 10_000, 50_000],
        "capital-loss": [100, 500, 1000],
        "hours-per-week": [5, 10, 20, 40],
    }
    random = np.random.RandomState(0)
    for number in range(attributes - data.num_columns):
        most = [12, 30, 60, 8, 100][number % 5]
        skewed = random.geometric(0.15, data.num_rows) * 3 + random.randint(0, most, data.num_rows) // 2
        data = data.append_column(f"more {number}", pa.array(skewed % most))
        widths[f"more {number}"] = [2, 4, 8][: 2 + number % 2]
    for name in data.column_names:
        values = pc.unique(data[name]).to_pylist()
        if name in widths:
            trees.setdefault(name, shoal.Hierarchy.intervals(values, widths=widths[name]))
        else:
            trees.setdefault(name, shoal.Hierarchy.flat(sorted(map(str, values))))
    return encoded(data, data.column_names[:attributes], trees)


def table_of(columns: int, rows: int) -> Table:
    table = encoded(adult()[0], NINE[:columns], adult()[1]) if columns <= len(NINE) else wide(columns)
    return resampled(table, rows) if rows else table


def measure(columns: int, k: int, limit: float, rows=0, algorithm="FullDomain", seconds=None, repeats=REPEATS) -> dict:
    """The figures of one search, run once with an eye on the memory and then, for the time, some times more."""
    table = table_of(columns, rows)
    search = getattr(algorithms, algorithm)(**({"time_limit": seconds} if seconds else {}))
    model, allowed = shoal.KAnonymity(k), budget_of(limit, table.rows)
    search.recode(with_rows(table, table.codes[:300]), shoal.KAnonymity(2), max_suppressed=min(allowed, 50))  # compile
    before = high_water(anew=True)
    cpu, found = timed(lambda: search.recode(table, model, max_suppressed=allowed))
    more = high_water() - before
    times = [timed(lambda: search.recode(table, model, max_suppressed=allowed))[0] for _ in range(repeats)]
    grouping = [timed(lambda: table.distinct(sensitive=False)) for _ in range(max(1, repeats))]
    return {
        "loss": loss(table, found),
        "bound": found.bound,
        "height": sum(found.node),
        "nodes": found.lattice.nodes,
        "distinct": len(found.lattice.table.weights),
        "checked": len(set(found.lattice.judged)),
        "prefixes": len(found.lattice._known),
        "closed": found.closed,
        "stopped": found.stopped,
        "lost": int(found.suppressed.sum()),
        "ms": 1000 * min(times, default=cpu),
        "grouping ms": 1000 * min(seconds for seconds, _ in grouping),
        "MiB": more,
    }


def timed(work) -> tuple[float, object]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def high_water(anew: bool = False) -> float:
    """The peak of the resident memory in MiB: of the whole process or, on Linux, since it was last asked for anew."""
    status = Path("/proc/self/status")
    if status.exists():
        if anew:
            Path("/proc/self/clear_refs").write_text("5")
        return int(re.search(r"VmHWM:\s*(\d+)", status.read_text())[1]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def measured(*case, **options) -> dict:
    """The figures of one search, from a process of its own."""
    command = [sys.executable, __file__, "--one", json.dumps([case, options])]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def keep(name: str, found: dict) -> None:
    """Note the figures of a search."""
    figures = {"loss": found["loss"], "cpu": found["ms"] / 1000, "bound": found["bound"], "mib": found["MiB"]}
    note(name, **figures, nodes=found["nodes"])


def new_table(title: str, columns: str) -> RichTable:
    shown = RichTable(title=title)
    for column in columns.split("|"):
        shown.add_column(column.strip(), justify="left" if column.strip() in ("algorithm", "tool") else "right")
    return shown


def optimum(columns: int, check: bool) -> RichTable:
    """The best node for each k and limit."""
    beside = REFERENCE and columns == len(EIGHT)
    title = "k | limit | loss (LM) | checked | prefixes | CPU ms | MiB more"
    shown = new_table("", title + (" | ARX's LM | its CPU ms | times shoal's" if beside else ""))
    if beside:
        shown.caption = "ARX 3.9.2, warm JVM, one thread, measured on another machine at another time."
    exact = brute_force(table_of(columns, 0)) if check else {}
    apart = []
    for k in KS:
        for place, limit in enumerate(LIMITS):
            found = measured(columns, k, limit)
            shown.title = f"The optimum: {columns} quasi-identifiers, {found['nodes']:,} nodes"
            cells = [f"{k}", f"{limit:.0%}", f"{found['loss']:.4f}", f"{found['checked']:,}", f"{found['prefixes']:,}"]
            cells += [f"{found['ms']:.1f}", f"{found['MiB']:.1f}"]
            if beside:
                lm, ms = ARX[k][place]
                cells += [f"{lm:.4f}", f"{ms}", f"{ms / found['ms']:.1f}"]
                note(f"typed.k{k}.limit{limit:g}", loss=lm, ms=ms)
            keep(f"{TABLE}.best{columns}.k{k}.limit{limit:g}", found)
            shown.add_row(*cells, end_section=limit == LIMITS[-1])
            apart += [abs(found["loss"] - exact[k, limit])] if check else []
    if check and max(apart) > 1e-9:
        sys.exit(f"The best loss is not that of the brute force: they are {max(apart)} apart.")
    if check:
        same = f"The losses are those of the brute force over all nodes, {max(apart):.0e} apart at most."
        shown.caption = "\n".join(filter(None, [shown.caption, same]))
    return shown


def brute_force(table: Table) -> dict[tuple[int, float], float]:
    """The lowest loss for each k and limit, every node grouped anew from all rows."""
    trees = [domain.hierarchy for domain in table.domains]
    steps = [range(tree.height + 1) for tree in trees]
    shown = [
        [t.ancestors(t.leaf_nodes, n)[own] for n in s] for t, s, own in zip(trees, steps, table.codes.T, strict=True)
    ]
    best = dict.fromkeys(product(KS, LIMITS), float("inf"))
    for node in product(*steps):
        keys, costs = np.zeros(table.rows, np.int64), np.zeros(table.rows)
        for tree, columns, level in zip(trees, shown, node, strict=True):
            keys = keys * len(tree.labels) + columns[level]
            costs += tree.loss[columns[level]]
        _, ids, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        for k in KS:
            kept = sizes[ids] >= k
            lost = table.rows - int(kept.sum())
            cost = (costs[kept].sum() + lost * len(trees)) / (table.rows * len(trees))
            for limit in LIMITS:
                if lost <= budget_of(limit, table.rows) and lost < table.rows:
                    best[k, limit] = min(best[k, limit], cost)
    return best


def many_rows(rows: int) -> RichTable:
    """The same search over many more rows, beside grouping them once."""
    shown = new_table(
        f"{rows:,} rows, 8 quasi-identifiers, 3 % of the cells changed",
        "k | limit | loss (LM) | distinct rows | checked | grouping once, CPU ms | search, CPU ms | times | MiB more",
    )
    for k, limit in product([10, 100], LIMITS):
        found = measured(len(EIGHT), k, limit, rows=rows, repeats=2)
        cells = [f"{k}", f"{limit:.0%}", f"{found['loss']:.4f}", f"{found['distinct']:,}", f"{found['checked']:,}"]
        ratio = found["ms"] / found["grouping ms"]
        cells += [f"{found['grouping ms']:.0f}", f"{found['ms']:.0f}", f"{ratio:.1f}", f"{found['MiB']:.0f}"]
        keep(f"rows{rows}.k{k}.limit{limit:g}", found)
        shown.add_row(*cells)
    return shown


def large_lattices(seconds: float) -> RichTable:
    """What is found and proven of lattices that are too large to be searched to the end."""
    shown = new_table(
        f"Large lattices, k = 10, {seconds:g} seconds at most",
        "attributes | nodes | limit | best loss (LM) | none below | closed | checked | CPU s | MiB more | ended by",
    )
    for columns, limit in product([15, 25], LIMITS[:2]):
        found = measured(columns, 10, limit, seconds=seconds, repeats=0)
        cells = [f"{columns}", f"{found['nodes']:.2g}", f"{limit:.0%}", f"{found['loss']:.4f}", f"{found['bound']:.4f}"]
        closed = 10**4 * found["closed"] // found["nodes"] / 100  # rounded down, so that 100 is all
        keep(f"lattice{columns}.limit{limit:g}", found)
        cells += [f"{closed:.2f} %", f"{found['checked']:,}", f"{found['ms'] / 1000:.1f}"]
        shown.add_row(*cells, f"{found['MiB']:.0f}", found["stopped"] or "proof")
    return shown


def family() -> RichTable:
    """The algorithms that look for something else than the lowest loss."""
    shown = new_table(
        "Other full-domain algorithms, k = 10, 8 quasi-identifiers",
        "algorithm | limit | loss (LM) | height | checked | CPU ms | MiB more",
    )
    for limit in LIMITS[:2]:
        for name in ("FullDomain", "BottomUp", "Samarati", "Incognito", "Datafly"):
            found = measured(len(EIGHT), 10, limit, algorithm=name)
            keep(f"{TABLE}.{name}.limit{limit:g}", found)
            cells = [name, f"{limit:.0%}", f"{found['loss']:.4f}", f"{found['height']}", f"{found['checked']:,}"]
            shown.add_row(*cells, f"{found['ms']:.1f}", f"{found['MiB']:.1f}")
        shown.add_section()
    return shown


def beside_peers(python: Path | None) -> RichTable | str:
    """Other Python tools on the same rows and hierarchies."""
    if python is None or not python.exists():
        return "The other tools are not installed here (they want Python 3.11 or 3.12): shoal was measured alone."
    shown = new_table(
        "Other Python tools, 8 quasi-identifiers",
        "tool | k | limit | loss (LM) | rows lost | CPU ms | times shoal's CPU | times shoal's loss",
    )
    data, trees = adult()
    table = encoded(data, EIGHT, trees)
    with tempfile.TemporaryDirectory() as folder:
        for name in EIGHT:
            trees[name].save(Path(folder) / f"{name}.txt", format="levels")
        pa.csv.write_csv(data.select(EIGHT), Path(folder) / "adult.csv")
        for k, limit in product([5, 10, 50], LIMITS[:2]):
            own = measured(len(EIGHT), k, limit)
            cells = [f"{k}", f"{limit:.0%}", f"{own['loss']:.4f}", f"{own['lost']:,}", f"{own['ms']:.1f}", "1", "1"]
            shown.add_row("shoal", *cells)
            for tool in ["anjana", *(name for name, case in SLOW.items() if case == (k, limit))]:
                try:
                    figures, recoding = run_peer(python, tool, table, k, limit, Path(folder))
                except subprocess.TimeoutExpired:
                    note(f"{TABLE}.{tool}.k{k}.limit{limit:g}", more_than_s=PATIENCE)
                    shown.add_row(tool, f"{k}", f"{limit:.0%}", "–", "–", f"not done in {PATIENCE} s", "–", "–")
                    continue
                lm, lost, ms = loss(table, recoding), int(recoding.suppressed.sum()), 1000 * figures["cpu_s"]
                note(f"{TABLE}.{tool}.k{k}.limit{limit:g}", loss=lm, cpu=ms / 1000)
                cells = [f"{k}", f"{limit:.0%}", f"{lm:.4f}", f"{lost:,}", f"{ms:,.0f}", f"{ms / own['ms']:,.0f}"]
                shown.add_row(f"{tool} {figures['version']}", *cells, f"{lm / own['loss']:.2f}")
            shown.add_section()
    return shown


def run_peer(python: Path, tool: str, table: Table, k: int, limit: float, folder: Path) -> tuple[dict, Recoding]:
    """One run of another tool in its own environment: its figures, and what it releases."""
    out = folder / "labels.csv"
    script = Path(__file__).parent / "peers" / "run_full_domain.py"
    command = [str(python), str(script), tool, str(folder / "adult.csv"), "--quasi", ",".join(table.quasi)]
    command += ["--levels", str(folder), "--k", str(k), "--limit", str(100 * limit), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    text = pa.csv.ConvertOptions(column_types=dict.fromkeys(table.quasi, pa.string()))
    recoding = from_labels(table, pa.csv.read_csv(out, convert_options=text))
    if recoding.sizes.min() < k or recoding.suppressed.sum() > budget_of(limit, table.rows):
        sys.exit(f"{tool} releases a class of fewer than {k} rows, or suppresses more than {limit:.0%}.")
    return json.loads(done.stdout.strip().splitlines()[-1]), recoding


def from_labels(table: Table, labels: pa.Table) -> Recoding:
    """The recoding that shows these labels, each the name of a node above the row's value; lost rows have none."""
    kept = np.not_equal(labels[table.quasi[0]].to_numpy(), "")
    shown = []
    for name, domain, codes in zip(table.quasi, table.domains, table.codes[kept].T, strict=True):
        tree, given = domain.hierarchy, labels[name].to_numpy()[kept]
        nodes = np.full(codes.size, -1, np.int32)
        for level in range(tree.height, -1, -1):
            above = tree.ancestors(tree.leaf_nodes, level)[codes]
            nodes = np.where(np.array(tree.labels, object)[above] == given, above, nodes)
        if (nodes < 0).any():
            sys.exit(f"A label of {name} is not in its hierarchy: {given[nodes < 0][0]!r}.")
        shown.append(nodes)
    numbers, firsts = group_rows(shown, [len(domain.hierarchy.labels) for domain in table.domains], int(kept.sum()))
    ids = np.full(len(kept), -1, np.int32)
    ids[kept] = numbers
    return Recoding(ids, table.sizes(ids), tuple(nodes[firsts] for nodes in shown))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="the Python of the environment with the other tools")
    parser.add_argument("--check", action="store_true", help="compare the optimum with a brute force (minutes)")
    parser.add_argument("--rows", type=int, default=3_000_000, help="the rows of the large table")
    parser.add_argument("--time-limit", type=float, default=20.0, help="seconds for each large lattice")
    parser.add_argument("--parts", default="eight,nine,rows,lattices,family,peers", help="what to measure")
    parser.add_argument("--one", help="measure the search that is described in JSON and print its figures")
    arguments = parser.parse_args()
    if arguments.one:
        case, options = json.loads(arguments.one)
        print(json.dumps(measure(*case, **options)))
        return
    parts = {
        "eight": lambda: optimum(len(EIGHT), arguments.check),
        "nine": lambda: optimum(len(NINE), arguments.check),
        "rows": lambda: many_rows(arguments.rows),
        "lattices": lambda: large_lattices(arguments.time_limit),
        "family": family,
        "peers": lambda: beside_peers(arguments.peers),
    }
    for name in arguments.parts.split(","):
        Console(width=120).print(parts[name]())


if __name__ == "__main__":
    main()
