"""Step 1, Data: open a table, look at it, and give each column a role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from shoal.ui.pages.elements import figure, hint, percent, problem, set_problem, table_columns, title
from shoal.ui.pages.grid import Grid
from shoal.ui.pages.open_table import open_card
from shoal.ui.state.project import ROLES
from shoal.ui.state.rows import Rows
from shoal.ui.state.workbench import Workbench
from shoal.ui.state.worker import WorkError

DROPPED = {
    "": "rows with missing values stay",
    "roles": "leave out rows that miss a value with a role",
    "all": "leave out rows that miss any value",
}
MAX_SETS = 12  # of columns listed
MEANINGS = {
    "quasi": "others may know it about a person, so it is generalized until enough rows look the same",
    "sensitive": "must not be learned about a person; it is released unchanged, and must be diverse in each class",
    "identifying": "identifies a person or is not needed, so it is removed",
    "unit": "the same person can have several rows: people are counted, not rows, and the column is removed",
    "group": "people who are found together: households are counted, and the column is removed",
    "kept": "you have looked at it: it may be released unchanged",
    "other": "released unchanged, unless the review finds that it identifies people or tells what is hidden",
}
ROLE_CELL = """
<q-td :props="props">
  <q-select dense options-dense borderless emit-value map-options :model-value="props.row.role"
    :options="props.row.roles" :aria-label="'role of ' + props.row.name"
    @update:model-value="value => $parent.$emit('role', {name: props.row.name, role: value})"
    style="min-width: 11em" :class="{'text-weight-bold': props.row.role !== 'other'}" />
</q-td>
"""
WHY_CELL = """
<q-td :props="props" style="white-space: normal; max-width: 26em">{{ props.value }}
  <q-tooltip class="text-sm" max-width="30em">{{ props.row.evidence }}</q-tooltip></q-td>
