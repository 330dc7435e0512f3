"""shoal intersect: what several releases of the same people reveal together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli import options
from shoal.cli.console import guarded, print_json, progress_bar, show_warning
from shoal.cli.reading import read_release, read_table
from shoal.cli.standard_streams import from_standard_input
from shoal.cli.values import hierarchies_of, names

if TYPE_CHECKING:
    from shoal.analysis.intersection.intersection import Intersection

MAX_SIZES = 8  # numbers of candidate rows that are listed one by one


@guarded
def intersect(
    releases: Annotated[
        list[str],
        typer.Argument(
            help="Two or more releases: files or database tables.", show_default=False, callback=from_standard_input
        ),
    ],
    people: Annotated[
        str | None,
        options.table(
            "A table of people with raw values, whom an attacker looks up in each release.",
            callback=from_standard_input,
        ),
    ] = None,
    same_rows: Annotated[
        bool, options.table("The releases contain the same people in the same order.", "--same-rows")
    ] = False,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    missing: options.Missing = None,
    suppressed: options.SuppressedLabels = None,
    ranges: options.ReleasedRanges = "{low}-{high}",
    on: Annotated[
        str | None, options.roles("A column of all releases that identifies a person, such as a pseudonym.", "--on")
    ] = None,
    unit: Annotated[
        str | None, options.roles("The column of --people that says whose row it is, if they have several.", "--unit")
    ] = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    hierarchies: options.HierarchyFolder = None,
    hierarchy: options.ColumnHierarchies = None,
    k: Annotated[
        int | None,
        options.protection(
            "The fewest candidate rows per person, or the exit code is 1; "
            "by default the smallest class size, not enforced.",
            "--k",
        ),
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Find what several releases of the same people reveal together that none reveals alone.

    [bold]Examples[/bold]

      shoal intersect march.csv april.csv --quasi age,sex,zip --sensitive disease --on pseudonym --k 10

      shoal intersect strict.csv loose.csv --quasi age,sex,zip --sensitive disease --same-rows --suppressed '*'

      shoal intersect march.csv april.csv --quasi age,sex,zip --sensitive disease --people patients.csv \\
        --hierarchy zip=prefix
    """
    from shoal.analysis.intersection.intersection import intersect as intersect_releases
    from shoal.data.style import Style

    with progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        tables = [read_release(path, separator=separator, encoding=encoding, header=header) for path in releases]
        known_people = None
        if people is not None:
            known_people = read_table(
                people, separator=separator, encoding=encoding, named=named, header=header, quiet=quiet
            )
        progress("intersecting classes", 0)
        result = intersect_releases(
            tables,
            known_people,
            quasi_identifiers=names(quasi),
            sensitive=names(sensitive),
            on=on,
            same_rows=same_rows,
            k=k,
            suppressed=suppressed or [],
            hierarchies=hierarchies_of(hierarchies, hierarchy, names(quasi)),
            missing_values=missing or [],
            style=Style(numbers=ranges),
            unit=unit,
        )
    if not quiet:
        for sentence in result.sentences:
            show_warning(sentence)
    if as_json:
        print_json(result.to_dict())
    elif not quiet:
        _show(result)
    if k is not None and result.below:
        raise typer.Exit(1)


def _show(intersection: Intersection) -> None:
    """Print what several releases reveal together."""
    from rich.console import Console

    from shoal.cli.show.tables import bar, count_and_share, headed, show_facts

    def people(count: int) -> str:
        return count_and_share(count, intersection.people)

    facts = {
        "people in all releases": f"{intersection.people:,}",
        "smallest class of each release alone": ", ".join(f"{size:,}" for size in intersection.alone),
        f"fewest candidate {intersection.candidates} of a person": f"{intersection.smallest:,}",
        f"people with fewer than {intersection.k:,}": people(intersection.below),
    }
    for name, learned in intersection.learned.items():
        facts |= {
            f"{name} certain from one release alone": people(learned.alone),
            f"{name} certain from all together": people(learned.certain),
            f"fewest candidate values of {name}": f"{learned.fewest:,}",
            f"no common value of {name}": people(learned.none),
        }
    show_facts(f"What {len(intersection.alone)} releases reveal together", facts)
    table = headed(f"People by candidate {intersection.candidates}", show_header=False, box=None)
    sizes = sorted(intersection.sizes.items())
    for size, count in sizes[:MAX_SIZES]:
        table.add_row(f"{size:,}", f"{bar(count / max(1, intersection.people))} {count:,}")
    if len(sizes) > MAX_SIZES:
        table.add_row("more", f"{sum(count for _, count in sizes[MAX_SIZES:]):,}")
    Console().print(table)
