"""shoal hierarchy: show, check, build and convert hierarchies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import options
from shoal.cli.console import guarded, print_json
from shoal.cli.reading import read_table
from shoal.cli.standard_streams import from_standard_input
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.data.domain import AnyDomain
    from shoal.data.hierarchy import Hierarchy
    from shoal.io.source import Source

HELP = """Show, check, build and convert hierarchies.

[bold]Example[/bold]

  shoal hierarchy show education.txt
"""

app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="rich")

File = Annotated[
    Path, typer.Argument(help="A hierarchy file: tab tree, child,parent pairs or level table.", show_default=False)
]
Format = Annotated[
    str,
    options.output(
        "The format: tab-tree, pairs or levels.", "--to", autocompletion=lambda: ["tab-tree", "pairs", "levels"]
    ),
]


@app.command("show")
@guarded
def show_(
    file: File,
    limit: Annotated[int, options.output("The most lines to print.")] = 200,
    as_json: options.Json = False,
) -> None:
    """Draw a hierarchy with the number of values under each node.

    [bold]Example[/bold]

      shoal hierarchy show education.txt
    """
    from shoal.data.hierarchy import Hierarchy

    tree = Hierarchy.from_file(file)
    if as_json:
        print_json({"root": tree.root, "height": tree.height, "paths": [tree.path(leaf) for leaf in tree.leaves]})
    else:
        _draw(tree, limit)


def _draw(tree: Hierarchy, limit: int) -> None:
    """Print a hierarchy with the number of values under each node."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    for shown, (depth, label, size) in enumerate(tree.walk()):
        if shown == limit:
            console.print(f"… and {len(tree.labels) - limit:,} more lines (--limit shows more)")
            return
        console.print("  " * depth + escape(label) + (f" [dim]({size:,})[/dim]" if size > 1 else ""))


@app.command()
@guarded
def check(
    file: File,
    data: Annotated[
        str | None, options.table("A table whose values the hierarchy must contain.", callback=from_standard_input)
    ] = None,
    column: Annotated[str | None, options.table("The column; by default named like the file.")] = None,
    missing: options.Missing = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    quiet: options.Quiet = False,
) -> None:
    """Check that a hierarchy is well-formed and contains every value of a column.

    [bold]Example[/bold]

      shoal hierarchy check age.txt --data patients.csv --column age
    """
    from shoal.data.hierarchies import detect
    from shoal.data.hierarchy import Hierarchy

    tree = Hierarchy.from_file(file)
    coverage = ""
    if data is not None:
        name = column or file.stem
        table = read_table(data, separator=separator, encoding=encoding, named=named, header=header, quiet=quiet)
        _domain(table, name, tree, missing)
        coverage = f", contains every value of column {name!r}"
    if not quiet:
        typer.echo(
            f"{file}: {detect(file)}, {len(tree.leaves):,} values, height {tree.height}, root {tree.root!r}{coverage}"
        )


@app.command()
@guarded
def build(
    spelling: Annotated[
        str, typer.Argument(help="intervals:5,10,20@16, cuts:18,30,65/30, prefix, dates:month,year, by-order:3, …")
    ],
    data: Annotated[str, options.table("The table with the values.", callback=from_standard_input)],
    column: Annotated[str, options.table("The column of the table.")],
    output: Annotated[Path, options.output("The file to write.", "--output", "-o")],
    to: Format = "tab-tree",
    missing: options.Missing = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    quiet: options.Quiet = False,
) -> None:
    """Build a hierarchy over the values of a column and write it.

    [bold]Examples[/bold]

      shoal hierarchy build intervals:5,10,20@16 --data patients.csv --column age -o age.txt

      shoal hierarchy build cuts:18,30,45,65/30,65 --data patients.csv --column age -o age.txt

      shoal hierarchy build by-frequency:3 --data patients.csv --column job --to levels -o job.csv
    """
    from shoal.data.domain import TreeDomain
    from shoal.data.hierarchies.spec import parse

    table = read_table(data, separator=separator, encoding=encoding, named=named, header=header, quiet=quiet)
    domain = _domain(table, column, parse(spelling), missing)
    if not isinstance(domain, TreeDomain):
        raise InputError(f"{spelling!r} does not build a hierarchy: there is nothing to write.")
    _save(domain.hierarchy, output, to, source=data)
    if not quiet:
        typer.echo(f"{output}: {len(domain.labels):,} values, height {domain.hierarchy.height}")


@app.command()
@guarded
def convert(
    file: File,
    output: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)],
    to: Format,
    quiet: options.Quiet = False,
) -> None:
    """Write a hierarchy in another format.

    [bold]Example[/bold]

      shoal hierarchy convert age.csv age.txt --to tab-tree
    """
    from shoal.data.hierarchy import Hierarchy

    tree = Hierarchy.from_file(file)
    _save(tree, output, to, source=file)
    if not quiet:
        typer.echo(f"{output}: {len(tree.leaves):,} values as {to}")


def _domain(source: Source, column: str, guide: Any, missing: list[str] | None) -> AnyDomain:
    """Return the domain of a column with a hierarchy, or refuse a hierarchy that does not fit its values."""
    from shoal.data.column import read_column
    from shoal.data.encoding import domain_of
    from shoal.data.roles import check_column
    from shoal.data.style import Style

    check_column(column, source.columns)
    return domain_of(read_column(column, source.arrow(column), missing or []), guide, Style())[0]


def _save(tree: Hierarchy, output: Path, to: str, *, source: str | Path) -> None:
    """Write a hierarchy, but never over the file that it comes from."""
    from shoal.data.hierarchies import write
    from shoal.io.files import file_of, same

    source_file = file_of(source)
    if source_file is not None and same(output, source_file):
        raise InputError(f"{output}: this is the input, which shoal never overwrites. Choose another file.")
    write(tree, output, to)
