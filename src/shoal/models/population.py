"""What models of a population have in common."""

from __future__ import annotations

from typing import Any

from shoal.data.classes import Classes
from shoal.errors import InputError
from shoal.kernels.arrays import Longs
from shoal.models.model import PrivacyModel


def one_population(model: PrivacyModel) -> Any:
    """Return the population that all parts of a model share, or None; refuse two different ones."""
    populations = model.populations
    if any(population is not populations[0] for population in populations[1:]):
        raise InputError("The models ask about different populations: give them the same table.")
    return populations[0] if populations else None


def people_of(classes: Classes) -> Longs:
    """Return how many people each class could be about."""
    if classes.people is None:
        raise InputError("The model needs a population table, and the classes were made without one.")
    return classes.people
