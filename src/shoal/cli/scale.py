"""shoal anonymize --memory, --engine spark: a release of files that may be larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from shoal.cli.config.keys import ENGINES
from shoal.cli.provenance import command_of
from shoal.errors import InputError
from shoal.system.close_names import did_you_mean

if TYPE_CHECKING:
    from shoal.engines.finish import Written
    from shoal.release.request import Request

DEFAULT_MEMORY = "4GB"


@dataclass(frozen=True)
class Scale:
    """The options for tables that may be larger than memory."""

    engine: str
    master: str | None
    memory: str | None
    block_rows: int | None

    def check(self) -> None:
        """Refuse an unknown engine, and options of the other engine."""
        if self.engine not in ENGINES:
            close = did_you_mean(self.engine, ENGINES)
            raise InputError(f"--engine {self.engine!r} is not known: choose {' or '.join(ENGINES)}.{close}")
        if self.master is not None and self.engine != "spark":
            raise InputError("--master names a Spark cluster: add --engine spark.")
        if self.memory is not None and self.engine == "spark":
            raise InputError("--memory is not for Spark, whose own settings limit its memory: leave it out.")

    def uses_files(self, data: str, output: str | None) -> bool:
        """Whether the table is read in parts: by Spark, within a memory limit, or from or to a folder."""
        from shoal.engines.outputs import is_folder_of_files
        from shoal.io.databases.address import Address
        from shoal.io.files import is_folder, is_pattern

        explicit = self.memory is not None or self.engine == "spark"
        if Address.of(data) or Address.of(output):
            if explicit:
                raise InputError("--memory and --engine are for files: a database table is read and written whole.")
            return False
        if explicit or is_folder(Path(data)) or is_pattern(Path(data)):
            return True
        return output is not None and is_folder_of_files(Path(output))

    def check_in_files(self, in_memory_only: Mapping[str, object]) -> None:
        """Refuse options that need the whole table in memory."""
        for name, value in in_memory_only.items():
            if value:
                option = "--" + name.replace("_", "-")
                raise InputError(f"{option} needs the whole table in memory: leave it out, or --memory and --engine.")

    def check_in_memory(self) -> None:
        """Refuse options that only matter for files read in parts."""
        if self.block_rows is not None:
            raise InputError("--block-rows needs --memory: say how much memory may be used.")

    def anonymize(
        self,
        data: str,
        output: str | None,
        *,
        reports: tuple[Path, ...],
        context: typer.Context,
        definitions: dict[str, str],
        progress: Callable[[str, float], None],
        **arguments: Any,
    ) -> Written:
        """Make a release of files."""
        if output is None:
            raise InputError("A release in files needs a place: name a file or a folder with -o.")
        requested = arguments["algorithm"]

        def describe(request: Request) -> Request:
            chosen = None if request.algorithm == requested else request.algorithm
            command = command_of(context, chosen, picked=requested.name == "auto")
            return replace(request, command=command, definitions=definitions)

        return self._engine()(
            data,
            output,
            block_rows=self.block_rows,
            report=reports,
            progress=progress,
            describe=describe,
            **arguments,
        )

    def _engine(self) -> Callable[..., Written]:
        if self.engine == "spark":
            from shoal.engines.spark.files import anonymize_files as by_spark

            return partial(by_spark, master=self.master)
        from shoal.engines.streams.run import anonymize_files

        return partial(anonymize_files, memory=DEFAULT_MEMORY if self.memory is None else self.memory)
