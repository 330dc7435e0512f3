"""Round buttons with an icon, named for those who cannot see it, and grey where they can do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui


def icon_button(icon: str, hint: str, act: Callable[[], Any]) -> ui.button:
    """A small round button with a tooltip."""
    button = ui.button(icon=icon, on_click=act).props(f'flat dense round aria-label="{hint}"')
    with button:
        ui.tooltip(hint)
    return button


def enable(button: ui.button, on: bool) -> None:
    """Let a button be pressed, or not."""
    button.set_enabled(on)
    button.props(f"color={'primary' if on else 'grey'}")
