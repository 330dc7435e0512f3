"""A grid that shows one page of a table at a time, sorted and filtered by the server, not in the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import events, run, ui

from shoal.ui.pages.elements import icon_button, note, table_columns
from shoal.ui.state.rows import Rows, View

PAGE_ROWS = 25
TABLE_ORDER = "row"  # the order of the table itself
SHARED = ("row", "class")  # columns that are the same on every side

# Rows have one height, so that grids side by side align; the full text appears on hover.
CELL = """
<q-td :props="props" :title="props.value" style="height: 28px; max-width: 13em; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap"
><span v-if="props.value === null || props.value === undefined" style="opacity: .45" title="missing">–</span
><template v-else>{{ props.value }}</template></q-td>
"""
CLASS_CELL = """
<q-td :props="props" style="height: 28px; white-space: nowrap"><span role="button" tabindex="0"
  :title="'show only: ' + props.row.chip" :aria-label="'show only: ' + props.row.chip"
  @click="$parent.$emit('only', props.value)" @keydown.enter="$parent.$emit('only', props.value)"
  :style="{background: props.row.colour, color: 'white', padding: '1px .6em', borderRadius: '.7em', cursor: 'pointer'}"
>{{ props.row.chip }}</span></q-td>
"""


class Grid:
    """One or more grids side by side that show the same rows, in the same order.

    `decorate` returns the `chip` (the name of the class), the `colour` and the `tint` of a row of a table with classes.
    """

    def __init__(
        self,
        rows: Rows,
        parts: Sequence[tuple[str, Mapping[str, str]]],
        *,
        marker: str,
        view: View | None = None,
        decorate: Callable[[dict[str, Any]], dict[str, str]] | None = None,
    ) -> None:
        self.rows, self.parts, self.decorate, self.marker = rows, parts, decorate, marker
        self.view, self.page, self.size = view or View(), 1, PAGE_ROWS
        self.filters: dict[str, str] = {}
        self.only: dict[str, str] = {}
        self.tables: list[ui.table] = []
        self._requests = 0
        self._tools()
        with ui.row().classes("w-full gap-2 no-wrap items-start"):
            for number, (title, columns) in enumerate(self.parts):
                with ui.column().classes("min-w-0 flex-1 gap-1"):
                    if title:
                        ui.label(title).classes("text-sm font-medium")
                    self.tables.append(self._table(number, columns))

    def _tools(self) -> None:
        """Show the filter and the order, which the keyboard can reach, too."""
        several = len(self.parts) > 1
        names: dict[str, str] = {}
        for title, columns in self.parts:
            for name, label in columns.items():
                names[name] = f"{label} ({title.split()[0].lower()})" if several and name not in SHARED else label
        with ui.row().classes("w-full items-center gap-2") as self.tools:
            where = ui.select(names, value=next(iter(names)), label="column").props("dense options-dense")
            where.classes("w-44").mark(f"{self.marker}-where")
            what = ui.input("contains").props("dense clearable debounce=300").classes("w-40")
            what.mark(f"{self.marker}-filter")

            async def narrow() -> None:
                self.filters = {where.value: what.value or ""}
                await self.show(page=1)

            what.on_value_change(narrow)
            where.on_value_change(narrow)
            self.sorted = ui.select({TABLE_ORDER: "as in the table"} | names, value=self.view.sort or TABLE_ORDER)
            self.sorted.props('dense options-dense label="sorted by"').classes("w-44").mark(f"{self.marker}-sort")
            self.sorted.on_value_change(lambda event: self._sort(str(event.value), self.view.descending))
            icon_button(
                "swap_vert",
                "Reverse the order",
                lambda: self._sort(self.view.sort or TABLE_ORDER, not self.view.descending),
                marker=f"{self.marker}-turn",
            )
            self.chosen = ui.button(icon="close", on_click=lambda: self.show_only({}))
            self.chosen.props("dense flat no-caps size=sm").mark(f"{self.marker}-only").set_visibility(False)
            self.count = note().mark(f"{self.marker}-count")

    def _table(self, number: int, columns: Mapping[str, str]) -> ui.table:
        heads = table_columns(columns, sortable=True)
        pages = {"rowsPerPage": self.size, "rowsNumber": len(self.rows), "page": 1}
        table = ui.table(columns=heads, rows=[], row_key="row", pagination=pages)
        table.classes("w-full").props("dense flat bordered binary-state-sort rows-per-page-options=[10,25,50,100]")
        table.mark(f"{self.marker}-{number}")
        table.add_slot("body-cell", CELL)
        if self.decorate is not None:
            table.add_slot("body-cell-class", CLASS_CELL)
            table.props(':table-row-style-fn="row => ({backgroundColor: row.tint})"')
            table.on("only", lambda event: self.show_only({"class": str(event.args)}))
        table.on("request", self._requested)
        return table

    async def _requested(self, event: events.GenericEventArguments) -> None:
        try:
            pagination = event.args["pagination"] if isinstance(event.args, dict) else event.args[0]["pagination"]
            size, page = int(pagination.get("rowsPerPage") or PAGE_ROWS), int(pagination.get("page") or 1)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError):
            return  # not sent by our pages
        self.size = min(max(size, 1), 1000)
        self.view = View(pagination.get("sortBy"), bool(pagination.get("descending")))
        await self.show(page=min(max(page, 1), 1 + len(self.rows) // self.size))

    async def _sort(self, name: str, descending: bool) -> None:
        view = View(None if name == TABLE_ORDER and not descending else name, descending)
        if (view.sort or TABLE_ORDER, descending) != (self.view.sort or TABLE_ORDER, self.view.descending):
            self.view = view
            await self.show(page=1)

    async def show_only(self, values: dict[str, str]) -> None:
        """Show only the rows with these values of columns."""
        self.only = values
        await self.show(page=1)

    async def show(self, *, page: int | None = None) -> None:
        """Fetch a page and show it."""
        self.page = page or self.page
        self._requests += 1
        number = self._requests
        view = View.of(self.view.sort, descending=self.view.descending, containing=self.filters, equal=self.only)
        start = (self.page - 1) * self.size
        result = await run.io_bound(self.rows.page, view, start=start, count=self.size)
        if result is None or number != self._requests:
            return  # the server is shutting down, or there is a later request
        total, rows = result
        self.view = view
        self.count.set_text(f"{total:,} of {len(self.rows):,} rows" if total < len(self.rows) else f"{total:,} rows")
        self.sorted.set_value(view.sort or TABLE_ORDER)
        self.chosen.set_visibility(bool(self.only))
        if self.only and rows and self.decorate is not None:
            self.chosen.set_text(f"only {self.decorate(rows[0])['chip']}: show all again")
        for table, (_, columns) in zip(self.tables, self.parts, strict=True):
            table.rows = [self._decorated(row, columns) for row in rows]
            table.pagination = {
                "page": self.page,
                "rowsPerPage": self.size,
                "rowsNumber": total,
                "sortBy": view.sort,
                "descending": view.descending,
            }

    def _decorated(self, row: dict[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
        own = {name: row[name] for name in ("row", *columns)}
        return own if self.decorate is None else own | self.decorate(row)
