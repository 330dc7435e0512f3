"""shoal compare: algorithms side by side over a grid of k and ℓ."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli import options
from shoal.cli.algorithms import algorithm_of
from shoal.cli.console import guarded, print_json, progress_bar
from shoal.cli.reading import note_nothing_missing, read_table
from shoal.cli.values import hierarchies_of, names, pairs, suppression_of
from shoal.errors import InputError
from shoal.system.optional_packages import extra

if TYPE_CHECKING:
    from shoal.algorithms import Algorithm
    from shoal.analysis.comparison import Comparison

FINISHED_RUNS = "runs.jsonl"
MAX_NUMBERS = 10_000  # in one range


@guarded
def compare(
    context: typer.Context,
    data: options.Data,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[HIERARCHIES]", help="A folder of hierarchy files.", show_default=False)
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = "utf-8",
    named: options.Named = None,
    header: options.Header = None,
    rows: options.Rows = None,
    sample: options.Sample = None,
    missing: options.Missing = None,
    drop_missing: options.DropMissing = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    unit: options.UnitColumn = None,
    hierarchies: Annotated[Path | None, options.roles("The same folder as an option.")] = None,
    hierarchy: options.ColumnHierarchies = None,
    k: Annotated[str, options.protection("The fewest rows per class: 4,8,16 or 2..5.")] = "4,8,16,32,64",
    l: Annotated[  # noqa: E741
        str, options.protection("The fewest different sensitive values per class: 1..4 or 1,3,5.")
    ] = "1",
    max_suppression: options.MaxSuppression = "0",
    algorithms: Annotated[
        str,
        options.algorithm(
            "Comma-separated; with parameters: mondrian:dimension=widest:cut=median.",
            autocompletion=options.complete_algorithm,
        ),
    ] = "random,clustering,mondrian",
    measures: Annotated[
        str, options.algorithm("Comma-separated: time and those that `shoal metrics` lists.")
    ] = "loss,distortion,time",
    repeat: Annotated[int, options.algorithm("Runs of each setting, with different seeds or row orders.")] = 3,
    seed: Annotated[int, options.algorithm("The first seed, and that of --sample.")] = 0,
    course: Annotated[
        bool, options.algorithm("The experiment of the COMP 430/530 assignment, on data.csv and DGHs/.", "--course")
    ] = False,
    output: Annotated[
        Path, options.output("A folder for tables, plots, page, PDF and the finished runs.", "--output", "-o")
    ] = Path("comparison"),
    fresh: Annotated[bool, options.output("Discard the finished runs in the folder.", "--fresh")] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Compare the costs of algorithms at every k and l, as tables, plots, a page and a one-page PDF.

    Finished runs are kept in the output folder: after Ctrl-C, the same command
    continues. If time is measured, runs go one after the other, otherwise one
    per core.

    [bold]Examples[/bold]

      shoal compare patients.csv trees/ --quasi age,sex,zip --algorithms mondrian,k-member --k 5,10,20

      shoal compare t.csv --quasi age,zip --sensitive disease --k 10 --l 1..5 --measures loss,discernibility -o sweep

      shoal compare t.csv --quasi age,zip --algorithms mondrian,mondrian:dimension=widest:cut=median --k 4..8 --repeat 1

      shoal compare t.csv --quasi age,zip --hierarchy zip=prefix --algorithms full-domain,datafly --k 5,10 \\
        --max-suppression 0.02 --missing "?" --seed 7 --fresh

      shoal compare --course adult.csv DGHs/
    """
    from shoal.analysis.comparison.compare import compare as compare_algorithms
    from shoal.analysis.comparison.runs import cores
    from shoal.comp430.experiment import compare_course

    if folder is not None and hierarchies is not None:
        raise InputError("The folder of hierarchies is named twice: keep one of the two.")
    hierarchy_folder = folder or hierarchies
    if course:
        _check_course(context)
        if hierarchy_folder is None:
            raise InputError("--course needs the folder of the DGHs: shoal compare --course data.csv DGHs/")
    elif not quasi:
        raise InputError("No quasi-identifier is named: name the columns with --quasi, such as --quasi age,sex.")
    _check_folder(output, data, hierarchy_folder, *pairs("--hierarchy", hierarchy).values())
    finished = output / FINISHED_RUNS
    with progress_bar(quiet=quiet) as progress:
        progress("reading", 0)
        if course and hierarchy_folder is not None:
            comparison = compare_course(
                data,
                hierarchy_folder,
                repeat=repeat,
                rows=rows,
                sample=sample,
                seed=seed,
                keep=finished,
                fresh=fresh,
                progress=progress,
            )
        else:
            chosen = names([measures])
            source = read_table(
                data,
                separator=separator,
                encoding=encoding,
                named=named,
                header=header,
                rows=rows,
                sample=sample,
                seed=seed,
                quiet=quiet,
            )
            comparison = compare_algorithms(
                source,
                quasi_identifiers=names(quasi),
                sensitive=names(sensitive),
                hierarchies=hierarchies_of(hierarchy_folder, hierarchy, names(quasi)),
                algorithms=[_algorithm(spelling) for spelling in names([algorithms])],
                k=_numbers("--k", k),
                l=_numbers("--l", l),
                repeat=repeat,
                measures=chosen,
                max_suppression=suppression_of(max_suppression),
                missing_values=missing or [],
                drop_missing=drop_missing or False,  # type: ignore[arg-type]
                unit=unit,
                seed=seed,
                keep=finished,
                fresh=fresh,
                at_once=cores(chosen),
                progress=progress,
            )
            if not quiet:
                note_nothing_missing(drop_missing, len(source) - comparison.rows, missing)
        written, hint = _write(comparison, output) if comparison.complete else ([], "")
    if as_json:
        print_json(comparison.to_dict())
    elif not quiet:
        from shoal.cli.show.comparison import show_comparison

        show_comparison(comparison, [str(path) for path in written], hint)
    if not comparison.complete:
        typer.secho(
            f"shoal: interrupted; finished runs are kept in {finished}: the same command continues.",
            fg="yellow",
            err=True,
        )
        raise typer.Exit(130)


