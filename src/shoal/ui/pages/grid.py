"""A grid that shows one page of a table at a time, sorted and filtered where the table is, not in the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import events, ui

from shoal.ui.rows import Rows, View

PAGE = 25


class Grid:
    """One or more grids side by side that show the same rows, in the same order."""

    def __init__(
        self,
        rows: Rows,
        parts: Sequence[tuple[str, dict[str, str]]],
        *,
        marker: str,
        colour: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:
        self.rows, self.parts, self.colour, self.marker = rows, parts, colour, marker
        self.view, self.page, self.size = View(), 1, PAGE
        self.filters: dict[str, str] = {}
        self.tables: list[ui.table] = []
        self._build()

    def _build(self) -> None:
        names = {name: label for title, columns in self.parts for name, label in columns.items()}
        with ui.row().classes("w-full items-center gap-2"):
            where = (
                ui.select(names, value=next(iter(names)), label="column").props("dense options-dense").classes("w-48")
            )
            what = ui.input("contains", on_change=lambda: None).props("dense clearable debounce=300").classes("w-48")
            what.mark(f"{self.marker}-filter")

            async def narrow() -> None:
                self.filters = {where.value: what.value or ""}
                self.page = 1
                await self.show()

            what.on_value_change(narrow)
            where.on_value_change(narrow)
            self.told = ui.label().classes("text-sm opacity-70").mark(f"{self.marker}-count")
        with ui.row().classes("w-full gap-2 no-wrap items-start"):
            for number, (title, columns) in enumerate(self.parts):
                table = ui.table(
                    columns=[
                        {"name": name, "label": label, "field": name, "align": "left", "sortable": True}
                        for name, label in columns.items()
                    ],
                    rows=[],
                    row_key="row",
                    title=title or None,
                    pagination={"rowsPerPage": self.size, "rowsNumber": len(self.rows), "page": 1},
                )
                table.classes("min-w-0 flex-1 shoal-grid").props("dense flat bordered binary-state-sort")
                table.props("rows-per-page-options=[10,25,50,100]")
                table.mark(f"{self.marker}-{number}")
                if self.colour is not None:
                    table.add_slot("body-cell-class", CLASS_CELL)
                table.on("request", self._asked)
                self.tables.append(table)

    async def _asked(self, event: events.GenericEventArguments) -> None:
        asked = event.args["pagination"] if isinstance(event.args, dict) else event.args[0]["pagination"]
        self.page, self.size = int(asked.get("page") or 1), int(asked.get("rowsPerPage") or PAGE)
        self.view = View(asked.get("sortBy"), bool(asked.get("descending")), self.view.containing)
        await self.show()

    async def show(self) -> None:
        """Fetch the page that is wanted and show it."""
        self.view = View.of(self.view.sort, descending=self.view.descending, containing=self.filters)
        start = (self.page - 1) * self.size
        total, found = await asyncio.to_thread(self.rows.page, self.view, start=start, count=self.size)
        if self.colour is not None:
            found = [row | {"colour": self.colour(row)} for row in found]
        self.told.set_text(f"{total:,} of {len(self.rows):,} rows" if total < len(self.rows) else f"{total:,} rows")
        for table in self.tables:
            table.rows = found
            table.pagination = {
                "page": self.page,
                "rowsPerPage": self.size,
                "rowsNumber": total,
                "sortBy": self.view.sort,
                "descending": self.view.descending,
            }
            table.update()


CLASS_CELL = """
<q-td :props="props"><span :style="{background: props.row.colour, padding: '0 .5em', borderRadius: '.5em'}"
>{{ props.value }}</span></q-td>
"""
