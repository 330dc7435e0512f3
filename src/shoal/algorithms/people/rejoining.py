"""Groups of people that show the same labels are one class, which may fail a model although each of them holds.

Somebody may be in several of them, so that the share of a value among all of their people can exceed that in each.
Together they have no fewer people, though.
"""

from __future__ import annotations

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.kernels.arrays import Ints
from shoal.models import PrivacyModel


def recoding_of(table: Table, ids: Ints, model: PrivacyModel) -> Recoding:
    """Generalize groups of rows that each hold; if people are counted, join classes that fail with the nearest."""
    recoding = Recoding.of_groups(table, ids)
    if table.units is None or all(part.by_size_alone for part in model.parts):
        return recoding
    while recoding.sizes.size > 1:
        failing = np.flatnonzero(~model.satisfied(table.classes(recoding.ids)))
        if not failing.size:
            return recoding
        ids = recoding.ids.copy()
        ids[ids == failing[0]] = _nearest(table, ids, int(failing[0]))
        ids[ids > failing[0]] -= 1
        recoding = Recoding.of_groups(table, ids)
    return recoding


def _nearest(table: Table, ids: Ints, one: int) -> int:
    """Return the class whose mean codes are nearest to those of one class."""
    inside = ids >= 0
    rows = np.bincount(ids[inside])
    distances = np.zeros(rows.size)
    for codes in table.codes[inside].T:
        means = np.bincount(ids[inside], codes) / rows
        distances += np.abs(means - means[one]) / max(1, int(codes.max()))
    distances[one] = np.inf
    return int(distances.argmin())
