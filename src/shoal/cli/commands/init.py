"""shoal init: a shoal.toml to begin with."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli.config.text import Draft, config_text, toml
from shoal.cli.console import guarded, print_json
from shoal.cli.options import Data, Encoding, Json, Missing, Query, Quiet, Separator
from shoal.errors import InputError

TITLE = """\
# A release of {table} ({rows:,} rows), begun by shoal init. The roles are guesses from names and values: read each line
# with its reason, mend it, then run: shoal anonymize --config shoal.toml
# Paths are relative to the folder of this file; options on the command line go before what stands here."""
MARKS = "these stand in the table and often mean missing; leave out those that are values"


@guarded
def init(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("shoal.toml"),
    k: Annotated[int, typer.Option("--k", help="Rows per class at least.", min=2)] = 5,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    missing: Missing = None,
    query: Query = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write a commented shoal.toml for a table, with guesses of what its columns are.

    The guesses come from names and values and are there to be read: each has its reason beside it.

    [bold]Examples[/bold]

      shoal init patients.csv

      shoal init patients.csv -o study/shoal.toml --k 10 --force

      shoal init 'sqlite:///clinic.db#patients'
    """
    from shoal.analysis.suggestions import marks_in, suggest_roles
    from shoal.io.source import Source
    from shoal.system import atomic_files

    if output.suffix.lower() != ".toml":
        raise InputError(f"{output}: the configuration is a .toml file. Name one, such as shoal.toml.")
    if output.exists() and not force:
        raise InputError(f"{output}: this file is there already. Name another one with -o, or replace it with --force.")
    source = Source.of(data, separator=separator, encoding=encoding, query=query)
    marks = list(marks_in(source)) if missing is None else missing
    found = suggest_roles(source, missing_values=marks)
    draft = Draft(
        title=TITLE.format(table=toml(source.name), rows=len(source)),
        data={"file": _beside(data, output)}
        | ({"query": query} if query is not None else {})
        | ({"separator": separator} if separator is not None else {})
        | ({"encoding": encoding} if encoding != "utf-8" else {})
        | ({"missing": marks if missing is not None else (marks, MARKS)} if marks else {}),
        k=k,
        output=_outputs(data, output),
    )
    text = config_text(draft, found)
    atomic_files.replace_whole({output: lambda file: atomic_files.write_text(text, file)})
    if as_json:
        print_json([asdict(one) for one in found])
    elif not quiet:
        from shoal.cli.show import release as show

        show.suggestions(found)
        typer.echo(_next_step(output, len(source), k, quasi=any(one.role == "quasi" for one in found)))


def _outputs(data: str, output: Path) -> dict[str, Any]:
    """The release beside the table, as far as shoal writes what it reads, and its reports."""
    from shoal.io import files
    from shoal.io.databases import Address

    address, path = Address.of(data), Path(data)
    if address is None:
        stem = re.sub(r"[#.]+", "-", path.name.removesuffix(path.suffix))
        release = f"{path.stem}-safe{path.suffix}" if path.suffix.lower() not in files.READ_ONLY else f"{stem}-safe.csv"
    else:
        stem = re.sub(r"[^\w-]+", "-", address.name)
        release = _beside(str(address.with_table(f"{address.table[-1] if address.table else 'query'}_safe")), output)
    reports = ([f"{stem}-safe.html", f"{stem}-safe.json"], "to publish, and for your own files")
    return {"file": release, "report": reports}


def _beside(data: str, output: Path) -> str:
    """The path or the address of the table as seen from the folder of the configuration, without a password."""
    from shoal.io.databases import Address

    address = Address.of(data)
    if address is not None and address.file is None:
        return str(address)
    place = Path(data) if address is None or address.file is None else address.file
    if address is not None and place.is_absolute():
        return str(address)
    try:
        seen = Path(os.path.relpath(place, output.parent)).as_posix()
    except ValueError:  # another drive
        seen = place.resolve().as_posix()
    return seen if address is None else str(replace(address, base=f"{address.kind}:///{seen}"))


def _next_step(output: Path, rows: int, k: int, *, quasi: bool) -> str:
    """The sentence that says what to do now."""
    command = f"shoal anonymize --config {shlex.quote(str(output))}"
    if not quasi:
        return (
            f"No column looks quasi-identifying. Name those that others may know about a person in quasi = […] of "
            f"{output}, then run: {command}"
        )
    few = f" The table has {rows} rows, too few for k = {k}: lower k." if rows < k else ""
    return f"These are guesses: read {output}, mend it, then run: {command}{few}"
