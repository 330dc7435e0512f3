"""Classes: how large the groups of rows are that look the same."""

from __future__ import annotations

from typing import Any

from nicegui import events, ui

from shoal.ui.charts import options as charts
from shoal.ui.pages.parts import chart, hint
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

HEADS = {
    "classes": "Groups of rows that have the same quasi-identifying values.",
    "smallest": "The rows of the smallest class: k. A class of 1 is a person who can be found for certain.",
    "average": "Rows that are not suppressed, by classes.",
    "largest": "The rows of the largest class.",
    "rows alone": "Rows that nobody else shares all quasi-identifying values with.",
    "suppressed": "Rows hidden whole, which belong to no class.",
}


def classes_part(bench: Workbench, shown: Run) -> None:
    """The sizes before and after, as a chart and as figures."""
    result = shown.result
    if result is None:
        return
    sizes = {side: {int(size): count for size, count in found["class_sizes"].items()} for side, found in sides(shown)}

    def options(what: str) -> charts.Options:
        return charts.class_sizes(sizes["before"], sizes["after"], rows=what == "rows")

    def turned(event: events.ValueChangeEventArguments[str]) -> None:
        picture.options.clear()
        picture.options.update(options(str(event.value)))
        picture.update()

    with ui.row().classes("w-full gap-6 no-wrap items-start"):
        with ui.column().classes("flex-1 min-w-0 gap-1"):
            toggle = ui.toggle(
                {"classes": "share of classes", "rows": "share of rows"}, value="classes", on_change=turned
            )
            toggle.props("dense no-caps flat size=sm").mark("count-what")
            hint(toggle, "A bar is the share of the classes that have that size, or of the rows that are in them.")
            picture = chart(
                options("classes"), "Classes by their number of rows, before and after.", height="20rem", marker="sizes"
            )
        with ui.element("table").classes("text-sm mt-8").mark("class-figures"):
            with ui.element("tr").classes("text-left opacity-70"):
                for head in ("", "before", "after"):
                    with ui.element("th").classes("py-1 pr-5 font-normal"):
                        ui.label(head)
            for name, meaning in HEADS.items():
                with ui.element("tr").classes("border-t border-gray-500/30 cursor-help").props("tabindex=0") as line:
                    for text in (name, *(class_figures(found)[name] for _, found in sides(shown))):
                        with ui.element("td").classes("py-1 pr-5"):
                            ui.label(text)
                hint(line, meaning)


def sides(shown: Run) -> list[tuple[str, dict[str, Any]]]:
    """What is known of the table and of the release."""
    return [] if shown.result is None else [("before", shown.result.before), ("after", shown.result.after)]


def class_figures(found: dict[str, Any]) -> dict[str, str]:
    """The figures of the classes of a table."""
    return {
        "classes": f"{found['classes']:,}",
        "smallest": f"{found['k']:,}",
        "average": f"{found['average_class_size']:,.1f}",
        "largest": f"{max(map(int, found['class_sizes'])):,}",
        "rows alone": f"{found['unique_rows']:,}",
        "suppressed": f"{found['suppressed_rows']:,}",
    }
