"""--config: a shoal.toml in place of options; options on the command line override it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from shoal.cli.config.entries import (
    Entry,
    choose,
    hierarchy_of,
    hint,
    is_hierarchy,
    levels_of,
    parameter_of,
    place_in,
    tree_of,
    value_of,
    weight_of,
)
from shoal.cli.config.keys import OPEN, SECTIONS
from shoal.cli.console import guarded
from shoal.errors import InputError
from shoal.system.atomic_files import check_name

if TYPE_CHECKING:
    from shoal.data.hierarchy import Hierarchy

MAX_PARTS = 100  # of a dotted name: the time to read one grows with the square of its parts
TOO_MANY_PARTS = re.compile(rf"""(?<![\w-])(?>(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){{{MAX_PARTS}}}""")


@dataclass(frozen=True)
class Config:
    """The content of a configuration file: defaults of parameters, and values by column or by name."""

    algorithm: str = "auto"
    defaults: Mapping[str, Any] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy | Path | str] = field(default_factory=dict)
    sensitive_hierarchies: Mapping[str, Hierarchy | Path] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)

    def of(self, algorithm: str) -> Config:
        """Return what the file says about an algorithm: nothing, unless it names that algorithm."""
        return self if algorithm == self.algorithm else Config()


@guarded
def use_config(context: typer.Context, path: Path | None) -> Path | None:
    """Take the values of a file for everything that the command line leaves open."""
    if path is not None and not context.resilient_parsing:
        context.obj = read_config(path)
        context.default_map = dict(context.obj.defaults)
    return path


def read_config(path: Path) -> Config:
    """Read a configuration file."""
    content = read_toml(path)
    algorithm = _algorithm(path, content)
    values: dict[str, dict[str, Any]] = {}
    for section, entries in content.items():
        if section not in SECTIONS or not isinstance(entries, dict):
            raise _unknown_section(path, section, entries)
        for name, value in entries.items():
            target, parsed = _parse(Entry(path, section, name, value), algorithm)
            values.setdefault(target, {}).update(parsed)
    return Config(algorithm, **values)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    check_name(path)
    try:
        content = path.read_bytes().decode("utf-8-sig")
        if TOO_MANY_PARTS.search(content):
            raise InputError(f"{path}: there is a name of more than {MAX_PARTS} parts (a.b.c…). Write fewer.")
        return tomllib.loads(content)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from error
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not valid TOML: {error}. Fix it there.") from error


def table_of(word: str) -> str:
    """Return the table that a TOML file names, or the word itself if it is not a TOML file."""
    path = Path(word)
    data = read_toml(path).get("data") if path.suffix.lower() == ".toml" else None
    return place_in(path.parent, str(data.get("file", ""))) if isinstance(data, dict) else word


def _parse(entry: Entry, algorithm: str) -> tuple[str, dict[str, Any]]:
    """Return the field of Config that an entry belongs to, and its values."""
    key = SECTIONS[entry.section].get(entry.name)
    if entry.section == "hierarchies" and (key is None or is_hierarchy(entry.value)):
        return "hierarchies", {entry.name: hierarchy_of(entry)}
    if key is None and entry.section in OPEN:
        return "parameters", {entry.name: parameter_of(algorithm, entry)}
    if key is None:
        raise entry.refused(hint(entry))
    if key.parameter == "weight":
        return "weights", {column.name: weight_of(column) for column in entry.by_column()}
    if key.parameter == "levels":
        return "levels", {column.name: levels_of(column) for column in entry.by_column()}
    if key.parameter == "sensitive_hierarchy":
        return "sensitive_hierarchies", {column.name: tree_of(column) for column in entry.by_column()}
    return "defaults", {key.parameter: value_of(entry, key)}


def _algorithm(path: Path, content: dict[str, Any]) -> str:
    """Return the name of the algorithm, which decides what parameters the file may set."""
    from shoal.algorithms import ALGORITHMS

    section = content.get("algorithm")
    name = section.get("name", "auto") if isinstance(section, dict) else "auto"
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise Entry(path, "algorithm", "name", name).refused(choose(name, ALGORITHMS))
    return name


def _unknown_section(path: Path, section: str, entries: Any) -> InputError:
    """Say what may have been meant by an unknown section, or by a key outside all sections."""
    home = next((name for name, keys in SECTIONS.items() if section in keys), None)
    close = get_close_matches(section.lower(), SECTIONS, n=1)
    if section in SECTIONS:
        return InputError(f"{path}: {section} = {entries!r} is not a section: write [{section}] and its keys below.")
    if not isinstance(entries, dict) and home:
        return InputError(f"{path}: {section} is outside all sections: it belongs in [{home}].")
    meant = f"Did you mean [{close[0]}]?" if close else f"The sections are [{'], ['.join(SECTIONS)}]."
    return InputError(f"{path}: there is no section [{section}]. {meant}")
