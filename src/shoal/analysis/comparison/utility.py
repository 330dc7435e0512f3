"""What the figures of a comparison say of utility: who loses least, who nearly everything, what is flat, what ℓ costs.

The reasons are facts of the runs (the number of classes, the smallest, the fewest sensitive values in one) and of how
the algorithms work.
"""

from __future__ import annotations

from itertools import pairwise, takewhile

from shoal.analysis.comparison.evidence import (
    BLIND,
    COLUMNS,
    ROWS,
    Cells,
    Stretch,
    flat,
    kind,
    kinds,
    middle,
    share,
    stretches,
)
from shoal.analysis.comparison.phrases import (
    MAX_NAMED,
    begin,
    extreme,
    few,
    figure,
    from_on,
    listed,
    percent,
    short,
    where,
)
from shoal.analysis.comparison.results import CLASSES, FEWEST, SMALLEST, Cell, Line, Results, rank, released

NEARLY_ALL = 0.95  # of what suppressing every cell would cost
LARGE = 2.0  # the ratio of mean class size and k from which classes are large already


def utility(results: Results, cells: Cells, costs: list[str]) -> list[str]:
    """Return the sentences, the most important first."""
    main, said = costs[0], []
    if cells:
        found = stretches(cells, main)
        said = [_least(results, cells, costs, found), *_lead(results, main, found)]
    elif len(results.algorithms) == 1:
        said = _alone(results, main)
    even, diverse = _flat(results, costs), _diversity(results, costs)
    if even and diverse and len(results.by_l) == 1:
        return [*said, *_nearly_all(results, cells, main), f"{begin(even)}; {diverse}."]
    return [*said, *_nearly_all(results, cells, main), *(f"{begin(text)}." for text in (diverse, even) if text)]


def _least(results: Results, cells: Cells, costs: list[str], found: list[Stretch]) -> str:
    """Say who loses least at which k, and whether that was expected."""
    main, *others = costs
    alike = [short(other) for other in others if short(other) != short(main) and stretches(cells, other) == found]
    names = listed(list(dict.fromkeys([short(main), *alike])))
    winners = [{kind(name) for name in stretch.names} for stretch in found]
    verb = f"has the {extreme(main)} {names}"
    if kinds(results).get(ROWS) and all(map(kind, results.algorithms)):
        as_expected = [sorts == {ROWS} for sorts in winners]
        if all(as_expected):
            said = f"as expected, {where(results, cells, found, verb=verb)}"
        elif as_expected == [True, False]:
            said = f"as expected, {where(results, cells, found, verb=verb, only=0)}; "
            said += f"against expectation, {where(results, cells, found, verb='has it', only=1)}"
        elif not any(ROWS in sorts for sorts in winners):
            said = f"against expectation, {where(results, cells, found, verb=verb)}"
        else:
            said = where(results, cells, found, verb=verb)
    else:
        said = where(results, cells, found, verb=verb)
    told = {short(main), *alike}
    for other in others:
        if short(other) not in told:
            said += f" (by {short(other)}, {where(results, cells, stretches(cells, other))})"
            told.add(short(other))
    return begin(said) + "."


def _lead(results: Results, measure: str, found: list[Stretch]) -> list[str]:
    """Say why the first winner loses its lead to another: how the costs of both grow with k."""
    (first, *others), (last, *more) = found[0].names, found[-1].names
    if first == last or others or more:
        return []
    ends = {}
    for name in (first, last):
        shown = released(results.by_k[name])
        ends[name] = [(k, share(results, cell, measure), cell) for k, cell in (shown[0], shown[-1])]
    (low, before, _), (high, after, _) = ends[first]
    (low_too, start, cell), (high_too, end, _) = ends[last]
    if (low_too, high_too) != (low, high) or None in (before, after, start, end):
        return []
    why = ""
    if kind(first) == ROWS and (after or 0.0) > (before or 0.0):
        why = " because its classes have to take in rows that are less and less alike"
    classes = cell.fact(CLASSES)
    large = ""
    if classes and results.rows >= LARGE * low * classes:
        large = f", as its classes have {figure(round(results.rows / classes))} rows on average at k = {low} already"
    return [
        f"{begin(first)} loses its lead{why}: from k = {low} to {high} its {short(measure)} goes from "
        f"{percent(before or 0.0)} to {percent(after or 0.0)} of the maximum, that of {last} only from "
        f"{percent(start or 0.0)} to {percent(end or 0.0)}{large}."
    ]


def _alone(results: Results, measure: str) -> list[str]:
    """Say how the costs of the only algorithm change with k."""
    name, line = next(iter(results.by_k.items()))
    shown = released(line)
    if len(shown) < 2:
        return ["One algorithm at one k has nothing to be compared with."] if shown else []
    (low, first), *_, (high, last) = shown
    middles = [rank(measure, middle(cell, measure)) for _, cell in shown]
    grows = all(before <= after for before, after in pairwise(middles))
    ends = [share(results, cell, measure) for cell in (first, last)]
    before, after = (percent(part) if part is not None else "" for part in ends)
    of_it = " of the maximum"
    if not before:
        before, after, of_it = figure(middle(first, measure)), figure(middle(last, measure)), ""
    as_expected = "As expected, the" if grows and first.clearly_better(last, measure) else "The"
    return [f"{as_expected} {short(measure)} of {name} goes from {before} at k = {low} to {after}{of_it} at {high}."]


