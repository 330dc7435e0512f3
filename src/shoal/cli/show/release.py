"""A release in the terminal: its report, the trade-off, and its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from shoal.algorithms.algorithm import describe
from shoal.cli.show.tables import bar, headed, show_facts, side_by_side
from shoal.cli.standard_streams import without_folders
from shoal.data.classes import PEOPLE, ROWS
from shoal.release.arguments import algorithm_of
from shoal.release.report.phrases import (
    SHUFFLED,
    blocks_in_words,
    certificate_in_words,
    four_digits,
    loss_name,
    people_in_words,
    ranges_in_words,
    search_in_words,
)
from shoal.release.reuse.record import next_delivery

if TYPE_CHECKING:
    from shoal.release.class_records import Groups
    from shoal.release.figures import Report
    from shoal.release.request import Request

MAX_NAMES = 12  # of quasi-identifiers


def show_report(
    report: Report, request: Request, *, took: str, written: str | None, reports: Sequence[Path] | None = None
) -> None:
    """Print what a release promises and costs, and what the next delivery needs if a .json report was written."""
    record = next((str(path) for path in reports or () if path.suffix.lower() == ".json"), None)
    metrics = report.metrics
    left_out = " and left out" * (request.suppressed == "drop")
    show_facts(
        "Release",
        {
            "promise": report.parameters["model"],
            "verified": f"that it holds for the classes of the released labels of {_listed(request.roles.quasi)}",
            "rows": f"{report.rows:,}"
            + (f", {report.suppressed_rows:,} suppressed{left_out}" if report.suppressed_rows else "")
            + (f", {report.dropped_rows:,} with missing values dropped" if report.dropped_rows else ""),
            **({"read": " ".join(report.input["read"])} if "read" in report.input else {}),
            **({"people": " ".join(report.statements)} if report.statements else {}),
            **people_in_words(report.people),
            **ranges_in_words(report.parameters),
            "classes": f"{report.classes:,} of {(ROWS if report.people is None else PEOPLE).of(report.k)} or more, "
            f"{metrics['average_class_size']:.1f} {'rows ' * (report.people is not None)}on average",
            **{
                f"different {name}": f"at least {count} in each class"
                for name, count in report.distinct_sensitive.items()
            },
            **_losses(report),
            "certainty penalty (NCP)": f"{100 * metrics['certainty_penalty']:.2f} %",
            "distortion (MD)": f"{metrics['distortion']:,} steps up the hierarchies",
            "discernibility (DM)": f"{metrics['discernibility']:,}",
            "algorithm": describe(algorithm_of(request.algorithm)),
            **({"why": report.choice} if report.choice else {}),
            **certificate_in_words(report.certificate),
            **search_in_words(report.search),
            **blocks_in_words(report.blocks),
            **({"order": SHUFFLED} if report.parameters.get("order") == "shuffled" else {}),
            "review": review_in_words(report.review),
            "time": took,
            "written": _place(written) if written else "nothing: name a file with -o",
            **({"next delivery": next_delivery(report, request, record)} if record and written else {}),
        },
    )
    table = headed("Loss (LM) by attribute", show_header=False, box=None, padding=(0, 2))
    for name, value in report.loss_by_attribute.items():
        table.add_row(escape(name), four_digits(value), bar(value))
    Console().print(table)


def _place(written: str) -> str:
    """Return where the release is; a name without an ending, which may have been forgotten, is a folder."""
    return without_folders(written) + ", a folder" * Path(written).is_dir()


def _losses(report: Report) -> dict[str, str]:
    """Return the loss by all values of the table and, if rows are suppressed, the one that reports publish."""
    loss = f"{four_digits(report.metrics['loss'])} per cell, from 0 (nothing changed) to 1 (nothing left)"
    losses = {loss_name(suppressed=0): loss}
    if report.by_released_values is not None:
        published = four_digits(report.published["loss"])
        losses[loss_name(suppressed=report.suppressed_rows)] = f"{published} per cell, as in reports to publish"
    return losses


def _listed(names: Sequence[str]) -> str:
    """List the first names."""
    return ", ".join(names[:MAX_NAMES]) + (f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else "")


def review_in_words(review: Mapping[str, Any]) -> str:
    """Sum up what was looked for."""
    counts = {state: len(review[state]) for state in ("open", "answered", "clean")}
    found = f"{counts['open']:,} open, {counts['answered']:,} answered"
    if not counts["open"] and not counts["answered"]:
        found = "nothing found"
    return f"{found}; {counts['clean']:,} kinds of weak points looked for and not found"


def show_trade_off(limits: list[dict[str, Any]], report: Report) -> None:
    """Print the best result for each limit of suppressed rows."""
    objective = report.search["objective"] if report.search else "loss"
    figures = ("limit", "suppressed", objective, "change")
    table = headed("What suppressing more rows would gain", *figures, "levels", right=figures)
    before = None
    for limit in limits:
        share = f"{limit['limit']:,} ({limit['limit'] / report.rows:.1%})"
        if limit["value"] is None:
            table.add_row(share, "", "no node", "", "")
            continue
        change = "" if before is None else f"{limit['value'] - before:+.4g}"
        proven = "" if limit["proven"] else " or better"
        levels = ", ".join(map(str, limit["node"]))
        table.add_row(share, f"{limit['suppressed']:,}", f"{limit['value']:.6g}{proven}", change, levels)
        before = limit["value"]
    Console().print(table)


def show_classes(classes: Groups, limit: int) -> None:
    """Print the first classes, each with its released labels and its original records.

    Columns that do not fit side by side go into tables one below the other, so that no word is broken.
    """
    console = Console()
    for group in classes:
        if group.number > limit:
            return
        names = ["record", *classes.labels, *classes.sensitive]
        released = ["released", *group.shown.values(), *[""] * len(classes.sensitive)]
        records = [
            (str(row + 1), *cells) for row, cells in zip(group.rows.tolist(), classes.records(group), strict=True)
        ]
        title = f"Class {group.number}: {group.size:,} rows"
        for columns in side_by_side([names, released, *records], console.width):
            table = headed(title, *(names[column] for column in columns))
            table.add_row(*(escape(released[column]) for column in columns), style="bold blue", end_section=True)
            for record in records:
                table.add_row(*(escape(record[column]) for column in columns))
            console.print(table)
            title = f"Class {group.number}, further columns"
