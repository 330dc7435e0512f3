"""The step Hierarchies: for each quasi-identifier how its values are made coarser, level by level."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from nicegui import ui

import shoal
from shoal.ui.pages.builders import first_spelling, show_form, show_upload
from shoal.ui.pages.parts import enable, icon_button
from shoal.ui.pages.tree_editor import TreeEditor
from shoal.ui.pages.tree_notes import show_notes, show_summary
from shoal.ui.trees import edits
from shoal.ui.trees.facts import counted
from shoal.ui.trees.guides import Built, History, build
from shoal.ui.trees.ways import WAYS, Guide, fitting, in_order, way_of


class Bench(Protocol):
    """What this page takes from the workbench."""

    project: Any
    folder: Path

    @property
    def quasi(self) -> list[str]:
        """The quasi-identifiers."""

    @property
    def suggestions(self) -> Mapping[str, shoal.Suggestion]:
        """What each column may be."""

    def counts(self, column: str) -> dict[str, int]:
        """The values of a column as text, with their rows."""

    def changed(self) -> None:
        """Tell the other pages."""


def hierarchies_page(bench: Bench) -> None:
    """Build the step into the page."""
    if bench.quasi:
        HierarchiesPage(bench)
    else:
        ui.label("No column is a quasi-identifier yet: choose them in the Data step.").classes("opacity-70")


class HierarchiesPage:
    """The list of quasi-identifiers, and how the chosen one is generalized."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.counts: dict[str, dict[str, int]] = {}
        self.built: dict[str, Built] = {}
        self.histories: dict[str, History] = {}
        self.column = bench.quasi[0]
        self.way, self.draft, self.draft_error = "", "", ""  # what the form shows, kept or not
        self.turns: Counter[str] = Counter()
        self.list, self.head = ui.refreshable(self._list), ui.refreshable(self._head)
        self.form, self.notes = ui.refreshable(self._form), ui.refreshable(self._notes)
        with ui.row().classes("w-full no-wrap items-start gap-4"):
            with ui.column().classes("gap-1 shrink-0").style("width: 230px"):
                self.list()
            with ui.column().classes("grow gap-2").style("min-width: 0"):
                self.head()
                with ui.row().classes("w-full no-wrap items-start gap-6"):
                    with ui.column().classes("gap-2").style("flex: 1 1 52%; min-width: 0"):
                        self.form()
                        with ui.column().classes("gap-1 w-full") as self.tree_place:
                            self.editor = TreeEditor(self.take)
                    with ui.column().classes("gap-2").style("flex: 1 1 48%; min-width: 0"):
                        self.notes()
        self.tree_place.set_visibility(False)
        ui.timer(0, self.load, once=True)

    async def load(self) -> None:
        """Count the values of each quasi-identifier and build its tree."""
        for column in self.bench.quasi:
            guide = self.bench.project.hierarchies.get(column)
            try:
                self.counts[column] = in_order(await asyncio.to_thread(self.bench.counts, column))
                self.built[column] = await asyncio.to_thread(build, guide, self.counts[column])
            except shoal.ShoalError as error:
                self.counts[column], self.built[column] = {}, Built(guide, error=str(error))
            self.histories[column] = History(guide)
            self.list.refresh()
            if column == self.column:
                self.choose(column)

    def choose(self, column: str) -> None:
        """Show another column."""
        self.column = column
        if column in self.built:
            self._show(keep_open=False)
            self._show_form(self.built[column].guide)
        self.list.refresh()

    async def take(self, guide: Guide) -> str:
        """Build a guide and keep it for the chosen column; the answer is the error, and then nothing is changed."""
        column = self.column
        self.turns[column] += 1
        turn = self.turns[column]
        built = await asyncio.to_thread(build, guide, self.counts[column])
        if turn != self.turns[column]:  # a later one is on its way
            return ""
        if built.error:
            return built.error
        if guide != self.histories[column].now:
            self.histories[column].take(guide)
        self._keep(column, built)
        if column == self.column and way_of(guide) != self.way:
            self._show_form(guide)
        return ""

    def _keep(self, column: str, built: Built) -> None:
        self.built[column] = built
        if built.guide is None:
            self.bench.project.hierarchies.pop(column, None)
        else:
            self.bench.project.hierarchies[column] = built.guide
        if column == self.column:
            self._show(keep_open=built.guide is built.tree)
        self.list.refresh()
        self.bench.changed()

    def _show(self, *, keep_open: bool) -> None:
        """Show all but the form: that stays under the hands of whoever types."""
        tree = self.built[self.column].tree
        self.tree_place.set_visibility(tree is not None)
        if tree is not None:
            self.editor.show(tree, self.counts[self.column], keep_open=keep_open)
        self.head.refresh()
        self.notes.refresh()

    def _show_form(self, guide: Guide, *, way: str = "", error: str = "") -> None:
        self.way = way or way_of(guide)
        self.draft = guide if isinstance(guide, str) else ""
        self.draft_error = error
        self.form.refresh()

    async def _go(self, guide: Guide) -> None:
        """Show the guide that undo or redo has come to."""
        column = self.column
        self._keep(column, await asyncio.to_thread(build, guide, self.counts[column]))
        if column == self.column:
            self._show_form(guide)

    async def _choose_way(self, way: str) -> None:
        if way == "file":
            self._show_form(None, way=way)
        elif way == "tree":
            self._show_form(self.built[self.column].guide)
        else:
            first = None if way == "free" else first_spelling(way, self.counts[self.column], self._suggested())
            await self._choose_guide(first)

    async def _choose_guide(self, guide: Guide) -> None:
        column, error = self.column, await self.take(guide)
        if column == self.column:
            self._show_form(guide, error=error)

    def _suggested(self) -> list[str]:
        suggestion = self.bench.suggestions.get(self.column)
        found = [suggestion.hierarchy, *suggestion.other_hierarchies] if suggestion else []
        return [spelling for spelling in found if spelling]

    async def _mend(self, kind: str, values: tuple[str, ...]) -> None:
        chosen = self.editor.chosen
        if kind == "unknown":
            error = await self.editor.change(edits.add, values, under=chosen[0] if len(chosen) == 1 else 0)
        else:
            error = await self.editor.change(edits.remove, values, values=self.counts[self.column])
        self.editor.message.text = error

    def _list(self) -> None:
        with ui.list().props("dense separator").classes("w-full"):
            for column in self.bench.quasi:
                item = ui.item(on_click=lambda column=column: self.choose(column)).mark(f"column-{column}")
                item.props("active aria-current=true" if column == self.column else "")
                with item:
                    show_summary(column, self.built.get(column), self.counts.get(column, {}))

    def _head(self) -> None:
        with ui.row().classes("items-center gap-2 w-full no-wrap"):
            ui.label(self.column).classes("text-h6 ellipsis").style("max-width: 24em")
            if self.column not in self.built:
                ui.spinner(size="sm")
                return
            counts, history = self.counts[self.column], self.histories[self.column]
            with ui.label(f"{counted(len(counts), 'value')} in {counted(sum(counts.values()), 'row')}"):
                ui.tooltip("Different values of the column, and the rows that have one of them (not a missing one).")
            ui.space()
            undo = icon_button("undo", "Undo", lambda: self._go(history.undo()), marker="undo")
            redo = icon_button("redo", "Redo", lambda: self._go(history.redo()), marker="redo")
            enable(undo, bool(history.earlier))
            enable(redo, bool(history.later))

    def _form(self) -> None:
        if self.column not in self.built:
            return
        counts = self.counts[self.column]
        has_tree = way_of(self.built[self.column].guide) == "tree"
        ways = [way for way in fitting(counts) if way != "tree" or has_tree]
        options = {way: WAYS[way].name for way in ways} | ({} if self.way in ways else {self.way: self.way})
        with ui.row().classes("items-center gap-3 w-full no-wrap"):
            chooser = ui.select(options, value=self.way, label="Way", on_change=lambda e: self._choose_way(e.value))
            chooser.props("dense outlined options-dense").classes("w-52 shrink-0").mark("way")
            ui.label(WAYS[self.way].sentence if self.way in WAYS else "").classes("text-caption opacity-80")
        if self._suggested():
            with ui.row().classes("items-center gap-1 text-caption"):
                ui.label("Suggested:").classes("opacity-70")
                for spelling in self._suggested():
                    button = ui.button(spelling, on_click=lambda spelling=spelling: self._choose_guide(spelling))
                    button.props("outline dense no-caps size=sm").mark(f"suggested-{spelling}")
                    with button:
                        ui.tooltip(WAYS[way_of(spelling)].sentence)
        if self.way == "file":
            show_upload(self.bench.folder, self.take)
        elif self.draft:
            show_form(self.way, self.draft, counts, self.take)
        if self.draft_error:
            ui.label(self.draft_error).classes("text-negative text-caption").props("role=alert").mark("way-error")

    def _notes(self) -> None:
        if self.column in self.built:
            show_notes(self.built[self.column], self.counts[self.column], self._mend)
