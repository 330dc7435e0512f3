"""Generalization: what the classes of a release show, kept in its .json report for the next delivery."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import reduce
from operator import and_
from os import PathLike
from reprlib import repr as shortened  # damaged values may be nested too deeply for Python's own
from typing import Any

from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.unit import Unit
from shoal.errors import InputError
from shoal.models import MODELS, PrivacyModel
from shoal.release.json_report import read_report
from shoal.release.reuse.columns import KeptColumn

VERSION = 1
OF_PEOPLE = 2  # the version if people were counted, which readers of version 1 would not do
OPTIONS = (
    "drop_missing",
    "max_suppression",
    "suppressed",
    "order",
    "class_column",
    "missing_values",
    "rows_are_people",
    "accept",
)


@dataclass(frozen=True, eq=False)
class Generalization:
    """Roles, model and options of a release, and the generalized value of each class in each quasi-identifier.

    `options` has the other arguments of anonymize(), and `unit` says whose rows were counted, if people were. `classes`
    has for each column and class the position of its generalized value in `column.shown`; it is empty if every column
    has a level instead.
    """

    roles: Roles
    model: PrivacyModel
    style: Style
    options: dict[str, Any]
    columns: tuple[KeptColumn, ...]
    classes: tuple[tuple[int, ...], ...]
    unit: Unit | None = None

    @property
    def count(self) -> int:
        """The number of kept classes."""
        return len(self.classes[0]) if self.classes else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the generalization as plain values, with a checksum."""
        plain: dict[str, Any] = {
            "version": VERSION if self.unit is None else OF_PEOPLE,
            "roles": {name: list(names) for name, names in asdict(self.roles).items()},
            "model": plain_model(self.model),
            "style": asdict(self.style),
            "options": {
                name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()
            },
            "columns": [_plain_column(column) for column in self.columns],
            "classes": [list(places) for places in self.classes],
        }
        if self.unit is not None:
            plain["unit"] = asdict(self.unit)
        return plain | {"sha256": _checksum(plain)}


def read_generalization(path: str | PathLike[str]) -> Generalization:
    """Read the generalization in a .json report."""
    return generalization_in(read_report(path), str(path))


def generalization_in(report: Any, origin: str = "The report") -> Generalization:
    """Read the generalization in a report; refuse one that is damaged, changed or of another version."""
    if not isinstance(report, Mapping):
        raise InputError(f"{origin}: this is not a report on a release; name a .json file that --report wrote.")
    entry = report.get("generalization")
    if not isinstance(entry, Mapping) or "version" not in entry:
        raise InputError(
            f"{origin}: this report holds no generalization: write it with release.save(…, report='release.json')."
        )
    if entry["version"] not in (VERSION, OF_PEOPLE):
        raise InputError(
            f"{origin}: its generalization has version {shortened(entry['version'])}, and this shoal reads "
            f"{VERSION} and {OF_PEOPLE}: make the first release again."
        )
    if isinstance(entry.get("refused"), str):
        raise InputError(f"{origin}: this release cannot be applied to another table. {entry['refused']}")
    plain = {name: value for name, value in entry.items() if name != "sha256"}
    try:
        if entry.get("sha256") != _checksum(plain):
            raise ValueError("sha256")
        return _read(plain)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise InputError(f"{origin}: the generalization was changed or damaged since it was written.") from error


def check_unchanged(report: Mapping[str, Any], origin: str) -> None:
    """Refuse a report whose generalization, if it has one, was changed."""
    entry = report.get("generalization")
    if isinstance(entry, Mapping) and entry.get("version") in (VERSION, OF_PEOPLE) and "refused" not in entry:
        generalization_in(report, origin)


def plain_model(model: PrivacyModel) -> list[dict[str, Any]]:
    """Return the name and parameters of each part of a model; refuse a model that a report cannot hold."""
    if model.populations:
        raise InputError(
            f"The model {model} needs a population, which a report does not contain: anonymize the next table itself."
        )
    for part in model.parts:
        if type(part) not in MODELS:
            raise InputError(f"The model {part} is not one of shoal's, so a report cannot hold it.")
    return [part.to_dict() for part in model.parts]


def _plain_column(column: KeptColumn) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    plain = {field.name: (getattr(column, field.name), field.default) for field in fields(column)}
    return {name: value for name, (value, default) in plain.items() if value not in (default, [])}


def _read(plain: Mapping[str, Any]) -> Generalization:
    json.dumps(plain, ensure_ascii=False).encode()  # raises if a text has lone surrogates
    options = {"rows_are_people": False, "accept": [], **plain["options"]}  # which earlier reports do not have
    kinds = {kind.__name__: kind for kind in MODELS}
    columns = tuple(KeptColumn(**column).checked() for column in plain["columns"])
    classes = tuple(tuple(places) for places in plain["classes"])
    roles = Roles(**{name: _texts(names) for name, names in plain["roles"].items()})
    levels = [column.level is not None for column in columns]
    if type(options["rows_are_people"]) is not bool:
        raise ValueError("rows_are_people")
    if type(options["drop_missing"]) is not bool and options["drop_missing"] != "all":
        raise ValueError("drop_missing")
    if type(options["max_suppression"]) not in (int, float):
        raise ValueError("max_suppression")
    if roles.quasi != tuple(column.name for column in columns) or any(levels) != all(levels):
        raise ValueError("columns")
    if len(classes) != (0 if all(levels) else len(columns)) or len({len(places) for places in classes}) > 1:
        raise ValueError("classes")
    for column, places in zip(columns, classes, strict=False):
        if not all(type(place) is int and 0 <= place < len(column.shown) for place in places):
            raise ValueError("classes")
    return Generalization(
        roles=roles,
        model=reduce(and_, [kinds[part["name"]].from_dict(part) for part in plain["model"]]),
        style=Style(**plain["style"]),
        options={name: options[name] for name in OPTIONS}
        | {name: _texts(options[name]) for name in ("missing_values", "accept")},
        columns=columns,
        classes=classes,
        unit=_unit(plain, roles),
    )


def _unit(plain: Mapping[str, Any], roles: Roles) -> Unit | None:
    """Read whose rows were counted; the version says whether people were."""
    if (plain["version"] == OF_PEOPLE) != ("unit" in plain):
        raise ValueError("unit")
    if "unit" not in plain:
        return None
    kept = dict(plain["unit"])
    return Unit.of(tuple(roles.named), roles, unit=kept.pop("column"), **kept)


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(values)
    return tuple(values)


def _checksum(plain: Mapping[str, Any]) -> str:
    content = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()
