"""shoal compare: algorithms side by side over a grid of k and ℓ."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.algorithms import algorithm_of
from shoal.cli.console import guarded, guides_of, names, pairs, print_json, suppression_of, working
from shoal.cli.options import (
    Data,
    Encoding,
    Json,
    Missing,
    Quasi,
    Quiet,
    Sensitive,
    Separator,
    Single,
    complete_algorithm,
)
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.algorithms import Algorithm
    from shoal.analysis.comparison import Comparison

RUNS = "runs.jsonl"


@guarded
def compare(
    context: typer.Context,
    data: Data,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[HIERARCHIES]", help="A folder of hierarchy files.", show_default=False)
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchies: Annotated[Path | None, typer.Option("--hierarchies", help="The same folder as an option.")] = None,
    hierarchy: Single = None,
    algorithms: Annotated[
        str,
        typer.Option(
            help="Comma-separated; with parameters: mondrian:dimension=widest:cut=median.",
            autocompletion=complete_algorithm,
        ),
    ] = "random,clustering,mondrian",
    k: Annotated[str, typer.Option("--k", help="Rows per class at least: 4,8,16 or 2..5.")] = "4,8,16,32,64",
    l: Annotated[  # noqa: E741
        str, typer.Option("--l", help="Different sensitive values per class at least: 1..4 or 1,3,5.")
    ] = "1",
    repeat: Annotated[int, typer.Option(help="Runs of each setting, with other seeds or row orders.")] = 3,
    measures: Annotated[
        str, typer.Option(help="Comma-separated: time and those that `shoal metrics` lists.")
    ] = "loss,distortion,time",
    max_suppression: Annotated[str, typer.Option(help="Rows that may be suppressed: 0.02 or 100.")] = "0",
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    course: Annotated[
        bool,
        typer.Option("--course", help="The COMP 430/530 assignment's experiment, on data.csv and DGHs/."),
    ] = False,
    missing: Missing = None,
    drop_missing: Annotated[bool, typer.Option("--drop-missing", help="Leave out rows that miss a value.")] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A folder for tables, plots, page, PDF and the finished runs.")
    ] = Path("comparison"),
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the runs that are kept in the folder.")] = False,
    separator: Separator = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare algorithms: what each costs at every k and l, as tables, plots, a page and a one-page PDF.

    Finished runs are kept in the output folder: after Ctrl-C the same command goes on where it was. Where time is
    measured, one run goes at a time, otherwise as many as there are cores.

    [bold]Examples[/bold]

      shoal compare patients.csv trees/ --quasi age,sex,zip --algorithms mondrian,k-member --k 5,10,20

      shoal compare t.csv --quasi age,zip --sensitive disease --k 10 --l 1..5 --measures loss,discernibility -o sweep

      shoal compare t.csv --quasi age,zip --algorithms mondrian,mondrian:dimension=widest:cut=median --k 4..8 --repeat 1

      shoal compare t.csv --quasi age,zip --hierarchy zip=prefix --algorithms full-domain,datafly --k 5,10
      --max-suppression 0.02 --missing "?" --seed 7 --fresh

      shoal compare --course adult.csv DGHs/
    """
    from shoal.analysis.comparison.compare import compare as compare_
    from shoal.analysis.comparison.runs import cores
    from shoal.comp430.experiment import compare_course
    from shoal.io.source import Source

    if folder is not None and hierarchies is not None:
        raise InputError("The folder of hierarchies is named twice: keep one of the two.")
    trees = folder or hierarchies
    if course:
        _check_course(context)
    if course and trees is None:
        raise InputError("--course needs the folder of the DGHs: shoal compare --course data.csv DGHs/")
    if not course and not quasi:
        raise InputError("No quasi-identifier is named: name the columns with --quasi, such as --quasi age,sex.")
    singles = pairs("--hierarchy", hierarchy)
    _check_place(output, data, trees, *singles.values())
    kept = output / RUNS
    with working(quiet=quiet) as progress:
        progress("reading", 0)
        if course and trees is not None:
            found = compare_course(data, trees, repeat=repeat, seed=seed, keep=kept, fresh=fresh, progress=progress)
        else:
            chosen = names([measures])
            found = compare_(
                Source.of(data, separator=separator, encoding=encoding),
                quasi_identifiers=names(quasi),
                sensitive=names(sensitive),
                hierarchies=guides_of(trees, singles, names(quasi), "quasi-identifiers"),
                algorithms=[_algorithm(spelling) for spelling in names([algorithms])],
                k=_numbers("--k", k),
                l=_numbers("--l", l),
                repeat=repeat,
                measures=chosen,
                max_suppression=suppression_of(max_suppression),
                missing_values=missing or [],
                drop_missing=drop_missing,
                seed=seed,
                keep=kept,
                fresh=fresh,
                at_once=cores(chosen),
                progress=progress,
            )
        written, lacking = _write(found, output) if found.complete else ([], "")
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        from shoal.cli.show.comparison import comparison

        comparison(found, [str(path) for path in written], lacking)
    if not found.complete:
        typer.secho(
            f"shoal: interrupted; finished runs are kept in {kept}: the same command goes on.", fg="yellow", err=True
        )
        raise typer.Exit(130)


def _write(found: Comparison, place: Path) -> tuple[list[Path], str]:
    """Write everything; without matplotlib the cells alone, and what is lacking."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is not None:
        return found.save(place), ""
    return found.save_cells(place), "Plots, the page and the PDF need matplotlib: pip install 'shoal[plots]'."


def _check_course(context: typer.Context) -> None:
    """Refuse options that the assignment's experiment has no use for."""
    free = ("course", "data", "folder", "hierarchies", "repeat", "seed", "output", "fresh", "quiet", "as_json")
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name not in free
        and getattr(context.get_parameter_source(str(parameter.name)), "name", "DEFAULT") != "DEFAULT"
    ]
    if given:
        raise InputError(f"--course has the parameters of the assignment: leave out {', '.join(given)}.")


def _check_place(place: Path, *inputs: Path | str | None) -> None:
    """Refuse a folder that cannot be made, or that an input lies in, before any work is done."""
    from shoal.io import files

    if files.is_folder(place):
        read = [file for given in inputs if given is not None and (file := files.file_of(given)) is not None]
        there = [place, *place.iterdir()]
        inside = [path for path in read if any(files.same(path, one) for one in there)]
        if inside:
            raise InputError(f"{inside[0]}: this input lies in the output folder {str(place)!r}. Name another with -o.")
    elif place.exists() or not files.is_folder(place.parent):
        raise InputError(f"{place}: no folder can be made here. Name one in a folder that exists.")


def _numbers(option: str, text: str) -> list[int]:
    """`4,8,16`, `1..8` and both together."""
    found: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d+)\s*(?:\.\.\s*(\d+)\s*)?", part)
        if ends is None or (ends[2] and not int(ends[1]) <= int(ends[2]) <= int(ends[1]) + 10_000):
            raise InputError(f"{option} {text!r} must be whole numbers, such as 4,8,16 or 1..8.")
        found += range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return found


def _algorithm(spelling: str) -> Algorithm:
    """`mondrian`, or with parameters `mondrian:dimension=widest:cut=median`."""
    name, *parameters = spelling.split(":")
    given: dict[str, Any] = pairs("--algorithms", parameters)
    return algorithm_of(name.strip(), given, None, None, None)
