"""The nodes of a lattice as a picture: by height, coloured by what they are; and their loss against suppressed rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from os import PathLike

from shoal.algorithms.full_domain.prefixes import Node
from shoal.documents.plots import ALARM, CALM, GREY, OTHER, check_plot, dress, matplotlib, new_figure, save
from shoal.errors import InputError

DRAWN = 500  # nodes of a lattice that a page can show
NAMED = 60  # nodes that can be written out


@dataclass(frozen=True)
class NodeFacts:
    """What a node gives: `suppressed` rows are in classes that fail; it is a solution if they are not too many."""

    node: Node
    height: int
    loss: float
    classes: int
    suppressed: int
    satisfied: bool


def check_lattice(path: str | PathLike[str], nodes: int) -> None:
    """Refuse a path that is not a picture's, or a lattice that does not fit on a page."""
    check_plot(path)
    if nodes > DRAWN:
        raise InputError(f"A lattice of {nodes:,} nodes does not fit on a page ({DRAWN} do): use plot_front.")


def plot_lattice(
    path: str | PathLike[str],
    *,
    names: Collection[str],
    facts: list[NodeFacts],
    checked: Collection[Node],
    chosen: Node,
) -> None:
    """Draw every node at its height; the search looked at those that are drawn full."""
    places = _places([one.node for one in facts])
    figure = new_figure(11, 7)
    axes = figure.subplots()
    lines = [
        (places[node], places[above])
        for node in places
        for above in ((*node[:j], level + 1, *node[j + 1 :]) for j, level in enumerate(node))
        if above in places
    ]
    axes.add_collection(matplotlib("collections").LineCollection(lines, colors="#d1d5db", linewidths=0.6, zorder=1))
    satisfied = {one.node: one.satisfied for one in facts}
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
    title = f"{', '.join(names)}: {len(facts):,} nodes, {len(checked):,} looked at (full)"
    dress(axes, title, "", "height: the sum of the levels")
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, path)


def plot_front(
    path: str | PathLike[str],
    *,
    facts: list[NodeFacts],
    front: list[NodeFacts],
    chosen: Node,
    nodes: int,
    rows: int,
    max_suppressed: int,
) -> None:
    """Draw the loss of each node against its suppressed rows, and the Pareto front."""
    facts = [one for one in facts if one.classes]
    figure = new_figure(8, 5)
    axes = figure.subplots()
    for name, colour, some in (
        ("more rows than allowed", "#d1d5db", [one for one in facts if not one.satisfied]),
        ("solutions", CALM, [one for one in facts if one.satisfied]),
    ):
        axes.scatter(*_points(some, rows), s=12, color=colour, label=f"{name} ({len(some):,})")
    axes.step(*_points(front, rows), where="post", color=OTHER, linewidth=1.5, label=f"front ({len(front):,})")
    marked = [one for one in facts if one.node == chosen]
    axes.scatter(*_points(marked, rows), s=90, facecolors="none", edgecolors=ALARM, linewidths=1.8, label="chosen")
    axes.axvline(100 * max_suppressed / rows, color=GREY, linewidth=0.8, linestyle=":")
    axes.legend(frameon=False, fontsize=9)
    dress(axes, f"{len(facts):,} of {nodes:,} nodes", "suppressed rows, %", "loss (LM)")
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
