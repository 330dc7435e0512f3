"""shoal review: what a release, made by any tool, tells beyond its labels."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.cli import options
from shoal.cli.console import guarded, print_json, progress_bar
from shoal.cli.reading import read_release, read_table
from shoal.cli.standard_streams import from_standard_input
from shoal.cli.values import hierarchies_of, names
from shoal.errors import InputError


@guarded
def review(
    released: Annotated[
        str,
        typer.Argument(help=f"The released table.{options.SEVERAL}", show_default=False, callback=from_standard_input),
    ],
    original: Annotated[
        str | None,
        options.table(
            "The original table: the same rows in the same order. Finds what columns tell.",
            callback=from_standard_input,
        ),
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    missing: options.Missing = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    keep: options.Keep = None,
    rows_are_people: options.RowsArePeople = False,
    hierarchies: options.HierarchyFolder = None,
    hierarchy: options.ColumnHierarchies = None,
    accept: options.Accept = None,
    as_json: options.Json = False,
) -> None:
    """Look for what identifies people in a release that any tool has made, although its labels do not.

    Exit code 1 if something is found that would stop a release of shoal.

    [bold]Examples[/bold]

      shoal review safe.csv --quasi age,sex,zip --sensitive disease

      shoal review safe.csv --original patients.csv --quasi age,sex,zip --hierarchies trees/ --accept small-k
    """
    from shoal.analysis.review import review as review_release

    if not quasi:
        raise InputError("Name the quasi-identifiers, the generalized columns: --quasi age,sex,zip.")
    with progress_bar(quiet=as_json) as progress:
        progress("reading", 0)
        after = read_release(released, separator=separator, encoding=encoding, header=header, several=True)
        before = None
        if original is not None:
            before = read_table(
                original,
                separator=separator,
                encoding=encoding,
                named=named,
                header=header,
                quiet=as_json,
                several=True,
            )
        progress("reviewing", 0)
        found = review_release(
            after,
            before,
            quasi_identifiers=names(quasi),
            sensitive=names(sensitive),
            keep=names(keep),
            accept=names(accept),
            rows_are_people=rows_are_people,
            hierarchies=hierarchies_of(hierarchies, hierarchy, names(quasi)),
            missing_values=missing or [],
        )
    if as_json:
        print_json(found.to_dict())
    else:
        from shoal.cli.show.review import show_review

        show_review(found)
    if any(finding.blocks for finding in found.open):
        raise typer.Exit(1)
