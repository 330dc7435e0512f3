"""What a comparison says of ℓ-diversity at one k: up to which ℓ it is free, and what it costs beyond."""

from __future__ import annotations

from itertools import takewhile

from shoal.analysis.comparison.evidence import COLUMNS, kind, middle
from shoal.analysis.comparison.phrases import a, few, figure, short
from shoal.analysis.comparison.results import FEWEST, Cell, Line, Results, released


def diversity(results: Results, costs: list[str]) -> str:
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
    pairs = {
        name: (first, last)
        for name, ((low, first), _) in ends.items()
        if low == results.fixed_l and (last := dict(released(lines[name])).get(high))
    }
    paying = [name for name, (first, last) in pairs.items() if first.clearly_better(last, measure)]
    said = f"at k = {results.fixed_k}, ℓ = {high} costs "
    if not paying:
        return (
            f"{said}no more {short(measure)} than ℓ = {results.fixed_l} beyond the spread of the runs" if pairs else ""
        )
    dear = max(paying, key=lambda name: abs(middle(pairs[name][1], measure) - middle(pairs[name][0], measure)))
    free = [name for name in pairs if name not in paying]
    rest = f", {few(free, 'or')} nothing beyond the spread of the runs" if free else ""
    return f"{said}{dear} {'the most, ' if len(paying) > 1 else ''}{_change(*pairs[dear], measure)}{rest}"


def _change(first: Cell, last: Cell, measure: str) -> str:
    """Write how a cost changes: in percent, or from 0."""
    before, after = middle(first, measure), middle(last, measure)
    if not before:
        return f"{a(short(measure))} of {figure(after)} in place of 0"
    part = abs(after / before - 1)
    much = f"{100 * part:,.0f} %" if part >= 0.005 else "less than 1 %"
    return f"{much} {'more' if after > before else 'less'} {short(measure)}"


def _price(line: Line, name: str, costs: list[str]) -> str:
    """Say what ℓ costs along a line of cells."""
    measure = costs[0]
    (low, first), *_, (high, last) = released(line)
    same = list(takewhile(lambda point: _as_costly(point[1], first, costs), line))
    free = same[-1][0] if same else low
    held = f"ℓ costs nothing up to {free}"
    if (first.fact(FEWEST) or 0) >= free:
        held += f", as each class has at least {figure(first.fact(FEWEST))} different values anyway"
    if free == high:
        return held
    if not (first.clearly_better(last, measure) or last.clearly_better(first, measure)):
        return f"ℓ = {high} costs no more {short(measure)} than ℓ = {low} beyond the spread of the runs"
    change = _change(first, last, measure)
    why = ""
    if kind(name) == COLUMNS and first.clearly_better(last, measure):
        why = ", as any class that is short of values takes whole columns up with it"
    than = f" {'at' if not middle(first, measure) else 'than'} ℓ = {low}"
    return f"ℓ = {high} costs {change}{than}{why}" if free == low else f"{held}, and {change} at {high}{why}"


def _as_costly(one: Cell, other: Cell, costs: list[str]) -> bool:
    """Return whether two settings cost the same in every run."""
    return one.failure is None and all(one.values(measure) == other.values(measure) for measure in costs)
