"""Hierarchies from files and builders: one format or builder per module.

Files: `tab_tree`, `pairs`, `levels`. Builders: `intervals`, `prefix`, `dates`, `order`, `frequency`, `flat`.
"""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

from shoal.errors import HierarchyError, InputError
from shoal.hierarchies import levels, pairs, tab_tree
from shoal.hierarchies.lines import fields, numbered_lines, separator_of
from shoal.hierarchy import Hierarchy

FORMATS = {"levels": levels, "pairs": pairs, "tab-tree": tab_tree}
SUFFIXES = (".csv", ".txt")


def detect(path: str | PathLike[str]) -> str:
    """The format of a hierarchy file, told from its lines: tabs in front, two fields everywhere, or more."""
    lines = numbered_lines(path)
    if any(line.startswith("\t") for _, line in lines) or separator_of(lines) is None:
        return "tab-tree"
    counts = {len(row) for _, row in fields(path, lines)}
    return "pairs" if counts == {2} else "levels"


def read(path: str | PathLike[str]) -> Hierarchy:
    """Read a hierarchy file, telling its format from its lines."""
    tree: Hierarchy = FORMATS[detect(path)].read(path)
    return tree


def write(hierarchy: Hierarchy, path: str | PathLike[str], format: str) -> Path:  # noqa: A002
    """Write a hierarchy as a file of the named format."""
    if format not in FORMATS:
        raise InputError(f"There is no hierarchy format {format!r}: choose one of {', '.join(FORMATS)}.")
    content = FORMATS[format].render(hierarchy)
    target = Path(path)
    try:
        target.write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror}).") from error
    return target


def read_folder(folder: str | PathLike[str]) -> dict[str, Hierarchy]:
    """Read every hierarchy file of a folder, by the name of its file without the ending."""
    return {path.stem: read(path) for path in _files(folder)}


def find(folder: str | PathLike[str], column: str) -> Path | None:
    """The file of a folder that is named for a column, also as `adult_hierarchy_<column>.csv`."""
    wanted = _plain(column)
    files = _files(folder)
    exact = [path for path in files if path.stem == column] or [p for p in files if _plain(p.stem) == wanted]
    matches = exact or [path for path in files if _plain(path.stem).endswith("-" + wanted)]
    if len(matches) > 1:
        names = ", ".join(path.name for path in matches)
        raise HierarchyError(
            f"{folder}: several files could be the hierarchy of column {column!r} ({names}). "
            f"Name one: {column}={matches[0].name}."
        )
    return matches[0] if matches else None


def _files(folder: str | PathLike[str]) -> list[Path]:
    place = Path(folder)
    if not place.is_dir():
        raise InputError(f"{place}: there is no such folder of hierarchies.")
    return sorted(path for path in place.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip().lower())
