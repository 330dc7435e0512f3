"""Beside a tree: what is wrong with it, and what each level shows for some values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui

import shoal
from shoal.ui.tree_facts import Problem, levels_of
from shoal.ui.ways import Counts

MOST_LEVELS = 8  # columns of the table of levels
MENDED = {"unknown": "Add them", "unused": "Remove them"}
HINTS = {
    "unknown": "Puts them under the top, or under the one group that is ticked",
    "unused": "Takes these values out of the tree",
}

Mend = Callable[[str, tuple[str, ...]], Awaitable[None]]


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
