"""The phrases of a discussion: figures, shares, ratios, lists of names, and where on the axis of k."""

from __future__ import annotations

from itertools import groupby
from math import ceil, floor, inf, log10

from shoal.analysis.comparison.evidence import NEARLY_ALL, Lead, every_k, middle
from shoal.analysis.comparison.results import TIME, Cell, Line, Results, rank
from shoal.metrics import METRICS

MAX_NAMED = 4  # algorithms in an enumeration
MAX_CLOSE = 2  # groups of algorithms that cannot be told apart and are told one by one
NO_REASON = " (the figures show no reason)"
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


def ranked(results: Results, found: list[Lead], verb: str = "", rest: str = "") -> str:
    """Write who is clearly first at which k, and who cannot be told apart at which others.

    verb, rest  follow the first names: `a is fastest up to k = 8 and b at k = 16, while a and b cannot be told apart …`
    """
    clear, close = ([lead for lead in found if lead.clear == known] for known in (True, False))
    if not clear:
        return f"none {verb} clearly {rest}".replace("  ", " ").rstrip() + f": {apart(results, close)}"
    does = f" {verb if len(clear[0].names) == 1 else {'has': 'have', 'is': 'are'}[verb]} {rest}" if verb else ""
    names = [few(list(lead.names)) + ("" if number else does) for number, lead in enumerate(clear)]
    said = listed(_shown(names, clear, every_k(results)))
    return f"{said}, while {apart(results, close)}" if close else said


def apart(results: Results, close: list[Lead]) -> str:
    """Write who cannot be told apart at which k."""
    every = every_k(results)
    parts = [f"{few(list(lead.names))} cannot be told apart {_any(lead.ks, every)}" for lead in close]
    if len(parts) > MAX_CLOSE:
        return f"several cannot be told apart {_any(sorted(k for lead in close for k in lead.ks), every)}"
    return listed(parts)


def _any(ks: list[int], every: list[int]) -> str:
    return spot(ks, every).replace("every", "any")


def _shown(names: list[str], found: list[Lead], every: list[int]) -> list[str]:
    """Write names with their places; if they are many, those of the last as `others at k = 16 and 32`."""
    parts = [f"{name} {spot(lead.ks, every)}" for name, lead in zip(names, found, strict=True)]
    if len(parts) <= MAX_NAMED:
        return parts
    rest = sorted(k for lead in found[MAX_NAMED - 1 :] for k in lead.ks)
    return [*parts[: MAX_NAMED - 1], f"others {spot(rest, every)}"]


def places(results: Results, found: list[Lead]) -> str:
    """Write which algorithms none is clearly better than at which k: `a up to k = 8 and a or b from k = 16 on`."""
    merged: dict[tuple[str, ...], list[int]] = {}
    for lead in found:
        merged[lead.names] = sorted([*merged.get(lead.names, []), *lead.ks])
    those = [Lead(names, ks, clear=True) for names, ks in merged.items()]
    parts = _shown([few(list(lead.names), "or") for lead in those], those, every_k(results))
    if len(those) > MAX_NAMED:
        parts[-1] = parts[-1].replace("others", "what the table shows as best", 1)
    return listed(parts)


def spot(ks: list[int], every: list[int]) -> str:
    """Write at which k of all: `at every k`, `up to k = 8`, `from k = 16 on`, `from k = 8 to 32`, `at k = 4 and 8`."""
    runs = [[k for _, k in run] for _, run in groupby(enumerate(ks), key=lambda pair: every.index(pair[1]) - pair[0])]
    if len(runs) > 1 and max(map(len, runs)) > 2:
        return listed([spot(run, every) for run in runs])
    first, last = ks[0] == every[0], ks[-1] == every[-1]
    if len(ks) < 2 or ks != every[every.index(ks[0]) :][: len(ks)] or not (first or last or len(ks) > 2):
        return at(ks)
    if first and last:
        return "at every k"
    return f"up to k = {ks[-1]}" if first else f"from k = {ks[0]} on" if last else f"from k = {ks[0]} to {ks[-1]}"


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


def a(name: str) -> str:
    """Write a measure with its article.

    >>> a("LM"), a("total LM"), a("average class size")
    ('an LM', 'a total LM', 'an average class size')
    """
    return f"{'an' if name[0] in 'aeiou' or name.split()[0] in ('LM', 'MD', 'NCP') else 'a'} {name}"


def extreme(measure: str, *, more: bool = False, opposite: bool = False) -> str:
    """Return `lowest`, or `highest` if more is better; `opposite` the other one; with `more` `lower` or `higher`."""
    word = "low" if (rank(measure, 1) > 0) != opposite else "high"
    return word + ("er" if more else "est")


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
    """Write at most how many seconds, with two or three digits, if they are few as milliseconds.

    >>> duration(0.0142), duration(90.0)
    ('15 ms', '90 s')
    """
    return f"{figure(_rounded_up(1000 * seconds, 2))} ms" if seconds < 1 else f"{figure(_rounded_up(seconds, 3))} s"


def _rounded_up(value: float, digits: int) -> float:
    """Round up to so many digits."""
    if not value:
        return 0.0
    places = digits - 1 - floor(log10(value))
    return round(ceil(round(value * 10.0**places, 6)) / 10.0**places, max(places, 0))


LITTLE = percent(1 - NEARLY_ALL)  # of the data, at most, which is as good as nothing
