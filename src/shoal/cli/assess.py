"""shoal assess: how safe a table is as it stands."""

from __future__ import annotations

from shoal.cli.console import guarded, names, print_json, working
from shoal.cli.options import Data, Encoding, Json, Missing, Quasi, Quiet, Sensitive, Separator


@guarded
def assess(
    data: Data,
    quasi: Quasi,
    sensitive: Sensitive = None,
    missing: Missing = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Tell how safe a table is, anonymized or not.

    [bold]Examples[/bold]

      shoal assess patients.csv --quasi age,sex,zip --sensitive disease

      shoal assess safe.csv --quasi age,sex,zip --json
    """
    from shoal import api
    from shoal.source import Source

    with working(quiet=quiet) as progress:
        progress("reading", 0)
        source = Source.of(data, separator=separator, encoding=encoding)
        progress("grouping", 0)
        found = api.assess(
            source,
            quasi_identifiers=names(quasi),
            sensitive=names(sensitive),
            missing_values=missing or [],
        )
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        from shoal.cli import show

        show.assessment(found)
