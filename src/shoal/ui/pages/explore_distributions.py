"""Distributions: the values of a column and their rows, before and after."""

from __future__ import annotations

from nicegui import run, ui

from shoal.ui.charts.distributions import Bars, Distribution, distribution
from shoal.ui.charts.releases import bar_chart
from shoal.ui.pages.elements import chart, note, problem
from shoal.ui.state.project import ROLES
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench


def distributions_part(bench: Workbench, shown: Run) -> None:
    """Show the distribution of a chosen column."""
    roles = shown.project.roles
    order = sorted(roles, key=lambda name: list(ROLES).index(roles[name]))
    names = {name: f"{name} ({ROLES[roles[name]]})" for name in order}
    column = ui.select(names, value=order[0], label="column").props("dense options-dense").classes("w-72")
    column.mark("spread-column")
    place = ui.column().classes("w-full gap-1")

    async def draw() -> None:
        if bench.table is None:
            return
        name = str(column.value)
        try:
            tables, missing = (bench.table.table, shown.rows.table), list(shown.project.missing)
            result = await run.io_bound(distribution, *tables, name=name, role=roles[name], missing=missing)
        except OSError as error:
            place.clear()
            with place:
                problem(f"The rows cannot be read ({error}): make the release again on the Run page.")
            return
        if result is None or name != column.value:
            return  # the server is shutting down, or another column has been chosen since
        place.clear()
        with place:
            _draw(name, result)

    column.on_value_change(draw)
    ui.timer(0, draw, once=True)


def _draw(name: str, result: Distribution) -> None:
    with ui.row().classes("w-full gap-3 no-wrap items-start"):
        _side("Before", name, result.before)
        if result.after is None:
            with ui.column().classes("flex-1 min-w-0"):
                ui.label("After").classes("text-sm font-medium")
                ui.label("The column is identifying, so it is not in the release.").mark("not-released")
        else:
            _side("After", name, result.after)
    if result.left_out:
        note(f"{result.left_out:,} rows are left out of the release.")


def _side(side: str, name: str, bars: Bars) -> None:
    with ui.column().classes("flex-1 min-w-0 gap-0"):
        ui.label(f"{side}: {bars.rows:,} rows").classes("text-sm font-medium")
        words = "; ".join(f"{label}: {count:,}" for label, count in zip(bars.labels[:5], bars.counts, strict=False))
        height = f"{5 + 1.05 * max(3, len(bars.labels)):.1f}rem"
        meaning, marker = f"{side}: rows by {name}. {words}", f"bars-{side.lower()}"
        chart(bar_chart(bars, before=side == "Before"), meaning, height=height, marker=marker)
        if bars.others:
            note(f"{bars.other_labels:,} rarer values with {bars.others:,} rows in total are not drawn.")
