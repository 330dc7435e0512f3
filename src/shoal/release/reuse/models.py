"""Privacy models as plain values, to be saved in a file and rebuilt."""

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
    """Return the name and parameters of each part of a model; refuse a model that a report cannot hold."""
    if model.populations:
        raise InputError(
            f"The model {model} needs a population, which a report does not contain: anonymize the next table itself."
        )
    return [_plain_part(part) for part in model.parts]


def _plain_part(part: PrivacyModel) -> dict[str, Any]:
    name = type(part).__name__
    if getattr(models, name, None) is not type(part) or not is_dataclass(part):
        raise InputError(f"The model {part} is not one of shoal's, so a report cannot hold it.")
    return {"name": name} | {field.name: _plain(part, getattr(part, field.name)) for field in fields(part)}


def _plain(part: PrivacyModel, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Hierarchy):
        return plain_tree(value)
    if isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        return list(value)
    raise InputError(f"The parameter {value!r} of {part} is not a plain value, so a report cannot hold it.")


def plain_tree(tree: Hierarchy) -> dict[str, Any]:
    """Return the label of each node of a tree and the position of its parent."""
    return {"labels": list(tree.labels), "parents": tree.parents.tolist()}


def model_of(parts: Sequence[Mapping[str, Any]]) -> PrivacyModel:
    """Rebuild a model from plain values; its parameters are checked as usual."""
    return reduce(and_, [_part(part) for part in parts])


def _part(plain: Mapping[str, Any]) -> PrivacyModel:
    kind = getattr(models, plain["name"])
    if not (isinstance(kind, type) and issubclass(kind, PrivacyModel) and is_dataclass(kind)) or kind is AllOf:
        raise ValueError(plain["name"])
    values = {name: value for name, value in plain.items() if name != "name"}
    if isinstance(values.get("hierarchy"), Mapping):
        values["hierarchy"] = Hierarchy.from_parents(**values["hierarchy"])
    return kind(**values)
