"""The discussion of a comparison: at most eight sentences, all computed from its figures."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import NamedTuple

from shoal.analysis.comparison.evidence import (
    BLIND,
    COLUMNS,
    ROWS,
    Cells,
    cells_by_k,
    flat,
    kind,
    middle,
    ordered,
    share,
    stretches,
)
from shoal.analysis.comparison.phrases import (
    MAX_NAMED,
    begin,
    duration,
    extreme,
    few,
    figure,
    from_on,
    listed,
    percent,
    short,
    times,
    where,
)
from shoal.analysis.comparison.results import TIME, Cell, Line, Results, rank, released

SHORT_WAIT = 1.0  # seconds
NEARLY_ALL = 0.95  # of what suppressing every cell would cost
NOTABLE = 1.5  # the ratio from which a change of time over k is worth a word
UNBROKEN = re.compile(r"(?<=\d) (?=%|m?s\b)|(?<=\w) (?==)|(?<==) (?=\d)")


class Paragraph(NamedTuple):
    """A paragraph: what it is about, and its sentences."""

    title: str
    sentences: list[str]

    @property
    def text(self) -> str:
        """The sentences one after another; no line ends between a number and its sign."""
        return UNBROKEN.sub("\N{NO-BREAK SPACE}", " ".join(self.sentences))


def discussion(results: Results) -> list[Paragraph]:
    """Say what was expected and why, what came out, what it costs in time, and what to choose."""
    costs = [measure for measure in results.measures if measure != TIME]
    timed = TIME in results.measures
    cells = cells_by_k(results)
    expected, utility, time, choice = [], [], [], []
    if costs:
        expected = _expected(results, timed=timed)
        utility = [*_least(results, cells, costs), *_nearly_all(results, costs[0]), *_flat(results, costs)]
        utility += _diversity(results, costs[0])
    if timed and cells:
        time = _fastest(results, cells)
    if costs and cells:
        time += _trade_off(results, cells, costs[0]) if timed else []
        choice = _choice(results, cells, costs[0], timed=timed)
    found = {"Expectations": expected, "Utility": utility, "Time": time, "Choice": choice, "Gaps": _failures(results)}
    return [Paragraph(title, sentences) for title, sentences in found.items() if sentences]


def _expected(results: Results, *, timed: bool) -> list[str]:
    """Say what each kind of algorithm was expected to cost, and why."""
    if len({cell.setting.k for cell in results.cells}) < 2:
        return []
    said = "A larger k makes more rows look alike, so every algorithm was expected to lose more as k grows"
    names = {sort: [name for name in results.algorithms if kind(name) == sort] for sort in (BLIND, ROWS, COLUMNS)}
    if sum(map(bool, names.values())) < 2:
        return [f"{said}."]
    between = "something in between" if names[BLIND] and names[ROWS] else "more" if names[ROWS] else "less"
    kinds = {
        BLIND: ("blind to the values", "the most" + (", though in the least time" if timed else "")),
        ROWS: ("made to find similar rows", "the least" + (", at the price of time" if timed else "")),
        COLUMNS: ("bound to generalize whole columns", between),
    }
    parts = [f"{few(names[sort])}, {how}, {much}" for sort, (how, much) in kinds.items() if names[sort]]
    return [f"{said}: {'; '.join(parts[:-1])}; and {parts[-1]}."]


def _least(results: Results, cells: Cells, costs: list[str]) -> list[str]:
    """Say who loses least at which k, and by how much more than others its loss grows if it is overtaken."""
    if not cells:
        return []
    main, *others = costs
    found = stretches(cells, main)
    (first, *_), (last, *_) = found[0].names, found[-1].names
    said = f"the {extreme(main)} {short(main)} is that of "
    if kind(first) == ROWS and len(found[0].names) == 1 and {*map(kind, results.algorithms)} & {BLIND, COLUMNS}:
        turn = "but" if len(found) == 2 and kind(last) != ROWS else "and"
        said = f"As expected, {said}{where(results, cells, found, each='of ', turn=turn)}"
    else:
        said = f"{begin(said)}{where(results, cells, found, each='of ')}"
    told = short(main)
    for other in others:
        theirs = stretches(cells, other)
        if short(other) != told and theirs != found:
            said += f" (by {short(other)}, of {where(results, cells, theirs, each='of ')})"
    if first != last and len(found[0].names) == len(found[-1].names) == 1:
        said += _overtaken(results, first, last, main)
    return [said + "."]


def _overtaken(results: Results, first: str, last: str, measure: str) -> str:
    """Say how the costs of the first and of the last winner grow with k."""
    ends = {}
    for name in (first, last):
        shown = released(results.by_k[name])
        ends[name] = [(k, share(results, cell, measure)) for k, cell in (shown[0], shown[-1])]
    (low, before), (high, after) = ends[first]
    if [k for k, _ in ends[last]] != [low, high] or before is None or after is None:
        return ""
    kept = [part for _, part in ends[last] if part is not None]
    why = ", as each class has to take in rows that are less and less alike" if kind(first) == ROWS else ""
    return (
        f": from k = {low} to {high}, {first} goes from {percent(before)} to {percent(after)} of the maximum{why}, "
        f"{last} only from {percent(kept[0])} to {percent(kept[1])}"
    )


def _nearly_all(results: Results, measure: str) -> list[str]:
    """Say who loses nearly as much as suppressing every cell would, from which k on."""
    reached: dict[str, Line] = {}
    for name, line in results.by_k.items():
        points = [(k, cell) for k, cell in released(line) if (share(results, cell, measure) or 0) >= NEARLY_ALL]
        if points and points == released(line)[-len(points) :]:
            reached[name] = points
    if not reached:
        return []
    name, *others = sorted(reached, key=lambda name: kind(name) != BLIND)
    (start, cell), *_, (end, whole) = [reached[name][0], *reached[name]]
    first_k, first = released(results.by_k[name])[0]
    part, all_of_it = share(results, first, measure) or 0.0, share(results, whole, measure) == 1
    before = "" if first_k == start else f"{percent(part)} of the maximum at k = {first_k} and "
    said = f"{begin(name)} loses {before}at least {percent(share(results, cell, measure) or 0.0, floored=True)} "
    said += "" if before else "of the maximum "
    said += f"from k = {start} on" if start != end else f"at k = {end}"
    said += f" (all of it at k = {end}: {short(measure)} = {figure(middle(whole, measure))})" if all_of_it else ""
    said += (
        ", because rows that meet by chance share little below the roots of their trees" if kind(name) == BLIND else ""
    )
    also = [f"{other} {from_on(reached[other])}" for other in others[:MAX_NAMED]]
    return [f"{said}{'; so little is left by ' + listed(also) + ', too' if also else ''}."]


def _flat(results: Results, costs: list[str]) -> list[str]:
    """Say at which k an algorithm that generalizes whole columns makes the same release."""
    for name in results.by_k:
        ks = flat(results, name, costs) if kind(name) == COLUMNS else []
        if len(ks) > 1:
            all_of_them = {2: "both", 3: "all three"}.get(len(ks), "all of them")
            words = " and ".join(dict.fromkeys(map(short, costs)))
            return [
                f"{begin(name)} has the same {words} at k = {listed(list(map(str, ks)))}, "
                f"because one level for each column, one node of the lattice, serves {all_of_them}."
            ]
    return []


def _diversity(results: Results, measure: str) -> list[str]:
    """Say up to which ℓ diversity is free at the fixed k, and what it costs beyond."""
    parts = []
    for name, line in list(results.by_l.items())[:MAX_NAMED]:
        if len(released(line)) > 1:
            parts.append((f"for {name}, " if len(results.by_l) > 1 else "") + _price(line, name, measure))
    return [f"At k = {results.fixed_k}, {'; '.join(parts)}."] if parts else []


def _price(line: Line, name: str, measure: str) -> str:
    """Say what ℓ costs along a line of cells."""
    (low, first), *_, (high, last) = released(line)
    before, after = middle(first, measure), middle(last, measure)
    same = list(takewhile(lambda point: point[1].values(measure) == first.values(measure), line))
    free = same[-1][0] if same else low
    held = f"ℓ costs nothing up to {free}, as classes of that size hold enough different values anyway"
    if free == high:
        return held
    if not (first.clearly_better(last, measure) or last.clearly_better(first, measure)):
        return f"ℓ = {high} costs no more {short(measure)} than ℓ = {low} beyond the spread of the runs"
    change = f"{short(measure)} {figure(after)} in place of 0"
    if before:
        change = f"{100 * abs(after / before - 1):.0f} % {'more' if after > before else 'less'} {short(measure)}"
    why = (
        ", as a single class short of values takes a whole column up"
        if kind(name) == COLUMNS and after > before
        else ""
    )
    return f"ℓ = {high} costs {change} than ℓ = {low}{why}" if free == low else f"{held}, and {change} at {high}{why}"


def _fastest(results: Results, cells: Cells) -> list[str]:
    """Say who is fastest and who slowest at which k, and whose time depends most on k."""
    found, slow = stretches(cells, TIME), stretches(cells, TIME, worst=True)
    said = f"The fastest is {where(results, cells, found)}"
    if any(name not in pair.names for pair in found for name in cells[pair.ks[0]]):
        names = [name for name in results.by_k if any(name in pair.names for pair in slow)]
        said += (
            f", the slowest {where(results, cells, slow) if len(slow) < 3 else few(names, 'or') + ', depending on k'}"
        )
    falls = {}
    for name in results.by_k:
        shown = released(results.by_k[name])
        if len(shown) > 1 and kind(name) == ROWS and shown[-1][1].clearly_better(shown[0][1], TIME):
            (low, first), *_, (high, last) = shown
            falls[name] = (middle(first, TIME) / middle(last, TIME) if middle(last, TIME) else 0.0, low, high)
    name = max(falls, key=lambda name: falls[name][0], default="")
    if name and falls[name][0] >= NOTABLE:
        ratio, low, high = falls[name]
        said += f"; {name} takes {times(ratio)} as long at k = {low} as at {high}, as it has more classes to make"
    return [said + "."]


def _trade_off(results: Results, cells: Cells, cost: str) -> list[str]:
    """Say at a middle k what less loss costs in time, and why the others are no part of that."""
    k = results.fixed_k if results.by_l and results.fixed_k in cells else list(cells)[(len(cells) - 1) // 2]
    here = cells[k]
    front: list[str] = []
    for name in ordered(here, TIME):
        no_slower = [here[other] for other in here if not here[name].clearly_better(here[other], TIME)]
        if any(other.clearly_better(here[name], cost) for other in no_slower):
            continue
        if not front or here[name].clearly_better(here[front[-1]], cost):
            front.append(name)
    rest = "".join(f"; {text}" for text in _outdone(here, front, cost))
    if len(front) == 1:
        no_other = f"none has a {extreme(cost, more=True)} {short(cost)} than {front[0]}, and none is clearly faster"
        return [f"At k = {k} there is nothing to trade: {no_other}{rest}."]
    front = front if len(front) <= MAX_NAMED else [front[0], front[1], front[-1]]
    parts = []
    for slower, name in pairwise(front):
        long = middle(here[name], TIME) / middle(here[slower], TIME) if middle(here[slower], TIME) else 0.0
        ratio = f"{times(long)} as long as" if long else "longer than"
        base = middle(here[slower], cost)
        gain = f"{100 * abs(middle(here[name], cost) / base - 1):.0f} % " if base else ""
        gain += "more" if rank(cost, 1) < 0 else "less"
        first = slower == front[0]
        gain = f"{gain} {short(cost)}" if first else f"a further {gain}"
        parts.append(f"{name} {'takes ' if first else ''}{ratio} {slower} for {gain}")
    return [f"Utility has its price in time: at k = {k}, {', and '.join(parts)}{rest}."]


def _outdone(here: dict[str, Cell], front: list[str], cost: str) -> list[str]:
    """Say of the algorithms that are no part of the trade-off which other makes them so, and in what."""
    reasons: dict[str, list[str]] = {}
    for name in here:
        if name in front:
            continue
        ahead = [other for other in here if other != name and not _better_in_any(here[name], here[other], cost)]
        worse = {o: [here[o].clearly_better(here[name], measure) for measure in (cost, TIME)] for o in ahead}
        other = max(ahead, key=lambda o: (o in front, all(worse[o]), worse[o][0], sum(worse[o])))
        loses, waits = worse[other]
        reason = f"cannot be told from {other} in either"
        if loses:
            reason = (
                f"lose(s) more than {other} and take(s) longer"
                if waits
                else f"lose(s) more than {other} in no less time"
            )
        elif waits:
            reason = f"take(s) longer than {other} and lose(s) no less"
        reasons.setdefault(reason, []).append(name)
    said = []
    for reason, names in list(reasons.items())[:MAX_NAMED]:
        reason = reason.replace("(s)", "s" if len(names) == 1 else "")
        said.append(f"{few(names)} {reason}")
    return said


def _better_in_any(one: Cell, other: Cell, cost: str) -> bool:
    return one.clearly_better(other, cost) or one.clearly_better(other, TIME)


def _choice(results: Results, cells: Cells, cost: str, *, timed: bool) -> list[str]:
    """Say what to choose at which k, and what instead if that takes too long."""
    found = stretches(cells, cost)
    said = f"To keep the most of the data, take {where(results, cells, found)}"
    wins = {name for pair in found for name in pair.names}
    columns = [name for name in results.algorithms if kind(name) == COLUMNS]
    if columns and {ROWS} & {*map(kind, wins)}:
        said += f", or {few(columns, 'or')} throughout if a whole column has to show one level"
    if timed:
        said += f"; {_wait(results, cells, cost, wins)}"
    blind = [name for name in results.algorithms if kind(name) == BLIND and name not in wins]
    if blind:
        said += f", and {listed(blind)} {'serves as a yardstick' if len(blind) == 1 else 'serve as yardsticks'} only"
    return [said + "."]


def _wait(results: Results, cells: Cells, cost: str, wins: set[str]) -> str:
    """Say how long the best algorithms may take, and which is better than the other quick ones if that is too long."""
    longest = {
        name: max(seconds for _, cell in shown for seconds in cell.values(TIME))
        for name, line in results.by_k.items()
        if (shown := released(line))
    }
    slow = max(sorted(wins), key=lambda name: longest[name])
    half_way = list(cells.values())[(len(cells) - 1) // 2]
    sought = [name for name in ordered(half_way, cost) if kind(name) != BLIND]
    quick = [name for name in sought if longest[name] < longest[slow] / 10]
    they, them = ("it takes", "it") if len(wins) == 1 else ("they take", "them")
    if longest[slow] < SHORT_WAIT:
        return f"as {they} {duration(longest[slow])} at most here, time is no reason against {them}"
    if quick:
        return (
            f"if the {duration(longest[slow])} that {slow} may take are too long, take {quick[0]}, which takes "
            f"{duration(longest[quick[0]])} at most"
        )
    return f"{they} {duration(longest[slow])} at most here"


def _failures(results: Results) -> list[str]:
    """Describe which settings have no release, each reason once."""
    reasons: dict[str, list[str]] = {}
    for cell in results.cells:
        if cell.failure:
            reasons.setdefault(cell.failure, []).append(str(cell.setting))
    return [
        f"No release: {'; '.join(where[:3])}{f' and {len(where) - 3} more' if len(where) > 3 else ''}. {why}"
        for why, where in reasons.items()
    ]
