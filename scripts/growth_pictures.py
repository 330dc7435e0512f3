"""Pictures of how time and memory grow with the rows, from the figures that `make bench` keeps."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import figures
from drawing import Picture

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 96, 34  # of the axes
ROWS = {100_000: "100,000 rows", 1_000_000: "1 million", 10_000_000: "10 million", 100_000_000: "100 million"}
NAME = re.compile(r"rows(\d+)\.(.+)")

Points = dict[int, float]


@dataclass(frozen=True)
class Line:
    """A line of a plot: its words, its colour, and a figure for each number of rows."""

    words: str
    colour: str
    points: Points


def pictures() -> dict[str, Picture]:
    """Return the pictures by name."""
    frame, files = growth("scale"), growth("any_size")
    time = [
        Line("shoal, a frame in memory, CPU s", "g0", frame["anonymize_cpu"]),
        Line("shoal, Parquet to Parquet, seconds", "strong", files["anew0.parquet.seconds"]),
        Line("polars, a group-by alone, seconds", "muted", files["anew0.polars_seconds"]),
    ]
    memory = [
        Line("shoal, a frame in memory", "g0", frame["peak_mib"]),
        Line("shoal, Parquet to Parquet", "strong", files["anew0.parquet.mib"]),
        Line("polars, a group-by alone", "muted", files["anew0.polars_mib"]),
    ]
    seconds = {0.1: "0.1 s", 1: "1 s", 10: "10 s", 100: "100 s"}
    mib = {100: "100 MiB", 1000: "1,000", 10_000: "10,000"}
    return {
        "growth-time": plot("Seconds for a verified release, Mondrian, k = 10", time, seconds),
        "growth-memory": plot("Peak memory", memory, mib),
    }


def growth(benchmark: str) -> dict[str, Points]:
    """Return the figures of a benchmark that it has for numbers of rows."""
    found: dict[str, Points] = {}
    for name, value in figures.runs()[benchmark]["figures"].items():
        if said := NAME.fullmatch(name):
            found.setdefault(said[2], {})[int(said[1])] = value
    return found


def plot(title: str, lines: list[Line], ticks: dict[float, str]) -> Picture:
    """Draw lines between logarithmic axes."""
    says = "; ".join(f"{line.words}: {points(line)}" for line in lines)
    picture = Picture(WIDTH, HEIGHT, f"{title}. {says}.")
    picture.text(12, 22, title, bold=True)
    values = [value for line in lines for value in line.points.values()]
    low, high = min(*ticks, *values), max(*ticks, *values)

    def place(rows: float, value: float) -> tuple[float, float]:
        across = share(rows, min(ROWS), max(ROWS)) * (WIDTH - LEFT - RIGHT)
        return LEFT + across, HEIGHT - BOTTOM - share(value, low, high) * (HEIGHT - TOP - BOTTOM)

    for rows, words in ROWS.items():
        x, y = place(rows, low)
        picture.line((x, y), (x, TOP), colour="edge")
        picture.text(x, y + 18, words, size=11, colour="muted", at="end" if rows == max(ROWS) else "middle")
    for value, words in ticks.items():
        (x, y), (end, _) = place(min(ROWS), value), place(max(ROWS), value)
        picture.line((x, y), (end, y), colour="edge")
        picture.text(x - 6, y + 4, words, size=11, colour="muted", at="end")
    for number, line in enumerate(lines):
        places = [place(rows, value) for rows, value in sorted(line.points.items())]
        picture.path(places, colour=line.colour, wide=2)
        for x, y in [*places, (18, 40 + 17 * number)]:
            picture.dot(x, y, radius=3.5, colour=line.colour)
        picture.text(28, 44 + 17 * number, line.words, size=12)
    return picture


def points(line: Line) -> str:
    """Say the points of a line in words."""
    return ", ".join(f"{value:,.4g} at {rows:,} rows" for rows, value in sorted(line.points.items()))


def share(value: float, low: float, high: float) -> float:
    """Return where a value lies between two others on a logarithmic scale, from 0 to 1."""
    return math.log(value / low) / math.log(high / low)
