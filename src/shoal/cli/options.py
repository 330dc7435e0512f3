"""The options that several commands take, the panels of --help, and tab-completion."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.config.file import table_of, use_config

TABLE, ROLES, PROTECTION, ALGORITHM, OUTPUT, SCALE = "Table", "Roles", "Protection", "Algorithm", "Output", "Scale"


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
    typer.Option(
        "--config",
        help="A shoal.toml that sets any of these options; the command line overrides it.",
        callback=use_config,
        is_eager=True,
        rich_help_panel=TABLE,
    ),
]
Query = Annotated[
    str | None,
    typer.Option("--query", help="Read the result of a query instead of a #table: 'SELECT …'.", rich_help_panel=TABLE),
]
Separator = Annotated[
    str | None,
    typer.Option("--separator", help="The separator of the CSV; detected if not given.", rich_help_panel=TABLE),
]
Encoding = Annotated[str, typer.Option("--encoding", help="The encoding of the CSV.", rich_help_panel=TABLE)]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        help="Values that mean missing: --missing '?' --missing NA. For empty text: --missing ''.",
        rich_help_panel=TABLE,
    ),
]
ReleasedRanges = Annotated[
    str, typer.Option("--ranges", help="How the release writes a range of numbers.", rich_help_panel=TABLE)
]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rows with missing values.", rich_help_panel=TABLE)
]

Quasi = Annotated[
    list[str] | None,
    typer.Option(
        "--quasi", help="Quasi-identifiers, comma-separated.", autocompletion=complete_column, rich_help_panel=ROLES
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive", help="Sensitive columns, comma-separated.", autocompletion=complete_column, rich_help_panel=ROLES
    ),
]
HierarchyFolder = Annotated[
    Path | None,
    typer.Option("--hierarchies", help="A folder of hierarchy files named after their columns.", rich_help_panel=ROLES),
]
ColumnHierarchies = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        help="The hierarchy of a column: sex=sex.txt, age=intervals:5,10,20@16, zip=prefix, …; may be repeated.",
        rich_help_panel=ROLES,
    ),
]
SensitiveHierarchies = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive-hierarchy",
        help="The hierarchy of a sensitive column, for hierarchical t-closeness: disease=diseases.txt; "
        "may be repeated.",
        rich_help_panel=PROTECTION,
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key-file", help="The file with the secret key of the pseudonyms.", rich_help_panel=ROLES),
]

MaxSuppression = Annotated[
    str,
    typer.Option(
        "--max-suppression",
        help="Rows that may be suppressed: a share (0.02) or a number (100).",
        rich_help_panel=PROTECTION,
    ),
]
SuppressedLabels = Annotated[
    list[str] | None,
    typer.Option(
        "--suppressed",
        help="The label of suppressed rows, which belong to no class: --suppressed '*'; may be repeated.",
        rich_help_panel=TABLE,
    ),
]

Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        help="The release: a .csv or .parquet file, or a table such as sqlite:///a.db#t.",
        rich_help_panel=OUTPUT,
    ),
]
Reports = Annotated[
    list[Path] | None,
    typer.Option(
        "--report",
        help="A report on the release: .html or .pdf to publish, .json to keep; may be repeated.",
        rich_help_panel=OUTPUT,
    ),
]
EscapeFormulas = Annotated[
    bool,
    typer.Option(
        "--escape-formulas",
        help="Put an apostrophe before text that spreadsheets would run as a formula; CSV only.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.", rich_help_panel=OUTPUT)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.", rich_help_panel=OUTPUT)]
