"""Lattice: the other levels that a full-domain release could have used, to inspect and to choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import events, ui

import shoal
from shoal.ui.charts import lattice
from shoal.ui.pages.elements import chart, figure, go_to, note, percent, problem, set_problem, title
from shoal.ui.state.project import Project
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

MAX_NODES = 300  # of a lattice that is drawn as one
Node = Mapping[str, Any]


def lattice_part(bench: Workbench, shown: Run) -> None:
    """Show the charts of the nodes, and the node that was clicked."""
    result = shown.release
    nodes, columns, rows = list(result.nodes), list(result.levels or {}), result.report["input"]["rows"]
    kinds = lattice.node_kinds(nodes)
    search = result.report["search"] or {}
    total = int(search.get("lattice_nodes", len(nodes)))
    title(
        "Levels",
        "A node is one level for each quasi-identifier, the same for all rows. It is on the front if no other node "
        "loses less with as few suppressed rows. Click a node to inspect it and to make that release.",
    )
    if len(nodes) < total:
        rest = "then the search was stopped" if search.get("stopped") else "no other node is better"
        note(f"{len(nodes):,} of {total:,} nodes were evaluated; {rest}.")
    with ui.row().classes("w-full gap-4 no-wrap items-start"):
        with ui.column().classes("flex-1 min-w-0 gap-1"):
            with ui.tabs().props("dense no-caps align=left") as views:
                ui.tab("front", label="Front: suppression and loss").mark("view-front")
                if len(nodes) == total <= MAX_NODES:
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
                options = lattice.lattice(nodes, kinds, columns)
                picture = chart(options, f"The lattice. {words}", height="26rem", marker="lattice")
                note("▲ chosen   ◆ on the front   ● allowed   ○ not allowed").classes("whitespace-pre")
            else:
                options = lattice.pareto(nodes, kinds, rows)
                picture = chart(options, f"The front. {words}", height="22rem", marker="front")
            picture.on_point_click(clicked)

    views.on_value_change(draw)
    draw()
    chosen = next((node for node in nodes if node["chosen"]), None)
    if chosen is not None:
        show(chosen)
    _choose(nodes, columns, kinds, show)


def _choose(nodes: list[Node], columns: list[str], kinds: list[str], show: Callable[[Node], None]) -> None:
    """Show the marked nodes as a list, for keyboards and screen readers."""
    marked = [at for at, kind in enumerate(kinds) if kind in ("chosen", "on the front")]
    names = {at: f"{node_name(nodes[at], columns)}: loss {nodes[at]['loss']:.4f}, {kinds[at]}" for at in marked}
    choice = ui.select(names, label="or choose a node of the front here").props("dense options-dense").classes("w-96")
    choice.mark("front-list").on_value_change(lambda event: show(nodes[int(event.value)]))


def node_name(node: Node, columns: list[str]) -> str:
    """Write the levels of a node."""
    return ", ".join(str(node[f"level {name}"]) for name in columns)


def _node(bench: Workbench, shown: Run, node: Node, columns: list[str], rows: int) -> None:
    """Show a node with its figures, and a button that makes its release."""
    title("The chosen node" if node["chosen"] else "This node")
    with ui.row().classes("gap-5"):
        figure(f"{node['loss']:.4f}", "loss", "How much this node would lose: 0 keeps every value, 1 hides them all.")
        share = percent(node["suppressed"] / rows)
        meaning = f"Rows in classes that fail the protection, which would be suppressed: {share} of all rows."
        figure(f"{node['suppressed']:,}", f"suppressed ({share})", meaning)
        figure(f"{node['classes']:,}", "classes", "Groups of rows that would look the same.")
    tops = shown.release.top_levels or {}
    for name in columns:
        level = node[f"level {name}"]
        with ui.row().classes("w-full no-wrap justify-between text-sm gap-4"):
            ui.label(name).classes("ellipsis")
            ui.label(level_words(level, tops.get(name))).classes("whitespace-nowrap opacity-80")
    refusal = refusal_of(node, shown.project, bench.project, rows)
    wrong = problem(refusal).mark("node-problem")

    def make() -> None:
        try:
            bench.start(levels={name: int(node[f"level {name}"]) for name in columns})
        except shoal.ShoalError as error:
            set_problem(wrong, str(error))
            return
        go_to(bench, "run")

    if changed_since(shown.project, bench.project):
        ui.label("Choices have changed since this run; the current ones apply, so the figures may differ.").classes(
            "text-sm italic opacity-80"
        )
    button = ui.button("Make this release", icon="play_arrow", on_click=make).props("no-caps").mark("make-node")
    button.set_enabled(not refusal)


def level_words(level: int, top: int | None) -> str:
    """Describe a level."""
    if level == 0:
        return "0: unchanged"
    return f"{level}: fully hidden" if level == top else f"{level}" + (f" of {top}" if top is not None else "")


def refusal_of(node: Node, then: Project, now: Project, rows: int) -> str:
    """Say why a node cannot be used and what to do; return an empty text if it can."""
    if not node["classes"]:
        return "No class at these levels satisfies the protection: choose a higher node, or less protection."
    limit = now.max_suppression
    allowed = node["satisfied"] if limit == then.max_suppression else node["suppressed"] <= limit * rows
    if allowed:
        return ""
    needed = -(-1000 * node["suppressed"] // rows) / 10
    return (
        f"It would suppress {node['suppressed']:,} rows, {percent(node['suppressed'] / rows)}, and the limit is "
        f"{100 * limit:g} %: raise the limit on the Protection page to {needed:g} %, or choose a higher node."
    )


def changed_since(then: Project, now: Project) -> bool:
    """Whether choices that affect the figures of a node have changed since a run."""
    return any(
        getattr(then, name) != getattr(now, name)
        for name in ("data", "models", "roles", "hierarchies", "missing", "drop_missing", "rows_are_people")
    )
