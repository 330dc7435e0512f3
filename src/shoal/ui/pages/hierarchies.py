"""Step 2."""
from nicegui import ui
def hierarchies_page(bench):
    """Temp."""
    ui.label("hierarchies")
