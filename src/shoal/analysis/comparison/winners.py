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
    share,
)
from shoal.analysis.comparison.phrases import (
    NO_REASON,
    apart,
    extreme,
    few,
    figure,
    listed,
    percent,
    ranked,
    short,
    spot,
)
from shoal.analysis.comparison.results import CLASSES, SMALLEST, SUPPRESSED, Cell, Results, released

PROVEN = "full-domain"  # with its defaults it is proven to have the lowest LM of all nodes
MEANS = {"loss", "loss_rows", "loss_sum"}  # the same measure on three scales
LARGE = 2.0  # the ratio of mean class size and k from which classes are large already


def best_of_lattice(results: Results, measure: str) -> list[str]:
    """Return the algorithms that cannot lose less than the best node of the whole lattice, if both were compared."""
    columns = [name for name in results.algorithms if kind(name) == COLUMNS]
    if PROVEN not in columns or measure not in MEANS or len(every_k(results)) < 2:
        return []
    return list(dict.fromkeys(name.partition(" ")[0] for name in columns if name != PROVEN))


def who_loses_least(results: Results, cells: Cells, costs: list[str], found: list[Lead]) -> str:
    """Say who loses least at which k, and how that and the growth with k agree with what was expected."""
    said, grown = _least(results, cells, costs, found), growth(results, costs[0])
    expected = "as expected, "
    if grown.startswith(expected) and said.startswith(expected):
        return f"{grown}, and {said.removeprefix(expected)}"
    return f"{grown}; {said}" if grown else said


def _least(results: Results, cells: Cells, costs: list[str], found: list[Lead]) -> str:
    main, *others = costs
    alike = [other for other in others if leads(cells, other) == found]
    names = listed([short(measure) for measure in (main, *alike)])
    if len(found) == 1 and found[0].clear and {*found[0].names} == {*results.algorithms}:
        (lead,) = found
        there = spot(lead.ks, every_k(results))
        if all(set(cell.values(main)) == {0} for named in cells.values() for cell in named.values()):
            return f"none loses anything {there}".replace("every", "any")
        return f"all have the same {names} {there}"
    said = _expectedly(results, cells, costs, found, f"the {extreme(main)} {names}")
    for other in others:
        if other not in alike:
            said += f" (by {short(other)}, {ranked(results, leads(cells, other))})"
    return said + _most(results, cells, main) + _best_node(results, cells, main)


def growth(results: Results, measure: str) -> str:
    """Say whether each algorithm loses clearly more at its highest k than at its lowest, as was expected."""
    ends = {
        name: (shown[0][1], shown[-1][1]) for name, line in results.by_k.items() if len(shown := released(line)) > 1
    }
    still = [name for name, (first, last) in ends.items() if not first.clearly_better(last, measure)]
    if len(ends) < 2:
        return ""
    if not still:
        return "as expected, all lose more at the highest k than at the lowest"
    falls = any(last.clearly_better(first, measure) for first, last in ends.values())
    who = "none loses" if len(still) == len(ends) else f"{few(still)} {'does' if len(still) == 1 else 'do'} not lose"
    return f"against expectation, {who} clearly more at the highest k than at the lowest{NO_REASON if falls else ''}"


def _expectedly(results: Results, cells: Cells, costs: list[str], found: list[Lead], prize: str) -> str:
    """Say who leads where, and what of it was expected: that algorithms that group rows lose least."""
    main = costs[0]
    if kinds(results).get(ROWS) and all(map(kind, results.algorithms)):
        close = [lead for lead in found if not lead.clear]
        rows = {lead.names: {kind(name) == ROWS for name in lead.names} for lead in found if lead.clear}
        parts: list[str] = []
        for answer, met in (("as expected, ", {True}), ("", {True, False}), ("against expectation, ", {False})):
            those = [lead for lead in found if lead.clear and rows[lead.names] == met]
            if those:
                said = answer + ranked(results, those, "has", "it" if parts else prize)
                if met == {False}:
                    said += _why_columns(results, cells, main, found) or (
                        "" if lost_lead(results, main, found) else NO_REASON
                    )
                parts.append(said if parts or not close else f"{said}, while {apart(results, close)}")
        return "; ".join(parts) if parts else ranked(results, found, "has", prize)
    said = ranked(results, found, "has", prize)
    others = best_of_lattice(results, main)
    if not kinds(results) and others and all(lead.clear and PROVEN in lead.names for lead in found):
        said = f"as expected, {said}"
    return said + _why_columns(results, cells, main, found)


