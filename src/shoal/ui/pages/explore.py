"""Step 5, Explore: what a release has kept and lost, and what it leaves to an attacker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from shoal.ui.charts import options as charts
from shoal.ui.pages.explore_attack import attack_part
from shoal.ui.pages.explore_classes import classes_part
from shoal.ui.pages.explore_lattice import lattice_part
from shoal.ui.pages.explore_risks import risks_part
from shoal.ui.pages.explore_rows import rows_part
from shoal.ui.pages.explore_spread import spread_part
from shoal.ui.pages.parts import chart, figure, hint, percent
from shoal.ui.state.release_files import Result
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

# The parts of the page: their icons, and what is seen there.
PARTS: dict[str, tuple[str, str, Callable[[Workbench, Run], None]]] = {
    "Rows": ("table_rows", "The rows before and after, side by side", rows_part),
    "Distributions": ("bar_chart", "How the rows spread over the values of a column", spread_part),
    "Risk": ("policy", "What an attacker can tell, before and after", risks_part),
    "Classes": ("groups", "Groups of rows that look the same, by their size", classes_part),
    "Attack": ("person_search", "Try to find people in the release", attack_part),
    "Lattice": ("hub", "Other levels that this release could have had", lattice_part),
}
RISKS = {"highest": "highest risk", "average": "average risk"}


def explore_page(bench: Workbench) -> Callable[[], None] | None:
    """Look at one run among all, part by part."""
    seen: list[object] = []
    chosen = {"part": "Rows", "risk": "highest"}

    @ui.refreshable
    def content() -> None:
        seen[:] = _state(bench)
        run = shown_run(bench)
        if run is None:
            with ui.column().classes("items-start gap-2 py-4"):
                ui.label("There is no release to look at yet: make one on the Run page.").mark("nothing")
                ui.button("To the Run page", icon="play_arrow", on_click=lambda: _go(bench, "run")).props("no-caps")
            return
        _head(bench, run, chosen, look)
        _parts(bench, run, chosen)

    def look(number: int) -> None:
        bench.shown = number
        update()

    content()

    def update() -> None:
        if _state(bench) != seen:
            content.refresh()

    return update


def finished(bench: Workbench) -> list[Run]:
    """The runs that have a result."""
    return [run for run in bench.runs if run.result is not None]


def shown_run(bench: Workbench) -> Run | None:
    """The run that is looked at: the one that was chosen, else the latest with a result."""
    runs = finished(bench)
    return next((run for run in runs if run.number == bench.shown), runs[-1] if runs else None)


def _state(bench: Workbench) -> list[object]:
    """What the page depends on."""
    return [bench.shown, *(run.number for run in finished(bench))]


def _go(bench: Workbench, step: str) -> None:
    bench.step = step
    ui.navigate.reload()


def _head(bench: Workbench, run: Run, chosen: dict[str, str], look: Callable[[int], None]) -> None:
    """Which run is looked at, its main figures, and loss against risk of all runs."""
    with ui.row().classes("w-full no-wrap gap-4 items-start"):
        with ui.column().classes("gap-3 min-w-0 flex-1"):
            names = {one.number: f"Run {one.name}" for one in finished(bench)}
            select = ui.select(names, value=run.number, label="the run that is looked at").props("dense options-dense")
            select.classes("w-full max-w-xl").mark("shown-run")
            select.on_value_change(lambda event: look(int(event.value)))
            if run.result is not None:
                _figures(run.result)
        with ui.element("div").classes("relative w-[30rem] shrink-0"):
            _scatter(bench, run, chosen, look)


def _figures(result: Result) -> None:
    """The main figures of a run."""
    report, before, after = result.report, result.before, result.after
    highest = after["prosecutor"]["highest"]
    with ui.row().classes("gap-x-6 gap-y-2 items-end").mark("figures"):
        figure(f"{report['metrics']['loss']:.4f}", "loss", "How much was lost: 0 keeps every value, 1 hides them all.")
        figure(
            percent(highest),
            "highest risk",
            f"The highest probability with which an attacker who knows the quasi-identifiers of somebody in the table "
            f"finds their row: 1 in {after['k']:,}. In the original it was {percent(before['prosecutor']['highest'])}.",
        )
        figure(
            percent(after["prosecutor"]["average"]),
            "average risk",
            f"The same on average over all rows. In the original it was {percent(before['prosecutor']['average'])}.",
        )
        figure(f"{after['classes']:,}", "classes", "Groups of rows that look the same in all quasi-identifiers.")
        hidden, share = report["suppressed_rows"], percent(report["suppressed_rows"] / report["input"]["rows"])
        figure(f"{hidden:,}", "rows suppressed", f"Rows hidden whole: {share} of all.")


def _scatter(bench: Workbench, run: Run, chosen: dict[str, str], look: Callable[[int], None]) -> None:
    def options() -> charts.Options:
        points = [
            (one.number, one.result.report["metrics"]["loss"], one.result.after["prosecutor"][chosen["risk"]])
            for one in finished(bench)
            if one.result is not None
        ]
        return charts.loss_and_risk(points, run.number, RISKS[chosen["risk"]])

    def clicked(event: events.EChartPointClickEventArguments) -> None:
        if isinstance(event.value, list):
            look(int(event.value[2]))

    def turned(event: events.ValueChangeEventArguments[str]) -> None:
        chosen["risk"] = str(event.value)
        picture.options.clear()
        picture.options.update(options())
        picture.update()

    meaning = "Loss against risk of all runs; click a point to look at that run."
    picture = chart(options(), meaning, height="10.5rem", marker="all-runs")
    picture.on_point_click(clicked)
    toggle = ui.toggle(RISKS, value=chosen["risk"], on_change=turned).props("dense no-caps flat size=sm")
    toggle.classes("absolute top-0 right-0").mark("which-risk")
    hint(toggle, "Which risk is drawn. The runs nearest to the lower left are the best. Click one to look at it.")


def _parts(bench: Workbench, run: Run, chosen: dict[str, str]) -> None:
    """The parts of the page, of which one is built at a time."""
    there = [name for name in PARTS if name != "Lattice" or (run.result is not None and run.result.nodes)]
    if chosen["part"] not in there:
        chosen["part"] = "Rows"

    @ui.refreshable
    def part() -> None:
        PARTS[chosen["part"]][2](bench, run)

    def turned(event: events.ValueChangeEventArguments[Any]) -> None:
        chosen["part"] = str(event.value)
        part.refresh()

    with ui.tabs().props("dense inline-label no-caps align=left").mark("parts") as tabs:
        for name in there:
            icon, meaning, _ = PARTS[name]
            hint(ui.tab(name, icon=icon).mark(f"part-{name.lower()}"), meaning)
    tabs.set_value(chosen["part"])
    tabs.on_value_change(turned)
    part()
