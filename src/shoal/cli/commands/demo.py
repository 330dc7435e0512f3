"""shoal demo: the main job on the shipped Adult table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import cautioned, guarded, print_json, seconds_since, working
from shoal.cli.options import Json, Quiet
from shoal.cli.repeat import with_command

QUASI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
SHOWN = ["age", "workclass", "education", "marital-status", "sex", "occupation"]

DEFINITIONS = {
    "data": "data = shoal.datasets.adult()",
    "hierarchies": "hierarchies = shoal.datasets.adult_hierarchies()",
}
PYTHON = """\
import shoal

trees = shoal.datasets.adult_hierarchies()
del trees["age"]  # so that ages become free ranges
release = shoal.anonymize(
    shoal.datasets.adult(),
    quasi_identifiers=["age", "workclass", "education", "marital-status",
                       "race", "sex", "native-country"],
    sensitive="occupation",
    identifying="fnlwgt",
    hierarchies=trees,
    model=shoal.KAnonymity(10) & shoal.DistinctDiversity(3),
)
release.save("safe.csv")"""


@guarded
def demo(
    context: typer.Context,
    k: Annotated[int, typer.Option("--k", help="Rows per class at least.")] = 10,
    l: Annotated[int, typer.Option("--l", help="Different occupations per class at least.")] = 3,  # noqa: E741
    output: Annotated[str | None, typer.Option("--output", "-o", help="Write the release here.")] = None,
    report: Annotated[
        list[Path] | None, typer.Option(help="A report: a .html, .pdf or .json file; may be repeated.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Anonymize the shipped Adult table (32,561 people) and show what comes out.

    [bold]Example[/bold]

      shoal demo --k 20 -o safe.csv --report safe.html
    """
    import pyarrow as pa

    from shoal import api, datasets
    from shoal.analysis.assessment.assess import assess
    from shoal.io.outputs import check_reports, check_targets
    from shoal.models import DistinctDiversity, KAnonymity

    start = time.perf_counter()
    if output is not None:
        check_targets(output, report)
    check_reports(report or [], [])
    with cautioned(quiet=quiet), working(quiet=quiet) as progress:
        progress("reading", 0)
        adult = datasets.adult()
        before = assess(adult, quasi_identifiers=QUASI, sensitive="occupation")
        release = api.anonymize(
            adult,
            quasi_identifiers=QUASI,
            sensitive="occupation",
            identifying="fnlwgt",
            hierarchies={name: tree for name, tree in datasets.adult_hierarchies().items() if name != "age"},
            model=KAnonymity(k) & DistinctDiversity(l),
            progress=progress,
        )
        release = with_command(release, context, DEFINITIONS)
        if output is not None:
            output = str(release.save(output, report=report))
        for path in report or [] if output is None else []:
            release.save_report(path)
    if as_json:
        print_json(release.report.to_dict())
    elif not quiet:
        from rich.console import Console
        from rich.syntax import Syntax

        from shoal.cli.show import release as show

        def head(frame: pa.Table) -> list[list[object]]:
            return [list(row.values()) for row in frame.select(SHOWN).slice(0, 6).to_pylist()]

        show.rows("Before: the first six of 32,561 rows", SHOWN, head(adult))
        unique = (
            f"{before.unique_rows:,} people ({before.unique_rows / before.rows:.0%}) are the only one of their kind"
        )
        show.facts("", {"at risk": f"{unique}: whoever knows these seven things about them finds their row."})
        show.rows("After", SHOWN, head(release.frame))
        show.report(release.report, release.request, took=seconds_since(start), written=output)
        Console().print("\nThe same in Python:", Syntax(PYTHON, "python", background_color="default"))
