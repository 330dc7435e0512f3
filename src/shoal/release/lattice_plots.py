"""The nodes of a lattice as a picture: by height, coloured by what they are; and their loss against suppressed rows."""

from __future__ import annotations

from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING

from shoal.documents.plots import ALARM, CALM, GREY, OTHER, check_plot, dress, matplotlib, new_figure, save
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.algorithms.full_domain.prefixes import Node
    from shoal.release.lattice_explorer import NodeFacts, Solutions

DRAWN = 500  # nodes of a lattice that a page can show
NAMED = 60  # nodes that can be written out


def plot_lattice(solutions: Solutions, path: str | PathLike[str]) -> None:
    """Draw every node at its height; the search looked at those that are drawn full."""
    check_plot(path)
    if solutions.size > DRAWN:
        raise InputError(f"A lattice of {solutions.size:,} nodes does not fit on a page ({DRAWN} do): use plot_front.")
    places = _places(solutions.every_node())
    figure = new_figure(11, 7)
    axes = figure.subplots()
    lines = [
        (places[node], places[above])
        for node in places
        for above in ((*node[:j], level + 1, *node[j + 1 :]) for j, level in enumerate(node))
        if above in places
    ]
    axes.add_collection(matplotlib("collections").LineCollection(lines, colors="#d1d5db", linewidths=0.6, zorder=1))
    chosen, checked = solutions.found.node, solutions.checked
    satisfied = {one.node: one.satisfied for one in solutions.complete().facts()}
    for name, colour, nodes in (
        ("chosen", ALARM, [chosen]),
        ("solution", CALM, [node for node in places if satisfied[node] and node != chosen]),
        ("no solution", GREY, [node for node in places if not satisfied[node]]),
    ):
        points = {"x": [places[node][0] for node in nodes], "y": [places[node][1] for node in nodes]}
        face = [colour if node in checked else "white" for node in nodes]
        axes.scatter(**points, s=70, c=face, edgecolors=colour, label=f"{name} ({len(nodes):,})", zorder=2)
    if len(places) <= NAMED:
        separator = "," if max(map(max, places)) > 9 else ""
        for node, (x, y) in places.items():
            name = separator.join(map(str, node))
            axes.annotate(name, (x, y), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=7)
    title = f"{', '.join(solutions.quasi)}: {solutions.size:,} nodes, {len(checked):,} looked at (full)"
    dress(axes, title, "", "height: the sum of the levels")
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, path)


def plot_front(solutions: Solutions, path: str | PathLike[str]) -> None:
    """Draw the loss of each node against its suppressed rows, and the front of those that are best."""
    check_plot(path)
    solutions = solutions.fitting()
    lattice = solutions.found.lattice
    facts = [one for one in solutions.facts() if one.classes]
    figure = new_figure(8, 5)
    axes = figure.subplots()
    for name, colour, some in (
        ("more rows than allowed", "#d1d5db", [one for one in facts if not one.satisfied]),
        ("solutions", CALM, [one for one in facts if one.satisfied]),
    ):
        axes.scatter(*_points(some, lattice.rows), s=12, color=colour, label=f"{name} ({len(some):,})")
    front = solutions.front()
    axes.step(*_points(front, lattice.rows), where="post", color=OTHER, linewidth=1.5, label=f"front ({len(front):,})")
    chosen = [one for one in facts if one.node == solutions.found.node]
    axes.scatter(
        *_points(chosen, lattice.rows), s=90, facecolors="none", edgecolors=ALARM, linewidths=1.8, label="chosen"
    )
    axes.axvline(100 * lattice.max_suppressed / lattice.rows, color=GREY, linewidth=0.8, linestyle=":")
    axes.legend(frameon=False, fontsize=9)
    dress(axes, f"{len(facts):,} of {solutions.size:,} nodes", "suppressed rows, %", "loss (LM)")
    save(figure, path)


def _points(facts: list[NodeFacts], rows: int) -> tuple[list[float], list[float]]:
    return [100 * one.suppressed / rows for one in facts], [one.loss for one in facts]


def _places(nodes: list[Node]) -> dict[Node, tuple[float, float]]:
    """Each node at its height, those of one height side by side."""
    found: dict[Node, tuple[float, float]] = {}
    for height, level in groupby(sorted(nodes, key=lambda node: (sum(node), node)), key=sum):
        row = list(level)
        found |= {node: (number - (len(row) - 1) / 2, float(height)) for number, node in enumerate(row)}
    return found
