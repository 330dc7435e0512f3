"""shoal metrics: the measures, and what they say of a release."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.cli.console import guarded, guides_of, names, pairs, print_json, working
from shoal.cli.options import Encoding, Folder, Json, Missing, Quasi, Sensitive, Separator, Single
from shoal.errors import InputError


@guarded
def metrics(
    original: Annotated[str | None, typer.Argument(help="The original table.", show_default=False)] = None,
    released: Annotated[
        str | None, typer.Argument(help="Its release: the same rows in the same order.", show_default=False)
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchies: Folder = None,
    hierarchy: Single = None,
    measure: Annotated[list[str] | None, typer.Option(help="Only these measures, comma-separated.")] = None,
    missing: Missing = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    as_json: Json = False,
) -> None:
    """List the measures, or tell what a release costs by each of them, whatever tool made it.

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
    from shoal.analysis.measure import measure as measure_
    from shoal.io.source import Source

    with working(quiet=as_json) as progress:
        progress("reading", 0)
        found = measure_(
            Source.of(original, separator=separator, encoding=encoding),
            Source.of(released, separator=separator, encoding=encoding),
            quasi_identifiers=names(quasi),
            sensitive=names(sensitive),
            hierarchies=guides_of(hierarchies, pairs("--hierarchy", hierarchy), names(quasi), "quasi-identifiers"),
            missing_values=missing or [],
            measures=names(measure) or None,
        )
    if as_json:
        print_json(found)
        return
    from shoal.cli.show import release as show

    show.facts("Measures", {name: _figure(value) for name, value in found.items()})


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _list(as_json: bool) -> None:
    """Print every measure with its formula."""
    from shoal.metrics import METRICS

    formulas = {name: metric.formula for name, metric in sorted(METRICS.items())}
    if as_json:
        print_json(formulas)
        return
    from shoal.cli.show import release as show

    show.facts("Measures", formulas)
