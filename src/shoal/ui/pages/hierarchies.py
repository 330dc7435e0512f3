"""Step 2, Hierarchies: how the values of each quasi-identifier are generalized, level by level."""

from __future__ import annotations

import asyncio
from collections import Counter

from nicegui import ui

import shoal
from shoal.ui.pages.elements import enable, icon_button
from shoal.ui.pages.method_forms import first_spelling, show_form, show_upload
from shoal.ui.pages.tree_editor import TreeEditor
from shoal.ui.pages.tree_notes import show_notes, show_summary
from shoal.ui.state.workbench import Workbench
from shoal.ui.trees import edits
from shoal.ui.trees.facts import counted
from shoal.ui.trees.guides import Built, History, build
from shoal.ui.trees.methods import METHODS, Guide, applicable, in_order, method_of


def hierarchies_page(bench: Workbench) -> None:
    """Show the step."""
    if bench.quasi:
        HierarchiesPage(bench)
    else:
        ui.label("No column is a quasi-identifier yet: choose some on the Data page.").classes("opacity-70")


class HierarchiesPage:
    """The list of quasi-identifiers, and how the chosen one is generalized."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.counts: dict[str, dict[str, int]] = {}
        self.built: dict[str, Built] = {}
        self.histories: dict[str, History] = {}
        self.column = bench.quasi[0]
        self.method, self.draft, self.draft_error = "", "", ""  # the content of the form, accepted or not
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
        """Build a guide and use it for the chosen column; on failure, change nothing and return the error."""
        column = self.column
        self.turns[column] += 1
        turn = self.turns[column]
        built = await asyncio.to_thread(build, guide, self.counts[column])
        if turn != self.turns[column]:  # a later one is in progress
            return ""
        if built.error:
            return built.error
        if guide != self.histories[column].now:
            self.histories[column].take(guide)
        self._keep(column, built)
        if column == self.column and method_of(guide) != self.method:
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
        """Show everything but the form, in which somebody may be typing."""
        tree = self.built[self.column].tree
        self.tree_place.set_visibility(tree is not None)
        if tree is not None:
            self.editor.show(tree, self.counts[self.column], keep_open=keep_open)
        self.head.refresh()
        self.notes.refresh()

    def _show_form(self, guide: Guide, *, method: str = "", error: str = "") -> None:
        self.method = method or method_of(guide)
        self.draft = guide if isinstance(guide, str) else ""
        self.draft_error = error
        self.form.refresh()

    async def _go(self, guide: Guide) -> None:
        """Show the guide after undo or redo."""
        column = self.column
        self._keep(column, await asyncio.to_thread(build, guide, self.counts[column]))
        if column == self.column:
            self._show_form(guide)

    async def _choose_method(self, method: str) -> None:
        if method == "file":
            self._show_form(None, method=method)
        elif method == "tree":
            self._show_form(self.built[self.column].guide)
        else:
            first = None if method == "free" else first_spelling(method, self.counts[self.column], self._suggested())
            await self._choose_guide(first)

    async def _choose_guide(self, guide: Guide) -> None:
        column, error = self.column, await self.take(guide)
        if column == self.column:
            self._show_form(guide, error=error)

    def _suggested(self) -> list[str]:
        suggestion = self.bench.suggestions.get(self.column)
        spellings = [suggestion.hierarchy, *suggestion.other_hierarchies] if suggestion else []
        return [spelling for spelling in spellings if spelling]

    async def _fix(self, kind: str, values: tuple[str, ...]) -> None:
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
                ui.tooltip(
                    "Different values of the column, and the rows that have one of them, without missing values."
                )
            ui.space()
            undo = icon_button("undo", "Undo", lambda: self._go(history.undo()), marker="undo")
            redo = icon_button("redo", "Redo", lambda: self._go(history.redo()), marker="redo")
            enable(undo, bool(history.earlier))
            enable(redo, bool(history.later))

    def _form(self) -> None:
        if self.column not in self.built:
            return
        counts = self.counts[self.column]
        has_tree = method_of(self.built[self.column].guide) == "tree"
        methods = [method for method in applicable(counts) if method != "tree" or has_tree]
        options = {method: METHODS[method].name for method in methods} | (
            {} if self.method in methods else {self.method: self.method}
        )
        with ui.row().classes("items-center gap-3 w-full no-wrap"):
            chooser = ui.select(
                options, value=self.method, label="Method", on_change=lambda e: self._choose_method(e.value)
            )
            chooser.props("dense outlined options-dense").classes("w-52 shrink-0").mark("method")
            ui.label(METHODS[self.method].sentence if self.method in METHODS else "").classes("text-caption opacity-80")
        if self._suggested():
            with ui.row().classes("items-center gap-1 text-caption"):
                ui.label("Suggested:").classes("opacity-70")
                for spelling in self._suggested():
                    button = ui.button(spelling, on_click=lambda spelling=spelling: self._choose_guide(spelling))
                    button.props("outline dense no-caps size=sm").mark(f"suggested-{spelling}")
                    with button:
                        ui.tooltip(METHODS[method_of(spelling)].sentence)
        if self.method == "file":
            show_upload(self.bench, self.take)
        elif self.draft:
            show_form(self.method, self.draft, counts, self.take)
        if self.draft_error:
            ui.label(self.draft_error).classes("text-negative text-caption").props("role=alert").mark("method-error")

    def _notes(self) -> None:
        if self.column in self.built:
            show_notes(self.built[self.column], self.counts[self.column], self._fix)
