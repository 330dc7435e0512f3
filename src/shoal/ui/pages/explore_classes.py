"""Classes: the sizes of the groups of rows that look the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import events, ui

from shoal.ui.charts.echarts import Options
from shoal.ui.charts.releases import class_sizes
from shoal.ui.pages.elements import before_after_table, chart, draw_again, hint
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

HEADS = {
    "classes": "Groups of rows with the same quasi-identifiers.",
    "smallest": "The rows of the smallest class: k. A class of 1 is a person who is found with certainty.",
    "average": "Rows per class, without suppressed rows.",
    "largest": "The rows of the largest class.",
    "unique rows": "Rows whose quasi-identifiers no other row shares.",
    "suppressed": "Rows whose values are all hidden; they belong to no class.",
}


def classes_part(bench: Workbench, shown: Run) -> None:
    """Show the class sizes before and after, as a chart and as figures."""
    result = shown.release
    before, after = ({int(size): count for size, count in side["class_sizes"].items()} for side in result.sides)

    def options(what: str) -> Options:
        return class_sizes(before, after, rows=what == "rows")

    def changed(event: events.ValueChangeEventArguments[str]) -> None:
        draw_again(picture, options(str(event.value)))

    with ui.row().classes("w-full gap-6 no-wrap items-start"):
        with ui.column().classes("flex-1 min-w-0 gap-1"):
            toggle = ui.toggle(
                {"classes": "share of classes", "rows": "share of rows"}, value="classes", on_change=changed
            )
            toggle.props("dense no-caps flat size=sm").mark("count-what")
            hint(toggle, "A bar is the share of the classes of that size, or of the rows in them.")
            picture = chart(
                options("classes"), "Classes by number of rows, before and after.", height="20rem", marker="sizes"
            )
        figures = [class_figures(side) for side in result.sides]
        lines = [(name, figures[0][name], figures[1][name], meaning) for name, meaning in HEADS.items()]
        before_after_table(("", "before", "after"), lines, marker="class-figures").classes("mt-8")


def class_figures(assessment: Mapping[str, Any]) -> dict[str, str]:
    """Return the figures of the classes of a table."""
    return {
        "classes": f"{assessment['classes']:,}",
        "smallest": f"{assessment['k']:,}",
        "average": f"{assessment['average_class_size']:,.1f}",
        "largest": f"{max(map(int, assessment['class_sizes'])):,}",
        "unique rows": f"{assessment['unique_rows']:,}",
        "suppressed": f"{assessment['suppressed_rows']:,}",
    }
