"""Step 4, Run: make releases, follow their progress, and compare them."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

import shoal
from shoal.ui.pages.elements import go_to, hint, icon_button, percent, problem, set_problem, title
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
    "run": "the models and the algorithm",
    "loss (LM)": "loss (LM): 0 keeps every value, 1 hides everything",
    "bound": "no release can lose less than this, if proven",
    "k": "rows of the smallest class",
    "highest risk": "the highest probability that somebody's row is found",
    "suppressed": "rows whose values are all hidden",
    "seconds": "time from start to end",
}


def run_page(bench: Workbench) -> Callable[[], None]:
    """Start runs, and follow those in progress."""
    wrong = problem().mark("run-problem")

    def start() -> None:
        set_problem(wrong, "")
        try:
            bench.start()
        except shoal.ShoalError as error:
            set_problem(wrong, str(error))
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
            lines[run.number] = _in_progress(run)
        ended = [run for run in bench.runs if not run.active]
        if ended:
            _side_by_side(bench, ended, start)

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
    """Describe what a run would do now."""
    if not bench.quasi:
        return "First choose the quasi-identifying columns on the Data page."
    project = bench.project
    names = ", ".join(bench.quasi)
    return f"{bench.rows:,} rows by {names}; {project.algorithm}" + (
        f", {project.seconds:g} s" if project.seconds else ""
    )


def _in_progress(run: Run) -> Callable[[], None]:
    """Show a run with its progress, and buttons to end it."""
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
        hint(stage, "The current stage; during a search, its loss so far and the lowest possible loss.")

    def update() -> None:
        bar.set_value(run.share)
        ending = " – ending with the best so far" if run.stopping else ""
        stage.set_text(f"{run.stage}, {percent(run.share)}, {run.seconds:.0f} s{ending}")

    update()
    return update


def _side_by_side(bench: Workbench, ended: list[Run], start: Callable[[], None]) -> None:
    """Show the finished runs, one per line."""
    title("Runs", "Explore a run or download its release; point at a heading to see its meaning.")
    with ui.element("table").classes("w-full text-sm shoal-runs").props('role="table"'):
        with ui.element("tr").classes("text-left opacity-70"):
            for head, meaning in [("", ""), *HEADS.items(), ("", "")]:
                with ui.element("th").classes("py-1 pr-4 font-normal") as cell:
                    ui.label(head)
                if meaning:
                    hint(cell, meaning)
        for run in ended:
            _line(bench, run, start)


def _line(bench: Workbench, run: Run, start: Callable[[], None]) -> None:
    icon, colour = STATES[run.state]

    def cell(text: str) -> None:
        with ui.element("td").classes("py-1 pr-4 align-top"):
            ui.label(text)

    def look(step: str) -> None:
        bench.shown = run.number
        go_to(bench, step)

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
                icon_button("download", "Download it", lambda: look("release"), marker=f"take-{run.number}")
            else:
                icon_button("refresh", "Try again with the current choices", start, marker=f"again-{run.number}")
