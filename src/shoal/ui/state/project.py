"""Project: the choices made on the pages, as plain values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import shoal
from shoal.ui.state.models import Numbers, model_of

Role = Literal["quasi", "sensitive", "identifying", "unit", "group", "kept", "other"]
ROLES: dict[Role, str] = {
    "quasi": "quasi-identifying",
    "sensitive": "sensitive",
    "identifying": "identifying",
    "unit": "whose row it is",
    "group": "household",
    "kept": "kept as it is",
    "other": "no role",
}
REMOVED: tuple[Role, ...] = ("identifying", "unit", "group")  # roles of columns that are not released
Guide = str | shoal.Hierarchy  # a spelling such as intervals:5,10, or a tree

Stamp = tuple[int, int] | None  # the time and the size of a file


def algorithms() -> dict[str, str]:
    """Return the algorithms in plain words, by their names on the command line."""
    return {name: f"{kind.title}: {kind.summary}" for name, kind in shoal.ALGORITHMS.items()}


def weighted() -> str:
    """Name the algorithms that take weights of columns."""
    return " and ".join(kind.title for name, kind in shoal.ALGORITHMS.items() if "weights" in parameters_of(name))


def parameters_of(algorithm: str) -> set[str]:
    """Return the names of the parameters of an algorithm."""
    return {parameter.name for parameter in fields(shoal.ALGORITHMS[algorithm])}  # type: ignore[arg-type]


@dataclass
class Project:
    """The table and how it is read, the roles and hierarchies of its columns, the models, and the algorithm."""

    data: str = ""  # as a script names it: a path, an address, or the name of an uploaded file
    separator: str | None = None
    encoding: str = "utf-8"
    names: list[str] | bool | None = None  # of the columns of a CSV, as in shoal.read()
    missing: list[str] = field(default_factory=list)
    roles: dict[str, Role] = field(default_factory=dict)
    hierarchies: dict[str, Guide] = field(default_factory=dict)
    models: dict[str, Numbers] = field(default_factory=lambda: {"k": {"k": 5}})
    population: str = ""  # the path or address of the population table, for models that need one
    algorithm: str = "auto"
    effort: str = ""  # of local recoding: a name or seconds; empty: its own, or what auto picks
    weights: dict[str, float] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)  # of full-domain generalization, if fixed
    seed: int = 0
    seconds: float | None = None  # after which the best result so far is taken
    max_suppression: float = 0.0
    suppressed: Literal["usual", "keep", "drop"] = "usual"  # for the algorithm
    drop_missing: bool | Literal["roles", "all"] = False
    rows_are_people: bool = False

    @property
    def reading(self) -> dict[str, Any]:
        """The arguments of shoal.read(), as values that can be the key of a cache."""
        names = tuple(self.names) if isinstance(self.names, list) else self.names
        return {"separator": self.separator, "encoding": self.encoding, "names": names}

    def having(self, role: Role) -> list[str]:
        """List the columns of a role."""
        return [name for name, own in self.roles.items() if own == role]

    def give(self, name: str, role: Role) -> None:
        """Give a column a role; only one says whose row it is, and another one can no longer."""
        for other in self.having(role) if role in ("unit", "group") else ():
            self.roles[other] = "identifying"
        self.roles[name] = role

    @property
    def unit(self) -> str | None:
        """The column that says whose row it is."""
        return next(iter(self.having("unit")), None)

    @property
    def group(self) -> str | None:
        """The column of households."""
        return next(iter(self.having("group")), None)

    @property
    def removed(self) -> list[str]:
        """The columns that are not released."""
        return [name for role in REMOVED for name in self.having(role)]

    @property
    def quasi(self) -> list[str]:
        """The quasi-identifiers."""
        return self.having("quasi")

    @property
    def sensitive(self) -> list[str]:
        """The sensitive columns."""
        return self.having("sensitive")

    def model(self) -> shoal.PrivacyModel:
        """Combine the chosen models."""
        return model_of(self.models, self.sensitive, self.population)

    def build_algorithm(self) -> Any:
        """Build the algorithm with those choices that it takes as parameters."""
        kind: Any = shoal.ALGORITHMS[self.algorithm]
        names = parameters_of(self.algorithm)
        weights = {name: weight for name, weight in self.weights.items() if name in self.quasi and weight != 1}
        if weights and "weights" not in names:
            raise shoal.InputError(
                f"Weights are for {weighted()}: choose one of them instead of {self.algorithm}, or set all weights "
                f"back to 1."
            )
        parameters: dict[str, Any] = {"seed": self.seed}
        if self.effort:
            parameters["effort"] = float(self.effort) if self.effort[0].isdigit() else self.effort
        if weights:
            parameters["weights"] = weights
        if self.levels:
            parameters["levels"] = self.levels
        parameters["time_limit"] = None  # the workbench itself stops a search that takes too long
        return kind(**{name: value for name, value in parameters.items() if name in names})

    def arguments(self, guides: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of shoal.anonymize(), with the hierarchies in `guides`."""
        if not self.quasi:
            raise shoal.InputError(
                "No column is quasi-identifying: on the Data page, choose what others may know about a person."
            )
        return {
            "quasi_identifiers": self.quasi,
            "sensitive": self.sensitive,
            "identifying": self.having("identifying"),
            "keep": self.having("kept"),
            "hierarchies": {name: guide for name, guide in guides.items() if name in self.quasi} or None,
            "model": self.model(),
            "algorithm": self.build_algorithm(),
            "max_suppression": self.max_suppression,
            "suppressed": None if self.suppressed == "usual" else self.suppressed,
            "unit": self.unit,
            "group": self.group,
            "missing_values": self.missing,
            "drop_missing": self.drop_missing,
            "rows_are_people": self.rows_are_people,
        }


def stamp_of(path: str) -> Stamp:
    """Return what shows that a file has changed; None if it is not a file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
