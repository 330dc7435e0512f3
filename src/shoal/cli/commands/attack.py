"""shoal attack: what someone who knows a few things about people learns from a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.console import guarded, guides_of, names, pairs, print_json, working
from shoal.cli.options import (
    Data,
    Encoding,
    Folder,
    Json,
    Missing,
    Quiet,
    Ranges,
    Sensitive,
    Separator,
    Single,
    complete_column,
)

if TYPE_CHECKING:
    from shoal.analysis.attack.attack import Attack
    from shoal.analysis.attack.findings import Findings

BINS = {"1 row": 1, "2 to 4 rows": 2, "5 to 9 rows": 5, "10 to 99 rows": 10, "100 rows or more": 100}


@guarded
def attack(
    data: Data,
    known: Annotated[
        str | None, typer.Option("--known", help="A table of people the attacker knows, with raw values.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            help="The columns the attacker knows, comma-separated; with --known all that both tables have.",
            autocompletion=complete_column,
        ),
    ] = None,
    sensitive: Sensitive = None,
    original: Annotated[
        str | None, typer.Option(help="The table before it was anonymized, for before and after side by side.")
    ] = None,
    sample: Annotated[
        float | None, typer.Option(help="Attack this share of the people in --original, drawn at random.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the sample.")] = 0,
    hierarchies: Folder = None,
    hierarchy: Single = None,
    missing: Missing = None,
    ranges: Ranges = "{low}-{high}",
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Attack a table with what is known about people, and tell who is found and what is learned.

    [bold]Examples[/bold]

      shoal attack safe.csv --known people.csv --sensitive disease --original patients.csv

      shoal attack safe.csv --original patients.csv --sample 0.1 --columns age,sex,zip --sensitive disease --seed 1

      shoal attack safe.csv --known people.csv --hierarchies trees/ --hierarchy zip=prefix
    """
    from shoal.analysis.attack import attack as attacks
    from shoal.data.style import Style
    from shoal.io.source import Source

    with working(quiet=quiet) as progress:
        progress("reading", 0)
        released, people, before = (
            None if path is None else Source.of(path, separator=separator, encoding=encoding)
            for path in (data, known, original)
        )
        progress("linking", 0)
        chosen = names(columns) or (people.columns if people else [])
        found = attacks.attack(
            released,
            people,
            known=names(columns) or None,
            sensitive=names(sensitive),
            original=before,
            sample=sample,
            seed=seed,
            hierarchies=guides_of(hierarchies, pairs("--hierarchy", hierarchy), chosen, "known columns"),
            missing_values=missing or [],
            style=Style(numbers=ranges),
        )
    if not quiet and found.released.unmatched:
        for sentence in _cautions(found):
            typer.secho(f"warning: {sentence}", fg="yellow", err=True)
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        _show(found)


def _cautions(found: Attack) -> Iterator[str]:
    for name, labels in found.unread.items():
        several = f"{len(labels)} labels, such as {labels[0]!r}, cover" if len(labels) > 1 else f"{labels[0]!r} covers"
        yield f"Column {name!r}: {several} no known value. Name the hierarchy if there is one."


def _show(found: Attack) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from shoal.cli.show.release import bar

    tables = [*([found.original] if found.original else []), found.released]
    heads = ["before", "after"] if found.original else ["found"]
    title = f"An attacker who knows {', '.join(found.known)} of {found.people:,} people"
    facts = Table(title=escape(title), title_justify="left", box=None, padding=(0, 2))
    facts.add_column()
    for head in heads:
        facts.add_column(head, justify="right")
    for lines in zip(*map(_facts, tables), strict=True):
        facts.add_row(escape(lines[0][0]), *(value for _, value in lines))
    crowd = Table(title="People by the rows that fit them", title_justify="left", box=None, padding=(0, 2))
    crowd.add_column()
    for head in heads:
        crowd.add_column(head)
    counted = [_binned(table) for table in tables]
    for name in counted[0]:
        crowd.add_row(name, *(f"{bar(counts[name] / found.people)} {counts[name]:,}" for counts in counted))
    console = Console()
    console.print(facts)
    console.print()
    console.print(crowd)


def _facts(table: Findings) -> list[tuple[str, str]]:
    """What was found in one table, in words and figures."""
    facts = [
        ("found: exactly one row fits", _of(table.linked, table.people)),
        ("not found: no row fits", _of(table.unmatched, table.people)),
        ("rows that fit a person, at least", f"{table.smallest:,}"),
        ("rows that fit a person, on average", f"{table.average:,.1f}"),
    ]
    for name, learned in table.learned.items():
        facts += [
            (f"{name} learned for certain", _of(learned.certain, table.people)),
            (f"{name} guessed, sure on average", f"{learned.average_confidence:.1%}"),
            (f"{name} guessed, sure at most", f"{learned.highest_confidence:.1%}"),
            ("  gain over guessing, on average", f"+{learned.average_gain:.1%}"),
            ("  gain over guessing, at most", f"+{learned.highest_gain:.1%}"),
        ]
    return facts


def _of(count: int, people: int) -> str:
    return f"{count:,} ({count / people:.1%})"


def _binned(table: Findings) -> dict[str, int]:
    """The people by their number of candidate rows, none included."""
    counts = {"no row": table.unmatched, **dict.fromkeys(BINS, 0)}
    for size, people in table.sizes.items():
        counts[next(name for name, least in reversed(BINS.items()) if size >= least)] += people
    return counts
