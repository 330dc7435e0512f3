"""Privacy models as plain values, to be kept in a file and built again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from shoal import models
from shoal.data.hierarchy import Hierarchy
from shoal.errors import InputError
from shoal.models import AllOf, PrivacyModel


def plain_model(model: PrivacyModel) -> list[dict[str, Any]]:
    """Each part of a model as its name and parameters; refused where these cannot be kept."""
    if model.populations:
        raise InputError(
            f"The model {model} asks about a population, which no report holds: anonymize the next table itself."
        )
    return [_plain_part(part) for part in model.parts]


def _plain_part(part: PrivacyModel) -> dict[str, Any]:
    name = type(part).__name__
    if getattr(models, name, None) is not type(part) or not is_dataclass(part):
        raise InputError(f"The model {part} is none of shoal's, so no report can hold it.")
    return {"name": name} | {one.name: _plain(part, getattr(part, one.name)) for one in fields(part)}


def _plain(part: PrivacyModel, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Hierarchy):
        return plain_tree(value)
    if isinstance(value, Sequence) and all(isinstance(one, str) for one in value):
        return list(value)
    raise InputError(f"The parameter {value!r} of {part} is no plain number, so no report can hold it.")


def plain_tree(tree: Hierarchy) -> dict[str, Any]:
    """A tree as the label of each node and the position of its parent."""
    return {"labels": list(tree.labels), "parents": tree.parents.tolist()}


def model_of(parts: Sequence[Mapping[str, Any]]) -> PrivacyModel:
    """The model of plain values; its parameters are checked as those of any model."""
    return reduce(and_, [_part(part) for part in parts])


def _part(given: Mapping[str, Any]) -> PrivacyModel:
    kind = getattr(models, given["name"])
    if not (isinstance(kind, type) and issubclass(kind, PrivacyModel) and is_dataclass(kind)) or kind is AllOf:
        raise ValueError(given["name"])
    values = {name: value for name, value in given.items() if name != "name"}
    if isinstance(values.get("hierarchy"), Mapping):
        values["hierarchy"] = Hierarchy.from_parents(**values["hierarchy"])
    return kind(**values)
