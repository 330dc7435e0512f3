"""Lattice: the other levels that a full-domain release could have had, to click and to take."""

from __future__ import annotations

from typing import Any

from nicegui import events, ui

import shoal
from shoal.ui.charts import lattice
from shoal.ui.pages.parts import chart, figure, percent, problem, say, title
from shoal.ui.state.project import Project
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

FEW = 300  # nodes of a lattice that can be drawn as one
Node = dict[str, Any]


def lattice_part(bench: Workbench, shown: Run) -> None:
    """The pictures of the nodes, and the node that was clicked."""
    result = shown.result
    if result is None:
        return
    nodes, columns, rows = list(result.nodes), list(result.levels or {}), result.report["input"]["rows"]
    kinds = lattice.node_kinds(nodes)
    search = result.report["search"] or {}
    many = int(search.get("lattice_nodes", len(nodes)))
    title(
        "Which levels",
        "A node is one level for each quasi-identifier, the same for all rows. On the front are those of which no "
        "other loses less with as few suppressed rows. Click a node to see it and to make that release.",
    )
    if len(nodes) < many:
        rest = "then the search was stopped" if search.get("stopped") else "none of the others has a better value"
        ui.label(f"{len(nodes):,} of {many:,} nodes were looked at; {rest}.").classes("text-sm opacity-70")
    with ui.row().classes("w-full gap-4 no-wrap items-start"):
        with ui.column().classes("flex-1 min-w-0 gap-1"):
            with ui.tabs().props("dense no-caps align=left") as views:
                ui.tab("front", label="Front: suppression and loss").mark("view-front")
                if len(nodes) == many <= FEW:
                    ui.tab("lattice", label="Lattice: by height").mark("view-lattice")
            views.set_value("front")
            place = ui.column().classes("w-full")
        with ui.card().props("flat bordered").classes("w-96 shrink-0 gap-2 py-2 px-3"):
            details = ui.column().classes("w-full gap-2").mark("node")

    def show(node: Node) -> None:
        details.clear()
        with details:
            _node(bench, shown, node, columns, rows)

    def clicked(event: events.EChartPointClickEventArguments) -> None:
        if event.data_type != "edge" and isinstance(event.value, list) and len(event.value) > 2:
            show(nodes[int(event.value[2])])

    def draw() -> None:
        place.clear()
        with place:
            words = f"{len(nodes):,} nodes, of which {sum(node['satisfied'] for node in nodes):,} are allowed."
            if views.value == "lattice":
                picture = chart(
                    lattice.lattice(nodes, kinds, columns),
                    f"The lattice. {words}",
                    height="26rem",
                    marker="lattice",
                )
                ui.label("▲ chosen   ◆ on the front   ● allowed   ○ not allowed").classes(
                    "text-sm opacity-70 whitespace-pre"
                )
            else:
                picture = chart(
                    lattice.pareto(nodes, kinds, rows), f"The front. {words}", height="22rem", marker="front"
                )
            picture.on_point_click(clicked)

    views.on_value_change(draw)
    draw()
    chosen = next((node for node in nodes if node["chosen"]), None)
    if chosen is not None:
        show(chosen)
    _choose(nodes, columns, kinds, show)


def _choose(nodes: list[Node], columns: list[str], kinds: list[str], show: Any) -> None:
    """The marked nodes as a list, for keys and for screen readers."""
    marked = [at for at, kind in enumerate(kinds) if kind in ("chosen", "on the front")]
    names = {at: f"{node_name(nodes[at], columns)}: loss {nodes[at]['loss']:.4f}, {kinds[at]}" for at in marked}
    choice = ui.select(names, label="or choose one of the front here").props("dense options-dense").classes("w-96")
    choice.mark("front-list").on_value_change(lambda event: show(nodes[int(event.value)]))


def node_name(node: Node, columns: list[str]) -> str:
    """The levels of a node in short."""
    return ", ".join(str(node[f"level {name}"]) for name in columns)


def _node(bench: Workbench, shown: Run, node: Node, columns: list[str], rows: int) -> None:
    """A node with its figures, and the way to its release."""
    title("The chosen node" if node["chosen"] else "This node")
    with ui.row().classes("gap-5"):
        figure(f"{node['loss']:.4f}", "loss", "How much this node would lose: 0 keeps every value, 1 hides them all.")
        share = percent(node["suppressed"] / rows)
        meaning = f"Rows in classes that fail the protection, which would be hidden whole: {share} of all."
        figure(f"{node['suppressed']:,}", f"suppressed ({share})", meaning)
        figure(f"{node['classes']:,}", "classes", "Groups of rows that would look the same.")
    tops = shown.result.top_levels if shown.result is not None else None
    for name in columns:
        level = node[f"level {name}"]
        with ui.row().classes("w-full no-wrap justify-between text-sm gap-4"):
            ui.label(name).classes("ellipsis")
            ui.label(level_words(level, (tops or {}).get(name))).classes("whitespace-nowrap opacity-80")
    refusal = why_not(node, shown.project, bench.project, rows)
    wrong = problem(refusal).mark("node-problem")

    def make() -> None:
        try:
            bench.start(levels={name: int(node[f"level {name}"]) for name in columns})
        except shoal.ShoalError as error:
            say(wrong, str(error))
            return
        bench.step = "run"
        ui.navigate.reload()

    if changed_since(shown.project, bench.project):
        ui.label("Choices have changed since this run; what is chosen now counts, so the figures may differ.").classes(
            "text-sm italic opacity-80"
        )
    button = ui.button("Make this release", icon="play_arrow", on_click=make).props("no-caps").mark("make-node")
    button.set_enabled(not refusal)


def level_words(level: int, top: int | None) -> str:
    """A level in words."""
    if level == 0:
        return "0: as it is"
    return f"{level}: hidden whole" if level == top else f"{level}" + (f" of {top}" if top is not None else "")


def why_not(node: Node, then: Project, now: Project, rows: int) -> str:
    """Why a node cannot be taken and what to do about that; empty where it can be."""
    if not node["classes"]:
        return "No class at these levels satisfies the protection: take a node further up, or ask for less protection."
    limit = now.max_suppression
    allowed = node["satisfied"] if limit == then.max_suppression else node["suppressed"] <= limit * rows
    if allowed:
        return ""
    needed = -(-1000 * node["suppressed"] // rows) / 10
    return (
        f"It would suppress {node['suppressed']:,} rows, {percent(node['suppressed'] / rows)}, and the limit is "
        f"{100 * limit:g} %: raise the limit on the Protection page to {needed:g} %, or take a node further up."
    )


def changed_since(then: Project, now: Project) -> bool:
    """Whether what a node's figures depend on has been chosen anew since a run."""
    return any(
        getattr(then, name) != getattr(now, name)
        for name in ("data", "models", "roles", "hierarchies", "missing", "drop_missing")
    )
