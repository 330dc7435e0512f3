"""The tree of a column with the values and rows of each node, and the actions that change it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import numpy as np
from nicegui import events, ui

import shoal
from shoal.ui.pages.elements import enable, icon_button
from shoal.ui.pages.tree_dialogs import ask_group, ask_name
from shoal.ui.trees import edits
from shoal.ui.trees.facts import rows_of
from shoal.ui.trees.methods import Counts
from shoal.ui.trees.nodes import STEP, TreeNodes

MAX_OPEN = 40  # nodes that are visible at first
HEADER = """
<q-btn v-if="props.node.more !== undefined" flat dense no-caps size="sm" color="primary" :label="props.node.label"
       @click.stop="$parent.$emit('more', props.node.more)" />
<div v-else class="row items-baseline no-wrap" :class="props.node.empty ? 'text-italic' : ''"
     @click="props.node.leaf && $parent.$emit('toggle', props.node.id)">
  <span style="overflow-wrap: anywhere">{{ props.node.label }}</span>
  <span v-if="props.node.facts" class="text-caption q-ml-sm" :title="props.node.meaning"
        style="opacity: 0.65; white-space: nowrap">{{ props.node.facts }}</span>
</div>
"""


class TreeEditor:
    """Shows a tree whose nodes can be ticked and changed; `edited` takes each new tree."""

    tree: shoal.Hierarchy

    def __init__(self, edited: Callable[[shoal.Hierarchy], Awaitable[str]]) -> None:
        self.edited = edited
        self.opened: set[int] = set()
        self.shown: dict[int, int] = {}
        self._build()

    def show(self, tree: shoal.Hierarchy, counts: Counts, *, keep_open: bool) -> None:
        """Show a tree; after an edit, open groups stay open."""
        paths = {_path(self.tree, node) for node in self.opened} if keep_open else set()
        self.tree, self.counts = tree, counts
        self.nodes = TreeNodes(tree, rows_of(tree, counts))
        groups = [node for node, below in enumerate(self.nodes.children) if below]
        if keep_open:
            self.opened = {node for node in groups if _path(tree, node) in paths}
        else:
            drawn = np.cumsum(np.bincount(tree.depths))
            opened = max(1, int(np.searchsorted(drawn, MAX_OPEN, side="right")) - 1)
            self.opened = {node for node in groups if tree.depths[node] < opened}
            self.filter.value = ""
            self.place.run_method("scrollTo", 0, 0)
        self.shown = {}
        self.message.text = ""
        self.view.props["ticked"] = []
        self.draw()
        self._ticked()

    @property
    def chosen(self) -> list[int]:
        """The ticked nodes."""
        return [node for node in self.view.props["ticked"] if isinstance(node, int)]

    def draw(self) -> None:
        """Draw the open part of the tree, or the matches of the filter."""
        text = (self.filter.value or "").strip()
        opened = self.opened
        if text:
            nodes, groups, rest = self.nodes.found(text, opened=self.opened, shown=self.shown)
            opened = self.opened | set(groups)
            self.rest.text = f"{rest:,} more match: type more of the name." if rest else ""
            self.rest.text = self.rest.text if groups else "No value or group has this text in its name."
        else:
            nodes = self.nodes.drawn(opened=self.opened, shown=self.shown)
            self.rest.text = ""
        self.view.props["nodes"] = nodes
        self.view.props["expanded"] = sorted(opened)

    def _build(self) -> None:
        with ui.row().classes("items-center gap-1 w-full"):
            self.filter = ui.input(placeholder="Find a value or group", on_change=self.draw)
            self.filter.props("dense outlined clearable debounce=200 aria-label='Find a value or group'")
            self.filter.classes("w-48").mark("tree-filter")
            ui.space()
            self.actions = {
                name: icon_button(icon, hint, act, marker=name)
                for name, icon, hint, act in (
                    ("rename", "edit", "Rename the ticked group", self._rename),
                    ("group", "create_new_folder", "Put the ticked nodes into a new group", self._group),
                    ("move", "drive_file_move", "Move the ticked nodes under another group", self._move),
                    ("dissolve", "folder_off", "Dissolve the ticked groups: their members move up", self._dissolve),
                )
            }
        with ui.row().classes("items-center gap-2 w-full text-caption").style("min-height: 24px"):
            self.count = ui.label().classes("opacity-70")
            clear = ui.button("Untick all", on_click=self._clear).props("flat dense no-caps size=sm")
            self.clear = clear.mark("untick")
            self.message = ui.label().classes("text-negative").props("role=alert").mark("tree-message")
        self.place = ui.element("div").classes("w-full overflow-auto").style("max-height: 400px; min-height: 160px")
        with self.place:
            self.view = ui.tree([], on_tick=self._ticked, on_expand=self._expanded, tick_strategy="strict")
            self.view.props("dense no-transition").classes("w-full").mark("tree")
            self.view.add_slot("default-header", HEADER)
            self.view.on("more", self._more)
            self.view.on("toggle", self._toggle)
        self.rest = ui.label().classes("text-caption opacity-70")

    def _clear(self) -> None:
        self.view.props["ticked"] = []
        self._ticked()

    def _ticked(self) -> None:
        number = len(self.chosen)
        self.count.text = f"{number:,} ticked" if number else "Tick nodes to change the tree."
        self.clear.set_visibility(number > 0)
        for name, button in self.actions.items():
            enable(button, number == 1 if name == "rename" else number > 0)
        self.message.text = ""

    def _expanded(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self.opened = {node for node in event.value if isinstance(node, int)}
        self.draw()

    def _more(self, event: events.GenericEventArguments) -> None:
        node = int(event.args)
        self.shown[node] = self.shown.get(node, STEP) + STEP
        self.draw()

    def _toggle(self, event: events.GenericEventArguments) -> None:
        """Tick or untick a value by clicking on its name."""
        self.view.props["ticked"] = list(set(self.view.props["ticked"]) ^ {event.args})
        self._ticked()

    async def change(self, edit: Callable[..., shoal.Hierarchy], *arguments: Any, **options: Any) -> str:
        """Edit the tree; return the error, if any."""
        try:
            tree = await asyncio.to_thread(partial(edit, self.tree, *arguments, **options))
        except shoal.ShoalError as error:
            return str(error)
        return await self.edited(tree)

    async def _rename(self) -> None:
        node = self.chosen[0]
        rename = partial(self.change, edits.rename, node, values=self.counts)
        await ask_name("Rename", self.tree.labels[node], lambda label: rename(label=label))

    async def _group(self) -> None:
        group = partial(self.change, edits.group, self.chosen)
        await ask_name(f"New group over {self._named()}", "", lambda label: group(label=label))

    async def _move(self) -> None:
        move = partial(self.change, edits.move, self.chosen)
        await ask_group(f"Move {self._named()} under", self.tree, lambda under: move(under=under))

    def _named(self) -> str:
        labels = [self.tree.labels[node] for node in self.chosen]
        return repr(labels[0]) if len(labels) == 1 else f"{len(labels):,} nodes"

    async def _dissolve(self) -> None:
        self.message.text = await self.change(edits.dissolve, self.chosen)


def _path(tree: shoal.Hierarchy, node: int) -> tuple[str, ...]:
    return tuple(tree.labels[above] for above in edits.way_up(tree, node))
