"""How to make a release again without the workbench: configuration file, script, and the files they name."""

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
from shoal.ui.state.toml import toml_file, toml_line

COMMAND = "shoal anonymize --config shoal.toml"
TITLE = "# A release made in the workbench. To make it again: " + COMMAND


def config_text(project: Project, guides: Mapping[str, str | Path], algorithm: Any, output: str) -> str:
    """Write the shoal.toml that makes a release again, with the algorithm that made it."""
    data = {
        "file": project.data,
        "separator": project.separator,
        "encoding": None if project.encoding == "utf-8" else project.encoding,
        "names": project.names if isinstance(project.names, list) else None,
        "header": project.names if isinstance(project.names, bool) else None,
        "missing": project.missing or None,
        "drop_missing": project.drop_missing or None,
    }
    sections: dict[str, Mapping[str, Any]] = {
        "data": {name: value for name, value in data.items() if value is not None},
        "roles": {role: project.having(role) for role in ("quasi", "sensitive", "identifying")}
        | ({"keep": project.having("kept")} if project.having("kept") else {})
        | {role: name for role, name in (("unit", project.unit), ("group", project.group)) if name is not None}
        | ({"rows_are_people": True} if project.rows_are_people else {}),
        "hierarchies": {name: str(guides[name]) for name in project.quasi if name in guides},
        "model": _model(project),
        "algorithm": _algorithm(algorithm),
        "limits": {"max_suppression": project.max_suppression}
        | ({} if project.suppressed == "usual" else {"suppressed": project.suppressed}),
        "output": {"file": output},
    }
    lines = {name: [toml_line(key, value) for key, value in entries.items()] for name, entries in sections.items()}
    return toml_file(TITLE, {name: section for name, section in lines.items() if section})


def script_text(release: shoal.Release, outputs: list[str]) -> str:
    """Write the Python script that makes a release again and saves it under these names."""
    saves = "".join(f"release.save({json.dumps(name, ensure_ascii=False)})\n" for name in outputs)
    return f'"""Makes the release again."""\n\n{release.to_python()}{saves}'


def save_trees(project: Project, folder: Path) -> dict[str, str | Path]:
    """Return the hierarchies as a script names them: spellings as they are, trees as files, which are saved here."""
    guides: dict[str, str | Path] = {}
    for number, name in enumerate(project.quasi, start=1):
        guide = project.hierarchies.get(name)
        if isinstance(guide, str):
            guides[name] = guide
        elif guide is not None:
            plain = re.sub(r"[^\w-]+", "-", name).strip("-")[:60]
            file = Path("hierarchies") / f"{plain or f'column-{number}'}.txt"
            if file in guides.values():
                file = Path("hierarchies") / f"{plain}-{number}.txt"
            (folder / "hierarchies").mkdir(exist_ok=True)
            guide.save(folder / file)
            guides[name] = file
    return guides


def _model(project: Project) -> dict[str, Any]:
    """Write the models that have an option by its name, and the others as requirements."""
    keys: dict[str, Any] = {}
    requirements = []
    for key, numbers in project.models.items():
        offer = offers()[key]
        checked = offer.checked(numbers)
        if offer.form.option:
            (keys[offer.form.option],) = checked.values()
        else:
            requirements.append(offer.requirement(checked))
        if offer.model.uses_population:
            keys["population"] = project.population
    return keys | ({"require": requirements} if requirements else {})


def _algorithm(algorithm: Any) -> dict[str, Any]:
    """Write the name of an algorithm, and the parameters that differ from their defaults."""
    parameters: dict[str, Any] = {"name": algorithm.name}
    for field in fields(algorithm):
        value = getattr(algorithm, field.name)
        if value != field.default:
            parameters[field.name] = "none" if value is None else value
    return parameters
