"""What a comparison says of who loses least: who leads where, whether that was expected, and why it is so."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from shoal.analysis.comparison.evidence import (
    BLIND,
    COLUMNS,
    ROWS,
    Cells,
    Lead,
    every_k,
    kind,
    kinds,
    leads,
    middle,
    share,
)
from shoal.analysis.comparison.phrases import (
    begin,
    extreme,
    figure,
    listed,
    percent,
    short,
    spot,
    though,
    where,
)
from shoal.analysis.comparison.results import CLASSES, SMALLEST, SUPPRESSED, Cell, Results, released

PROVEN = "full-domain"  # with its defaults it is proven to have the lowest LM of all nodes
MEANS = {"loss", "loss_rows", "loss_sum"}  # the same measure on three scales
LARGE = 2.0  # the ratio of mean class size and k from which classes are large already


def best_of_lattice(results: Results) -> list[str]:
    """Return the algorithms that cannot lose less than the best node of the whole lattice, if both were compared."""
    columns = [name for name in results.algorithms if kind(name) == COLUMNS]
    if PROVEN not in columns or not {*results.measures} & MEANS:
        return []
    return list(dict.fromkeys(name.partition(" ")[0] for name in columns if name != PROVEN))


def who_loses_least(results: Results, cells: Cells, costs: list[str], found: list[Lead]) -> str:
    """Say who loses least at which k, and whether that was expected."""
    main, *others = costs
    alike = [short(other) for other in others if short(other) != short(main) and leads(cells, other) == found]
    names = listed(list(dict.fromkeys([short(main), *alike])))
    everyone = [lead for lead in found if {*lead.names} == {*cells[lead.ks[0]]}]
    if len(found) == len(everyone) == 1:
        (lead,) = found
        there = spot(lead.ks, every_k(results))
        if middle(cells[lead.ks[0]][lead.names[0]], main) == 0:
            return f"None loses anything {there}.".replace("every", "any")
        return f"All have the same {names} {there}."
    said = _expectedly(results, cells, found, f"has the {extreme(main)} {names}")
    said += though(cells, found) + _why_columns(results, cells, main, found)
    told = {short(main), *alike}
    for other in others:
        if short(other) not in told:
            by_other = leads(cells, other)
            said += f" (by {short(other)}, {where(results, by_other)}{though(cells, by_other)})"
            told.add(short(other))
    return begin(said) + "."


def _expectedly(results: Results, cells: Cells, found: list[Lead], verb: str) -> str:
    """Say who leads where, and what of it was expected: that algorithms that group rows lose least."""
    as_expected = [{kind(name) for name in lead.names} == {ROWS} for lead in found]
    if kinds(results).get(ROWS) and all(map(kind, results.algorithms)):
        if all(as_expected):
            return f"as expected, {where(results, found, verb=verb)}"
        if as_expected == [True, False]:
            has_it = where(results, found, verb="has it", only=1)
            return f"as expected, {where(results, found, verb=verb, only=0)}; against expectation, {has_it}"
        if not any(kind(name) == ROWS for lead in found for name in lead.names):
            return f"against expectation, {where(results, found, verb=verb)}"
    several = len({cell.setting.k for cell in results.cells}) > 1  # otherwise nothing was expected
    if several and not kinds(results) and best_of_lattice(results) and all(PROVEN in lead.names for lead in found):
        return f"as expected, {where(results, found, verb=verb)}"
    return where(results, found, verb=verb)


def _why_columns(results: Results, cells: Cells, measure: str, found: list[Lead]) -> str:
    """Say how an algorithm that generalizes whole columns can lose least at every k, if its runs tell."""
    name = found[0].names[0]
    if len(found) > 1 or kind(name) != COLUMNS:
        return ""
    own = [named[name] for named in cells.values()]
    if all(set(cell.values(measure)) == {0} for cell in own):
        smallest = {cell.fact(SMALLEST) for cell in own}
        size = smallest.pop() if len(smallest) == 1 else None
        return (
            f"; {name} loses nothing, as each combination of values is there {figure(size)} times or more"
            if size
            else ""
        )
    dropped = own[0].fact(SUPPRESSED)
    others = [cell.fact(SUPPRESSED) for other, cell in next(iter(cells.values())).items() if kind(other) == ROWS]
    if dropped and others and not any(others):
        rows = f"{figure(dropped)} row{'s' * (dropped > 1)}"
        return f", as it suppresses {rows} (at k = {next(iter(cells))}) in place of generalizing others for their sake"
    return ""


def lost_lead(results: Results, measure: str, found: list[Lead]) -> list[str]:
    """Say why the first winner loses its lead to another: how the costs of both grow with k."""
    (first, *others), (last, *more) = found[0].names, found[-1].names
    if first == last or others or more:
        return []
    both = [(k, pair[0][1], pair[1][1]) for k, pair in _of_both(results, first, last).items()]
    ahead = [number for number, (_, one, other) in enumerate(both) if other.clearly_better(one, measure)]
    if not ahead or both[0][0] != every_k(results)[0]:
        return []
    (low, one, cell), (high, *later) = both[0], both[ahead[-1]]
    before, start, after, end = (share(results, each, measure) for each in (one, cell, *later))
    if None in (before, after, start, end):
        return []
    why = ""
    if (kind(first), kind(last)) == (ROWS, COLUMNS) and (after or 0.0) > (before or 0.0):
        why = " because its classes have to take in rows that are less and less alike"
    classes = cell.fact(CLASSES)
    large = ""
    if classes and results.rows >= LARGE * low * classes:
        mean = figure(round(results.rows / classes))
        large = f", whose classes have {mean} rows on average at k = {low} already,"
    return [
        f"{begin(first)} loses its lead{why}: from k = {low} to {high} its {short(measure)} goes from "
        f"{percent(before or 0.0)} to {percent(after or 0.0)} of the maximum, that of {last}{large} only from "
        f"{percent(start or 0.0)} to {percent(end or 0.0)}."
    ]


class Worse(NamedTuple):
    """An algorithm that costs more than one that never looks at values, and whether it hides everything there."""

    name: str
    text: str
    hidden: bool


def worse_than_chance(results: Results, cells: Cells, costs: list[str]) -> Worse | None:
    """Say who, against expectation, costs clearly more than an algorithm that is blind to the values, and why."""
    for measure, name, blind in product(costs, results.algorithms, kinds(results).get(BLIND, [])):
        ks = [
            k
            for k, named in cells.items()
            if kind(name) != BLIND and {name, blind} <= {*named} and named[blind].clearly_better(named[name], measure)
        ]
        if ks:
            hidden = all(share(results, cells[k][name], measure) == 1 for k in ks)
            why = ""
            if hidden:
                why = ", because it finds nothing better than to hide every value"
            elif kind(name) == COLUMNS:
                why = ", because it generalizes whole columns for the sake of their rarest values"
            more = f"against expectation, {name} has a {extreme(measure, opposite=True)} {short(measure)} than {blind}"
            return Worse(name, f"{more} {spot(ks, list(cells))}{why}", hidden)
    return None


def _of_both(results: Results, *names: str) -> dict[int, list[tuple[str, Cell]]]:
    """Return the cells of two algorithms by k, where both have a release."""
    lines = [dict(released(results.by_k[name])) for name in names]
    return {k: [(name, line[k]) for name, line in zip(names, lines, strict=True)] for k in lines[0] if k in lines[1]}
