"""Generalization: what the classes of a release show, kept in its .json report to be applied to the next delivery."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from os import PathLike
from pathlib import Path
from reprlib import repr as shortened  # what is damaged may be too deep for Python's own
from typing import Any

from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.release.reuse.columns import KeptColumn
from shoal.release.reuse.models import model_of, plain_model
from shoal.system.atomic_files import check_name

VERSION = 1
Origin = str | PathLike[str]


@dataclass(frozen=True, eq=False)
class Generalization:
    """Roles, model and options of a release, and for each quasi-identifier what each class shows.

    `classes` has for each column and class the place of what it shows among the things that the column shows; it is
    empty where every column goes up by a number of levels.
    """

    roles: Roles
    model: PrivacyModel
    style: Style
    missing_values: tuple[str, ...]
    drop_missing: bool
    max_suppression: float | int
    suppressed: str
    order: str
    class_column: str | None
    columns: tuple[KeptColumn, ...]
    classes: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """The number of classes that are kept."""
        return len(self.classes[0]) if self.classes else 0

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with a checksum."""
        plain = {
            "version": VERSION,
            "roles": {name: list(names) for name, names in asdict(self.roles).items()},
            "model": plain_model(self.model),
            "style": asdict(self.style),
            "options": {name: getattr(self, name) for name in _OPTIONS} | {"missing_values": list(self.missing_values)},
            "columns": [_plain_column(column) for column in self.columns],
            "classes": [list(places) for places in self.classes],
        }
        return plain | {"sha256": _checksum(plain)}

    @classmethod
    def of_dict(cls, given: Any, origin: str) -> Generalization:
        """Of plain values; refused where they are damaged, changed or of another version."""
        if not isinstance(given, Mapping) or "version" not in given:
            raise InputError(
                f"{origin}: this report holds no generalization: write it with release.save(…, report='release.json')."
            )
        if given["version"] != VERSION:
            raise InputError(
                f"{origin}: its generalization has version {shortened(given['version'])}, and this shoal reads "
                f"{VERSION}: make the first release again."
            )
        if isinstance(given.get("refused"), str):
            raise InputError(f"{origin}: this release cannot be applied to another table. {given['refused']}")
        plain = {name: value for name, value in given.items() if name != "sha256"}
        damaged = InputError(f"{origin}: the generalization was changed or damaged since it was written.")
        try:
            found = _read(plain) if given.get("sha256") == _checksum(plain) else None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
            raise damaged from error
        if found is None:
            raise damaged
        return found


_OPTIONS = ("drop_missing", "max_suppression", "suppressed", "order", "class_column")


def read_generalization(path: Origin) -> Generalization:
    """The generalization in a .json report."""
    check_name(path)
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is no whole JSON file: name the .json report of a release.") from error
    return generalization_in(given, str(path))


def generalization_in(report: Any, origin: str = "The report") -> Generalization:
    """The generalization in a report as plain values."""
    if not isinstance(report, Mapping):
        raise InputError(f"{origin}: this is no report of a release: name a .json file that --report wrote.")
    return Generalization.of_dict(report.get("generalization"), origin)


def _plain_column(column: KeptColumn) -> dict[str, Any]:
    """The fields that say something."""
    plain = {one.name: (getattr(column, one.name), one.default) for one in fields(column)}
    return {name: value for name, (value, default) in plain.items() if value not in (default, [])}


def _read(plain: Mapping[str, Any]) -> Generalization:
    json.dumps(plain, ensure_ascii=False).encode()  # halves of characters are no text
    options = plain["options"]
    columns = tuple(KeptColumn(**column).checked() for column in plain["columns"])
    classes = tuple(tuple(places) for places in plain["classes"])
    roles = Roles(**{name: _texts(names) for name, names in plain["roles"].items()})
    levels = [column.level is not None for column in columns]
    if type(options["drop_missing"]) is not bool:
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
        model=model_of(plain["model"]),
        style=Style(**plain["style"]),
        missing_values=_texts(options["missing_values"]),
        columns=columns,
        classes=classes,
        **{name: options[name] for name in _OPTIONS},
    )


def _texts(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise ValueError(given)
    return tuple(given)


def _checksum(plain: Mapping[str, Any]) -> str:
    content = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()
