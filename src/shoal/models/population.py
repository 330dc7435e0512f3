"""What models of a population have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.model import PrivacyModel


def one_population(model: PrivacyModel) -> Any:
    """The population that a model, or all models that it is combined of, ask about; None where none does."""
    given = model.populations
    if any(other is not given[0] for other in given[1:]):
        raise InputError("The models ask about different populations: give them the same table.")
    return given[0] if given else None


def people_of(classes: Classes) -> NDArray[np.int64]:
    """The people that each class could be about."""
    if classes.people is None:
        raise InputError("The model needs a population table, and the classes were made without one.")
    return classes.people
