"""Notes the figures of a benchmark by name, so that run.py can keep them and the pages can show them."""

from __future__ import annotations

import json
import os

DIGITS = 6  # that count: no page shows more


def note(name: str, /, **figures: float | None) -> None:
    """Append figures to the file that SHOAL_FIGURES names, as `name.figure`; without it, do nothing."""
    path = os.environ.get("SHOAL_FIGURES")
    if not path:
        return
    known = {f"{name}.{what}": figure for what, figure in figures.items() if figure is not None}
    rounded = {what: float(f"{figure:.{DIGITS}g}") for what, figure in known.items()}
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(rounded) + "\n")
