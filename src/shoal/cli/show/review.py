"""A review in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from shoal.cli.show.tables import headed
from shoal.release.review.finding_codes import CODES

if TYPE_CHECKING:
    from shoal.release.review.review import Review


HINT = (
    "Options named above are those of shoal anonymize; with another tool, do the same there. In this review, --keep, "
    "--accept and --rows-are-people answer what you have looked at."
)


def show_review(review: Review) -> None:
    """Print what was found, what was answered, and what was looked for and not found."""
    console = Console()
    if review.findings:
        table = headed("Review", "code", "", "what was found", padding=(0, 1))
        for finding in (*review.open, *review.answered):
            state = finding.answer or ("stops a release" if finding.blocks else "open")
            table.add_row(finding.code, state, escape(finding.sentence))
        console.print(table)
        console.print(HINT, style="dim")
    console.print("[bold]Looked for and not found:[/bold]")
    for code in review.clean:
        console.print(f"  {code}: {CODES[code]}")
    if review.unchecked:
        console.print("[bold]Not looked for, as this needs more than the given tables:[/bold]")
        console.print(f"  {', '.join(review.unchecked)}")
