"""Suggested roles in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from shoal.cli.show.tables import show_rows

if TYPE_CHECKING:
    from shoal.analysis.suggestions import Suggestion

ROLE_ORDER = ("quasi", "sensitive", "identifying", "other")
MAX_OTHERS = 12  # columns without a role that are listed


def show_suggestions(suggestions: Sequence[Suggestion]) -> None:
    """Print the guessed role of each column; columns released unchanged come last."""
    ordered = sorted(suggestions, key=lambda suggestion: ROLE_ORDER.index(suggestion.role))
    others = [suggestion for suggestion in ordered if suggestion.role == "other"]
    rows = [
        (
            suggestion.column,
            "unchanged" if suggestion.role == "other" else suggestion.role,
            suggestion.why,
            f"{suggestion.different:,}",
        )
        for suggestion in ordered
        if suggestion not in others[MAX_OTHERS:]
    ]
    show_rows("Guessed roles", ("column", "role", "why", "values"), rows)
    if len(others) > MAX_OTHERS:
        Console().print(f"and {len(others) - MAX_OTHERS} more columns that are released unchanged")