def _most(results: Results, cells: Cells, measure: str) -> str:
    """Say where algorithms that are blind to the values lose the most, which was expected."""
    blind = kinds(results).get(BLIND, [])
    if not blind:
        return ""
    prize = f"the {extreme(measure, opposite=True)} {short(measure)}"
    found = [lead for lead in leads(cells, measure, worst=True) if lead.clear and {*lead.names} <= {*blind}]
    if not found:
        return f"; against expectation, {few(blind)} never {'has' if len(blind) == 1 else 'have'} clearly {prize}"
    return f"; as expected, {ranked(results, found, 'has', prize)}"


def _best_node(results: Results, cells: Cells, measure: str) -> str:
    """Say whether the best node of the whole lattice never loses more than another node, beside other kinds."""
    others = best_of_lattice(results, measure) if kinds(results) else []
    rivals = [name for name in results.algorithms if name.partition(" ")[0] in others]
    pairs = [(named[PROVEN], named[name]) for named in cells.values() for name in rivals if {PROVEN, name} <= {*named}]
    if not pairs or any(rival.clearly_better(cell, measure) for cell, rival in pairs):
        return ""
    worse = f"a {extreme(measure, more=True, opposite=True)} {short(measure)}"
    return f"; as expected, {PROVEN} never has {worse} than {few(others, 'or')}"


def _why_columns(results: Results, cells: Cells, measure: str, found: list[Lead]) -> str:
    """Say how an algorithm that generalizes whole columns can lose least at every k, if its runs tell."""
    name = found[0].names[0]
    if len(found) > 1 or kind(name) != COLUMNS or any(name not in named for named in cells.values()):
        return ""
    own = [named[name] for named in cells.values()]
    if all(set(cell.values(measure)) == {0} for cell in own):
        smallest = {cell.fact(SMALLEST) for cell in own}
        size = smallest.pop() if len(smallest) == 1 else None
        times = f"as each combination of values is there {figure(size)} times or more" if size else ""
        return f"; {name} loses nothing, {times}" if size else ""
    dropped = own[0].fact(SUPPRESSED)
    others = [cell.fact(SUPPRESSED) for other, cell in next(iter(cells.values())).items() if kind(other) == ROWS]
    if dropped and others and not any(others):
        rows = f"{figure(dropped)} row{'s' * (dropped > 1)}"
        return f", as it suppresses {rows} (at k = {next(iter(cells))}) in place of generalizing others for their sake"
    return ""


def lost_lead(results: Results, measure: str, found: list[Lead]) -> list[str]:
    """Say why the first winner loses its lead to another: how the costs of both grow with k."""
    every = every_k(results)
    ends = [lead.names for k in (every[0], every[-1]) for lead in found if lead.clear and k in lead.ks]
    if len(ends) < 2 or ends[0] == ends[1] or any(len(names) > 1 for names in ends):
        return []
    (first,), (last,) = ends
    both = [(k, pair[0][1], pair[1][1]) for k, pair in _of_both(results, first, last).items()]
    ahead = [number for number, (_, one, other) in enumerate(both) if other.clearly_better(one, measure)]
    if not ahead:
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
    low_end, high_end = percent(start or 0.0), percent(end or 0.0)
    other = f"only from {low_end} to {high_end}" if (start or 0.0) <= (end or 0.0) else f"from {low_end} to {high_end}"
    goes = f"goes from {percent(before or 0.0)} to {percent(after or 0.0)} of the maximum"
    rival = f"stays at {low_end}" if low_end == high_end else other
    return [
        f"{first} loses its lead{why}: from k = {low} to {high} its {short(measure)} {goes}, that of {last}{large} "
        f"{rival}"
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
            worse = f"a {extreme(measure, more=True, opposite=True)} {short(measure)}"
            more = f"against expectation, {name} has {worse} than {blind} {spot(ks, list(cells))}"
            return Worse(name, more + (why or NO_REASON), hidden)
    return None


def _of_both(results: Results, *names: str) -> dict[int, list[tuple[str, Cell]]]:
    """Return the cells of two algorithms by k, where both have a release."""
    lines = [dict(released(results.by_k[name])) for name in names]
    return {k: [(name, line[k]) for name, line in zip(names, lines, strict=True)] for k in lines[0] if k in lines[1]}
