"""shoal hierarchy: show, check, build and convert hierarchies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.console import guarded, print_json
from shoal.cli.options import Encoding, Json, Missing, Quiet, Separator
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.data.hierarchy import Hierarchy

HELP = """Show, check, build and convert hierarchies.

[bold]Example[/bold]

  shoal hierarchy show education.txt
"""

app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="rich")

File = Annotated[Path, typer.Argument(help="A tab tree, child,parent pairs or a level table.", show_default=False)]
FormatOption = Annotated[
    str,
    typer.Option("--to", help="tab-tree, pairs or levels.", autocompletion=lambda: ["tab-tree", "pairs", "levels"]),
]
DataOption = Annotated[str, typer.Option("--data", help="The table with the values.")]
ColumnOption = Annotated[str, typer.Option("--column", help="The column of the table.")]


@app.command("show")
@guarded
def show_(
    file: File,
    limit: Annotated[int, typer.Option(help="The number of lines at most.")] = 200,
    as_json: Json = False,
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
        from shoal.cli.show import release

        release.tree(tree, limit=limit)


@app.command()
@guarded
def check(
    file: File,
    data: Annotated[str | None, typer.Option("--data", help="A table whose values it must know.")] = None,
    column: Annotated[str | None, typer.Option("--column", help="The column; by default the file's name.")] = None,
    missing: Missing = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
) -> None:
    """Check that a hierarchy is well formed and knows every value of a column.

    [bold]Example[/bold]

      shoal hierarchy check age.txt --data patients.csv --column age
    """
    from shoal.data.column import read_column
    from shoal.data.encoding import domain_of
    from shoal.data.hierarchies import detect
    from shoal.data.hierarchy import Hierarchy
    from shoal.data.roles import check_column
    from shoal.data.style import Style
    from shoal.io.source import Source

    tree = Hierarchy.from_file(file)
    known = ""
    if data is not None:
        source = Source.of(data, separator=separator, encoding=encoding)
        name = column or file.stem
        check_column(name, source.columns)
        domain_of(read_column(name, source.arrow(name), missing or []), tree, Style())
        known = f", knows every value of column {name!r}"
    if not quiet:
        typer.echo(
            f"{file}: {detect(file)}, {len(tree.leaves):,} values, height {tree.height}, root {tree.root!r}{known}"
        )


@app.command()
@guarded
def build(
    spelling: Annotated[
        str, typer.Argument(help="intervals:5,10,20@16, cuts:18,30,65/30, prefix, dates:month,year, by-order:3, …")
    ],
    data: DataOption,
    column: ColumnOption,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")],
    to: FormatOption = "tab-tree",
    missing: Missing = None,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
) -> None:
    """Build a hierarchy over the values of a column and write it.

    [bold]Examples[/bold]

      shoal hierarchy build intervals:5,10,20@16 --data patients.csv --column age -o age.txt

      shoal hierarchy build cuts:18,30,45,65/30,65 --data patients.csv --column age -o age.txt

      shoal hierarchy build by-frequency:3 --data patients.csv --column job --to levels -o job.csv
    """
    from shoal.data.column import read_column
    from shoal.data.domain import TreeDomain
    from shoal.data.encoding import domain_of
    from shoal.data.hierarchies.spec import parse
    from shoal.data.roles import check_column
    from shoal.data.style import Style
    from shoal.io.source import Source

    source = Source.of(data, separator=separator, encoding=encoding)
    check_column(column, source.columns)
    domain, _ = domain_of(read_column(column, source.arrow(column), missing or []), parse(spelling), Style())
    if not isinstance(domain, TreeDomain):
        raise InputError(f"{spelling!r} builds no tree, so there is nothing to write.")
    _save(domain.hierarchy, output, to, source=data)
    if not quiet:
        typer.echo(f"{output}: {len(domain.labels):,} values, height {domain.hierarchy.height}")


@app.command()
@guarded
def convert(
    file: File,
    output: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)],
    to: FormatOption,
    quiet: Quiet = False,
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


def _save(tree: Hierarchy, output: Path, to: str, *, source: str | Path) -> None:
    """Write a hierarchy, whole or not at all, and never over the file that it comes from."""
    from shoal.data.hierarchies import write
    from shoal.io.files import file_of, same

    given = file_of(source)
    if given is not None and same(output, given):
        raise InputError(f"{output}: this is the input, which shoal never overwrites. Choose another file.")
    write(tree, output, to)
