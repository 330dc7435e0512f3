"""Step 4, Run: make releases, watch them, and keep them side by side."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

import shoal
from shoal.ui.pages.parts import hint, icon_button, percent, problem, say, title
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

STATES = {
    "waiting": ("hourglass_empty", "grey"),
    "running": ("sync", "primary"),
    "done": ("check_circle", "positive"),
    "failed": ("error", "negative"),
    "cancelled": ("cancel", "grey"),
}
HEADS = {
    "run": "what was asked for",
    "loss": "loss: 0 keeps every value, 1 hides everything",
    "bound": "no release can lose less than this, where that is proven",
    "k": "rows of the smallest class",
    "highest risk": "the highest probability with which somebody's row is found",
    "suppressed": "rows hidden whole",
    "seconds": "time from start to end",
}


def run_page(bench: Workbench) -> Callable[[], None]:
    """Start a run, and follow those that are under way."""
    wrong = problem().mark("run-problem")

    def start() -> None:
        say(wrong, "")
        try:
            bench.start()
        except shoal.ShoalError as error:
            say(wrong, str(error))
        runs.refresh()

    with ui.row().classes("items-center gap-3"):
        ui.button("Make a release", icon="play_arrow", on_click=start).props("no-caps").mark("start")
        plan = ui.label(_plan(bench)).classes("text-sm opacity-80").mark("plan")
    lines: dict[int, Callable[[], None]] = {}
    states: dict[int, str] = {}

    @ui.refreshable
    def runs() -> None:
        lines.clear()
        states.clear()
        states.update({run.number: run.state for run in bench.runs})
        for run in reversed([run for run in bench.runs if run.active]):
            lines[run.number] = _under_way(run)
        over = [run for run in bench.runs if not run.active]
        if over:
            _side_by_side(bench, over, start)

    runs()

    def update() -> None:
        plan.set_text(_plan(bench))
        if {run.number: run.state for run in bench.runs} != states:
            runs.refresh()
        for line in lines.values():
            line()

    ui.timer(0.3, lambda: [line() for line in lines.values()])
    return update


def _plan(bench: Workbench) -> str:
    """What a run would do now, in words."""
    if not bench.quasi:
        return "Choose what is quasi-identifying first, on the Data page."
    project = bench.project
    names = ", ".join(bench.quasi)
    return f"{bench.rows:,} rows by {names}; {project.algorithm}" + (
        f", {project.seconds:g} s" if project.seconds else ""
    )


def _under_way(run: Run) -> Callable[[], None]:
    """A run with its progress, and the ways to end it."""
    with ui.card().classes("w-full gap-1 py-2 px-3").props("flat bordered").mark(f"run-{run.number}"):
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            ui.spinner(size="sm")
            ui.label(f"Run {run.name}").classes("font-medium")
            ui.space()
            stop = ui.button("Take the best so far", on_click=run.stop).props("dense flat no-caps").mark("stop")
            hint(stop, "Ends the search; the release can still be made again exactly.")
            ui.button("Cancel", on_click=run.cancel).props("dense flat no-caps color=negative").mark("cancel")
        bar = ui.linear_progress(value=0, show_value=False).classes("w-full").props('aria-label="progress"')
        stage = ui.label().classes("text-sm opacity-80").mark("stage")
        hint(stage, "The stage of the work; while a search runs, its loss so far and the least that is possible.")

    def update() -> None:
        bar.set_value(run.share)
        ending = " – ending with the best so far" if run.stopping else ""
        stage.set_text(f"{run.stage}, {percent(run.share)}, {run.seconds:.0f} s{ending}")

    update()
    return update


def _side_by_side(bench: Workbench, over: list[Run], start: Callable[[], None]) -> None:
    """The runs that are over, a line each."""
    title("Runs", "Explore a run or take its release away; rest the mouse on a head for its meaning.")
    with ui.element("table").classes("w-full text-sm shoal-runs").props('role="table"'):
        with ui.element("tr").classes("text-left opacity-70"):
            for head, meaning in [("", ""), *HEADS.items(), ("", "")]:
                with ui.element("th").classes("py-1 pr-4 font-normal") as cell:
                    ui.label(head)
                if meaning:
                    hint(cell, meaning)
        for run in over:
            _line(bench, run, start)


def _line(bench: Workbench, run: Run, start: Callable[[], None]) -> None:
    icon, colour = STATES[run.state]

    def cell(text: str) -> None:
        with ui.element("td").classes("py-1 pr-4 align-top"):
            ui.label(text)

    def look(step: str) -> None:
        bench.shown, bench.step = run.number, step
        ui.navigate.reload()

    chosen = "bg-primary/10" if bench.shown == run.number else ""
    with ui.element("tr").classes(f"border-t border-gray-500/30 {chosen}").mark(f"run-{run.number}"):
        with ui.element("td").classes("py-1 pr-2 align-top"):
            ui.icon(icon, color=colour).props(f'aria-label="{run.state}"')
        cell(run.name)
        if run.result is None:
            with ui.element("td").props(f"colspan={len(HEADS) - 1}").classes("py-1"):
                problem(run.problem or "cancelled")
        else:
            report = run.result.report
            certificate, search = report["certificate"] or {}, report["search"] or {}
            bound = certificate.get("bound", search.get("bound"))
            cell(f"{report['metrics']['loss']:.4f}")
            cell("–" if bound is None else f"{bound:.4f}")
            cell(f"{report['k']:,}")
            cell(percent(run.result.after["prosecutor"]["highest"]))
            cell(f"{report['suppressed_rows']:,}")
            cell(f"{run.seconds:.1f}")
        with ui.element("td").classes("py-0 align-top whitespace-nowrap"):
            if run.result is not None:
                icon_button("insights", "Explore this run", lambda: look("explore"), marker=f"explore-{run.number}")
                icon_button("download", "Take it away", lambda: look("release"), marker=f"take-{run.number}")
            else:
                icon_button("refresh", "Try again with what is chosen now", start, marker=f"again-{run.number}")
