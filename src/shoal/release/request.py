"""Request: what anonymize() was asked for, as it was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from shoal.algorithms import Algorithm
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.models import PrivacyModel


@dataclass(frozen=True, eq=False)
class Request:
    """The arguments of a call, enough to write it down again; the key of pseudonyms is none of them.

    `command` is the command line that made the call, where one did; `definitions` has the lines of Python that give
    the names `data`, `key` and the like their values; `node` is the node of the lattice that was applied afterwards.
    """

    roles: Roles
    hierarchies: Any
    model: PrivacyModel
    algorithm: Algorithm | str
    max_suppression: float | int
    suppressed: str
    order: str
    class_column: str | None
    missing_values: tuple[str, ...]
    drop_missing: bool
    style: Style
    command: str | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    node: Mapping[str, int] | None = None
    files: Mapping[str, Any] = field(default_factory=dict)  # the arguments of anonymize_files() that came with them

    def inputs(self, data: str | None) -> list[str | PathLike[str]]:
        """The paths and addresses that were read: those of the table, hierarchies, a population, an earlier release."""
        trees = self.hierarchies.values() if isinstance(self.hierarchies, Mapping) else ()
        earlier = getattr(self.algorithm, "origin", None)
        given = (data, earlier, *trees, *self.model.populations)
        return [one for one in given if isinstance(one, str | PathLike)]
