"""The phrases of a discussion: figures, shares, ratios, lists of names, and where on the axis of k."""

from __future__ import annotations

from math import floor, inf, log10

from shoal.analysis.comparison.evidence import NEARLY_ALL, Cells, Lead, every_k, middle
from shoal.analysis.comparison.results import TIME, Cell, Line, Results, rank
from shoal.metrics import METRICS

MAX_NAMED = 4  # algorithms in an enumeration
SPREAD_DIGITS = 2  # of a deviation that are worth printing
PRECISE, ROUGH = 1.3, 2.0  # between the highest and the lowest ratio of two runs, up to which it has two digits or one


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


def where(results: Results, found: list[Lead], *, verb: str = "", only: int | None = None) -> str:
    """Write who leads where on the axis of k: `a up to k = 8 and b from k = 16 on`.

    verb  follows the first names: `a is fastest up to k = 8 and b from k = 16 on`
    only  the number of the one lead to write
    """
    every = every_k(results)
    parts: list[str] = []
    for number, lead in enumerate(found):
        if only in (None, number):
            does = f" {_agreeing(verb, lead.names)}" if verb and not parts else ""
            names = few(list(lead.names), "and" if verb else "or")
            parts.append(f"{names}{does} {spot(lead.ks, every)}")
    return listed(parts if len(parts) <= MAX_NAMED else [*parts[: MAX_NAMED - 1], "…", parts[-1]])


def spot(ks: list[int], every: list[int]) -> str:
    """Write at which k of all: `at every k`, `up to k = 8`, `from k = 16 on`, `from k = 8 to 32`, `at k = 4 and 8`."""
    first, last = ks[0] == every[0], ks[-1] == every[-1]
    if len(ks) < 2 or ks != every[every.index(ks[0]) :][: len(ks)] or not (first or last or len(ks) > 2):
        return at(ks)
    if first and last:
        return "at every k"
    return f"up to k = {ks[-1]}" if first else f"from k = {ks[0]} on" if last else f"from k = {ks[0]} to {ks[-1]}"


def _agreeing(verb: str, names: tuple[str, ...]) -> str:
    """Write a verb for one subject or for several."""
    first, _, rest = verb.partition(" ")
    return f"{ {'has': 'have', 'is': 'are'}[first] } {rest}" if len(names) > 1 else verb


def though(cells: Cells, found: list[Lead], *, named: bool = False) -> str:
    """Write at which k others cannot be told from who leads; empty without any.

    named  the leader is named although it is the only one
    """
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
    for lead in found:
        for k, others in lead.close.items():
            groups.setdefault((others, lead.names), []).append(k)
    if not groups:
        return ""
    ((others, names), ks), *more = groups.items()
    if more:
        every = sorted(k for several in groups.values() for k in several)
        whose = f"{listed(list(names))}'s" if named else "their" if len(found) > 1 else "its"
        return f", though {whose} runs overlap with those of others {spot(every, [*cells])}"
    leader = listed(list(names)) if named or len(found) > 1 else "it" if len(names) == 1 else "them"
    place = "" if len(cells) == 1 else " at any k" if ks == list(cells) else f" {spot(ks, [*cells])}"
    return f", though {few(list(others))} cannot be told from {leader}{place}"


def at(ks: list[int]) -> str:
    """Write at which k: `at k = 4 and 8`."""
    return f"at k = {listed(list(map(str, ks)))}"


def from_on(line: Line) -> str:
    """Write from which k on the cells of a line are."""
    return f"from k = {line[0][0]} on" if len(line) > 1 else at([line[0][0]])


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


def extreme(measure: str, *, more: bool = False, opposite: bool = False) -> str:
    """Return `lowest`, or `highest` if more is better; with `more` `lower` or `higher`, `opposite` the other one."""
    word = "low" if (rank(measure, 1) > 0) != opposite else "high"
    return word + ("er" if more or opposite else "est")


def percent(part: float, *, floored: bool = False) -> str:
    """Write a share in whole percent, or less than one with one digit; 100 % is all of it and 0 % nothing.

    >>> percent(23 / 2 / 20), percent(0.996), percent(0.0043)
    ('58 %', '99 %', '0.4 %')
    """
    if 0 < part < 0.01:
        return f"{figure(float(f'{100 * part:.1g}'))} %"
    whole = round(100 * part, 9)  # 57.5, which floats make 57.499999999999993
    return f"{floor(whole) if floored or 0.99 < part < 1 else round(whole)} %"


def times(slow: Cell, quick: Cell) -> str:
    """Write how many times as long one setting takes as another, as precisely as the spread of the runs allows."""
    ratio = middle(slow, TIME) / middle(quick, TIME)
    low = min(slow.values(TIME)) / max(quick.values(TIME))
    high = max(slow.values(TIME)) / min(quick.values(TIME)) if min(quick.values(TIME)) else inf
    if high <= PRECISE * low:
        text = f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}" if ratio >= 1.1 else f"{ratio:.3g}"
        return "twice" if text == "2" else f"{text} times"
    if high <= ROUGH * low or high == inf or rough(low) == rough(high):
        return "about twice" if rough(ratio) == "2" else f"about {rough(ratio)} times"
    return f"{rough(low)} to {rough(high)} times"


def rough(ratio: float) -> str:
    """Write a ratio with one digit, or with two if it is small."""
    return f"{float(f'{ratio:.2g}' if ratio < 3 else f'{ratio:.1g}'):,.10g}"


def duration(seconds: float) -> str:
    """Write seconds with two or three digits, if they are few as milliseconds."""
    return f"{figure(float(f'{1000 * seconds:.2g}'))} ms" if seconds < 1 else f"{figure(float(f'{seconds:.3g}'))} s"


LITTLE = percent(1 - NEARLY_ALL)  # of the data, at most, which is as good as nothing
