"""The campaign: `make soak`, or python tests/soak/soak.py --cases 20000 --seed 1; one case by --cases 1 --seed N."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that it runs as a script

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from soak.cases import SPARK, WAYS, draw_case
from soak.checking import BROKEN, INFEASIBLE, REFUSED, RELEASED, UNSAID, judge
from soak.people import IN_MEMORY, draw_people_case

OUTCOMES = (RELEASED, INFEASIBLE, REFUSED, UNSAID, BROKEN)


def campaign(cases, seed, *, ways=WAYS, draw=draw_case, spark=None, keep=None, told=lambda verdict: None):
    """The verdicts of so many cases, from a seed on."""
    verdicts = []
    for number in range(seed, seed + cases):
        verdicts.append(judge(number, ways=ways, draw=draw, spark=spark, keep=keep))
        told(verdicts[-1])
    return verdicts


def summary(verdicts, console):
    """The counts by algorithm, way and outcome, and the refusals by their sentences."""
    ways = list(dict.fromkeys(verdict.way for verdict in verdicts))
    cells = Counter((verdict.algorithm, verdict.way, verdict.outcome) for verdict in verdicts)
    table = Table(*("algorithm", *ways, "all"), title="released and verified / infeasible / refused (/ BROKEN)")
    algorithms = sorted({verdict.algorithm for verdict in verdicts})

    def shown(algorithms, ways):
        counts = [sum(cells[a, w, outcome] for a in algorithms for w in ways) for outcome in OUTCOMES]
        if not sum(counts):
            return "–"
        return " / ".join(map(str, counts[:3])) + (f" / [red]{counts[4]}[/red]" if counts[4] else "")

    for algorithm in algorithms:
        table.add_row(algorithm, *(shown([algorithm], [way]) for way in ways), shown([algorithm], ways))
    table.add_row("all", *(shown(algorithms, [way]) for way in ways), shown(algorithms, ways), style="bold")
    console.print(table)
    reasons = Counter(pattern(verdict.why) for verdict in verdicts if verdict.outcome == REFUSED)
    for reason, count in reasons.most_common(40):
        console.print(f"{count:6} refused: {reason}", markup=False)
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    rows, classes = (sum(verdict.figures[at] for verdict in verdicts) for at in (0, 1))
    console.print(f"{len(verdicts)} cases: {', '.join(f'{outcomes[one]} {one}' for one in OUTCOMES if outcomes[one])}")
    console.print(f"{rows} rows in {classes} classes were verified.")
    return outcomes[BROKEN]


def pattern(sentence):
    """A sentence without what differs from case to case."""
    return re.sub(r"/\S*/|'[^']*'|[0-9]+(\.[0-9]+)?", "…", sentence)[:110]


def main():
    """Run the campaign; the exit code says whether something is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spark", action="store_true", help="through Spark instead of the other ways")
    parser.add_argument("--people", action="store_true", help="people with several rows each, in memory")
    parser.add_argument("--keep", help="a folder for the files of one case")
    parser.add_argument("--json", help="a file for the verdicts")
    given = parser.parse_args()
    console, spark = Console(width=None if sys.stdout.isatty() else 250), None
    ways = SPARK if given.spark else IN_MEMORY if given.people else WAYS
    draw = draw_people_case if given.people else draw_case
    if given.spark:
        from soak.session import started

        spark = started()
    start, broken = time.monotonic(), []
    columns = (TextColumn("{task.completed}/{task.total} cases, {task.fields[broken]} broken"), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not sys.stdout.isatty()) as bar:
        task = bar.add_task("soak", total=given.cases, broken=0)

        def told(verdict):
            if verdict.outcome == BROKEN:
                broken.append(verdict)
                console.print(f"BROKEN {verdict.algorithm} by {verdict.way}:\n{verdict.why}", markup=False)
                extra = " --spark" * given.spark + " --people" * given.people
                again = f"python tests/soak/soak.py --cases 1 --seed {verdict.seed}{extra}"
                console.print(f"repeat it: {again}", markup=False)
            bar.update(task, advance=1, broken=len(broken))
            done = verdict.seed - given.seed + 1
            if not sys.stdout.isatty() and done % 500 == 0:
                speed = done / (time.monotonic() - start)
                console.print(f"{done} cases, {len(broken)} broken, {speed:.1f} per second", markup=False)

        verdicts = campaign(given.cases, given.seed, ways=ways, draw=draw, spark=spark, told=told, keep=given.keep)
    failures = summary(verdicts, console)
    console.print(f"{time.monotonic() - start:.0f} seconds, seeds {given.seed} to {given.seed + given.cases - 1}.")
    if given.json:
        Path(given.json).write_text(json.dumps([vars(verdict) for verdict in verdicts], ensure_ascii=False))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
