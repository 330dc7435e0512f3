"""Notes beside a tree: a summary of the column, its problems, and the labels of each level for some values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui

import shoal
from shoal.ui.pages.elements import table_columns
from shoal.ui.trees.facts import Problem, levels_of
from shoal.ui.trees.guides import Built, summary
from shoal.ui.trees.methods import Counts, numeric

MAX_LEVELS = 8  # columns of the table of levels
FIXES = {"unknown": "Add them", "unused": "Remove them"}
HINTS = {
    "unknown": "Put them under the top, or under the ticked group if there is exactly one",
    "unused": "Remove these values from the tree",
}

Fix = Callable[[str, tuple[str, ...]], Awaitable[None]]


def show_summary(column: str, built: Built | None, counts: Counts) -> None:
    """Show a column in the list: how it is generalized, with a warning if that prevents a release."""
    with ui.item_section():
        ui.item_label(column).classes("text-weight-medium")
        ui.item_label(summary(built, counts) if built else "counting …").props("caption lines=1")
    if built and built.obstacle:
        with ui.item_section().props("side"):
            icon = ui.icon("warning", color="warning").props("role=img aria-label='has problems'")
            with icon.mark(f"warning-{column}"):
                ui.tooltip(built.obstacle)


def show_notes(built: Built, counts: Counts, fix: Fix) -> None:
    """Show the problems and levels of a column, or what it shows without a tree."""
    if built.error:
        ui.label(built.error).classes("text-negative").props("role=alert").mark("column-error")
    elif built.tree is not None:
        show_problems(built.problems, fix)
        show_levels(built.tree, counts)
    else:
        labels = "the range from its lowest to its highest number" if numeric(counts) else "the set of its values"
        labels = "a range in your custom order" if isinstance(built.guide, str) else labels
        ui.label(f"There is no tree: each class of rows shows {labels}.").classes("text-caption opacity-80")


def show_problems(problems: Sequence[Problem], fix: Fix) -> None:
    """Show each problem in a sentence, with a button if there is a fix."""
    if not any(problem.serious for problem in problems):
        with ui.row().classes("items-center gap-2 no-wrap text-caption"):
            ui.icon("check_circle", color="positive", size="sm")
            ui.label("The tree contains every value of the table.").mark("all-known")
    for problem in problems:
        with ui.row().classes("items-start gap-2 no-wrap text-caption w-full").mark(f"problem-{problem.kind}"):
            icon, colour = ("warning", "warning") if problem.serious else ("info", "info")
            ui.icon(icon, color=colour, size="sm")
            with ui.column().classes("gap-0").style("min-width: 0; overflow-wrap: anywhere"):
                ui.label(problem.sentence).props("role=alert" if problem.serious else "")
                if problem.kind in FIXES:
                    button = ui.button(
                        FIXES[problem.kind], on_click=lambda problem=problem: fix(problem.kind, problem.values)
                    )
                    button.props("dense no-caps size=sm " + ("unelevated" if problem.serious else "flat"))
                    with button.mark(f"fix-{problem.kind}"):
                        ui.tooltip(HINTS[problem.kind])


def show_levels(tree: shoal.Hierarchy, counts: Counts) -> None:
    """Show a table of a few values with their label at each level."""
    levels = levels_of(tree, counts)
    if not levels.rows:
        return
    places = list(range(tree.height + 1))
    if len(places) > MAX_LEVELS:
        places = [*places[: MAX_LEVELS - 1], places[-1]]
    names = ["Value", *(f"Level {place}" for place in places[1:-1]), "Top"]
    labels = {str(place): f"{name} ({levels.labels[place]:,})" for place, name in zip(places, names, strict=False)}
    rows = [{"id": number} | {str(place): row[place] for place in places} for number, row in enumerate(levels.rows)]
    with ui.row().classes("items-center gap-1"):
        ui.label("Labels at each level").classes("text-subtitle2")
        with ui.icon("help_outline", size="xs").classes("opacity-70"):
            ui.tooltip("For the most frequent and the rarest values; the number of different labels is in brackets.")
    table = ui.table(rows=rows, columns=table_columns(labels), row_key="id").props("dense flat bordered")
    table.classes("w-full").mark("levels")
