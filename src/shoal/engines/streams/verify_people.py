"""WrittenPeople: whose rows are written, counted from the labels of checked rows by Arrow and numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import plain
from shoal.data.classes import Classes
from shoal.engines.streams.row_counts import RowCounts
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.people import People, names_nobody
from shoal.release.verification.release import check_release

MIN_NAMES = 1 << 21  # names to gather before equal ones are merged
MIN_PAIRS = 1 << 22
IntArray = NDArray[np.int64]
Numbers = NDArray[np.int32]


class WrittenPeople:
    """The people of the released rows and, if rows can be dropped, of all rows."""

    def __init__(self, promise: Promise) -> None:
        self._promise = promise
        self._released = _PeopleCounts([*promise.quasi, *promise.sensitive], promise.missing_values)
        self._whole = None
        if promise.max_dropped and promise.sensitive:
            self._whole = _PeopleCounts(promise.sensitive, promise.missing_values)

    def add(
        self, batch: pa.RecordBatch, released: pa.RecordBatch, *, kept: IntArray | None, may_stay: NDArray[np.bool_]
    ) -> None:
        """Count the people of released rows, which were made from the `kept` rows (None: all) of a batch."""
        if self._promise.unit is None:
            raise VerificationError("Nothing tells whose rows they are.")
        names = batch.column(str(self._promise.unit.column))
        self._released.add(released, names if kept is None else names.take(pa.array(kept)))
        if self._whole is not None:
            stays = pa.array(may_stay)
            self._whole.add(batch.select(list(self._promise.sensitive)).filter(stays), names.filter(stays))

    def check(self) -> Classes:
        """Return the classes of the released rows, in people; refuse those that do not keep the promise."""
        promise = self._promise
        rows, weights, at, people, own = self._released.result(plain=promise.sensitive)
        counted = People(people, people, at=at, weights=own, whole_at=at)
        promise = replace(promise, whole=None, whole_weights=None)
        if self._whole is not None:
            whole, whole_weights, whole_at, whole_people, _ = self._whole.result(plain=promise.sensitive)
            counted = replace(counted, whole=whole_people, whole_at=whole_at)
            columns = {name: whole[name] for name in promise.sensitive}
            promise = replace(promise, whole=columns, whole_weights=dict.fromkeys(columns, whole_weights))
        return check_release(rows, promise, weights=weights, people=counted)


class _PeopleCounts:
    """The different pairs of a distinct row and a person, each with the number of rows that have it."""

    def __init__(self, names: Sequence[str], missing_values: Sequence[str]) -> None:
        self._columns = list(names)
        self._rows, self._names = RowCounts(names), _Names(missing_values)
        self._keys: list[IntArray] = []
        self._weights: list[Numbers] = []
        self._merge_above = MIN_PAIRS

    def add(self, rows: pa.RecordBatch, names: pa.Array) -> None:
        """Count rows, and the people whose names stand beside them."""
        if not len(names):
            return
        people = self._names.add(names)
        self._keys.append(_joined(self._rows.add(rows.select(self._columns)), people))
        self._weights.append(np.ones(len(names), np.int32))
        if self._rows.full or self._names.full or sum(map(len, self._keys)) > self._merge_above:
            self._merge()

    def _merge(self) -> None:
        """Merge equal rows, names and pairs of different batches."""
        rows, people = _parted(np.concatenate(self._keys))
        rows, number_of = self._rows.merge()[rows], self._names.merge()
        people[people >= 0] = number_of[people[people >= 0]]
        keys, weights = _joined(rows, people), np.concatenate(self._weights)
        order = np.argsort(keys)
        keys = keys[order]
        firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        self._keys, self._weights = [keys[firsts]], [np.add.reduceat(weights[order], firsts, dtype=np.int32)]
        self._merge_above = MIN_PAIRS + 2 * firsts.size

    def result(self, *, plain: Sequence[str]) -> tuple[pa.Table, IntArray, Numbers, Numbers, Numbers]:
        """Return the distinct rows with their numbers; then the row, the person and the number of each pair."""
        if not self._keys:
            raise VerificationError("No row was written.")
        self._merge()
        rows, weights = self._rows.result(plain=plain)
        at, people = _parted(self._keys.pop())
        people = np.where(people < 0, self._names.count - 1 - people, people)
        return rows, weights, at.astype(np.int32), people.astype(np.int32), self._weights.pop()


class _Names:
    """Numbers names; a row without one gets a negative number of its own, and equal names the same when merged."""

    def __init__(self, missing_values: Sequence[str]) -> None:
        self._missing_values = list(missing_values)
        self._values: list[pa.Array] = []
        self._nameless = 0
        self._merge_above = MIN_NAMES

    @property
    def count(self) -> int:
        """How many names are gathered."""
        return sum(map(len, self._values))

    @property
    def full(self) -> bool:
        """Whether so many names are gathered that they should be merged."""
        return self.count > self._merge_above

    def add(self, names: pa.Array) -> IntArray:
        """Return the number of each row's person."""
        if isinstance(names.type, pa.BaseExtensionType):
            names = names.storage
        encoded = names if pa.types.is_dictionary(names.type) else pc.dictionary_encode(plain(names))
        places: IntArray = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        used = np.unique(places[places >= 0])
        values = plain(encoded.dictionary.take(pa.array(used)))
        number_of = np.full(len(encoded.dictionary) + 1, -1, np.int64)
        named = ~names_nobody(values, self._missing_values)
        number_of[used[named]] = self.count + np.arange(int(named.sum()))
        people = number_of[places]
        nameless = people < 0
        people[nameless] = -1 - self._nameless - np.arange(int(nameless.sum()))
        self._nameless += int(nameless.sum())
        self._values.append(values.filter(pa.array(named)))
        return people

    def merge(self) -> IntArray:
        """Merge equal names; return the new number of each."""
        if not self._values:
            return np.zeros(0, np.int64)
        encoded = pc.dictionary_encode(pa.concat_arrays(self._values))
        self._values = [encoded.dictionary]
        self._merge_above = MIN_NAMES + 2 * len(encoded.dictionary)
        numbers: IntArray = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return numbers


def _joined(rows: IntArray, people: IntArray) -> IntArray:
    """Return one number for each pair of a row and a person."""
    return (rows << 32) | (people & 0xFFFFFFFF)


def _parted(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the row and the person of each pair."""
    return keys >> 32, (keys & 0xFFFFFFFF).astype(np.uint32).view(np.int32).astype(np.int64)
