"""The discussion of a comparison: at most eight sentences, all computed from its figures."""

from __future__ import annotations

import re
from typing import NamedTuple

from shoal.analysis.comparison.evidence import (
    BLIND,
    COLUMNS,
    ROWS,
    Cells,
    Lead,
    cells_by_k,
    every_k,
    kind,
    kinds,
    leads,
    leaves_something,
    ordered,
)
from shoal.analysis.comparison.gaps import gaps
from shoal.analysis.comparison.phrases import LITTLE, begin, duration, few, listed, places, short, spot
from shoal.analysis.comparison.results import TIME, Cell, Results
from shoal.analysis.comparison.speed import speed
from shoal.analysis.comparison.utility import utility
from shoal.analysis.comparison.winners import PROVEN, best_of_lattice

MAX_SENTENCES = 8
SHORT_WAIT = 1.0  # seconds
MUCH_QUICKER = 10.0  # the ratio of times from which an algorithm is offered to those who cannot wait
UNBROKEN = re.compile(r"(?<=\d) (?=%|m?s\b)|(?<=\w) (?==)|(?<==) (?=\w)")


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
    cells, timed = cells_by_k(results), TIME in results.measures
    expected = _expected(results, costs[0], timed=timed) if costs and any(map(works, results.cells)) else []
    others = {
        "Time": speed(results, cells, costs) if timed else [],
        "Choice": _choice(results, cells, costs[0], timed=timed) if costs and cells else [],
        "Gaps": gaps(results),
    }
    room = max(1, MAX_SENTENCES - len(expected) - sum(map(len, others.values())))
    found = utility(results, cells, costs, room) if costs else []
    said = {"Expectations": expected, "Utility": found, **others}
    return [Paragraph(title, [f"{begin(text)}." for text in texts]) for title, texts in said.items() if texts]


def works(cell: Cell) -> bool:
    """Return whether a setting has a release."""
    return cell.failure is None


def _expected(results: Results, cost: str, *, timed: bool) -> list[str]:
    """Say what each kind of algorithm was expected to cost, and why."""
    names, every = kinds(results), every_k(results)
    between = "something in between" if names.get(BLIND) and names.get(ROWS) else "more" if names.get(ROWS) else "less"
    expected = {
        BLIND: ("the most" + (", though in the least time" if timed else ""), "blind to the values"),
        ROWS: ("the least" + (", at the price of time" if timed else ""), "made to bring similar rows together"),
        COLUMNS: (between, "bound to generalize whole columns alike"),
    }
    kept = [
        (few(names[sort]), "were" if len(names[sort]) > 1 else "was", *words)
        for sort, words in expected.items()
        if names.get(sort)
    ]
    if len(every) < 2:
        parts = [
            f"{those}, {why}, {'' if number else f'{verb} expected to lose '}{much}"
            for number, (those, verb, much, why) in enumerate(kept)
        ]
        return ["; ".join(parts[:-1]) + f"; and {parts[-1]}"] if parts else []
    everyone = "every algorithm was" if len(results.algorithms) > 1 else f"{results.algorithms[0]} was"
    said = f"as a larger k makes more rows look alike, {everyone} expected to lose more as k grows"
    finest = _finest(results, cost)
    if not kept:
        return [f"{said}{', and ' if finest else ''}{finest}"]
    parts = [f"{those}, {why}, {much}" for those, _, much, why in kept]
    return [f"{said}: {'; '.join(parts[:-1])}; and {parts[-1]}{': ' if finest else ''}{finest}"]


def _finest(results: Results, cost: str) -> str:
    """Say that the best node of the whole lattice cannot lose more than those that others stop at."""
    others = best_of_lattice(results, cost)
    if not others:
        return ""
    return f"{PROVEN}, which finds the best node of the whole lattice, never a higher LM than {few(others, 'or')}"


def _choice(results: Results, cells: Cells, cost: str, *, timed: bool) -> list[str]:
    """Say what to choose at which k, and what instead if that takes too long; nothing that hides nearly everything."""
    every = every_k(results)
    left = {
        k: {n: cell for n, cell in named.items() if leaves_something(results, cell, cost)} for k, named in cells.items()
    }
    worth = {k: named for k, named in left.items() if named}
    hidden = spot([k for k in cells if k not in worth], every) if len(worth) < len(cells) else ""
    level = results.held("k")
    if not worth:
        where = hidden.replace("every", "any")
        return [f"there is nothing to choose from: none leaves more than {LITTLE} of the data {where}{level}"]
    rest = f" ({hidden} none leaves more than {LITTLE} of it)" if hidden else ""
    found = leads(worth, cost)
    if all({*lead.names} == {*cells[k]} for lead in found for k in lead.ks):
        quick = f", so take the fastest: {places(results, leads(worth, TIME))}" if timed else ""
        return [f"none keeps clearly more of the data than another{level}{quick}{rest}"]
    differ = any(leads(worth, other) != found for other in results.measures if other not in (cost, TIME))
    by = f" by {short(cost)}" if differ else ""
    said = f"to keep the most of the data{by}{level}, take {places(results, found)}{rest}"
    said += _same_level(results, worth, cost, found)
    wins = {name for lead in found for name in lead.names}
    if timed:
        said += f"; {_wait(results, cells, cost, wins)}"
    blind = [name for name in results.algorithms if kind(name) == BLIND and name not in wins]
    if blind:
        said += f", and {listed(blind)} {'serves as a yardstick' if len(blind) == 1 else 'serve as yardsticks'} only"
    return [said]


def _same_level(results: Results, worth: Cells, cost: str, found: list[Lead]) -> str:
    """Say which algorithm to take if whole columns have to be generalized alike, and where it leaves something."""
    others = {k: {n: cell for n, cell in named.items() if kind(n) == COLUMNS} for k, named in worth.items()}
    columns = [name for name in results.algorithms if any(name in named for named in others.values())]
    if all(kind(name) == COLUMNS for lead in found for name in lead.names):
        return ""
    unbeaten = [
        name
        for name in columns
        if not any(
            cell.clearly_better(named[name], cost)
            for named in others.values()
            if name in named
            for cell in named.values()
        )
    ]
    if not unbeaten:
        return ""
    name = unbeaten[0]
    ks = [k for k, named in worth.items() if name in named]
    there = spot(ks, every_k(results)).replace("at every k", "throughout")
    diverse = " or ℓ has to be above 1, which only it ran with" if [*results.by_l] == [name] else ""
    return f", or {name} {there} if all values of a column have to show the same level{diverse}"


def _wait(results: Results, cells: Cells, cost: str, wins: set[str]) -> str:
    """Say how long the best algorithms may take, and which is better than the other quick ones if that is too long."""
    longest: dict[str, float] = {}
    for cell in results.cells:
        name = cell.setting.algorithm
        longest[name] = max([longest.get(name, 0.0), *cell.values(TIME)])
    slow = max(sorted(wins), key=lambda name: longest[name])
    half_way = list(cells.values())[(len(cells) - 1) // 2]
    sought = [name for name in ordered(half_way, cost) if kind(name) != BLIND]
    quick = [name for name in sought if longest[name] < longest[slow] / MUCH_QUICKER]
    they, them = ("it takes", "it") if len(wins) == 1 else ("they take", "them")
    if longest[slow] < SHORT_WAIT:
        return f"as {they} {duration(longest[slow])} at most here, time is no reason against {them}"
    if quick:
        return (
            f"if the {duration(longest[slow])} that {slow} may take are too long, take {quick[0]}, which takes "
            f"{duration(longest[quick[0]])} at most"
        )
    return f"{they} {duration(longest[slow])} at most here"
