"""Beside a tree: what a column has in short, what is wrong with it, and what each level shows for some values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui

import shoal
from shoal.ui.trees.facts import Problem, levels_of
from shoal.ui.trees.guides import Built, summary
from shoal.ui.trees.ways import Counts, numeric

MOST_LEVELS = 8  # columns of the table of levels
MENDED = {"unknown": "Add them", "unused": "Remove them"}
HINTS = {
    "unknown": "Puts them under the top, or under the one group that is ticked",
    "unused": "Takes these values out of the tree",
}

Mend = Callable[[str, tuple[str, ...]], Awaitable[None]]


def show_summary(column: str, built: Built | None, counts: Counts) -> None:
    """A line of the list of columns: how it is generalized, with a mark where that cannot be released."""
    with ui.item_section():
        ui.item_label(column).classes("text-weight-medium")
        ui.item_label(summary(built, counts) if built else "counting …").props("caption lines=1")
    if built and built.wrong:
        with ui.item_section().props("side"):
            icon = ui.icon("warning", color="warning").props("role=img aria-label='has problems'")
            with icon.mark(f"warning-{column}"):
                ui.tooltip(built.wrong)


def show_notes(built: Built, counts: Counts, mend: Mend) -> None:
    """Everything about the way that a column goes now."""
    if built.error:
        ui.label(built.error).classes("text-negative").props("role=alert").mark("column-error")
    elif built.tree is not None:
        show_problems(built.problems, mend)
        show_levels(built.tree, counts)
    else:
        what = "the range from its lowest to its highest number" if numeric(counts) else "the values that are in it"
        what = "a range in your own order" if isinstance(built.guide, str) else what
        ui.label(f"There is no tree now: each class of rows shows {what}.").classes("text-caption opacity-80")


def show_problems(problems: Sequence[Problem], mend: Mend) -> None:
    """Each problem in a sentence, with a button where there is a remedy."""
    if not any(problem.serious for problem in problems):
        with ui.row().classes("items-center gap-2 no-wrap text-caption"):
            ui.icon("check_circle", color="positive", size="sm")
            ui.label("The tree knows every value of the table.").mark("all-known")
    for problem in problems:
        with ui.row().classes("items-start gap-2 no-wrap text-caption w-full").mark(f"problem-{problem.kind}"):
            icon, colour = ("warning", "warning") if problem.serious else ("info", "info")
            ui.icon(icon, color=colour, size="sm")
            with ui.column().classes("gap-0").style("min-width: 0; overflow-wrap: anywhere"):
                ui.label(problem.sentence).props("role=alert" if problem.serious else "")
                if problem.kind in MENDED:
                    button = ui.button(MENDED[problem.kind], on_click=lambda one=problem: mend(one.kind, one.values))
                    button.props("dense no-caps size=sm " + ("unelevated" if problem.serious else "flat"))
                    with button.mark(f"mend-{problem.kind}"):
                        ui.tooltip(HINTS[problem.kind])


def show_levels(tree: shoal.Hierarchy, counts: Counts) -> None:
    """A table of a few values with what each level shows for them."""
    levels = levels_of(tree, counts)
    if not levels.rows:
        return
    places = list(range(tree.height + 1))
    if len(places) > MOST_LEVELS:
        places = [*places[: MOST_LEVELS - 1], places[-1]]
    names = ["Value", *(f"Level {place}" for place in places[1:-1]), "Top"]
    columns = [
        {"name": str(place), "label": f"{name} ({levels.labels[place]:,})", "field": str(place), "align": "left"}
        for place, name in zip(places, names, strict=False)
    ]
    rows = [{"id": number} | {str(place): row[place] for place in places} for number, row in enumerate(levels.rows)]
    with ui.row().classes("items-center gap-1"):
        ui.label("What each level shows").classes("text-subtitle2")
        with ui.icon("help_outline", size="xs").classes("opacity-70"):
            ui.tooltip("For the most frequent and the rarest values; in brackets the number of different labels.")
    table = ui.table(rows=rows, columns=columns, row_key="id").props("dense flat bordered").classes("w-full")
    table.mark("levels")
