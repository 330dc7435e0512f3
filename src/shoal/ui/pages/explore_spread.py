"""Distributions: how the rows spread over the values of a column, before and after."""

from __future__ import annotations

from nicegui import run, ui

from shoal.ui.charts import options
from shoal.ui.charts.distributions import Bars, Spread, spread
from shoal.ui.pages.parts import chart, problem
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench


def spread_part(bench: Workbench, shown: Run) -> None:
    """Choose a column, and see its bars."""
    roles = shown.project.roles
    words = {"quasi": "quasi-identifying", "sensitive": "sensitive", "identifying": "identifying", "other": "other"}
    order = sorted(roles, key=lambda name: list(words).index(roles[name]))
    names = {name: f"{name} ({words[roles[name]]})" for name in order}
    column = ui.select(names, value=order[0], label="column").props("dense options-dense").classes("w-72")
    column.mark("spread-column")
    place = ui.column().classes("w-full gap-1")

    async def draw() -> None:
        if bench.table is None:
            return
        name = str(column.value)
        try:
            found = await run.io_bound(
                spread,
                bench.table.table,
                shown.rows.table,
                name=name,
                role=roles[name],
                missing=list(shown.project.missing),
            )
        except OSError as error:
            place.clear()
            with place:
                problem(f"The rows cannot be read ({error}): make the release again on the Run page.")
            return
        if found is None or name != column.value:
            return  # the server is on its way out, or another column has been chosen since
        place.clear()
        with place:
            _draw(name, found)

    column.on_value_change(draw)
    ui.timer(0, draw, once=True)


def _draw(name: str, found: Spread) -> None:
    with ui.row().classes("w-full gap-3 no-wrap items-start"):
        _side("Before", name, found.before, before=True)
        if found.after is None:
            with ui.column().classes("flex-1 min-w-0"):
                ui.label("After").classes("text-sm font-medium")
                ui.label("The column is identifying: it is not in the release.").mark("not-released")
        else:
            _side("After", name, found.after, before=False)
    if found.left_out:
        ui.label(f"{found.left_out:,} rows are left out of the release.").classes("text-sm opacity-70")


def _side(side: str, name: str, found: Bars, *, before: bool) -> None:
    with ui.column().classes("flex-1 min-w-0 gap-0"):
        ui.label(f"{side}: {found.rows:,} rows").classes("text-sm font-medium")
        words = "; ".join(f"{label}: {count:,}" for label, count in zip(found.labels[:5], found.counts, strict=False))
        height = f"{5 + 1.05 * max(3, len(found.labels)):.1f}rem"
        chart(
            options.bars(found, before=before),
            f"{side}: rows by {name}. {words}",
            height=height,
            marker=f"bars-{side.lower()}",
        )
        if found.others:
            ui.label(f"{found.other_labels:,} rarer values with {found.others:,} rows in all are not drawn.").classes(
                "text-sm opacity-70"
            )