"""
COLUMNS = {
    "name": "column",
    "role": "role",
    "why": "suggested because",
    "type": "type",
    "missing": "missing",
    "different": "different",
    "uniqueness": "uniqueness",
    "separation": "separation",
}
SHARES = {
    "uniqueness": "different values as a share of the rows: 100 % means that all rows differ",
    "separation": "pairs of rows that this column alone distinguishes, as a share of all pairs",
}


def data_page(bench: Workbench) -> Callable[[], None] | None:
    """Open a table, or show the one that is open."""
    if bench.facts is None:
        open_card(bench)
        return None
    with ui.expansion("Open another table", icon="folder_open").classes("w-full").props("dense").mark("another"):
        if bench.runs:
            ui.label("Another table replaces this one: first download the releases that you want to keep.")
        open_card(bench)
    figures = _figures(bench)
    _missing(bench)
    roles = _roles(bench)
    _together(bench)
    _preview(bench)

    def update() -> None:
        figures()
        roles()

    return update


def _figures(bench: Workbench) -> Callable[[], None]:
    """Show the figures of the original table."""
    with ui.row().classes("gap-6 items-end"):
        figure(f"{bench.rows:,}", "rows", "The number of rows of the table.")
        figure(f"{len(bench.columns):,}", "columns", "The number of columns of the table.")
        unique = figure("…", "rows unique", "Rows whose quasi-identifiers no other row shares.")
        least = figure(
            "…", "k of the original", "The number of rows of the smallest class: 1 means that somebody is unique."
        )
        classes = figure("…", "classes", "Groups of rows with the same quasi-identifiers.")
    wrong = problem()

    def update() -> None:
        set_problem(wrong, bench.risks_problem)
        risks = bench.risks
        unique.set_text(f"{risks.unique:,} ({percent(risks.unique / risks.rows)})" if risks else "–")
        least.set_text(f"{risks.k:,}" if risks else "–")
        classes.set_text(f"{risks.classes:,}" if risks else "–")

    update()
    return update


def _missing(bench: Workbench) -> None:
    """Show the texts that mean a missing value."""

    async def taken() -> None:
        marks = [""] * bool(empty.value) + [str(mark) for mark in chips.value or []]
        try:
            await bench.take_missing(marks)
        except WorkError as error:
            ui.notify(str(error), type="negative")

    def dropped(event: events.ValueChangeEventArguments[Any]) -> None:
        bench.project.drop_missing = event.value or False
        bench.changed()

    def alone(event: events.ValueChangeEventArguments[Any]) -> None:
        bench.project.rows_are_people = bool(event.value)
        bench.changed()

    with ui.row().classes("items-center gap-2"):
        marks = [mark for mark in bench.project.missing if mark]
        chips = ui.input_chips("texts that mean missing", value=marks, on_change=taken)
        chips.props("dense").classes("w-72").mark("missing")
        hint(chips, "Type a text such as ? or NA and press Enter.")
        empty = ui.checkbox("empty cells are missing", value="" in bench.project.missing, on_change=taken)
        empty.mark("empty-cells")
        dropping = "roles" if bench.project.drop_missing is True else bench.project.drop_missing
        drop = ui.select(DROPPED, value=dropping or "", on_change=dropped)
        drop.props("dense").classes("w-80").mark("drop-missing")
        people = ui.checkbox("each row is a different person", value=bench.project.rows_are_people, on_change=alone)
        people.mark("rows-are-people")
        hint(people, "Otherwise a release is refused if values of a removed or id-like column repeat.")


def _roles(bench: Workbench) -> Callable[[], None]:
    """Show a line per column: its facts, its role, and the reason for the suggestion."""
    title("Columns", "The roles are guesses from names and values: check each. Point at a reason to see the evidence.")
    columns = [column | {"sortable": column["name"] != "role"} for column in table_columns(COLUMNS)]
    table = ui.table(columns=columns, rows=_role_rows(bench), row_key="name", pagination={"rowsPerPage": 20})
    table.classes("w-full shoal-roles").props("dense flat bordered").mark("roles")
    table.add_slot("body-cell-role", ROLE_CELL)
    table.add_slot("body-cell-why", WHY_CELL)
    for key, meaning in SHARES.items():
        table.add_slot(f"header-cell-{key}", f'<q-th :props="props">{key}<q-tooltip>{meaning}</q-tooltip></q-th>')

    def chosen(event: events.GenericEventArguments) -> None:
        name, role = event.args["name"], event.args["role"]
        if name not in bench.project.roles or role not in ROLES:
            return  # not sent by our pages
        bench.project.give(name, role)
        suggested = bench.suggestions[name].hierarchy
        if role == "quasi" and suggested is not None:
            bench.project.hierarchies.setdefault(name, suggested)
        bench.changed()

    table.on("role", chosen)

    def update() -> None:
        rows = _role_rows(bench)
        if rows != table.rows:
            table.rows = rows
            table.update()

    return update


def _role_rows(bench: Workbench) -> list[dict[str, Any]]:
    options = [{"value": role, "label": label} for role, label in ROLES.items()]
    return [
        {
            "name": column.name,
            "role": bench.project.roles[column.name],
            "roles": options,
            "why": f"{ROLES[column.suggestion.role]}: {column.suggestion.why}",
            "evidence": f"{column.suggestion.facts}. {ROLES[bench.project.roles[column.name]]}: "
            f"{MEANINGS[bench.project.roles[column.name]]}.",
            "type": column.suggestion.kind or column.type,
            "missing": f"{column.missing:,}",
            "different": column.suggestion.different,
            "uniqueness": percent(column.distinction),
            "separation": percent(column.separation),
        }
        for column in bench.facts.columns  # type: ignore[union-attr]
    ]


def _together(bench: Workbench) -> None:
    """Show how well sets of quasi-identifiers distinguish rows, computed on demand."""
    with ui.expansion("What the quasi-identifiers reveal together", icon="join_inner").classes("w-full") as part:
        place = ui.column().classes("w-full")

    async def look() -> None:
        if not part.value:
            return
        place.clear()
        with place:
            try:
                with ui.row().classes("items-center") as waiting:
                    ui.spinner()
                    ui.label("assessing sets of up to three columns …")
                column_sets = await bench.column_sets()
                waiting.delete()
            except WorkError as error:
                place.clear()
                problem(str(error))
                return
            best = sorted(column_sets, key=lambda columns: -columns.separation)[:MAX_SETS]
            rows = [
                {
                    "columns": ", ".join(columns.columns),
                    "distinction": percent(columns.distinction),
                    "separation": percent(columns.separation),
                    "unique": "yes" if columns.unique else "no",
                }
                for columns in best
            ]
            labels = {
                "columns": "columns together",
                "distinction": "different rows",
                "separation": "distinguished pairs",
                "unique": "identifies every row",
            }
            ui.table(columns=table_columns(labels), rows=rows).props("dense flat bordered")

    part.props("dense").on_value_change(look)


def _preview(bench: Workbench) -> None:
    """Show the rows, page by page."""
    title("Rows")
    table = bench.table.table  # type: ignore[union-attr]
    keys = [f"c{number}" for number in range(table.num_columns)]
    labels = dict(zip(keys, table.column_names, strict=True))
    with ui.element("div").classes("w-full overflow-x-auto"):
        grid = Grid(Rows(table.rename_columns(keys)), [("", {"row": "row"} | labels)], marker="preview")
    ui.timer(0, grid.show, once=True)
