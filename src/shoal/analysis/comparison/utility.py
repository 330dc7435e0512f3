"""What the figures of a comparison say of utility: who loses least, who nearly everything, what is flat, what ℓ costs.

The reasons are facts of the runs (the number of classes, the smallest, the fewest sensitive values in one) and of how
the algorithms work.
"""

from __future__ import annotations

from itertools import pairwise

from shoal.analysis.comparison.diversity import diversity
from shoal.analysis.comparison.evidence import (
    BLIND,
    COLUMNS,
    Cells,
    flat,
    kind,
    leads,
    leaves_something,
    middle,
    share,
)
from shoal.analysis.comparison.phrases import (
    LITTLE,
    MAX_NAMED,
    NO_REASON,
    at,
    few,
    figure,
    from_on,
    listed,
    percent,
    short,
)
from shoal.analysis.comparison.results import SMALLEST, Cell, Line, Results, rank, released
from shoal.analysis.comparison.winners import lost_lead, who_loses_least, worse_than_chance

CHANCE = ", because rows that meet by chance have little in common"


def utility(results: Results, cells: Cells, costs: list[str], room: int) -> list[str]:
    """Return the sentences that there is room for, the most important first."""
    main, said, alike = costs[0], [], False
    if cells:
        found = leads(cells, main)
        alike = len(found) == 1 and {*found[0].names} == {*results.algorithms}
        least = who_loses_least(results, cells, costs, found)
        said = [held(results) + least, *lost_lead(results, main, found)]
    elif len(results.algorithms) == 1:
        said = [held(results) + text for text in _alone(results, main)]
    worse = worse_than_chance(results, cells, costs)
    hidden = {worse.name} if worse and worse.hidden else set()
    (near, also), more = _nearly_all(results, cells, main, hidden, alike=alike), worse.text if worse else ""
    even, diverse = _flat(results, costs, hidden), diversity(results, costs)
    last = [even, diverse]
    if even and diverse:
        last = [f"{even}; {diverse}"] if len(results.by_l) == 1 else [diverse, even]
    sentences = [near + also, more, *last]
    if near and more and len(said) + sum(map(bool, sentences)) > room:
        sentences = [f"{near}; {more}", *last]
    return [*said, *filter(None, sentences)][:room]


def held(results: Results) -> str:
    """Begin a sentence on the figures by k with the ℓ that they have, if that varies elsewhere."""
    text = results.held("k").strip()
    return f"{text}, " if text else ""


def _alone(results: Results, measure: str) -> list[str]:
    """Say how the costs of the only algorithm change with k."""
    name, line = next(iter(results.by_k.items()))
    shown = released(line)
    if len(shown) < 2:
        return ["one algorithm at one k has nothing to be compared with"] if shown else []
    (low, first), *_, (high, last) = shown
    middles = [rank(measure, middle(cell, measure)) for _, cell in shown]
    grows = all(before <= after for before, after in pairwise(middles))
    ends = [share(results, cell, measure) for cell in (first, last)]
    before, after = (percent(part) if part is not None else "" for part in ends)
    of_it = " of the maximum"
    if not before:
        before, after, of_it = figure(middle(first, measure)), figure(middle(last, measure)), ""
    named, way = f"the {short(measure)} of {name}", f"from {before} at k = {low} to {after}{of_it} at {high}"
    if first.clearly_better(last, measure):
        return [f"as expected, {named} goes {way}{'' if grows else ', though not at every step'}"]
    if last.clearly_better(first, measure):
        return [f"against expectation, {named} goes {way}{NO_REASON}"]
    return [f"against expectation, {named} does not clearly change: it goes {way}"]


def _nearly_all(results: Results, cells: Cells, measure: str, told: set[str], *, alike: bool) -> tuple[str, str]:
    """Say who loses nearly as much as suppressing every cell would, from which k on; and who does so, too.

    alike  all cost the same
    """
    reached: dict[str, Line] = {}
    for name, line in results.by_k.items():
        points = [(k, cell) for k, cell in released(line) if not leaves_something(results, cell, measure)]
        if points and points == released(line)[-len(points) :] and name not in told:
            reached[name] = points
    if not reached:
        return "", ""
    name, *others = sorted(reached, key=lambda name: kind(name) != BLIND)
    rise, why = _rise(results, name, reached[name], measure), _why(results, name, reached[name])
    if alike:
        return f"they lose {rise}{'' if CHANCE in why else why}", ""
    places: dict[str, list[str]] = {}
    for other in others:
        places.setdefault(from_on(reached[other]), []).append(other)
    also = [f"{few(names)} {place}" for place, names in list(places.items())[:MAX_NAMED]]
    rest = f"; no more than {LITTLE} is left by {listed(also)}, too" if also else ""
    return f"{name} loses {rise}{why}", rest


def _rise(results: Results, name: str, line: Line, measure: str) -> str:
    """Write what an algorithm loses at its first k, from where on nearly everything, and from where on everything."""
    (start, _), (first_k, first) = line[0], released(results.by_k[name])[0]
    whole = [(k, cell) for k, cell in line if share(results, cell, measure) == 1]
    whole = whole if whole and whole == line[-len(whole) :] else []
    parts, of_it = [], " of the maximum"
    if first_k != start:
        parts.append(f"{percent(share(results, first, measure) or 0.0)}{of_it} at k = {first_k}")
        of_it = ""
    if not whole or whole[0][0] != start:
        alone = len(line) - len(whole) == 1
        least = min(share(results, cell, measure) or 0.0 for _, cell in line[: len(line) - len(whole)])
        part = percent(least, floored=not alone)
        parts.append(f"{'' if alone else 'at least '}{part}{of_it} {at([start]) if alone else from_on(line)}")
    if whole:
        parts.append(f"everything {from_on(whole)} ({_whole(whole[0][1], measure)})")
    return listed(parts)


def _whole(cell: Cell, measure: str) -> str:
    """Write what suppressing everything costs, which is n where losses are summed over the rows."""
    return f"{short(measure)} = {'n = ' if measure == 'loss_rows' else ''}{figure(middle(cell, measure))}"


def _why(results: Results, name: str, line: Line) -> str:
    """Say why an algorithm loses nearly everything at these k."""
    narrow = [k for k, _ in line if 2 * k > results.rows]
    if len(narrow) == len(line):
        return ", where the table has too few rows for two classes"
    if narrow:
        return f"; from k = {narrow[0]} on the table has too few rows for two classes"
    return CHANCE if kind(name) == BLIND else ""


def _flat(results: Results, costs: list[str], told: set[str]) -> str:
    """Say at which k an algorithm that generalizes whole columns makes the same release, and why it can."""
    for name, line in results.by_k.items():
        ks = flat(results, name, costs) if kind(name) == COLUMNS and name not in told else []
        if all(set(cell.values(costs[0])) == {0} for k, cell in line if k in ks):
            continue  # the node at the bottom
        if len(ks) > 1:
            smallest = {cell.fact(SMALLEST) for k, cell in line if k in ks}
            size = smallest.pop() if len(smallest) == 1 else None
            why = f", whose smallest class has {figure(size)} rows," if size else ""
            them = "both" if len(ks) == 2 else "all of them"
            return f"{name} is flat from k = {ks[0]} to {ks[-1]}, because one node of the lattice{why} serves {them}"
    return ""
