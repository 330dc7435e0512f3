"""What a report says of the command that made a release: its words, and the lines of Python for what they name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from shoal.cli.console import pairs

if TYPE_CHECKING:
    from shoal.release import Release


def with_command(release: Release, context: typer.Context, definitions: Mapping[str, str]) -> Release:
    """The release with the command line that made it."""
    command = shlex.join(["shoal", *context.find_root().obj])
    return replace(release, request=replace(release.request, command=command, definitions=definitions))


def definitions_of(
    data: Path, separator: str | None, encoding: str, key_file: Path | None, trees: list[str] | None
) -> dict[str, str]:
    """The lines of Python for the options that anonymize() does not take as they are."""
    from shoal.report.repeat import written

    found = {}
    if separator is not None or encoding != "utf-8":
        options = f"separator={written(separator)}, encoding={written(encoding)}"
        source = f"Source.of({written(str(data))}, {options})"
        found["data"] = f"from shoal.source import Source\n\ndata = {source}"
    if key_file is not None:
        found["key"] = f"key = {written(key_file)}.read_bytes().strip()"
    if trees:
        files = pairs("--sensitive-hierarchy", trees)
        lines = [f"{written(name)}: shoal.Hierarchy.from_file({written(path)})" for name, path in files.items()]
        found["sensitive_hierarchies"] = f"sensitive_hierarchies = {{{', '.join(lines)}}}"
    return found
