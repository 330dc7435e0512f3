"""shoal apply: the classes of one release applied to the next delivery."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import options
from shoal.cli.console import guarded, print_json, privacy_warnings, progress_bar, seconds_since, show_warning
from shoal.cli.outputs import check_release
from shoal.cli.provenance import key_definition, with_command
from shoal.cli.reading import read_release, read_table
from shoal.cli.values import key_in, names, suppression_of
from shoal.errors import ReviewError
from shoal.kernels.compilations import clock

ROLES_STAY = (
    "The roles and the order of rows are those of the earlier release, so some of what is advised next can only be "
    "done there or in the table itself: leave the column out of it, or answer with --keep and --accept."
)


@guarded
def apply(
    context: typer.Context,
    release: Annotated[
        Path, typer.Argument(help="The .json report of the earlier release, from --report.", show_default=False)
    ],
    data: options.Data,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    key_file: options.KeyFile = None,
    misfits: Annotated[
        str, options.protection("Rows that fit no class: suppress them (within the limit) or refuse the whole run.")
    ] = "suppress",
    max_suppression: Annotated[
        str | None,
        options.protection(
            "Rows that may be suppressed: a share (0.02) or a number (100); by default as in the earlier release."
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        options.protection(
            "An earlier released table of the same people, to see what both reveal together; may be repeated."
        ),
    ] = None,
    rows_are_people: options.RowsArePeople = False,
    keep: options.Keep = None,
    accept: options.Accept = None,
    output: options.Output = None,
    report: options.Reports = None,
    escape_formulas: options.EscapeFormulas = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Release the next delivery of a table with the classes of an earlier release, and verify it.

    [bold]Examples[/bold]

      shoal anonymize march.csv --quasi age,sex,zip --sensitive disease --k 10 -o safe.csv --report march.json

      shoal apply march.json april.csv --max-suppression 0.1 -o safe_april.csv

      shoal apply march.json april.csv --max-suppression 0.1 -o safe_april.csv --report april.html

      shoal apply march.json april.csv --misfits refuse -o safe_april.csv

      shoal apply march.json april.csv --max-suppression 0.1 --against safe.csv -o safe_april.csv
    """
    from shoal.next_delivery import apply as apply_classes

    start = clock()
    check_release(output, report, release, data, key_file, *(against or []), escape_formulas=escape_formulas)
    with privacy_warnings(quiet=quiet), progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        try:
            applied = apply_classes(
                release,
                read_table(data, separator=separator, encoding=encoding, named=named, header=header, quiet=quiet),
                misfits=misfits,  # type: ignore[arg-type]
                max_suppression=None if max_suppression is None else suppression_of(max_suppression),
                key=key_in(key_file),
                against=[
                    read_release(path, separator=separator, encoding=encoding, header=header) for path in against or []
                ],
                rows_are_people=rows_are_people or None,
                keep=names(keep),
                accept=names(accept),
                progress=progress,
            )
        except ReviewError:
            show_warning(ROLES_STAY)
            raise
        applied = with_command(applied, context, key_definition(key_file))
        if output is not None:
            progress("writing and verifying", 0)
            applied.save(output, report=report, escape_formulas=escape_formulas)
    if as_json:
        print_json(applied.report.to_dict())
    elif not quiet:
        from shoal.cli.show.release import show_report

        show_report(applied.report, applied.request, took=seconds_since(start), written=output, reports=report)
