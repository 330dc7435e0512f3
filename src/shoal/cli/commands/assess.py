"""shoal assess: how safe a table is, anonymized or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import options
from shoal.cli.console import guarded, print_json, progress_bar
from shoal.cli.reading import read_table
from shoal.cli.values import names, pairs
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.analysis.assessment import Assessment, ColumnSet


@guarded
def assess(
    data: options.Files,
    query: options.Query = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    rows: options.Rows = None,
    sample: options.Sample = None,
    seed: Annotated[int, options.table("The seed of --sample.", min=0)] = 0,
    missing: options.Missing = None,
    suppressed: options.SuppressedLabels = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    unit: options.UnitColumn = None,
    missing_units: options.MissingUnits = "refuse",
    columns_up_to: Annotated[
        int | None, options.roles("Look for quasi-identifiers: sets of up to this many columns.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        options.roles(
            "The columns for --columns-up-to, comma-separated; by default all.", autocompletion=options.complete_column
        ),
    ] = None,
    require: Annotated[
        list[str] | None,
        options.protection("What must hold, or the exit code is 1: 'k>=5, distinct l>=3, t<=0.2, recursive(4,3)'."),
    ] = None,
    sensitive_hierarchy: options.SensitiveHierarchies = None,
    threshold: Annotated[float, options.protection("Count the rows whose risk is higher than this.")] = 0.2,
    population: Annotated[
        str | None, options.protection("The table that this one is a sample of, for the journalist's risk.")
    ] = None,
    sampling_fraction: Annotated[
        float | None,
        options.protection(
            "The share of the population that is in the table, to estimate how many people are unique there."
        ),
    ] = None,
    plot: Annotated[
        Path | None, options.output("A plot of class sizes and risks: a .png, .svg or .pdf file; needs matplotlib.")
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Assess how safe a table is, anonymized or not.

    [bold]Examples[/bold]

      shoal assess patients.csv --quasi age,sex,zip --sensitive disease --plot risk.png

      shoal assess safe.csv --quasi age,sex,zip --sensitive disease --require 'k>=5, distinct l>=3, risk<=0.2'

      shoal assess visits.csv --quasi age,sex,month --unit patient_id --require 'k>=5'

      shoal assess patients.csv --columns-up-to 2

      zcat patients.csv.gz | shoal assess - --quasi age,sex,zip

      shoal assess 'sqlite:///clinic.db#patients' --quasi age,sex,zip --sensitive disease

      shoal assess 'visits-*.csv' --quasi age,sex,zip
    """
    from shoal.analysis.assessment.assess import assess as assess_table, assess_columns

    if not names(quasi) and columns_up_to is None:
        raise InputError("Name the quasi-identifiers with --quasi, or look for them with --columns-up-to 3.")
    if not names(quasi) and (require or plot):
        raise InputError("--require and --plot need classes: name the quasi-identifiers with --quasi.")
    if unit is not None and columns_up_to is not None:
        raise InputError(
            "--columns-up-to compares rows, not people: leave out --unit, or look for columns on their own."
        )
    if plot is not None:
        from shoal.documents.plots import check_plot

        check_plot(plot, data, population)

    assessment = column_sets = None
    with progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        how = {"separator": separator, "encoding": encoding, "named": named, "header": header, "quiet": quiet}
        how |= {"several": True}
        source = read_table(data, query=query, rows=rows, sample=sample, seed=seed, **how)  # type: ignore[arg-type]
        if names(quasi):
            others = None if population is None else read_table(population, **how)  # type: ignore[arg-type]
            progress("grouping", 0)
            assessment = assess_table(
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
                unit=unit,
                missing_units=missing_units,  # type: ignore[arg-type]
            )
            if plot is not None:
                assessment.plot(plot)
        if columns_up_to is not None:
            column_sets = assess_columns(
                source,
                columns=names(columns) or None,
                size=columns_up_to,
                missing_values=missing or [],
                progress=progress,
            )
    if as_json:
        print_json(_plain(assessment, column_sets))
    elif not quiet:
        from shoal.cli.show.assessment import show_assessment, show_column_sets, show_requirements

        if assessment is not None:
            show_assessment(assessment)
        if assessment is not None and assessment.requirements:
            show_requirements(assessment.requirements, assessment.noun)
        if column_sets is not None:
            show_column_sets(column_sets)
    if assessment is not None and not assessment.holds:
        raise typer.Exit(1)


def _plain(assessment: Assessment | None, column_sets: list[ColumnSet] | None) -> dict[str, Any]:
    """Collect the results in one dictionary."""
    from dataclasses import asdict

    content = assessment.to_dict() if assessment is not None else {}
    return content if column_sets is None else {**content, "columns": [asdict(columns) for columns in column_sets]}
