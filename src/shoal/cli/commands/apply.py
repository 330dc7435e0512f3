"""shoal apply: the classes of one release applied to the next delivery."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import cautioned, guarded, key_in, print_json, seconds_since, suppression_of, working
from shoal.cli.options import Data, Encoding, EscapeFormulas, Json, Quiet, Separator
from shoal.cli.repeat import key_definition, with_command
from shoal.errors import InputError


@guarded
def apply(
    context: typer.Context,
    release: Annotated[
        Path, typer.Argument(help="The .json report of the earlier release, from --report.", show_default=False)
    ],
    data: Data,
    misfits: Annotated[
        str, typer.Option(help="Rows left without a class: suppress (within the limit) or refuse the whole run.")
    ] = "suppress",
    max_suppression: Annotated[
        str | None,
        typer.Option(help="Rows that may be suppressed: a share (0.02) or a number (100); as before if not given."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(help="An earlier released table of the same people: what do both reveal together? Repeatable."),
    ] = None,
    key_file: Annotated[Path | None, typer.Option(help="The file with the secret key, for pseudonyms.")] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="The release: a .csv or .parquet file, or a table such as sqlite:///a.db#t."
        ),
    ] = None,
    escape_formulas: EscapeFormulas = False,
    report: Annotated[
        list[Path] | None,
        typer.Option(help="A report beside the release: .html or .pdf to publish, .json to keep; may be repeated."),
    ] = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Release the next delivery of a table with the classes of an earlier release, and verify it.

    [bold]Examples[/bold]

      shoal anonymize march.csv --quasi age,sex,zip --sensitive disease --k 10 -o safe.csv --report march.json

      shoal apply march.json april.csv --max-suppression 0.1 -o safe_april.csv

      shoal apply march.json april.csv --max-suppression 0.1 -o safe_april.csv --report april.html

      shoal apply march.json april.csv --misfits refuse -o safe_april.csv

      shoal apply march.json april.csv --max-suppression 0.1 --against safe.csv -o safe_april.csv
    """
    from shoal.io.outputs import check_for_formulas, check_targets
    from shoal.io.source import Source
    from shoal.next_delivery import apply as applied

    start = time.perf_counter()
    if output is not None:
        check_targets(output, report, release, data, key_file, *(against or []))
    elif report:
        raise InputError("--report goes with -o: name the file of the release.")
    if escape_formulas:
        check_for_formulas(output)
    with cautioned(quiet=quiet), working(quiet=quiet) as progress:
        progress("reading", 0)
        made = applied(
            release,
            Source.of(data, separator=separator, encoding=encoding),
            misfits=misfits,  # type: ignore[arg-type]
            max_suppression=None if max_suppression is None else suppression_of(max_suppression),
            key=key_in(key_file),
            against=[Source.of(path, separator=separator, encoding=encoding) for path in against or []],
            progress=progress,
        )
        made = with_command(made, context, key_definition(key_file))
        if output is not None:
            progress("writing and verifying", 0)
            made.save(output, report=report, escape_formulas=escape_formulas)
    if as_json:
        print_json(made.report.to_dict())
    elif not quiet:
        from shoal.cli.show import release as show

        show.report(made.report, made.request, took=seconds_since(start), written=output, reports=report)
