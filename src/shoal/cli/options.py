"""The options that several commands take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer


def complete_column(incomplete: str) -> list[str]:
    """The columns of the table that is named in the command or its configuration file, for tab-completion."""
    from shoal.cli.config.config import table_of
    from shoal.errors import ShoalError

    # What is typed so far, as the shells hand it over.
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    columns: list[str] = []
    for word in typed.split():
        with suppress(ShoalError, OSError):
            columns = columns or _columns_of(table_of(word.strip("'\"")))
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in columns if name.startswith(last)]


def _columns_of(place: str) -> list[str]:
    from shoal.io.databases import Address, column_names
    from shoal.io.source import Source

    address = Address.of(place)
    return Source.of(place).columns if address is None else column_names(address)


def complete_algorithm() -> list[str]:
    """The names of the algorithms, for tab-completion."""
    from shoal.algorithms import ALGORITHMS

    return list(ALGORITHMS)


Data = Annotated[
    str,
    typer.Argument(
        help="The table: a .csv, .parquet, .xlsx, .sav, .dta or .sas7bdat file, or sqlite:///clinic.db#patients, "
        "postgresql://user@host/db#schema.table, duckdb:///file.duckdb#table.",
        show_default=False,
    ),
]
Query = Annotated[
    str | None, typer.Option("--query", help="What to read from the database, in place of a #table: 'SELECT …'.")
]
Quasi = Annotated[
    list[str] | None,
    typer.Option("--quasi", help="Quasi-identifiers, comma-separated.", autocompletion=complete_column),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("--sensitive", help="Sensitive columns, comma-separated.", autocompletion=complete_column),
]
Folder = Annotated[
    Path | None, typer.Option("--hierarchies", help="A folder of hierarchy files named for their columns.")
]
Single = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy", help="One hierarchy: sex=sex.txt, age=intervals:5,10,20@16, zip=prefix, …; may be repeated."
    ),
]
Ranges = Annotated[str, typer.Option("--ranges", help="How a range of numbers is written.")]
Missing = Annotated[
    list[str] | None,
    typer.Option("--missing", help="Values that mean missing: --missing '?' --missing NA. Empty: --missing ''."),
]
Separator = Annotated[str | None, typer.Option("--separator", help="The separator of the CSV; found by itself.")]
Encoding = Annotated[str, typer.Option("--encoding", help="The encoding of the CSV.")]
EscapeFormulas = Annotated[
    bool,
    typer.Option("--escape-formulas", help="An apostrophe before text that spreadsheets take for =formulas; CSV only."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
