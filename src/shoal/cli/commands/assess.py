"""shoal assess: how safe a table is as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli.console import guarded, names, pairs, print_json, working
from shoal.cli.options import Data, Encoding, Json, Missing, Quasi, Query, Quiet, Sensitive, Separator, complete_column
from shoal.errors import InputError


@guarded
def assess(
    data: Data,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    sensitive_hierarchy: Annotated[
        list[str] | None, typer.Option(help="For the hierarchical t: disease=disease.txt; may be repeated.")
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(help="What must hold, else the exit code is 1: 'k>=5, distinct l>=3, t<=0.2, recursive(4,3)'."),
    ] = None,
    threshold: Annotated[float, typer.Option(help="Count the rows with a higher risk than this.")] = 0.2,
    population: Annotated[
        str | None, typer.Option(help="A table that this one is a part of, for the journalist's risk.")
    ] = None,
    sampling_fraction: Annotated[
        float | None, typer.Option(help="The share of its population that the table is: estimates who is unique there.")
    ] = None,
    columns_up_to: Annotated[
        int | None, typer.Option(help="How well sets of up to so many columns tell rows apart.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(help="The columns to look at, comma-separated; all if not given.", autocompletion=complete_column),
    ] = None,
    suppressed: Annotated[
        list[str] | None, typer.Option(help="The label of suppressed rows, which are in no class: --suppressed '*'.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw class sizes and risks: a .png, .svg or .pdf file; needs matplotlib.")
    ] = None,
    missing: Missing = None,
    query: Query = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Tell how safe a table is, anonymized or not.

    [bold]Examples[/bold]

      shoal assess patients.csv --quasi age,sex,zip --sensitive disease --plot risk.png

      shoal assess safe.csv --quasi age,sex,zip --sensitive disease --require 'k>=5, distinct l>=3, risk<=0.2'

      shoal assess patients.csv --columns-up-to 2

      shoal assess 'sqlite:///clinic.db#patients' --quasi age,sex,zip --sensitive disease
    """
    from shoal.analysis.assessment.assess import assess as assess_table, assess_columns
    from shoal.io.source import Source

    if not names(quasi) and columns_up_to is None:
        raise InputError("Name the quasi-identifiers with --quasi, or look for them with --columns-up-to 3.")
    if not names(quasi) and (require or plot):
        raise InputError("--require and --plot look at classes: name the quasi-identifiers with --quasi.")
    if plot is not None:
        from shoal.documents.plots import check_plot

        check_plot(plot, data, population)

    found = sets = None
    with working(quiet=quiet) as progress:
        progress("reading", 0)
        source = Source.of(data, separator=separator, encoding=encoding, query=query)
        if names(quasi):
            others = None if population is None else Source.of(population, separator=separator, encoding=encoding)
            progress("grouping", 0)
            found = assess_table(
                source,
                quasi_identifiers=names(quasi),
                sensitive=names(sensitive),
                sensitive_hierarchies=pairs("--sensitive-hierarchy", sensitive_hierarchy),
                population=others,
                sampling_fraction=sampling_fraction,
                threshold=threshold,
                require=require or [],
                suppressed=suppressed or [],
                missing_values=missing or [],
            )
            if plot is not None:
                found.plot(plot)
        if columns_up_to is not None:
            sets = assess_columns(
                source,
                columns=names(columns) or None,
                size=columns_up_to,
                missing_values=missing or [],
                progress=progress,
            )
    if as_json:
        print_json(_plain(found, sets))
    elif not quiet:
        from shoal.cli.show import assessment as show

        if found is not None:
            show.assessment(found)
        if found is not None and found.requirements:
            show.requirements(found.requirements)
        if sets is not None:
            show.columns(sets)
    if found is not None and not found.holds:
        raise typer.Exit(1)


def _plain(found: Any, sets: list[Any] | None) -> dict[str, Any]:
    """All that was asked for, in one dictionary."""
    from dataclasses import asdict

    whole = found.to_dict() if found is not None else {}
    return whole if sets is None else {**whole, "columns": [asdict(one) for one in sets]}
