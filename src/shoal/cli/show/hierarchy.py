"""A hierarchy in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from shoal.data.hierarchy import Hierarchy


def show_hierarchy(hierarchy: Hierarchy, *, limit: int) -> None:
    """Print a hierarchy with the number of values under each node."""
    console = Console(highlight=False, soft_wrap=True)
    for shown, (depth, label, size) in enumerate(hierarchy.walk()):
        if shown == limit:
            console.print(f"… and {len(hierarchy.labels) - limit:,} more lines (--limit shows more)")
            return
        console.print("  " * depth + escape(label) + (f" [dim]({size:,})[/dim]" if size > 1 else ""))
