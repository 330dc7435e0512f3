"""Plots of a lattice: its nodes by height, and their loss against suppressed rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from os import PathLike

from shoal.algorithms.full_domain.lattice import Lattice
from shoal.algorithms.full_domain.prefixes import Node
from shoal.documents.plots import ALARM, CALM, GREY, OTHER, check_plot, dress, matplotlib, new_figure, save
from shoal.errors import InputError

MAX_DRAWN_NODES = 500
MAX_NAMED_NODES = 60


@dataclass(frozen=True)
class NodeFacts:
    """The figures of a node: `suppressed` rows are in classes that fail; it is a solution if they are few enough."""

    node: Node
    height: int
    loss: float
    classes: int
    suppressed: int
    satisfied: bool


def check_lattice(path: str | PathLike[str], nodes: int) -> None:
    """Refuse a path that is not an image file, or a lattice that does not fit on a page."""
    check_plot(path)
    if nodes > MAX_DRAWN_NODES:
        raise InputError(f"A lattice of {nodes:,} nodes does not fit on a page ({MAX_DRAWN_NODES} do): use plot_front.")


def plot_lattice(
    path: str | PathLike[str],
    facts: list[NodeFacts],
    *,
    names: Collection[str],
    checked: Collection[Node],
    chosen: Node,
) -> None:
    """Draw every node at its height; filled nodes were checked by the search."""
    places = _places([fact.node for fact in facts])
    figure = new_figure(11, 7)
    axes = figure.subplots()
    lines = [
        (places[node], places[above])
        for node in places
        for above in ((*node[:j], level + 1, *node[j + 1 :]) for j, level in enumerate(node))
        if above in places
    ]
    axes.add_collection(matplotlib("collections").LineCollection(lines, colors="#d1d5db", linewidths=0.6, zorder=1))
    satisfied = {fact.node: fact.satisfied for fact in facts}
    for name, colour, nodes in (
        ("chosen", ALARM, [chosen]),
        ("solution", CALM, [node for node in places if satisfied[node] and node != chosen]),
        ("not a solution", GREY, [node for node in places if not satisfied[node]]),
    ):
        points = {"x": [places[node][0] for node in nodes], "y": [places[node][1] for node in nodes]}
        face = [colour if node in checked else "white" for node in nodes]
        axes.scatter(**points, s=70, c=face, edgecolors=colour, label=f"{name} ({len(nodes):,})", zorder=2)
    if len(places) <= MAX_NAMED_NODES:
        separator = "," if max(map(max, places)) > 9 else ""
        for node, (x, y) in places.items():
            name = separator.join(map(str, node))
            axes.annotate(name, (x, y), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=7)
    title = f"{', '.join(names)}: {len(facts):,} nodes, {len(checked):,} checked (filled)"
    dress(axes, title, "", "height (sum of the levels)")
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, path)


def plot_front(
    path: str | PathLike[str], facts: list[NodeFacts], *, front: list[NodeFacts], chosen: Node, lattice: Lattice
) -> None:
    """Draw the loss of each node against its suppressed rows, and the Pareto front."""
    facts, rows = [fact for fact in facts if fact.classes], lattice.rows
    figure = new_figure(8, 5)
    axes = figure.subplots()
    for name, colour, points in (
        ("more suppressed rows than allowed", "#d1d5db", [fact for fact in facts if not fact.satisfied]),
        ("solutions", CALM, [fact for fact in facts if fact.satisfied]),
    ):
        axes.scatter(*_points(points, rows), s=12, color=colour, label=f"{name} ({len(points):,})")
    axes.step(*_points(front, rows), where="post", color=OTHER, linewidth=1.5, label=f"front ({len(front):,})")
    marked = [fact for fact in facts if fact.node == chosen]
    axes.scatter(*_points(marked, rows), s=90, facecolors="none", edgecolors=ALARM, linewidths=1.8, label="chosen")
    axes.axvline(100 * lattice.max_suppressed / rows, color=GREY, linewidth=0.8, linestyle=":")
    axes.legend(frameon=False, fontsize=9)
    dress(axes, f"{len(facts):,} of {lattice.nodes:,} nodes", "suppressed rows, %", "loss (LM)")
    save(figure, path)


def _points(facts: list[NodeFacts], rows: int) -> tuple[list[float], list[float]]:
    return [100 * fact.suppressed / rows for fact in facts], [fact.loss for fact in facts]


def _places(nodes: list[Node]) -> dict[Node, tuple[float, float]]:
    """Place each node at its height, those of the same height side by side."""
    places: dict[Node, tuple[float, float]] = {}
    for height, level in groupby(sorted(nodes, key=lambda node: (sum(node), node)), key=sum):
        row = list(level)
        places |= {node: (number - (len(row) - 1) / 2, float(height)) for number, node in enumerate(row)}
    return places
