"""shoal demo: a release of the Adult table that comes with shoal."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from shoal.cli import options
from shoal.cli.console import guarded, print_json, privacy_warnings, progress_bar, seconds_since
from shoal.cli.provenance import with_command
from shoal.kernels.compilations import clock

QUASI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
SHOWN = ["age", "workclass", "education", "marital-status", "sex", "occupation"]

DEFINITIONS = {
    "data": f"data = shoal.datasets.adult().select({json.dumps([*QUASI, 'occupation'])})",
    "hierarchies": "hierarchies = shoal.datasets.adult_hierarchies()",
}
PYTHON = """\
import shoal

quasi = ["age", "workclass", "education", "marital-status",
         "race", "sex", "native-country"]
adult = shoal.datasets.adult().select([*quasi, "occupation"])
trees = shoal.datasets.adult_hierarchies()
del trees["age"]  # so that ages become free ranges
release = shoal.anonymize(
    adult,
    quasi_identifiers=quasi,
    sensitive="occupation",
    hierarchies=trees,
    model=shoal.KAnonymity({k}) & shoal.DistinctDiversity({l}),
)
release.save({output})"""


@guarded
def demo(
    context: typer.Context,
    k: Annotated[int, options.protection("The fewest rows per class.")] = 10,
    l: Annotated[  # noqa: E741
        int, options.protection("The fewest different occupations per class.")
    ] = 3,
    output: options.Output = None,
    report: options.Reports = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Anonymize the Adult table that comes with shoal (32,561 people) and show the result.

    [bold]Example[/bold]

      shoal demo --k 20 -o safe.csv --report safe.html
    """
    import pyarrow as pa

    from shoal import api, datasets
    from shoal.analysis.assessment.assess import assess
    from shoal.io.outputs import check_reports, check_targets
    from shoal.models import DistinctDiversity, KAnonymity

    start = clock()
    if output is not None:
        check_targets(output, report)
    check_reports(report or [], [])
    with privacy_warnings(quiet=quiet), progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        adult = datasets.adult().select([*QUASI, "occupation"])
        before = assess(adult, quasi_identifiers=QUASI, sensitive="occupation")
        release = api.anonymize(
            adult,
            quasi_identifiers=QUASI,
            sensitive="occupation",
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

        from shoal.cli.show.release import show_report
        from shoal.cli.show.tables import show_facts, show_rows

        def head(frame: pa.Table) -> list[list[object]]:
            return [list(row.values()) for row in frame.select(SHOWN).slice(0, 6).to_pylist()]

        show_rows("Before: the first six of 32,561 rows", SHOWN, head(adult))
        unique = f"{before.unique_rows:,} people ({before.unique_rows / before.rows:.0%}) are unique"
        show_facts("", {"at risk": f"{unique}: whoever knows these seven things about them finds their row."})
        show_rows("After", SHOWN, head(release.frame))
        show_report(release.report, release.request, took=seconds_since(start), written=output)
        lines = PYTHON.format(k=k, l=l, output=json.dumps(output or "safe.csv", ensure_ascii=False))
        Console().print("\nThe same in Python:", Syntax(lines, "python", background_color="default"))
