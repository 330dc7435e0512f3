"""Step 5, Explore: what a release keeps, loses, and leaves to an attacker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from shoal.ui.charts.echarts import Options
from shoal.ui.charts.releases import loss_and_risk
from shoal.ui.pages.elements import chart, draw_again, figure, go_to, hint, loss_figures, percent
from shoal.ui.pages.explore_attack import attack_part
from shoal.ui.pages.explore_classes import classes_part
from shoal.ui.pages.explore_distributions import distributions_part
from shoal.ui.pages.explore_lattice import lattice_part
from shoal.ui.pages.explore_risks import risks_part
from shoal.ui.pages.explore_rows import rows_part
from shoal.ui.state.release_files import Result
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

# The parts of the page: their icons and their descriptions.
PARTS: dict[str, tuple[str, str, Callable[[Workbench, Run], None]]] = {
    "Rows": ("table_rows", "The rows before and after, side by side", rows_part),
    "Distributions": ("bar_chart", "The distribution of the values of a column", distributions_part),
    "Risk": ("policy", "What an attacker can learn, before and after", risks_part),
    "Classes": ("groups", "Groups of rows that look the same, by size", classes_part),
    "Attack": ("person_search", "Try to find people in the release", attack_part),
    "Lattice": ("hub", "Other levels that this release could have used", lattice_part),
}
RISKS = {"highest": "highest risk", "average": "average risk"}


def explore_page(bench: Workbench) -> Callable[[], None] | None:
    """Show one of the runs, in parts."""
    seen: list[object] = []
    chosen = {"part": "Rows", "risk": "highest"}

    @ui.refreshable
    def content() -> None:
        seen[:] = _state(bench)
        run = bench.shown_run
        if run is None:
            with ui.column().classes("items-start gap-2 py-4"):
                ui.label("There is no release yet: make one on the Run page.").mark("nothing")
                ui.button("Go to the Run page", icon="play_arrow", on_click=lambda: go_to(bench, "run")).props(
                    "no-caps"
                )
            return
        _head(bench, run, chosen, show_run)
        _parts(bench, run, chosen)

    def show_run(number: int) -> None:
        bench.shown = number
        update()

    content()

    def update() -> None:
        if _state(bench) != seen:
            content.refresh()

    return update


def _state(bench: Workbench) -> list[object]:
    """Return what the page depends on."""
    return [bench.shown, *(run.number for run in bench.finished)]


def _head(bench: Workbench, run: Run, chosen: dict[str, str], show_run: Callable[[int], None]) -> None:
    """Show the choice of a run, its main figures, and loss against risk of all runs."""
    with ui.row().classes("w-full no-wrap gap-4 items-start"):
        with ui.column().classes("gap-3 min-w-0 flex-1"):
            names = {finished_run.number: f"Run {finished_run.name}" for finished_run in bench.finished}
            select = ui.select(names, value=run.number, label="run").props("dense options-dense")
            select.classes("w-full max-w-xl").mark("shown-run")
            select.on_value_change(lambda event: show_run(int(event.value)))
            _figures(run.release)
        with ui.element("div").classes("relative w-[30rem] shrink-0"):
            _scatter(bench, run, chosen, show_run)


def _figures(result: Result) -> None:
    """Show the main figures of a run."""
    report, before, after = result.report, result.before, result.after
    highest = after["prosecutor"]["highest"]
    with ui.row().classes("gap-x-6 gap-y-2 items-end").mark("figures"):
        loss_figures(report)
        figure(
            percent(highest),
            "highest risk",
            f"The highest probability that an attacker who knows somebody's quasi-identifiers finds their row: "
            f"1 in {after['k']:,}. In the original it was {percent(before['prosecutor']['highest'])}.",
        )
        figure(
            percent(after["prosecutor"]["average"]),
            "average risk",
            f"The same, averaged over all rows. In the original it was {percent(before['prosecutor']['average'])}.",
        )
        figure(f"{after['classes']:,}", "classes", "Groups of rows that look the same in all quasi-identifiers.")
        hidden, share = report["suppressed_rows"], percent(report["suppressed_rows"] / report["input"]["rows"])
        figure(f"{hidden:,}", "rows suppressed", f"Rows whose values are all hidden: {share} of all rows.")


def _scatter(bench: Workbench, run: Run, chosen: dict[str, str], show_run: Callable[[int], None]) -> None:
    def options() -> Options:
        points = [
            (other.number, other.release.report["metrics"]["loss"], other.release.after["prosecutor"][chosen["risk"]])
            for other in bench.finished
        ]
        return loss_and_risk(points, run.number, RISKS[chosen["risk"]])

    def clicked(event: events.EChartPointClickEventArguments) -> None:
        if isinstance(event.value, list):
            show_run(int(event.value[2]))

    def changed(event: events.ValueChangeEventArguments[str]) -> None:
        chosen["risk"] = str(event.value)
        draw_again(picture, options())

    meaning = "Loss against risk of all runs; click a point to show that run."
    picture = chart(options(), meaning, height="10.5rem", marker="all-runs")
    picture.on_point_click(clicked)
    toggle = ui.toggle(RISKS, value=chosen["risk"], on_change=changed).props("dense no-caps flat size=sm")
    toggle.classes("absolute top-0 right-0").mark("which-risk")
    hint(toggle, "The risk to plot. The runs nearest to the lower left corner are the best; click one to show it.")


def _parts(bench: Workbench, run: Run, chosen: dict[str, str]) -> None:
    """Show the parts of the page as tabs."""
    available = [name for name in PARTS if name != "Lattice" or run.release.nodes]
    if chosen["part"] not in available:
        chosen["part"] = "Rows"

    @ui.refreshable
    def part() -> None:
        PARTS[chosen["part"]][2](bench, run)

    def changed(event: events.ValueChangeEventArguments[Any]) -> None:
        chosen["part"] = str(event.value)
        part.refresh()

    with ui.tabs().props("dense inline-label no-caps align=left").mark("parts") as tabs:
        for name in available:
            icon, meaning, _ = PARTS[name]
            hint(ui.tab(name, icon=icon).mark(f"part-{name.lower()}"), meaning)
    tabs.set_value(chosen["part"])
    tabs.on_value_change(changed)
    part()