def _nearly_all(results: Results, cells: Cells, measure: str) -> list[str]:
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
    said, of_it, blind = f"{begin(name)} loses ", " of the maximum", kind(name) == BLIND
    if cells and all(pair.names == (name,) for pair in stretches(cells, measure, worst=True)):
        said += "the most throughout, as expected: " if blind and kinds(results) else "the most throughout: "
    if share(results, cell, measure) == 1 and start == first_k:
        return [f"{said}everything {from_on(reached[name])} ({_whole(cell, measure)}){_why(results, name, start)}."]
    if first_k != start:
        said += f"{percent(share(results, first, measure) or 0.0)}{of_it} at k = {first_k}, "
        of_it = ""
    part = percent(share(results, cell, measure) or 0.0, floored=True)
    said += f"{'at least ' if start != end else ''}{part}{of_it} {from_on(reached[name])}"
    if share(results, whole, measure) == 1:
        said += f", all of it at k = {end} ({_whole(whole, measure)})"
    said += _why(results, name, start)
    also = [f"{other} {from_on(reached[other])}" for other in others[:MAX_NAMED]]
    return [f"{said}{'; so little is left by ' + listed(also) + ', too' if also else ''}."]


def _whole(cell: Cell, measure: str) -> str:
    """Write what suppressing everything costs, which is n where losses are summed over the rows."""
    return f"{short(measure)} = {'n = ' if measure == 'loss_rows' else ''}{figure(middle(cell, measure))}"


def _why(results: Results, name: str, start: int) -> str:
    """Say why an algorithm loses nearly everything from a k on."""
    if 2 * start > results.rows:
        return ", because the table has too few rows for two classes"
    chance = ", because rows that meet by chance share little below the roots of their trees"
    return chance if kind(name) == BLIND else ""


def _flat(results: Results, costs: list[str]) -> str:
    """Say at which k an algorithm that generalizes whole columns makes the same release, and why it can."""
    for name, line in results.by_k.items():
        ks = flat(results, name, costs) if kind(name) == COLUMNS else []
        if len(ks) > 1:
            smallest = {cell.fact(SMALLEST) for k, cell in line if k in ks}
            size = smallest.pop() if len(smallest) == 1 else None
            why = f", whose smallest class has {figure(size)} rows," if size else ""
            them = "both" if len(ks) == 2 else "all of them"
            return f"{name} is flat from k = {ks[0]} to {ks[-1]}, because one node of the lattice{why} serves {them}"
    return ""


def _diversity(results: Results, costs: list[str]) -> str:
    """Say up to which ℓ diversity is free at the fixed k, and what it costs beyond."""
    lines = {name: line for name, line in results.by_l.items() if len(released(line)) > 1}
    if len(lines) == 1:
        ((name, line),) = lines.items()
        return f"at k = {results.fixed_k}, {_price(line, name, costs)}"
    return _prices(results, lines, costs[0]) if lines else ""


def _prices(results: Results, lines: dict[str, Line], measure: str) -> str:
    """Say of several algorithms which pay for ℓ, and which pays the most."""
    ends = {name: (released(line)[0], released(line)[-1]) for name, line in lines.items()}
    high = min(last for _, (last, _) in ends.values())
    at_high = {name: dict(released(line)).get(high) for name, line in lines.items()}
    paying = {
        name: middle(last, measure) / middle(first, measure) - 1
        for name, ((_, first), _) in ends.items()
        if (last := at_high[name]) and first.clearly_better(last, measure) and middle(first, measure)
    }
    free = [name for name, last in at_high.items() if last and name not in paying]
    said = f"at k = {results.fixed_k}, ℓ = {high} costs "
    if not paying:
        return f"{said}no more {short(measure)} than ℓ = {results.fixed_l} beyond the spread of the runs"
    name = max(paying, key=lambda name: paying[name])
    most = f"{_much(paying[name])} more {short(measure)}"
    rest = f", {few(free, 'or')} nothing" if free else ""
    return f"{said}{name} {'the most, ' if len(paying) > 1 else ''}{most}{rest}"


def _much(part: float) -> str:
    """Write a change in whole percent."""
    return f"{100 * part:.0f} %" if part >= 0.005 else "less than 1 %"


def _price(line: Line, name: str, costs: list[str]) -> str:
    """Say what ℓ costs along a line of cells."""
    measure = costs[0]
    (low, first), *_, (high, last) = released(line)
    before, after = middle(first, measure), middle(last, measure)
    same = list(takewhile(lambda point: _as_costly(point[1], first, costs), line))
    free = same[-1][0] if same else low
    held = f"ℓ costs nothing up to {free}"
    if (first.fact(FEWEST) or 0) >= free:
        held += f", as each class has at least {figure(first.fact(FEWEST))} different values anyway"
    if free == high:
        return held
    if not (first.clearly_better(last, measure) or last.clearly_better(first, measure)):
        return f"ℓ = {high} costs no more {short(measure)} than ℓ = {low} beyond the spread of the runs"
    change = f"{short(measure)} {figure(after)} in place of 0"
    if before:
        change = f"{_much(abs(after / before - 1))} {'more' if after > before else 'less'} {short(measure)}"
    why = ""
    if kind(name) == COLUMNS and after > before:
        why = ", as one class that is short of values takes a whole column up"
    return f"ℓ = {high} costs {change} than ℓ = {low}{why}" if free == low else f"{held}, and {change} at {high}{why}"


def _as_costly(one: Cell, other: Cell, costs: list[str]) -> bool:
    """Return whether two settings cost the same in every run."""
    return one.failure is None and all(one.values(measure) == other.values(measure) for measure in costs)
