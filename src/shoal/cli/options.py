"""The options that several commands take, the panels of --help, and tab-completion."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.config.file import table_of, use_config

table, roles, protection, algorithm, output, scale = (
    partial(typer.Option, rich_help_panel=panel)
    for panel in ("Table", "Roles", "Protection", "Algorithm", "Output", "Scale")
)


def complete_column(incomplete: str) -> list[str]:
    """Complete the name of a column of the table that the command or its configuration file names."""
    from shoal.errors import ShoalError

    # The words typed so far, as the shells pass them.
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
    """List the names of the algorithms from their sources: importing them takes seconds."""
    sources = (Path(__file__).parent.parent / "algorithms").rglob("*.py")
    found = (re.search(r'^    name: ClassVar\[str\] = "([\w-]+)"', path.read_text("utf-8"), re.M) for path in sources)
    return sorted(name[1] for name in found if name)


Data = Annotated[
    str,
    typer.Argument(
        help="The table: a .csv, .parquet, .xlsx, .sav, .dta or .sas7bdat file, or sqlite:///clinic.db#patients, "
        "postgresql://user@host/db#schema.table, duckdb:///file.duckdb#table.",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    table(
        "--config",
        help="A shoal.toml that sets any of these options; the command line overrides it.",
        callback=use_config,
        is_eager=True,
    ),
]
Query = Annotated[str | None, table("--query", help="Read the result of a query instead of a #table: 'SELECT …'.")]
Separator = Annotated[str | None, table("--separator", help="The separator of the CSV; detected if not given.")]
Encoding = Annotated[str, table("--encoding", help="The encoding of the CSV.")]
Missing = Annotated[
    list[str] | None,
    table("--missing", help="Values that mean missing: --missing '?' --missing NA. For empty text: --missing ''."),
]
ReleasedRanges = Annotated[str, table("--ranges", help="How the release writes a range of numbers.")]
DropMissing = Annotated[bool, table("--drop-missing", help="Leave out rows with missing values.")]

Quasi = Annotated[
    list[str] | None, roles("--quasi", help="Quasi-identifiers, comma-separated.", autocompletion=complete_column)
]
Sensitive = Annotated[
    list[str] | None, roles("--sensitive", help="Sensitive columns, comma-separated.", autocompletion=complete_column)
]
HierarchyFolder = Annotated[
    Path | None, roles("--hierarchies", help="A folder of hierarchy files named after their columns.")
]
ColumnHierarchies = Annotated[
    list[str] | None,
    roles(
        "--hierarchy",
        help="The hierarchy of a column: sex=sex.txt, age=intervals:5,10,20@16, zip=prefix, …; may be repeated.",
    ),
]
SensitiveHierarchies = Annotated[
    list[str] | None,
    protection(
        "--sensitive-hierarchy",
        help="The hierarchy of a sensitive column, for hierarchical t-closeness: disease=diseases.txt; "
        "may be repeated.",
    ),
]
KeyFile = Annotated[Path | None, roles("--key-file", help="The file with the secret key of the pseudonyms.")]

MaxSuppression = Annotated[
    str, protection("--max-suppression", help="Rows that may be suppressed: a share (0.02) or a number (100).")
]
SuppressedLabels = Annotated[
    list[str] | None,
    table(
        "--suppressed",
        help="The label of suppressed rows, which belong to no class: --suppressed '*'; may be repeated.",
    ),
]

Output = Annotated[
    str | None,
    output("--output", "-o", help="The release: a .csv or .parquet file, or a table such as sqlite:///a.db#t."),
]
Reports = Annotated[
    list[Path] | None,
    output("--report", help="A report on the release: .html or .pdf to publish, .json to keep; may be repeated."),
]
EscapeFormulas = Annotated[
    bool,
    output(
        "--escape-formulas", help="Put an apostrophe before text that spreadsheets would run as a formula; CSV only."
    ),
]
Quiet = Annotated[bool, output("--quiet", "-q", help="Print errors only.")]
Json = Annotated[bool, output("--json", help="Print JSON instead of tables.")]
