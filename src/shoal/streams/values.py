"""KnownValues: the different values of a column, learned while its batches pass."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.coding import Values
from shoal.encoding import check_groupable
from shoal.errors import InputError

IntArray = NDArray[np.int32]


class KnownValues:
    """Values get places in the order in which they are seen; null has the place −1."""

    def __init__(self, name: str, kind: pa.DataType) -> None:
        self.name = name
        self._ordered = pa.types.is_dictionary(kind) and kind.ordered
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        check_groupable(name, plain)
        self._values = pa.array([], plain)

    def places(self, column: pa.Array, *, learn: bool) -> IntArray:
        """The place of each value, new ones being learned, or refused."""
        if pa.types.is_null(column.type):
            return np.full(len(column), -1, np.int32)
        if not pa.types.is_dictionary(column.type):
            column = pc.dictionary_encode(column)
        seen = column.dictionary.cast(self._values.type)
        found = pc.index_in(seen, value_set=self._values)
        new = pc.and_(pc.is_null(found), pc.is_valid(seen))
        if pc.any(new).as_py():
            if not learn:
                raise InputError(
                    f"Column {self.name!r} has a value that was not there before: the input changed while it was read."
                )
            # A dictionary may hold values that no row has.
            used = pc.is_in(seen, value_set=column.dictionary.cast(self._values.type).take(pc.unique(column.indices)))
            self._values = pa.concat_arrays([self._values, seen.filter(pc.and_(new, used))])
            found = pc.index_in(seen, value_set=self._values)
        if self._ordered:
            self._check_order(found)
        place_of = np.append(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), -1).astype(np.int32)
        indices = pc.fill_null(column.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False)
        places: IntArray = place_of[indices]
        return places

    def _check_order(self, found: pa.Array) -> None:
        places = found.drop_null().to_numpy(zero_copy_only=False)
        if (np.diff(places) < 0).any():
            raise InputError(f"Column {self.name!r} has its values in different orders in its parts: make it text.")

    def values(self, counts: NDArray[np.int64]) -> Values:
        """The values with the rows that have each, null with the last of the counts."""
        values, ordered = self._values, self._ordered
        if counts[-1]:
            values = pa.concat_arrays([values, pa.nulls(1, values.type)])
        else:
            counts = counts[:-1]
        if ordered:
            places = pa.array(np.arange(len(self._values), dtype=np.int32))
            places = pa.concat_arrays([places, pa.nulls(len(values) - len(places), pa.int32())])
            values = pa.DictionaryArray.from_arrays(places, self._values, ordered=True)
        return Values(self.name, values, counts)

    def __len__(self) -> int:
        return len(self._values)
