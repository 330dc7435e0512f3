"""Labels: the released labels of the equivalence classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.style import text_array


class Labels:
    """The label of each equivalence class for one quasi-identifier; suppressed rows show the top."""

    def __init__(self, labels: Sequence[str], top: str) -> None:
        places = {label: place for place, label in enumerate(dict.fromkeys([*labels, top]))}
        self._dictionary = text_array(list(places))
        self._places = np.array([places[label] for label in (*labels, top)], np.int32)

    def of(self, ids: NDArray[np.int32]) -> pa.DictionaryArray:
        """Return the label of each row's class; −1 is a suppressed row."""
        return pa.DictionaryArray.from_arrays(pa.array(self._places[ids]), self._dictionary)  # −1 takes the last: top
