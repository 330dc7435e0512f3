"""shoal anonymize --memory, --engine spark: a release of files that may be larger than memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from shoal.cli.console import cautioned, print_json, seconds_since, working
from shoal.cli.repeat import command_of
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.engines.finish import Written
    from shoal.release.request import Request


ENGINES = ("local", "spark")


def check_engine(engine: str, master: str | None, memory: str | None) -> None:
    """Refuse an unknown engine, and options of the other one."""
    if engine not in ENGINES:
        raise InputError(f"--engine {engine!r} is not known: choose {' or '.join(ENGINES)}.")
    if master is not None and engine != "spark":
        raise InputError("--master names a Spark cluster: give --engine spark, too.")
    if memory is not None and engine == "spark":
        raise InputError("--memory is not for Spark, whose own settings say how much memory it takes: leave it out.")


def goes_by_files(data: str, output: str | None, memory: str | None, engine: str) -> bool:
    """Whether the table is read part by part: by Spark, in a limit of memory, or where one end is a folder."""
    from shoal.engines.outputs import is_folder_of_files
    from shoal.io.databases.address import Address
    from shoal.io.files import is_folder

    if Address.of(data) or Address.of(output):
        if memory is not None or engine == "spark":
            raise InputError("--memory and --engine are for files: a table of a database is read and written whole.")
        return False
    if memory is not None or engine == "spark" or is_folder(Path(data)):
        return True
    return output is not None and is_folder_of_files(Path(output))


def check_in_memory(**given: object) -> None:
    """Refuse options that need every row in memory."""
    for name, value in given.items():
        if value:
            option = "--" + name.replace("_", "-")
            raise InputError(f"{option} needs the whole table in memory: leave it out, or --memory and --engine.")


def check_inputs(output: str | None, report: list[Path] | None, *inputs: Path | str | None) -> None:
    """Refuse outputs that are one of the other files that are read."""
    from shoal.io.outputs import check_target

    for place in (Path(one) for one in (output, *(report or [])) if one is not None):
        if not place.is_dir():
            check_target(place, [Path(one) for one in inputs if one is not None])


def run(
    context: typer.Context,
    data: str,
    output: str | None,
    asked: dict[str, Any],
    *,
    engine: str,
    master: str | None,
    memory: str | None,
    block_rows: int | None,
    report: list[Path] | None,
    separator: str | None,
    encoding: str,
    definitions: dict[str, str],
    quiet: bool,
    as_json: bool,
) -> None:
    """Make the release and show its report."""
    start = time.perf_counter()
    if output is None:
        raise InputError("A release in files needs a place: name a file or a folder with -o.")

    def finish(request: Request) -> Request:
        typed = asked["algorithm"]
        made = None if request.algorithm == typed else request.algorithm
        command = command_of(context, made, picked=typed.name == "auto")
        return replace(request, command=command, definitions=definitions)

    with cautioned(quiet=quiet), working(quiet=quiet) as progress:
        found = _function(engine, master, memory)(
            data,
            output,
            block_rows=block_rows,
            report=report,
            separator=separator,
            encoding=encoding,
            progress=progress,
            describe=finish,
            **asked,
        )
    if as_json:
        print_json(found.report.to_dict())
    elif not quiet:
        from shoal.cli.show import release

        release.report(found.report, found.request, took=seconds_since(start), written=str(output), reports=report)


def _function(engine: str, master: str | None, memory: str | None) -> Callable[..., Written]:
    """What makes the release."""
    if engine == "spark":
        from shoal.engines.spark.files import anonymize_files as by_spark

        return partial(by_spark, master=master)
    from shoal.engines.streams.run import anonymize_files

    return partial(anonymize_files, memory="4GB" if memory is None else memory)
