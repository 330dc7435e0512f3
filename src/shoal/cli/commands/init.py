"""shoal init: a draft of a shoal.toml."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import options
from shoal.cli.config.draft import ROLES, config_text
from shoal.cli.console import guarded, print_json, show_warning
from shoal.cli.reading import read_table
from shoal.errors import InputError
from shoal.ui.state.toml import toml

if TYPE_CHECKING:
    from shoal.analysis.suggestions import Suggestion

TITLE = """\
# A release of {table} ({rows:,} rows), drafted by shoal init. The roles are guesses from names and values: read each
# line with its reason, correct it, then run: shoal anonymize --config shoal.toml
# Paths are relative to the folder of this file; options on the command line override what is written here."""
COMMENTS = {
    "missing": "found in the table and often mean missing; remove those that are values",
    "report": "to publish, and for your own files",
}


@guarded
def init(
    data: options.NamedData,
    query: options.Query = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    missing: options.Missing = None,
    k: Annotated[int, options.protection("The fewest rows per class.", min=2)] = 5,
    output: Annotated[Path, options.output("The file to write.", "--output", "-o")] = Path("shoal.toml"),
    presidio: Annotated[bool, options.table("Look for names with Presidio, too.", "--presidio")] = False,
    force: Annotated[bool, options.output("Replace the file if it exists.", "--force")] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Write a commented shoal.toml for a table, with guessed roles for its columns.

    The guesses are made from names and values, and meant to be reviewed: each has its reason beside it.

    [bold]Examples[/bold]

      shoal init patients.csv

      shoal init patients.csv -o study/shoal.toml --k 10 --force

      shoal init 'sqlite:///clinic.db#patients'
    """
    from shoal.analysis.suggestions import marks_in, suggest_roles
    from shoal.io.files import format_of
    from shoal.io.header_suspicion import warning
    from shoal.release.review.presidio import analyzer
    from shoal.system import atomic_files

    if output.suffix.lower() != ".toml":
        raise InputError(f"{output}: the configuration is a .toml file. Name one, such as shoal.toml.")
    if output.exists() and not force:
        raise InputError(f"{output}: this file already exists. Name another one with -o, or replace it with --force.")
    source = read_table(
        data, separator=separator, encoding=encoding, query=query, named=named, header=header, quiet=quiet
    )
    if source.path is not None and format_of(source.path, read=True) == "csv" and header is None and not named:
        doubt = warning(source.to_arrow())
        if doubt is not None and not quiet:
            show_warning(doubt)
    marks = list(marks_in(source)) if missing is None else missing
    suggestions = suggest_roles(source, missing_values=marks, analyzer=analyzer() if presidio else None)
    settings = {
        "file": _beside(data, output),
        "query": query,
        "separator": separator,
        "encoding": None if encoding == "utf-8" else encoding,
        "names": source.columns if named else None,
        "header": None if named else header,
        "missing": marks or None,
    }
    text = config_text(
        suggestions,
        title=TITLE.format(table=toml(source.name), rows=len(source)),
        data={name: value for name, value in settings.items() if value is not None},
        k=k,
        output=_outputs(data, output),
        comments={key: comment for key, comment in COMMENTS.items() if missing is None or key != "missing"},
    )
    atomic_files.replace_whole({output: lambda file: atomic_files.write_text(text, file)})
    if as_json:
        print_json([asdict(suggestion) for suggestion in suggestions])
    elif not quiet:
        _show(suggestions)
        has_quasi = any(suggestion.role == "quasi" for suggestion in suggestions)
        typer.echo(_next_step(output, len(source), k, has_quasi=has_quasi))


def _show(suggestions: Sequence[Suggestion]) -> None:
    """Print the guessed role of each column, then every column that would be released as it is, the worst first."""
    from shoal.analysis.suggestions import worst_first
    from shoal.cli.show.tables import show_rows

    roles = ("unit", *ROLES)
    guessed = sorted((one for one in suggestions if one.role in roles), key=lambda one: roles.index(one.role))
    show_rows(
        "Guessed roles",
        ("column", "role", "why", "values"),
        [(one.column, one.role, one.why, f"{one.different:,}") for one in guessed],
    )
    if others := worst_first(suggestions):
        rows = [(one.column, one.why, f"{one.different:,}", f"{one.own:,}") for one in others if one.own]
        shared: dict[str, list[str]] = {}
        for one in others:
            if not one.own:
                shared.setdefault(one.why, []).append(one.column)
        rows += [(", ".join(columns), why, "", "0") for why, columns in shared.items()]
        show_rows("Released as they are, the worst first", ("column", "why", "values", "of one row"), rows)


def _outputs(data: str, output: Path) -> dict[str, Any]:
    """Name the release, next to the table if shoal can write its format, and its reports."""
    from shoal.io import files
    from shoal.io.compression import full_suffix, inner_suffix
    from shoal.io.databases import Address

    address, path = Address.of(data), Path(data)
    if address is None:
        ending = full_suffix(path)
        stem = re.sub(r"[#.]+", "-", path.name.removesuffix(ending))
        release = (
            f"{path.name.removesuffix(ending)}-safe{ending}"
            if inner_suffix(path) not in (*files.RAW, *files.READ_ONLY)
            else f"{stem}-safe.csv"
        )
    else:
        stem = re.sub(r"[^\w-]+", "-", address.name)
        release = _beside(str(address.with_table(f"{address.table[-1] if address.table else 'query'}_safe")), output)
    return {"file": release, "report": [f"{stem}-safe.html", f"{stem}-safe.json"]}


def _beside(data: str, output: Path) -> str:
    """Return the table relative to the folder of the configuration, without a password."""
    from shoal.io.databases import Address

    address = Address.of(data)
    if address is not None and address.file is None:
        return str(address)
    place = Path(data) if address is None or address.file is None else address.file
    if address is not None and place.is_absolute():
        return str(address)
    try:
        relative = Path(os.path.relpath(place, output.parent)).as_posix()
    except ValueError:  # on another drive
        relative = place.resolve().as_posix()
    return relative if address is None else str(replace(address, base=f"{address.kind}:///{relative}"))


def _next_step(output: Path, rows: int, k: int, *, has_quasi: bool) -> str:
    """Say what to do next."""
    command = f"shoal anonymize --config {shlex.quote(str(output))}"
    if not has_quasi:
        return (
            f"No column looks quasi-identifying. List those that others may know about a person under quasi = […] in "
            f"{output}, then run: {command}"
        )
    few = f" The table has {rows} rows, too few for k = {k}: lower k." if rows < k else ""
    return f"These are guesses: read {output}, correct it, then run: {command}{few}"
