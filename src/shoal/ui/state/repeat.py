"""What makes a release again without the workbench: the configuration file, the script, and the files they name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import shoal
from shoal.ui.state.models import offers
from shoal.ui.state.project import Project

COMMAND = "shoal anonymize --config shoal.toml"
TITLE = "# A release made in the workbench. To make it again: " + COMMAND


def config_text(project: Project, guides: Mapping[str, str | Path], algorithm: Any, output: str) -> str:
    """The shoal.toml that makes a release again, with the algorithm that made it."""
    data: dict[str, Any] = {"file": project.data}
    if project.separator is not None:
        data["separator"] = project.separator
    if project.encoding != "utf-8":
        data["encoding"] = project.encoding
    if project.missing:
        data["missing"] = project.missing
    if project.drop_missing:
        data["drop_missing"] = True
    limits = {"max_suppression": project.max_suppression, "suppressed": project.suppressed}
    sections: dict[str, Mapping[str, Any]] = {
        "data": data,
        "roles": {role: project.having(role) for role in ("quasi", "sensitive", "identifying")},
        "hierarchies": {name: str(guides[name]) for name in project.quasi if name in guides},
        "model": _model(project),
        "algorithm": _algorithm(algorithm),
        "limits": limits,
        "output": {"file": output},
    }
    written = [_section(name, entries) for name, entries in sections.items() if entries]
    return "\n\n".join([TITLE, *written]) + "\n"


def script_text(release: shoal.Release, outputs: list[str]) -> str:
    """The lines of Python that make a release again and save it under these names."""
    saves = "".join(f"release.save({json.dumps(name, ensure_ascii=False)})\n" for name in outputs)
    return f'"""Makes the release again."""\n\n{release.to_python()}{saves}'


def save_trees(project: Project, folder: Path) -> dict[str, str | Path]:
    """The hierarchies as a script would name them: spellings as they are, trees as files, which are written here."""
    found: dict[str, str | Path] = {}
    for number, name in enumerate(project.quasi, start=1):
        guide = project.hierarchies.get(name)
        if isinstance(guide, str):
            found[name] = guide
        elif guide is not None:
            plain = re.sub(r"[^\w-]+", "-", name).strip("-")[:60]
            found[name] = Path("hierarchies") / f"{plain or f'column-{number}'}.txt"
            if any(found[name] == other for column, other in found.items() if column != name):
                found[name] = Path("hierarchies") / f"{plain}-{number}.txt"
            (folder / "hierarchies").mkdir(exist_ok=True)
            guide.save(folder / found[name])
    return found


def _model(project: Project) -> dict[str, Any]:
    """Return the models that have an option by its name, the others as requirements."""
    entries: dict[str, Any] = {}
    requirements = []
    for key, numbers in project.models.items():
        offer = offers()[key]
        checked = offer.checked(numbers)
        if offer.form.option:
            (entries[offer.form.option],) = checked.values()
        else:
            requirements.append(offer.requirement(checked))
        if offer.model.uses_population:
            entries["population"] = project.population
    return entries | ({"require": requirements} if requirements else {})


def _algorithm(algorithm: Any) -> dict[str, Any]:
    """The name of an algorithm, and those of its parameters that are not as they are by themselves."""
    found: dict[str, Any] = {"name": algorithm.name}
    for field in fields(algorithm):
        value = getattr(algorithm, field.name)
        if value != field.default:
            found[field.name] = "none" if value is None else value
    return found


def _section(name: str, entries: Mapping[str, Any]) -> str:
    return "\n".join([f"[{name}]", *(f"{_key(key)} = {toml(value)}" for key, value in entries.items())])


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml(name)


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
