"""The phrases of a discussion: figures, shares, ratios, lists of names, and where on the axis of k."""

from __future__ import annotations

from math import floor, log10

from shoal.analysis.comparison.evidence import Cells, Stretch
from shoal.analysis.comparison.results import Line, Results, rank
from shoal.metrics import METRICS

MAX_NAMED = 4  # algorithms in an enumeration
SPREAD_DIGITS = 2  # of a deviation that are worth printing


def figure(value: float | None, deviation: float = 0.0, *, even: bool = False) -> str:
    """Write a figure with three or four digits, or as many as its deviation leaves certain; both to the same place.

    even  zeros at the end are kept, as in a column of figures of which not all are whole
    """
    if value is None:
        return "–"
    size = floor(log10(abs(value))) if value else 0
    if not -9 <= size < 12:
        return f"{value:.3g}"
    places = max(0, (3 if size >= 0 else 1 if deviation and size < -2 else 2) - size)
    if deviation:
        places = min(places, max(0, SPREAD_DIGITS - 1 - floor(log10(deviation))))
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if places and not deviation and not (even and value) else text
    spread = f"{deviation:,.{places}f}"
    return f"{text} ± {spread}" if spread.strip("0.") else text


def where(results: Results, cells: Cells, found: list[Stretch], *, verb: str = "", only: int | None = None) -> str:
    """Write who is where on the axis of k: `a up to k = 8 and b from k = 16 on`.

    verb  follows the first names: `a is fastest up to k = 8 and b from k = 16 on`
    only  the number of the one stretch to write
    """
    every = sorted({k for line in results.by_k.values() for k, _ in line})
    whole = list(cells) == every and len(every) > 1

    def place(number: int, ks: list[int]) -> str:
        if whole and len(found) == 1:
            return "at every k"
        if whole and number == 0 and len(ks) > 1:
            return f"up to k = {ks[-1]}"
        if whole and number == len(found) - 1 and len(ks) > 1:
            return f"from k = {ks[0]} on"
        return f"at k = {listed(list(map(str, ks)))}"

    parts: list[str] = []
    for number, (names, ks) in enumerate(found):
        if only in (None, number):
            close = ", too close to call," if len(names) > 1 else ""
            does = f" {verb}" if verb and not parts else ""
            parts.append(f"{few(list(names), 'or')}{close}{does} {place(number, ks)}")
    return listed(parts if len(parts) <= MAX_NAMED else [*parts[: MAX_NAMED - 1], "…", parts[-1]])


def from_on(line: Line) -> str:
    """Write from which k on the cells of a line are."""
    return f"from k = {line[0][0]} on" if len(line) > 1 else f"at k = {line[0][0]}"


def listed(parts: list[str], word: str = "and") -> str:
    """Write an enumeration: `a, b and c`."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else parts[0]


def few(parts: list[str], word: str = "and") -> str:
    """Write an enumeration of which only the first are named."""
    return listed(parts, word) if len(parts) <= MAX_NAMED else listed([*parts[: MAX_NAMED - 1], "others"], word)


def begin(name: str) -> str:
    """Begin a sentence with a name."""
    return name[0].upper() + name[1:]


def short(measure: str) -> str:
    """Return a measure's name within a sentence."""
    return METRICS[measure].short


def extreme(measure: str, *, more: bool = False) -> str:
    """Return `lowest`, or `highest` if more is better; with `more` `lower` or `higher`."""
    word = "low" if rank(measure, 1) > 0 else "high"
    return word + ("er" if more else "est")


def percent(part: float, *, floored: bool = False) -> str:
    """Write a share in whole percent; 100 % is all of it."""
    return f"{floor(100 * part + 1e-9) if floored or 0.99 < part < 1 else round(100 * part)} %"


def times(ratio: float) -> str:
    """Write a ratio that is above 1."""
    text = f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}" if ratio >= 1.1 else f"{ratio:.3g}"
    return "twice" if text == "2" else f"{text} times"


def duration(seconds: float) -> str:
    """Write seconds with two or three digits, if they are few as milliseconds."""
    return f"{figure(float(f'{1000 * seconds:.2g}'))} ms" if seconds < 1 else f"{figure(float(f'{seconds:.3g}'))} s"
