"""The options that several commands take, the panels of --help, and tab-completion."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli.config.file import table_of, use_config
from shoal.cli.standard_streams import from_standard_input, refuse_standard_input, to_standard_output
from shoal.io.database_kinds import FORMS


def _option(panel: str, text: str, *names: str, **settings: Any) -> Any:
    return typer.Option(*names, help=text, rich_help_panel=panel, **settings)


# Each takes the text for --help, the names of the option if they are not those of its parameter, and settings of typer.
table, roles, protection = (partial(_option, panel) for panel in ("Table", "Roles", "Protection"))
algorithm, output, scale = (partial(_option, panel) for panel in ("Algorithm", "Output", "Scale"))


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
    found = (re.search(r'^    name = "([\w-]+)"', path.read_text("utf-8"), re.M) for path in sources)
    return sorted((name[1] for name in found if name), key=lambda name: (name != "auto", name))


def objective_names() -> list[str]:
    """List the names of the objectives of full-domain generalization, from their source too."""
    source = Path(__file__).parent.parent / "algorithms" / "full_domain" / "objectives.py"
    return re.findall(r'^    "(\w+)": ', source.read_text("utf-8"), re.M)


TABLE = (
    "The table: a .csv (also .gz, .zst), .parquet, .xlsx, .sav, .dta or .sas7bdat file, - for standard input, or a "
    f"table in a database, {FORMS}."
)
SEVERAL = " A pattern in quotes, such as 'visits-*.csv', stands for several files with the same columns."
Files = Annotated[str, typer.Argument(help=TABLE + SEVERAL, show_default=False, callback=from_standard_input)]
Data = Annotated[str, typer.Argument(help=TABLE, show_default=False, callback=from_standard_input)]
NamedData = Annotated[
    str,
    typer.Argument(
        help=TABLE.replace(" - for standard input,", ""),
        show_default=False,
        callback=refuse_standard_input,
    ),
]
ConfigFile = Annotated[
    Path | None,
    table(
        "A shoal.toml that sets any of these options; the command line overrides it.",
        callback=use_config,
        is_eager=True,
    ),
]
Query = Annotated[str | None, table("Read the result of a query instead of a #table: 'SELECT …'.")]
Separator = Annotated[str | None, table("The separator of the CSV; detected if not given.")]
Encoding = Annotated[str, table("The encoding of the CSV.")]
Named = Annotated[
    list[str] | None,
    table(
        "The names of all columns, comma-separated, if the first line of the CSV is a row, as in UCI's adult.data.",
        "--names",
    ),
]
Header = Annotated[
    bool | None,
    table(
        "Whether the first line of the CSV names its columns; without, they are column1, column2, …. By default it "
        "does, and is refused if it looks like a row.",
        "--header/--no-header",
    ),
]
Rows = Annotated[int | None, table("Take only the first rows, this many.", "--rows", min=1)]
Sample = Annotated[
    int | None, table("Take only this many rows, drawn at random with --seed, in their order.", "--sample", min=1)
]
Missing = Annotated[
    list[str] | None, table("Values that mean missing: --missing '?' --missing NA. For empty text: --missing ''.")
]
ReleasedRanges = Annotated[str, table("How the release writes a range of numbers.")]
DropMissing = Annotated[
    str | None,
    table(
        "Leave out rows with missing values. roles (also without a word): in a column with a role; all: in any column.",
        "--drop-missing",
        metavar="[roles|all]",
    ),
]

Quasi = Annotated[list[str] | None, roles("Quasi-identifiers, comma-separated.", autocompletion=complete_column)]
Sensitive = Annotated[list[str] | None, roles("Sensitive columns, comma-separated.", autocompletion=complete_column)]
HierarchyFolder = Annotated[Path | None, roles("A folder of hierarchy files named after their columns.")]
ColumnHierarchies = Annotated[
    list[str] | None,
    roles("The hierarchy of a column: sex=sex.txt, age=intervals:5,10,20@16, zip=prefix, …; may be repeated."),
]
SensitiveHierarchies = Annotated[
    list[str] | None,
    protection(
        "The hierarchy of a sensitive column, for hierarchical t-closeness: disease=diseases.txt; may be repeated."
    ),
]
UnitColumn = Annotated[
    str | None,
    roles("The column that says whose row it is: people are counted, not rows.", autocompletion=complete_column),
]
MissingUnits = Annotated[str, roles("Rows without a unit: refuse them, or take each as a person of its own.")]
RowsArePeople = Annotated[
    bool, roles("Each row is a different person, although values of an id or the like repeat.", "--rows-are-people")
]
Keep = Annotated[
    list[str] | None,
    roles("Columns that you have looked at and that may leave as they are.", autocompletion=complete_column),
]
Accept = Annotated[
    list[str] | None, protection("Codes of what the review may find and you accept, such as range-ends.")
]
KeyFile = Annotated[Path | None, roles("The file with the secret key of pseudonyms, shifted dates and stepped ranges.")]

MaxSuppression = Annotated[
    str,
    protection(
        "Rows that may be suppressed: a share (0.02) or a number (100). Local recoding suppresses only rows that lower "
        "the loss."
    ),
]
SuppressedLabels = Annotated[
    list[str] | None,
    table("The label of suppressed rows, which belong to no class: --suppressed '*'; may be repeated."),
]

_RELEASE = "a .csv (also .gz, .zst) or .parquet file, - for standard output, or a table such as sqlite:///a.db#t."
Output = Annotated[
    str | None,
    output(f"The release: {_RELEASE}", "--output", "-o", callback=to_standard_output),
]
FolderOrOutput = Annotated[
    str | None,
    output(
        f"The release: {_RELEASE} A name without an ending, such as safe/, is a folder of files.",
        "--output",
        "-o",
        callback=to_standard_output,
    ),
]
Reports = Annotated[
    list[Path] | None, output("A report on the release: .html or .pdf to publish, .json to keep; may be repeated.")
]
EscapeFormulas = Annotated[
    bool,
    output("Put an apostrophe before text that spreadsheets would run as a formula; CSV only.", "--escape-formulas"),
]
Quiet = Annotated[bool, output("Print errors only.", "--quiet", "-q")]
Json = Annotated[bool, output("Print JSON instead of tables.", "--json")]
