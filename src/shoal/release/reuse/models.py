"""Privacy models as plain values, to be saved in a file and rebuilt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any

from shoal.errors import InputError
from shoal.models import MODELS, PrivacyModel


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


def model_of(parts: Sequence[Mapping[str, Any]]) -> PrivacyModel:
    """Build the model of plain values; its parameters are checked as those of any model."""
    kinds = {kind.__name__: kind for kind in MODELS}
    return reduce(and_, [kinds[part["name"]].from_dict(part) for part in parts])
