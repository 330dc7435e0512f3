"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from shoal.algorithms.algorithm import describe
from shoal.release.arguments import algorithm_of
from shoal.release.report.phrases import SHUFFLED, blocks_in_words, certificate_in_words, search_in_words
from shoal.release.reuse.record import next_delivery

if TYPE_CHECKING:
    from pathlib import Path

    from shoal.analysis.suggestions import Suggestion
    from shoal.data.hierarchy import Hierarchy
    from shoal.release.class_records import Groups
    from shoal.release.figures import Report
    from shoal.release.request import Request

BAR = 20
FEW = 12  # columns without a role that are listed


def bar(share: float) -> str:
    """A share from 0 to 1 as a bar."""
    return "█" * round(share * BAR) + "·" * (BAR - round(share * BAR))


def facts(title: str, rows: Mapping[str, str]) -> None:
    """A two-column table of facts."""
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    for name, value in rows.items():
        table.add_row(escape(name), escape(value))
    Console().print(table)


def rows(title: str, columns: Iterable[str], lines: Iterable[Iterable[Any]]) -> None:
    """The first rows of a frame."""
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(escape(column), overflow="fold")
    for line in lines:
        table.add_row(*(escape("" if cell is None else str(cell)) for cell in line))
    Console().print(table)


def report(
    found: Report, request: Request, *, took: str, written: str | None, reports: Sequence[Path] | None = None
) -> None:
    """What a release keeps and what it costs, and what the next delivery needs where a report is kept for it."""
    kept_in = next((str(path) for path in reports or () if path.suffix.lower() == ".json"), None)
    metrics = found.metrics
    kept = f"{found.parameters['model']}, verified from the released labels"
    facts(
        "Release",
        {
            "promise": kept,
            "rows": f"{found.rows:,}"
            + (f", {found.suppressed_rows:,} suppressed" if found.suppressed_rows else "")
            + (f", {found.dropped_rows:,} with missing values dropped" if found.dropped_rows else ""),
            "classes": f"{found.classes:,} of {found.k:,} rows or more, {metrics['average_class_size']:.1f} on average",
            **{
                f"different {name}": f"at least {count} in each class"
                for name, count in found.distinct_sensitive.items()
            },
            "loss (LM)": f"{metrics['loss']:.4f} per cell, from 0 (nothing changed) to 1 (nothing left)",
            "certainty penalty (NCP)": f"{100 * metrics['certainty_penalty']:.2f} %",
            "distortion (MD)": f"{metrics['distortion']:,} steps up the hierarchies",
            "discernibility (DM)": f"{metrics['discernibility']:,}",
            "algorithm": describe(algorithm_of(request.algorithm)),
            **({"why": found.choice} if found.choice else {}),
            **certificate_in_words(found.certificate),
            **search_in_words(found.search),
            **blocks_in_words(found.blocks),
            **({"order": SHUFFLED} if found.parameters.get("order") == "shuffled" else {}),
            "time": took,
            "written": written or "nothing: name a file with -o",
            **({"next delivery": next_delivery(found, request, kept_in)} if kept_in and written else {}),
        },
    )
    table = Table(title="Loss by attribute", title_justify="left", show_header=False, box=None, padding=(0, 2))
    for name, value in found.loss_by_attribute.items():
        table.add_row(escape(name), f"{value:.4f}", bar(value))
    Console().print(table)


def trade_off(limits: list[dict[str, Any]], found: Report) -> None:
    """What each limit of suppressed rows gives."""
    objective = found.search["objective"] if found.search else "loss"
    table = Table(title="What more suppressed rows would buy", title_justify="left", header_style="bold")
    for column in ("limit", "suppressed", objective, "change", "levels"):
        table.add_column(column, justify="left" if column == "levels" else "right")
    before = None
    for one in limits:
        share = f"{one['limit']:,} ({one['limit'] / found.rows:.1%})"
        if one["value"] is None:
            table.add_row(share, "", "no node", "", "")
            continue
        change = "" if before is None else f"{one['value'] - before:+.4g}"
        proven = "" if one["proven"] else " or better"
        levels = ", ".join(map(str, one["node"]))
        table.add_row(share, f"{one['suppressed']:,}", f"{one['value']:.6g}{proven}", change, levels)
        before = one["value"]
    Console().print(table)


def groups(found: Groups, limit: int) -> None:
    """The first classes, each with what it shows and its original records."""
    for group in found:
        if group.number > limit:
            return
        names = [*found.labels, *found.sensitive]
        table = Table(title=f"Class {group.number}: {group.size:,} rows", title_justify="left", header_style="bold")
        for name in ("record", *names):
            table.add_column(escape(name), overflow="fold")
        shown = [escape(label) for label in group.shown.values()]
        table.add_row("released", *shown, *[""] * len(found.sensitive), style="bold blue", end_section=True)
        for row, cells in zip(group.rows.tolist(), found.records(group), strict=True):
            table.add_row(str(row + 1), *map(escape, cells))
        Console().print(table)


def tree(hierarchy: Hierarchy, *, limit: int) -> None:
    """A hierarchy with the number of values under each node."""
    console = Console(highlight=False, soft_wrap=True)
    for shown, (depth, label, size) in enumerate(hierarchy.walk()):
        if shown == limit:
            console.print(f"… and {len(hierarchy.labels) - limit:,} more lines (--limit shows more)")
            return
        console.print("  " * depth + escape(label) + (f" [dim]({size:,})[/dim]" if size > 1 else ""))


def suggestions(found: Sequence[Suggestion]) -> None:
    """The guessed role of each column, those that are released as they are last."""
    order = ("quasi", "sensitive", "identifying", "other")
    listed = sorted(found, key=lambda one: order.index(one.role))
    others = [one for one in listed if one.role == "other"]
    lines = [
        (one.column, "as it is" if one.role == "other" else one.role, one.why, f"{one.different:,}")
        for one in listed
        if one not in others[FEW:]
    ]
    rows("Guessed roles", ("column", "role", "why", "values"), lines)
    if len(others) > FEW:
        Console().print(f"and {len(others) - FEW} more columns that are released as they are")
