"""What the figures of a comparison say of time: who is fast and who slow, and what less loss costs in time."""

from __future__ import annotations

from itertools import pairwise

from shoal.analysis.comparison.evidence import BLIND, COLUMNS, ROWS, Cells, kind, kinds, leads, middle, ordered
from shoal.analysis.comparison.phrases import (
    MAX_NAMED,
    NO_REASON,
    a,
    extreme,
    few,
    from_on,
    percent,
    ranked,
    rough,
    short,
    times,
)
from shoal.analysis.comparison.results import TIME, Cell, Results, rank, released
from shoal.analysis.comparison.utility import held

NOTABLE = 1.5  # the ratio from which a change of time over k is worth a word
MAX_PAIR = 2  # algorithms of which the slowest is told by the fastest


def speed(results: Results, cells: Cells, costs: list[str]) -> list[str]:
    """Return the sentences on time and on the trade-off."""
    if not cells:
        alone = _depends(results).removeprefix("; ")
        return [alone] if alone else []
    fastest = held(results) + _fastest(results, cells) + _depends(results)
    return [fastest, *(_trade_off(results, cells, costs[0]) if costs else [])]


def _fastest(results: Results, cells: Cells) -> str:
    """Say who is fastest and who clearly slowest at which k, and whether the fastest was expected to be."""
    found = leads(cells, TIME)
    slow = [lead for lead in leads(cells, TIME, worst=True) if lead.clear and len(cells[lead.ks[0]]) > MAX_PAIR]
    blind, clear = {*kinds(results).get(BLIND, [])}, [lead for lead in found if lead.clear]
    answer = why = ""
    if blind and clear and all({*lead.names} <= blind for lead in clear):
        answer = "as expected, "
    elif blind and not any({*lead.names} & blind for lead in found):
        answer, why = "against expectation, ", NO_REASON
    first = [lead for lead in slow if len(lead.names) == 1]
    if found == clear and len(found) == len(slow) == len(first) == 1 and found[0].ks == slow[0].ks:
        return f"{answer}{ranked(results, found, 'is', f'fastest and {slow[0].names[0]} slowest')}{why}"
    slowest = f"; {ranked(results, slow, 'is', 'slowest')}" if slow else ""
    return f"{answer}{ranked(results, found, 'is', 'fastest')}{why}{slowest}"


def _depends(results: Results) -> str:
    """Say how much time depends on k and on ℓ, if it clearly does."""
    parts = [part for part in (_falling(results), _time_of_diversity(results)) if part]
    return f"; {', and '.join(parts)}" if parts else ""


def _falling(results: Results) -> str:
    """Say which algorithm takes clearly less time as k grows, and why: it has fewer classes to make."""
    falls = {}
    for name, line in results.by_k.items():
        shown = released(line)
        if len(shown) > 1 and kind(name) == ROWS and shown[-1][1].clearly_better(shown[0][1], TIME):
            (_, first), *_, (_, last) = shown
            falls[name] = (middle(first, TIME) / middle(last, TIME) if middle(last, TIME) else 0.0, shown[0], shown[-1])
    name = max(falls, key=lambda name: falls[name][0], default="")
    if not name or falls[name][0] < NOTABLE:
        return ""
    _, (low, first), (high, last) = falls[name]
    return f"{name} takes {times(first, last)} as long at k = {low} as at {high}, as it has more classes to make"


def _time_of_diversity(results: Results) -> str:
    """Say how much longer any ℓ above 1 takes, if it clearly does."""
    for name, line in results.by_l.items():
        shown = released(line)
        if (
            len(results.by_l) > 1
            or kind(name) != COLUMNS
            or len(shown) < 2
            or shown[0][0] != 1
            or not middle(shown[0][1], TIME)
        ):
            continue
        (_, first), *more = shown
        ratios = sorted(middle(cell, TIME) / middle(first, TIME) for _, cell in more)
        if ratios[0] >= NOTABLE and all(first.clearly_better(cell, TIME) for _, cell in more):
            least, most = rough(ratios[0]), rough(ratios[-1])
            span = most if least == most else f"{least} to {most}"
            return (
                f"at k = {results.fixed_k} any ℓ above 1 takes {name} about {span} times as long, as the values in "
                f"each class have to be counted"
            )
    return ""


