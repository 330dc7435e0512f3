"""Step 1, Data: open a table, look at it, and say what each column is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from shoal.ui.pages.grid import Grid
from shoal.ui.pages.opening import open_card
from shoal.ui.pages.parts import figure, hint, percent, problem, say, title
from shoal.ui.state.project import Role
from shoal.ui.state.rows import Rows
from shoal.ui.state.workbench import Workbench
from shoal.ui.state.worker import WorkError

ROLES: dict[Role, str] = {
    "quasi": "quasi-identifying",
    "sensitive": "sensitive",
    "identifying": "identifying",
    "other": "other",
}
MEANINGS = {
    "quasi": "others may know it about a person, so it is made coarser until enough rows look the same",
    "sensitive": "must not be learned about a person; it is released as it is, and kept diverse within classes",
    "identifying": "tells who a person is: it is removed",
    "other": "released as it is",
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
SHARES = {
    "uniqueness": "different values as a share of the rows: 100 % means that each row has a value of its own",
    "separation": "pairs of rows that this column alone tells apart, as a share of all pairs",
}


def data_page(bench: Workbench) -> Callable[[], None] | None:
    """Open a table, or show the one that is open."""
    if bench.facts is None:
        open_card(bench)
        return None
    with ui.expansion("Open another table", icon="folder_open").classes("w-full").props("dense").mark("another"):
        if bench.runs:
            ui.label("Another table takes the place of this one: download first what you want to keep of its runs.")
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
    """What the table is like as it stands."""
    with ui.row().classes("gap-6 items-end"):
        figure(f"{bench.rows:,}", "rows", "The number of rows of the table.")
        figure(f"{len(bench.columns):,}", "columns", "The number of columns of the table.")
        unique = figure("…", "rows unique", "Rows that nobody else shares all quasi-identifying values with.")
        least = figure(
            "…", "k as it stands", "The number of rows of the smallest class: 1 means that somebody is unique."
        )
        classes = figure("…", "classes", "Groups of rows with the same quasi-identifying values.")
    wrong = problem()

    def update() -> None:
        say(wrong, bench.risks_problem)
        found = bench.risks
        unique.set_text(f"{found.unique:,} ({percent(found.unique / found.rows)})" if found else "–")
        least.set_text(f"{found.k:,}" if found else "–")
        classes.set_text(f"{found.classes:,}" if found else "–")

    update()
    return update


def _missing(bench: Workbench) -> None:
    """The texts that stand for a missing value."""

    async def taken() -> None:
        marks = [""] * bool(empty.value) + [str(mark) for mark in chips.value or []]
        try:
            await bench.take_missing(marks)
        except WorkError as error:
            ui.notify(str(error), type="negative")

    with ui.row().classes("items-center gap-2"):
        marks = [mark for mark in bench.project.missing if mark]
        chips = ui.input_chips("texts that mean missing", value=marks, on_change=taken)
        chips.props("dense").classes("w-72").mark("missing")
        hint(chips, "Type a text such as ? or NA and press Enter.")
        empty = ui.checkbox("empty cells are missing", value="" in bench.project.missing, on_change=taken).mark(
            "empty-cells"
        )
        drop = ui.checkbox("leave out rows that miss a value", value=bench.project.drop_missing).mark("drop-missing")
        drop.on_value_change(lambda event: _set(bench, "drop_missing", bool(event.value)))


def _set(bench: Workbench, name: str, value: object) -> None:
    setattr(bench.project, name, value)
    bench.changed()


def _roles(bench: Workbench) -> Callable[[], None]:
    """One line for each column: what it looks like, its role, and why that is suggested."""
    title(
        "Columns", "The roles are guesses from names and values: look at each. Rest the mouse on a reason for evidence."
    )
    fields = {
        "name": "column",
        "role": "role",
        "why": "suggested, as",
        "type": "type",
        "missing": "missing",
        "different": "different",
        "uniqueness": "uniqueness",
        "separation": "separation",
    }
    columns = [
        {"name": key, "label": label, "field": key, "sortable": key != "role", "align": "left"}
        for key, label in fields.items()
    ]
    table = ui.table(columns=columns, rows=_role_rows(bench), row_key="name", pagination={"rowsPerPage": 20})
    table.classes("w-full shoal-roles").props("dense flat bordered").mark("roles")
    table.add_slot("body-cell-role", ROLE_CELL)
    table.add_slot("body-cell-why", WHY_CELL)
    for key, meaning in SHARES.items():
        table.add_slot(f"header-cell-{key}", f'<q-th :props="props">{key}<q-tooltip>{meaning}</q-tooltip></q-th>')

    def chosen(event: events.GenericEventArguments) -> None:
        name, role = event.args["name"], event.args["role"]
        if name not in bench.project.roles or role not in ROLES:
            return  # no page of ours sends this
        bench.project.roles[name] = role
        suggested = bench.suggestions[name].hierarchy
        if role == "quasi" and suggested is not None:
            bench.project.hierarchies.setdefault(name, suggested)
        bench.changed()

    table.on("role", chosen)

    def update() -> None:
        found = _role_rows(bench)
        if found != table.rows:
            table.rows = found
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
            "different": column.different,
            "uniqueness": percent(column.distinction),
            "separation": percent(column.separation),
        }
        for column in bench.facts.columns  # type: ignore[union-attr]
    ]


def _together(bench: Workbench) -> None:
    """Which quasi-identifiers tell rows apart together, looked at when it is wanted."""
    with (
        ui.expansion("What the quasi-identifiers tell together", icon="join_inner")
        .classes("w-full")
        .props("dense") as part
    ):
        place = ui.column().classes("w-full")

    async def look() -> None:
        if not part.value:
            return
        place.clear()
        with place:
            try:
                with ui.row().classes("items-center") as waiting:
                    ui.spinner()
                    ui.label("looking at sets of up to three columns …")
                found = await bench.telling_sets()
                waiting.delete()
            except WorkError as error:
                place.clear()
                problem(str(error))
                return
            best = sorted(found, key=lambda one: -one.separation)[:12]
            rows = [
                {
                    "columns": ", ".join(one.columns),
                    "distinction": percent(one.distinction),
                    "separation": percent(one.separation),
                    "unique": "yes" if one.unique else "no",
                }
                for one in best
            ]
            labels = {
                "columns": "columns together",
                "distinction": "different rows",
                "separation": "pairs told apart",
                "unique": "tells every row apart",
            }
            ui.table(
                columns=[{"name": key, "label": label, "field": key, "align": "left"} for key, label in labels.items()],
                rows=rows,
            ).props("dense flat bordered")

    part.on_value_change(look)


def _preview(bench: Workbench) -> None:
    """The rows, page by page."""
    title("Rows")
    table = bench.table.table  # type: ignore[union-attr]
    keys = [f"c{number}" for number in range(table.num_columns)]
    labels = dict(zip(keys, table.column_names, strict=True))
    with ui.element("div").classes("w-full overflow-x-auto"):
        grid = Grid(Rows(table.rename_columns(keys)), [("", {"row": "row"} | labels)], marker="preview")
    ui.timer(0, grid.show, once=True)
