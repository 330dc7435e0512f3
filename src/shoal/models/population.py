"""What models of a population have in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.table import Classes


def people_of(classes: Classes) -> NDArray[np.int64]:
    """The people that each class could be about."""
    if classes.people is None:
        raise InputError("The model needs a population table, and the classes were made without one.")
    return classes.people
