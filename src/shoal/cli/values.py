"""The values of options, parsed from the text that was typed."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.system.atomic_files import check_name


def names(values: list[str] | None) -> list[str]:
    """Parse repeated, comma-separated options; names with commas or outer spaces are in double quotes.

    Two double quotes alone are the name of a column without a name.
    """
    return [name for value in values or [] for name in _split(value) if name or value == '""']


def _split(value: str) -> list[str]:
    try:
        parts = next(csv.reader([value], skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        raise InputError(f"The names {value!r} cannot be parsed: write a,b or '\"a, x\",b'.") from error
    return parts if '"' in value else [name.strip() for name in parts]


def pairs(option: str, values: list[str] | None) -> dict[str, str]:
    """Parse the `name=value` pairs of a repeated option."""
    parsed: dict[str, str] = {}
    for value in values or []:
        name, equals, rest = (part.strip() for part in value.partition("="))
        if not equals or not name or not rest:
            raise InputError(f"{option} {value!r} must have the form name=value.")
        if name in parsed:
            raise InputError(f"{option} names {name!r} twice: keep one of the two.")
        parsed[name] = rest
    return parsed


def hierarchies_of(
    folder: Path | str | None,
    values: list[str] | None,
    columns: list[str],
    *,
    option: str = "--hierarchy",
    role: str = "quasi-identifiers",
    configured: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the hierarchies by column: from the option, else the configuration file, else the files of a folder."""
    from shoal.data.hierarchies import find

    by_column = pairs(option, values)
    for name in by_column:
        if columns and name not in columns:
            raise InputError(f"{option} {name}=…: {name!r} is not among the {role} ({', '.join(columns)}).")
    found = {name: find(folder, name, columns) for name in columns} if folder else {}
    files = {name: path for name, path in found.items() if path is not None}
    if folder and columns and not files and not by_column and not configured:
        raise InputError(f"{folder}: no file is named for one of the {role} ({', '.join(columns)}).")
    return {**files, **(configured or {}), **by_column}


def suppression_of(limit: str) -> float | int:
    """Parse the share or the number of rows that may be suppressed."""
    try:
        return int(limit) if limit.lstrip("-").isdecimal() else float(limit)
    except ValueError as error:
        raise InputError(f"--max-suppression {limit!r} must be a share such as 0.02 or a number of rows.") from error


def key_in(path: Path | None) -> bytes | None:
    """Read a secret key, which nobody else may be able to read."""
    if path is None:
        return None
    check_name(path)
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise InputError(f"{path}: others can read this secret key. Run 'chmod 600 {path}' first.")
            return file.read().strip()
    except OSError as error:
        raise InputError(f"{path}: the key cannot be read ({error.strerror}).") from error