def _trade_off(results: Results, cells: Cells, cost: str) -> list[str]:
    """Say at a middle k what less loss costs in time, and why the others are no part of that."""
    k = results.fixed_k if results.by_l and results.fixed_k in cells else list(cells)[(len(cells) - 1) // 2]
    here = cells[k]
    front = _front(here, cost)
    rest = "".join(f"; {text}" for text in _outdone(here, front, cost))
    if len(front) == 1:
        no_other = f"none has a clearly {extreme(cost, more=True)} {short(cost)} than {front[0]}"
        if not any(cell.clearly_better(here[front[0]], TIME) for cell in here.values()):
            no_other += ", and none is clearly faster"
        answer = "against expectation, " if kinds(results).get(ROWS) else ""
        return [f"{answer}at k = {k} there is nothing to trade: {no_other}{rest}"]
    rest += _no_longer(cells, k, front[-1], cost)
    front = front if len(front) <= MAX_NAMED else [front[0], front[1], front[-1]]
    parts = []
    for slower, name in pairwise(front):
        ratio = f"{times(here[name], here[slower])} as long as" if middle(here[slower], TIME) else "longer than"
        first = slower == front[0]
        gain = _gain(here[slower], here[name], cost, first=first)
        parts.append(f"{name} {'takes ' if first else ''}{ratio} {slower} for {gain}")
    answer = "as expected, " if kind(front[-1]) == ROWS and kinds(results) else ""
    return [f"{answer}utility has its price in time: at k = {k}, {', and '.join(parts)}{rest}"]


def _gain(worse: Cell, better: Cell, cost: str, *, first: bool) -> str:
    """Write by how much one setting costs less than another: `35 % less LM`; after the first `a further 8 % less`."""
    base = middle(worse, cost)
    part = abs(middle(better, cost) / base - 1) if base else 0.0
    word = "more" if rank(cost, 1) < 0 else "less"
    if base and not middle(better, cost):
        return f"{a(short(cost))} of 0"
    more = f"more than 99 % {word}" if 0.99 < part < 1 else f"{percent(part)} {word}" if part else word
    return f"{more} {short(cost)}" if first else f"a further {more}"


def _front(here: dict[str, Cell], cost: str) -> list[str]:
    """Return the algorithms that are clearly better than every one that is not slower, from the fastest on."""
    front: list[str] = []
    for name in ordered(here, TIME):
        no_slower = [here[other] for other in here if not here[name].clearly_better(here[other], TIME)]
        if any(other.clearly_better(here[name], cost) for other in no_slower):
            continue
        if not front or here[name].clearly_better(here[front[-1]], cost):
            front.append(name)
    return front


def _no_longer(cells: Cells, k: int, name: str, cost: str) -> str:
    """Say from which k on the algorithm that is worth its time at k no longer is, as another loses less, no slower."""
    beaten: list[tuple[int, Cell]] = []
    rivals: set[str] = set()
    for later, named in cells.items():
        ahead = {
            other
            for other, cell in named.items()
            if name in named and cell.clearly_better(named[name], cost) and not named[name].clearly_better(cell, TIME)
        }
        rivals = rivals & ahead if beaten else ahead
        beaten = [*beaten, (later, named[name])] if later > k and rivals else []
    if not beaten:
        return ""
    better = f"a {extreme(cost, more=True)} {short(cost)}"
    return f"; {from_on(beaten)}, {name} is not worth its time, as {min(rivals)} has {better} and is not clearly slower"


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
                else f"lose(s) more than {other} in time that is not clearly shorter"
            )
        elif waits:
            reason = f"take(s) longer than {other} for no clearly {extreme(cost, more=True)} {short(cost)}"
        reasons.setdefault(reason, []).append(name)
    said = []
    for reason, names in list(reasons.items())[:MAX_NAMED]:
        reason = reason.replace("(s)", "s" if len(names) == 1 else "")
        said.append(f"{few(names)} {reason}")
    return said


def _better_in_any(one: Cell, other: Cell, cost: str) -> bool:
    return one.clearly_better(other, cost) or one.clearly_better(other, TIME)
