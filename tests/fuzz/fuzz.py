"""The campaign: `make fuzz`, or python tests/fuzz/fuzz.py --cases 20000 --seed 1; --target T takes one parser."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that it runs as a script

from rich.console import Console
from rich.table import Table

from fuzz.judging import verdicts
from fuzz.outcomes import BROKEN, DONE, REFUSED, SKIPPED
from fuzz.targets import TARGETS

OUTCOMES = (DONE, REFUSED, SKIPPED, BROKEN)


def drawn_cases(cases, seed, targets=tuple(TARGETS)):
    """Distribute a number of cases among the targets."""
    order = [name for name in targets for _ in range(TARGETS[name].share)]
    return [(order[number % len(order)], seed + number) for number in range(cases)]


def summary(found, console):
    """Return the counts by target and outcome, the slowest case of each, and the refusals by message."""
    table = Table("target", *OUTCOMES, "all", "slowest", title="what became of damaged input")
    cells = Counter((verdict.target, verdict.outcome) for verdict in found)
    for target in dict.fromkeys(verdict.target for verdict in found):
        counts = [cells[target, outcome] for outcome in OUTCOMES]
        slowest = max(verdict.seconds for verdict in found if verdict.target == target)
        table.add_row(target, *map(str, counts), str(sum(counts)), f"{slowest:.2f} s")
    totals = [sum(cells[target, outcome] for target in TARGETS) for outcome in OUTCOMES]
    table.add_row("all", *map(str, totals), str(sum(totals)), style="bold")
    console.print(table)
    reasons = Counter(pattern(verdict.why) for verdict in found if verdict.outcome == REFUSED)
    for reason, count in reasons.most_common(60):
        console.print(f"{count:6} refused: {reason}", markup=False)
    return totals[-1]


def pattern(sentence):
    """Remove from a message what differs from case to case."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|[0-9]+(\.[0-9]+)?", "…", sentence)[:110]


def main():
    """Run the campaign; the exit code says whether something is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=TARGETS, action="append", help="this parser alone; may be repeated")
    given = parser.parse_args()
    console, start, found = Console(width=None if sys.stdout.isatty() else 200), time.monotonic(), []
    for verdict in verdicts(drawn_cases(given.cases, given.seed, tuple(given.target or TARGETS))):
        found.append(verdict)
        if verdict.outcome == BROKEN:
            console.print(f"BROKEN {verdict.target}: {verdict.why}", markup=False)
            again = f"python tests/fuzz/fuzz.py --target {verdict.target} --cases 1 --seed {verdict.seed}"
            console.print(f"repeat it: {again}", markup=False)
        if len(found) % 5000 == 0:
            speed = len(found) / (time.monotonic() - start)
            console.print(f"{len(found)} cases, {speed:.0f} per second", markup=False)
    broken = summary(found, console)
    console.print(f"{time.monotonic() - start:.0f} seconds, seeds {given.seed} to {given.seed + given.cases - 1}.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
