"""A grid that shows one page of a table at a time, sorted and filtered where the table is, not in the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import events, run, ui

from shoal.ui.pages.parts import icon_button
from shoal.ui.state.rows import Rows, View

PAGE = 25
AS_IT_IS = "row"  # the order of the table itself

# Rows of one height, so that grids side by side line up; what does not fit is there on hover.
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

    `dress` gives a row of a table with classes its `chip` (the name of its class), its `colour` and its `tint`.
    """

    def __init__(
        self,
        rows: Rows,
        parts: Sequence[tuple[str, dict[str, str]]],
        *,
        marker: str,
        view: View | None = None,
        dress: Callable[[dict[str, Any]], dict[str, str]] | None = None,
    ) -> None:
        self.rows, self.parts, self.dress, self.marker = rows, parts, dress, marker
        self.view, self.page, self.size = view or View(), 1, PAGE
        self.filters: dict[str, str] = {}
        self.only: dict[str, str] = {}
        self.tables: list[ui.table] = []
        self._asked_for = 0
        self._tools()
        with ui.row().classes("w-full gap-2 no-wrap items-start"):
            for number, (title, columns) in enumerate(self.parts):
                with ui.column().classes("min-w-0 flex-1 gap-1"):
                    if title:
                        ui.label(title).classes("text-sm font-medium")
                    self.tables.append(self._table(number, columns))

    def _tools(self) -> None:
        """The filter and the order, which keys can reach, too."""
        several = len(self.parts) > 1
        names: dict[str, str] = {}
        for title, columns in self.parts:
            for name, label in columns.items():
                names[name] = f"{label} ({title.split()[0].lower()})" if several and name not in OWN else label
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
            self.sorted = ui.select({AS_IT_IS: "as in the table"} | names, value=self.view.sort or AS_IT_IS)
            self.sorted.props('dense options-dense label="sorted by"').classes("w-44").mark(f"{self.marker}-sort")
            self.sorted.on_value_change(lambda event: self._sort(str(event.value), self.view.descending))
            icon_button(
                "swap_vert",
                "The other way round",
                lambda: self._sort(self.view.sort or AS_IT_IS, not self.view.descending),
                marker=f"{self.marker}-turn",
            )
            self.chosen = ui.button(icon="close", on_click=self._all).props("dense flat no-caps size=sm")
            self.chosen.mark(f"{self.marker}-only").set_visibility(False)
            self.told = ui.label().classes("text-sm opacity-70").mark(f"{self.marker}-count")

    def _table(self, number: int, columns: dict[str, str]) -> ui.table:
        heads = [
            {"name": name, "label": label, "field": name, "align": "left", "sortable": True}
            for name, label in columns.items()
        ]
        pages = {"rowsPerPage": self.size, "rowsNumber": len(self.rows), "page": 1}
        table = ui.table(columns=heads, rows=[], row_key="row", pagination=pages)
        table.classes("w-full").props("dense flat bordered binary-state-sort rows-per-page-options=[10,25,50,100]")
        table.mark(f"{self.marker}-{number}")
        table.add_slot("body-cell", CELL)
        if self.dress is not None:
            table.add_slot("body-cell-class", CLASS_CELL)
            table.props(':table-row-style-fn="row => ({backgroundColor: row.tint})"')
            table.on("only", lambda event: self.show_only("class", str(event.args)))
        table.on("request", self._asked)
        return table

    async def _asked(self, event: events.GenericEventArguments) -> None:
        try:
            asked = event.args["pagination"] if isinstance(event.args, dict) else event.args[0]["pagination"]
            size, page = int(asked.get("rowsPerPage") or PAGE), int(asked.get("page") or 1)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError):
            return  # no page of ours asks for this
        self.size = min(max(size, 1), 1000)
        self.view = View(asked.get("sortBy"), bool(asked.get("descending")))
        await self.show(page=min(max(page, 1), 1 + len(self.rows) // self.size))

    async def _sort(self, name: str, descending: bool) -> None:
        wanted = View(None if name == AS_IT_IS and not descending else name, descending)
        if (wanted.sort or AS_IT_IS, descending) != (self.view.sort or AS_IT_IS, self.view.descending):
            self.view = wanted
            await self.show(page=1)

    async def show_only(self, name: str, value: str) -> None:
        """Show only the rows with a value."""
        self.only = {name: value}
        await self.show(page=1)

    async def _all(self) -> None:
        self.only = {}
        await self.show(page=1)

    async def show(self, *, page: int | None = None) -> None:
        """Fetch the page that is wanted and show it."""
        self.page = page or self.page
        self._asked_for += 1
        mine = self._asked_for
        view = View.of(self.view.sort, descending=self.view.descending, containing=self.filters, being=self.only)
        start = (self.page - 1) * self.size
        answer = await run.io_bound(self.rows.page, view, start=start, count=self.size)
        if answer is None or mine != self._asked_for:
            return  # the server is on its way out, or something else has been asked for since
        total, found = answer
        self.view = view
        self.told.set_text(f"{total:,} of {len(self.rows):,} rows" if total < len(self.rows) else f"{total:,} rows")
        self.sorted.set_value(view.sort or AS_IT_IS)
        self._tell_chosen(found)
        for table, (_, columns) in zip(self.tables, self.parts, strict=True):
            table.rows = [self._dressed(row, columns) for row in found]
            table.pagination = {
                "page": self.page,
                "rowsPerPage": self.size,
                "rowsNumber": total,
                "sortBy": view.sort,
                "descending": view.descending,
            }

    def _dressed(self, row: dict[str, Any], columns: dict[str, str]) -> dict[str, Any]:
        own = {name: row[name] for name in ("row", *columns)}
        return own if self.dress is None else own | self.dress(row)

    def _tell_chosen(self, found: list[dict[str, Any]]) -> None:
        self.chosen.set_visibility(bool(self.only))
        if self.only and found and self.dress is not None:
            self.chosen.set_text(f"only {self.dress(found[0])['chip']}: show all again")


OWN = ("row", "class")  # columns that are the same on every side
