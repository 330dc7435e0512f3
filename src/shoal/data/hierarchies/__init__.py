"""Hierarchies from files and builders: one format or builder per module.

Files: `tab_tree`, `pairs`, `levels`. Builders: `intervals`, `cuts`, `prefix`, `dates`, `order`, `frequency`, and
`nested` for groups that are written in a program or a configuration file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from shoal.data.hierarchies import levels, pairs, tab_tree
from shoal.data.hierarchies.lines import fields, holds, numbered_lines, separator_of, separators_in
from shoal.data.tree import Tree
from shoal.errors import HierarchyError, InputError
from shoal.system.atomic_files import replace_whole, write_text
from shoal.system.close_names import did_you_mean

FORMATS = {"levels": levels, "pairs": pairs, "tab-tree": tab_tree}
SUFFIXES = (".csv", ".txt")


def detect(path: str | PathLike[str]) -> str:
    """Infer the format of a hierarchy file from its lines: leading tabs, two fields everywhere, or more."""
    lines = numbered_lines(path)
    if any(line.startswith("\t") for _, line in lines) or not any(separators_in(line) for _, line in lines):
        return "tab-tree"
    rows = [row for _, row in fields(path, lines)]
    if any(len(row) != 2 for row in rows):
        return "levels"
    children, parents = ({row[place].strip() for row in rows} for place in (0, 1))
    # Two columns are the same tree either way, except that in a level table a value may have the name of the top.
    return "levels" if separator_of(lines) == ";" and len(parents) == 1 and parents <= children else "pairs"


def write(tree: Tree, path: str | PathLike[str], format: str) -> Path:  # noqa: A002
    """Write a tree as a file of the named format, completely or not at all."""
    if format not in FORMATS:
        close = did_you_mean(format, FORMATS)
        raise InputError(f"There is no hierarchy format {format!r}: choose one of {', '.join(FORMATS)}.{close}")
    _check_labels(tree)
    content = FORMATS[format].render(tree)
    replace_whole({Path(path): lambda file: write_text(content, file)})
    return Path(path)


def _check_labels(tree: Tree) -> None:
    inner = set(tree.parents.tolist())
    for node, label in enumerate(tree.labels):
        if not label and (node == 0 or node in inner):
            raise HierarchyError("A group without a label cannot be written to a hierarchy file: name it.")
        if not holds(label):
            raise HierarchyError(
                f"The label {label!r} cannot be written to a hierarchy file: "
                f"remove blanks at its ends, line ends and invalid Unicode."
            )


def in_folder(folder: str | PathLike[str]) -> dict[str, Path]:
    """List the hierarchy files of a folder by their names without the suffix."""
    files = _files(folder)
    if not files:
        raise HierarchyError(f"{folder}: there is no hierarchy file in this folder ({' or '.join(SUFFIXES)}).")
    for name in (path.stem for path in files):
        same = [path for path in files if path.stem == name]
        if len(same) > 1:
            raise _ambiguous(folder, name, same)
    return {path.stem: path for path in files}


def find(folder: str | PathLike[str], column: str, columns: Sequence[str] = ()) -> Path | None:
    """Find the file of a folder that is named after a column, also as `adult_hierarchy_<column>.csv`.

    `marital-status.txt` is not taken for `status` if `marital-status` is one of the columns too.
    """
    wanted = _plain(column)
    longer = [name for name in map(_plain, columns) if name.endswith("-" + wanted)]
    files = _files(folder)
    exact = [path for path in files if path.stem == column] or [p for p in files if _plain(p.stem) == wanted]
    ending = [path for path in files if _plain(path.stem).endswith("-" + wanted)]
    matches = exact or [p for p in ending if not any(("-" + _plain(p.stem)).endswith("-" + name) for name in longer)]
    if len(matches) > 1:
        raise _ambiguous(folder, column, matches)
    return matches[0] if matches else None


def _ambiguous(folder: str | PathLike[str], column: str, matches: list[Path]) -> HierarchyError:
    names = ", ".join(path.name for path in matches)
    return HierarchyError(
        f"{folder}: several files could be the hierarchy of column {column!r} ({names}). "
        f"Name one: {column}={matches[0].name}."
    )


def _files(folder: str | PathLike[str]) -> list[Path]:
    place = Path(folder)
    try:
        if not place.is_dir():
            raise InputError(f"{place}: there is no folder of hierarchies here.")
        files = [path for path in place.iterdir() if path.is_file() and not path.name.startswith(".")]
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({error.strerror}).") from error
    return sorted(path for path in files if path.suffix.lower() in SUFFIXES)


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip().lower())
