"""Two dialogs about a tree: one asks for a name, one for a group; errors appear in the dialog."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

import shoal
from shoal.ui.trees.edits import is_leaf

MAX_GROUPS = 50  # listed


async def ask_name(title: str, value: str, take: Callable[[str], Awaitable[str]]) -> None:
    """Ask for a name until `take` returns no error, or the dialog is closed."""
    with ui.dialog() as dialog, ui.card().classes("w-96"):
        ui.label(title).classes("text-subtitle1")
        field = ui.input("Name", value=value).props("autofocus dense outlined hide-bottom-space")
        field.classes("w-full").mark("name")

        async def accept() -> None:
            _close_or_refuse(dialog, field, await take(field.value or ""))

        field.on("keydown.enter", accept)
        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("OK", on_click=accept).props("no-caps unelevated").mark("accept")
    await dialog
    dialog.delete()


async def ask_group(title: str, tree: shoal.Hierarchy, take: Callable[[int], Awaitable[str]]) -> None:
    """Ask for a group of the tree until `take` returns no error, or the dialog is closed."""
    groups = [node for node in range(len(tree.labels)) if not is_leaf(tree, node)]
    with ui.dialog() as dialog, ui.card().classes("w-96"):
        ui.label(title).classes("text-subtitle1")
        field = ui.input("Find the group", on_change=lambda: listed.refresh())
        field.props("autofocus dense outlined hide-bottom-space clearable debounce=150")
        field.classes("w-full").mark("find-group")

        async def accept(node: int) -> None:
            _close_or_refuse(dialog, field, await take(node))

        @ui.refreshable
        def listed() -> None:
            pattern = (field.value or "").strip().casefold()
            matches = [node for node in groups if pattern in tree.labels[node].casefold()]
            with ui.list().props("dense").classes("w-full"):
                for node in matches[:MAX_GROUPS]:
                    item = ui.item(on_click=lambda node=node: accept(node)).mark(f"group-{node}")
                    with item, ui.item_section():
                        indent = "\u2003" * min(int(tree.depths[node]), 6)
                        ui.item_label(indent + tree.labels[node])
            if len(matches) > MAX_GROUPS:
                ui.label(f"… {len(matches) - MAX_GROUPS:,} more: type part of the name.").classes("text-caption")
            if not matches:
                ui.label("No group has this text in its name.").classes("text-caption")

        with ui.element("div").classes("w-full overflow-auto").style("max-height: 300px"):
            listed()
        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
    await dialog
    dialog.delete()


def _close_or_refuse(dialog: ui.dialog, field: ui.input, error: str) -> None:
    if error:
        field.error = error
    else:
        dialog.submit(None)
