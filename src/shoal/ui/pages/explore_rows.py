"""Rows: the table and its release side by side, with the classes marked."""

from __future__ import annotations

from typing import Any

from nicegui import run, ui

from shoal.ui.pages.elements import hint, problem
from shoal.ui.pages.grid import Grid
from shoal.ui.state.rows import View
from shoal.ui.state.runs import Run
from shoal.ui.state.side_by_side import SideBySide, class_colours, class_name, side_by_side
from shoal.ui.state.workbench import Workbench

BY_CLASS = View("class", descending=True)  # suppressed and dropped rows come last


def rows_part(bench: Workbench, shown: Run) -> None:
    """Show both tables page by page, with one order and one filter."""
    place = ui.column().classes("w-full gap-1")

    async def build() -> None:
        if bench.table is None:
            return
        try:
            both = await run.io_bound(side_by_side, bench.table.table, shown.rows.table, dict(shown.project.roles))
        except OSError as error:
            with place:
                problem(f"The rows cannot be read ({error}): make the release again on the Run page.")
            return
        if both is not None:  # None: the server is shutting down
            with place:
                await _grid(both)

    ui.timer(0, build, once=True)


async def _grid(both: SideBySide) -> None:
    parts = [("Before: the table", both.before), ("After: the release", both.after)]
    grid = Grid(both.rows, parts, marker="rows", view=BY_CLASS, decorate=decorate)

    async def by_class() -> None:
        grid.view = BY_CLASS
        await grid.show(page=1)

    with grid.tools:
        ui.space()
        button = ui.button("Sort by class", icon="workspaces", on_click=by_class).props("dense flat no-caps")
        button.mark("by-class")
        hint(
            button,
            "Rows of one class look the same to an attacker; click a class to see only its rows. "
            "Suppressed and dropped rows come last.",
        )
    await grid.show()


def decorate(row: dict[str, Any]) -> dict[str, str]:
    """Return the name of a row's class, and its colours."""
    number = int(row["class"])
    return {"chip": class_name(number)} | class_colours(number)
