"""Writes the figures of benchmarks/figures/ into the pages, where marks in comments of HTML name them.

    loss <!-- figures: mondrian/shoal.k{5,10}.loss --> .022 / .037

names the first two numbers that follow it on its line. What is in braces is spelled out as in a shell. A number keeps
its decimals, and whether a zero stands before the point. Between `<!-- run: mondrian -->` and `<!-- end -->` stand the
day, the machine and the command. `python scripts/figures.py` writes, `--check` only says what is out of date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "benchmarks" / "figures"
MARK = re.compile(r"<!-- figures: ([^>]+?) -->")
RUN = re.compile(r"(<!-- run: (\w+) -->).*?(<!-- end -->)")
VERSION = r"\d+(?:\.\d+){2,}"
DECIMAL = r"[+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))"
NUMBER = re.compile(rf"(?<![\w.])(?:{VERSION}|{DECIMAL})(?![a-zA-Z_\d]|\.\d)")

Runs = dict[str, dict[str, Any]]


def pages() -> list[Path]:
    """Return the pages that may show figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def runs() -> Runs:
    """Return what was kept of the last run of each benchmark."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(KEPT.glob("*.json"))}


def names(mark: str) -> list[tuple[str, str]]:
    """Spell out the figures of a mark, each as (benchmark, name)."""
    found = []
    for word in mark.split():
        parts = re.split(r"\{([^}]*)\}", word)
        choices = [part.split(",") if at % 2 else [part] for at, part in enumerate(parts)]
        for picked in product(*choices):
            benchmark, _, name = "".join(picked).partition("/")
            found.append((benchmark, name))
    return found


def shown_by_pages() -> set[tuple[str, str]]:
    """Return all figures that some page shows."""
    marks = [mark for page in pages() for mark in MARK.findall(page.read_text("utf-8"))]
    return {figure for mark in marks for figure in names(mark)}


def as_written(value: float, written: str) -> str:
    """Write a number the way another one is written: its decimals, its sign, and its zero before the point."""
    sign = written[0] if written[0] in "+−" else ""
    decimals = len(written.partition(".")[2])
    text = f"{abs(value):,.{decimals}f}"
    if text.startswith("0.") and not written.removeprefix(sign).startswith("0."):
        text = text[1:]
    below = value < 0 and text.strip("0.")  # and not rounded to nothing
    return ("−" if below else "+" if sign else "") + text


def numbers(text: str) -> Iterator[re.Match[str]]:
    """Find the numbers of a text, but not the versions of tools."""
    return (found for found in NUMBER.finditer(text) if not re.fullmatch(VERSION, found[0]))


def renewed(line: str, kept: Runs) -> str:
    """Return a line with the figures of today."""
    parts = MARK.split(line)
    for at in range(1, len(parts), 2):
        wanted, text = names(parts[at]), parts[at + 1]
        places = list(numbers(text))
        if len(places) < len(wanted):
            raise ValueError(f"{len(wanted)} figures are named, but {len(places)} numbers follow: {line.strip()!r}")
        for (benchmark, name), place in reversed(list(zip(wanted, places, strict=False))):
            try:
                value = kept[benchmark]["figures"][name]
            except KeyError:
                raise ValueError(f"{benchmark} has no figure {name!r}: {line.strip()!r}") from None
            text = text[: place.start()] + as_written(value, place[0]) + text[place.end() :]
        parts[at], parts[at + 1] = f"<!-- figures: {parts[at]} -->", text
    return "".join(parts)


def said_of(benchmark: str, kept: Runs) -> str:
    """Say when, where and how a benchmark was run."""
    if benchmark not in kept:
        raise ValueError(f"{benchmark} has no figures: make bench ONLY={benchmark}")
    run = kept[benchmark]
    machine = f"{run['cores']} cores of {run['processor']}, {run['memory_gb']} GB"
    return f"{run['date']}, {machine}: `make bench ONLY={benchmark}`"


def with_figures(text: str, kept: Runs) -> str:
    """Return a page with the figures of today."""
    lines = "".join(renewed(line, kept) for line in text.splitlines(keepends=True))
    return RUN.sub(lambda found: f"{found[1]}{said_of(found[2], kept)}{found[3]}", lines)


def main() -> None:
    """Write the pages, or say which are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = parser.parse_args().check
    kept, stale, failed = runs(), [], []
    for page in pages():
        text = page.read_text("utf-8")
        try:
            new = with_figures(text, kept)
        except ValueError as error:
            failed.append(f"{page.relative_to(ROOT)}: {error}")
            continue
        if new != text:
            stale.append(str(page.relative_to(ROOT)))
            if not check:
                page.write_text(new, encoding="utf-8")
    print("\n".join([*stale, *failed]))
    sys.exit(bool(failed or (check and stale)))


if __name__ == "__main__":
    main()
