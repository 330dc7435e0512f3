"""shoal intersect: what several releases of the same people reveal together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.console import guarded, guides_of, names, pairs, print_json, working
from shoal.cli.options import Encoding, Folder, Json, Missing, Quasi, Quiet, Ranges, Sensitive, Separator, Single

if TYPE_CHECKING:
    from shoal.analysis.intersection.intersection import Intersection

FEW = 8  # sizes that are listed


@guarded
def intersect(
    releases: Annotated[
        list[str], typer.Argument(help="Two or more releases: files, or tables of databases.", show_default=False)
    ],
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    on: Annotated[
        str | None, typer.Option("--on", help="A column of all releases that tells people apart, as a pseudonym does.")
    ] = None,
    same_rows: Annotated[
        bool, typer.Option("--same-rows", help="The releases have the same people in the same order.")
    ] = False,
    people: Annotated[
        str | None, typer.Option(help="A table of people with raw values, whom an attacker looks up in each release.")
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", help="Rows per class at least, else the exit code is 1; found by itself.")
    ] = None,
    suppressed: Annotated[
        list[str] | None,
        typer.Option(help="Labels of suppressed rows, which are in no class, such as '*'; may be repeated."),
    ] = None,
    hierarchies: Folder = None,
    hierarchy: Single = None,
    missing: Missing = None,
    ranges: Ranges = "{low}-{high}",
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Tell what several releases of the same people reveal together that none reveals alone.

    [bold]Examples[/bold]

      shoal intersect march.csv april.csv --quasi age,sex,zip --sensitive disease --on pseudonym --k 10

      shoal intersect strict.csv loose.csv --quasi age,sex,zip --sensitive disease --same-rows --suppressed '*'

      shoal intersect march.csv april.csv --quasi age,sex,zip --sensitive disease --people patients.csv
      --hierarchy zip=prefix
    """
    from shoal.analysis.intersection import intersection
    from shoal.data.style import Style
    from shoal.io.source import Source

    with working(quiet=quiet) as progress:
        progress("reading", 0)
        tables = [Source.of(path, separator=separator, encoding=encoding) for path in releases]
        known = None if people is None else Source.of(people, separator=separator, encoding=encoding)
        progress("cutting classes with each other", 0)
        found = intersection.intersect(
            tables,
            known,
            quasi_identifiers=names(quasi),
            sensitive=names(sensitive),
            on=on,
            same_rows=same_rows,
            k=k,
            suppressed=suppressed or [],
            hierarchies=guides_of(hierarchies, pairs("--hierarchy", hierarchy), names(quasi), "quasi-identifiers"),
            missing_values=missing or [],
            style=Style(numbers=ranges),
        )
    if not quiet:
        for sentence in found.sentences:
            typer.secho(f"warning: {sentence}", fg="yellow", err=True)
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        _show(found)
    if k is not None and found.below:
        raise typer.Exit(1)


def _show(found: Intersection) -> None:
    from rich.console import Console
    from rich.table import Table

    from shoal.cli.show.release import bar, facts

    def of(count: int) -> str:
        return f"{count:,} ({count / max(1, found.people):.1%})"

    rows = {
        "people in all of them": f"{found.people:,}",
        "smallest class of each alone": ", ".join(f"{size:,}" for size in found.alone),
        "rows left as someone's, at least": f"{found.smallest:,}",
        f"people with fewer than {found.k:,}": of(found.below),
    }
    for name, learned in found.learned.items():
        rows |= {
            f"{name} certain from one alone": of(learned.alone),
            f"{name} certain together": of(learned.certain),
            f"values of {name} left, at least": f"{learned.fewest:,}",
            f"no value of {name} in common": of(learned.none),
        }
    facts(f"What {len(found.alone)} releases reveal together", rows)
    table = Table(title="People by the rows left as theirs", title_justify="left", show_header=False, box=None)
    for size, people in sorted(found.sizes.items())[:FEW]:
        table.add_row(f"{size:,}", f"{bar(people / max(1, found.people))} {people:,}")
    if len(found.sizes) > FEW:
        table.add_row("more", f"{sum(people for _, people in sorted(found.sizes.items())[FEW:]):,}")
    Console().print(table)
