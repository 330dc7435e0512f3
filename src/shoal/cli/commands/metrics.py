"""shoal metrics: the measures, and their values for a release."""

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
def metrics(
    original: Annotated[
        str | None, typer.Argument(help="The original table.", show_default=False, callback=from_standard_input)
    ] = None,
    released: Annotated[
        str | None,
        typer.Argument(
            help="Its release: the same rows in the same order.", show_default=False, callback=from_standard_input
        ),
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    missing: options.Missing = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    hierarchies: options.HierarchyFolder = None,
    hierarchy: options.ColumnHierarchies = None,
    measure: Annotated[list[str] | None, options.output("Only these measures, comma-separated.")] = None,
    as_json: options.Json = False,
) -> None:
    """List the measures, or apply them to a release, whatever tool made it.

    [bold]Examples[/bold]

      shoal metrics

      shoal metrics patients.csv safe.csv --quasi age,sex,zip --sensitive disease --hierarchies trees/
    """
    if original is None:
        _list(as_json)
        return
    if released is None or not quasi:
        raise InputError(
            "Two tables and their quasi-identifiers are needed: original.csv released.csv --quasi age,sex."
        )
    from shoal.analysis.measure import measure as measure_release

    with progress_bar(quiet=as_json) as progress:
        progress("reading", 0)
        values = measure_release(
            read_table(original, separator=separator, encoding=encoding, named=named, header=header, quiet=as_json),
            read_release(released, separator=separator, encoding=encoding, header=header),
            quasi_identifiers=names(quasi),
            sensitive=names(sensitive),
            hierarchies=hierarchies_of(hierarchies, hierarchy, names(quasi)),
            missing_values=missing or [],
            measures=names(measure) or None,
        )
    if as_json:
        print_json(values)
        return
    from shoal.cli.show.tables import show_facts

    show_facts("Measures", {name: _figure(value) for name, value in values.items()})


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _list(as_json: bool) -> None:
    """Print every measure with its formula."""
    from shoal.metrics import METRICS

    formulas = {name: metric.formula for name, metric in sorted(METRICS.items())}
    if as_json:
        print_json(formulas)
        return
    from shoal.cli.show.tables import show_facts

    show_facts("Measures", formulas)
