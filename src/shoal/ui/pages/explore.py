"""Step 5."""

from nicegui import ui


def explore_page(bench):
    """Temp."""
    ui.label("explore")
