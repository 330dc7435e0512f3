"""--config: a shoal.toml in place of options; what stands on the command line goes first."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.config.entries import (
    Entry,
    guide_of,
    hint,
    is_guide,
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

DEEPEST = 100  # parts of a dotted name, which take the square of their number to read
DEEP = re.compile(rf"""(?<![\w-])(?>(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){{{DEEPEST}}}""")
Guides = dict[str, "Hierarchy | Path | str"]


@dataclass(frozen=True)
class Config:
    """What a configuration file says: defaults of parameters, and what is given by column or by name."""

    defaults: dict[str, Any] = field(default_factory=dict)
    hierarchies: Guides = field(default_factory=dict)
    sensitive_hierarchies: Guides = field(default_factory=dict)
    algorithm: str = "auto"
    parameters: dict[str, str] = field(default_factory=dict)
    weights: dict[str, str] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)

    @property
    def trees(self) -> dict[str, Hierarchy]:
        """The hierarchies that stand in the file itself."""
        from shoal.data.hierarchy import Hierarchy

        return {name: given for name, given in self.hierarchies.items() if isinstance(given, Hierarchy)}

    def of(self, algorithm: str) -> Config:
        """What the file says about an algorithm: nothing, where it is another than the file's own."""
        return self if algorithm == self.algorithm else Config()


@guarded
def use(context: typer.Context, path: Path | None) -> Path | None:
    """Take the values of a file for all that the command line leaves open."""
    if path is not None and not context.resilient_parsing:
        repeated = {parameter.name for parameter in context.command.params if getattr(parameter, "multiple", False)}
        context.obj = read_config(path, repeated)
        context.default_map = context.obj.defaults
    return path


ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="A shoal.toml with all of this; options go first.", callback=use, is_eager=True),
]


def read_config(path: Path, repeated: Collection[str]) -> Config:
    """The content of a file; lists are for parameters that may be repeated."""
    content = read_toml(path)
    config = Config(algorithm=_algorithm(path, content))
    for section, entries in content.items():
        if section not in SECTIONS or not isinstance(entries, dict):
            raise _unknown_section(path, section, entries)
        for name, value in entries.items():
            _take(config, Entry(path, section, name, value), repeated)
    return config


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file."""
    check_name(path)
    try:
        content = path.read_bytes().decode("utf-8-sig")
        if DEEP.search(content):
            raise InputError(f"{path}: there is a name of more than {DEEPEST} parts (a.b.c…). Write fewer.")
        return tomllib.loads(content)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from error
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not readable as TOML: {error}. Mend it there.") from error


def table_of(word: str) -> str:
    """The table that a file is about, or the word itself where it is no TOML file."""
    path = Path(word)
    data = read_toml(path).get("data") if path.suffix.lower() == ".toml" else None
    return place_in(path.parent, str(data.get("file", ""))) if isinstance(data, dict) else word


def _take(config: Config, entry: Entry, repeated: Collection[str]) -> None:
    """Put an entry where the command finds it."""
    key = SECTIONS[entry.section].get(entry.name)
    if entry.section == "hierarchies" and (key is None or is_guide(entry.value)):
        config.hierarchies[entry.name] = guide_of(entry)
    elif key is None and entry.section in OPEN:
        config.parameters[entry.name] = parameter_of(config.algorithm, entry)
    elif key is None:
        raise entry.refused(hint(entry))
    elif key.parameter == "weight":
        config.weights.update({one.name: weight_of(one) for one in entry.by_column()})
    elif key.parameter == "levels":
        config.levels.update({one.name: levels_of(one) for one in entry.by_column()})
    elif key.parameter == "sensitive_hierarchy":
        config.sensitive_hierarchies.update({one.name: tree_of(one) for one in entry.by_column()})
    else:
        config.defaults[key.parameter] = value_of(entry, key, key.parameter in repeated)


def _algorithm(path: Path, content: dict[str, Any]) -> str:
    """The name of the algorithm, whose parameters may stand beside it."""
    from shoal.algorithms import ALGORITHMS

    section = content.get("algorithm")
    name = section.get("name", "auto") if isinstance(section, dict) else "auto"
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise Entry(path, "algorithm", "name", name).refused(f"choose from {', '.join(ALGORITHMS)}")
    return name


def _unknown_section(path: Path, section: str, entries: Any) -> InputError:
    """What may have been meant by an unknown section, or by a key in front of all sections."""
    home = next((name for name, known in SECTIONS.items() if section in known), None)
    close = get_close_matches(section.lower(), SECTIONS, n=1)
    if section in SECTIONS:
        return InputError(f"{path}: {section} = {entries!r} is no section: write [{section}] and its keys below.")
    if not isinstance(entries, dict) and home:
        return InputError(f"{path}: {section} stands outside the sections: it belongs into [{home}].")
    meant = f"Did you mean [{close[0]}]?" if close else f"The sections are [{'], ['.join(SECTIONS)}]."
    return InputError(f"{path}: there is no section [{section}]. {meant}")
