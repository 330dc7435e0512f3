"""Labels in place of quasi-identifiers, put on the rows by the workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Coding
from shoal.engines.spark.count import IntArray, Known
from shoal.engines.spark.frames import Batches, key, mapped
from shoal.engines.spark.session import pyspark
from shoal.engines.streams.lookup import Lookup
from shoal.engines.streams.relabel import Labels
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHANGED = "A row is there that was not there before: the input changed while it was read."
MARK = "mark"  # a hash of the row, made before the labels are joined to it

Kept = NDArray[np.int64] | None


@dataclass(frozen=True, eq=False)
class Reading:
    """What a worker needs to know to read rows: their codes, and their columns with pseudonyms."""

    known: Known
    coding: Coding
    columns: tuple[str, ...]  # of the batches
    keys: tuple[str, ...]  # the names under which these columns go in batches
    pseudonymized: tuple[str, ...]
    secret: bytes | str | None = field(repr=False)

    @classmethod
    def of(cls, request: Request, known: Known, coding: Coding, columns: list[str]) -> Reading:
        """For the columns of a table, without identifying ones."""
        roles = request.roles
        kept = tuple(name for name in columns if name not in roles.identifying)
        keys = tuple(key(columns.index(name)) for name in kept)
        return cls(known, coding, kept, keys, roles.pseudonymized, request.key)

    def rows(self, batch: pa.RecordBatch) -> tuple[NDArray[np.bool_], IntArray]:
        """Which rows stay, and the codes of those."""
        places = self.known.places([batch.column(self.columns.index(name)) for name in self.known.names])
        whole = self.known.whole(places)
        return whole, self.coding.of_places(places[whole])

    def shown(self, name: str, column: pa.Array) -> pa.Array:
        """A column as it is released."""
        if name in self.pseudonymized:
            return pseudonyms(name, pa.chunked_array([column]), self.secret)
        return column


@dataclass(frozen=True, eq=False)
class Labeller:
    """What a worker needs to know to label the rows of a batch."""

    reading: Reading
    lookup: Lookup
    labels: Mapping[str, Labels]
    drops: bool  # suppressed rows are left out

    def __call__(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Kept]:
        """The rows that stay with their labels, in their order, and which these are; None where all of them stay."""
        keep, codes = self.reading.rows(batch)
        ids = self.lookup.classes(codes)
        if self.drops and (ids < 0).any():
            keep = keep.copy()
            keep[keep] = ids >= 0
            ids = ids[ids >= 0]
        rows = batch if keep.all() else batch.filter(pa.array(keep))
        columns = [
            self.labels[name].of(ids).dictionary_decode() if name in self.labels else self.reading.shown(name, column)
            for name, column in zip(self.reading.columns, rows.columns, strict=True)
        ]
        made = pa.RecordBatch.from_arrays(columns, names=rows.schema.names)
        return made, None if keep.all() else np.flatnonzero(keep)


@dataclass(frozen=True, eq=False)
class Joining:
    """Labels that stand in another DataFrame with the codes of the rows; the order of rows is lost."""

    reading: Reading
    answers: DataFrame

    def __call__(self, source: DataFrame) -> DataFrame:
        """Marked rows with their labels; the values that labels and pseudonyms replace stay beside them."""
        types, functions = pyspark("sql.types"), pyspark("sql.functions")
        reading, codes, quasi = self.reading, code_names(self.reading.coding), self.reading.coding.quasi
        kinds = {one.name: one.dataType for one in source.schema.fields}
        fields = [types.StructField(one, kinds[one]) for one in (*reading.keys, MARK)]
        hashed = [types.StructField(shown_key(one), types.StringType()) for one in self._hashed]
        numbers = [types.StructField(code, types.IntegerType()) for code in codes]
        rows = mapped(source, _WithCodes(reading), types.StructType([*fields, *hashed, *numbers]))
        # A row without an answer must not be released, whenever the DataFrame is computed.
        gone = functions.raise_error(functions.lit(f"shoal.errors.InputError: {CHANGED}"))
        labels = [
            functions.coalesce(f"label{at}", gone).alias(shown_key(reading.keys[reading.columns.index(name)]))
            for at, name in enumerate(quasi)
        ]
        passed = [one.name for one in (*fields, *hashed)]
        return rows.join(self.answers, codes, "left").select(*passed, *labels)

    @property
    def _hashed(self) -> list[str]:
        """The keys of the columns with pseudonyms."""
        names = zip(self.reading.columns, self.reading.keys, strict=True)
        return [one for name, one in names if name in self.reading.pseudonymized]


@dataclass(frozen=True, eq=False)
class _WithCodes:
    """The rows of batches with their pseudonyms and codes beside them."""

    reading: Reading

    def __call__(self, batches: Batches) -> Batches:
        reading = self.reading
        for batch in batches:
            keep, codes = reading.rows(batch)
            rows = batch if keep.all() else batch.filter(pa.array(keep))
            columns = dict(zip(rows.schema.names, rows.columns, strict=True))
            for name, own in zip(reading.columns, reading.keys, strict=True):
                if name in reading.pseudonymized:
                    columns[shown_key(own)] = reading.shown(name, rows.column(own))
            columns |= dict(zip(code_names(reading.coding), map(pa.array, codes.T), strict=True))
            yield pa.RecordBatch.from_pydict(columns)


def shown_key(own: str) -> str:
    """The name under which a column goes as it is released, where its values stand beside it."""
    return f"shown_{own}"


def code_names(coding: Coding) -> list[str]:
    """The names of the columns of codes."""
    return [f"code{at}" for at in range(len(coding.names))]


def code_columns(coding: Coding) -> str:
    """The same with their type."""
    return ", ".join(f"{name} int" for name in code_names(coding))