def _write(comparison: Comparison, folder: Path) -> tuple[list[Path], str]:
    """Write everything; without matplotlib only the tables, and a hint."""
    try:
        extra("matplotlib", "plots", "Plots, the page and the PDF")
    except InputError as error:
        return comparison.save_cells(folder), str(error)
    return comparison.save(folder), ""


def _check_course(context: typer.Context) -> None:
    """Refuse options that the experiment of the assignment does not use."""
    of_the_table = ("course", "data", "folder", "hierarchies", "rows", "sample")
    allowed = (*of_the_table, "repeat", "seed", "output", "fresh", "quiet", "as_json")
    refused = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name not in allowed
        and getattr(context.get_parameter_source(str(parameter.name)), "name", "DEFAULT") != "DEFAULT"
    ]
    if refused:
        raise InputError(f"--course uses the parameters of the assignment: leave out {', '.join(refused)}.")


def _check_folder(folder: Path, *inputs: Path | str | None) -> None:
    """Refuse a folder that cannot be made, or that contains an input."""
    from shoal.io import files

    if files.is_folder(folder):
        read = [file for path in inputs if path is not None and (file := files.file_of(path)) is not None]
        present = [folder, *folder.iterdir()]
        inside = [path for path in read if any(files.same(path, entry) for entry in present)]
        if inside:
            raise InputError(
                f"{inside[0]}: this input is in the output folder {str(folder)!r}. Name another folder with -o."
            )
    elif folder.exists() or not files.is_folder(folder.parent):
        raise InputError(f"{folder}: no folder can be made here. Name one in a folder that exists.")


def _numbers(option: str, text: str) -> list[int]:
    """Parse `4,8,16`, `1..8` or both together."""
    numbers: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d+)\s*(?:\.\.\s*(\d+)\s*)?", part)
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (1, 0)
        if last < first:
            raise InputError(f"{option} {text!r} must be whole numbers, such as 4,8,16 or 1..8.")
        if last - first >= MAX_NUMBERS:
            raise InputError(f"{option} {text!r} has a range of more than {MAX_NUMBERS:,} numbers: choose fewer.")
        numbers += range(first, last + 1)
    return numbers


def _algorithm(spelling: str) -> Algorithm:
    """Parse `mondrian`, or with parameters `mondrian:dimension=widest:cut=median`."""
    name, *parameters = spelling.split(":")
    return algorithm_of(name.strip(), pairs("--algorithms", parameters))
