"""How workers put labels on rows: by looking up their classes, or by a join with the answers about blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Coding
from shoal.engines.lookup import CHANGED_INPUT, Labels, Lookup
from shoal.engines.spark.count import Counted, IntArray, KnownValues
from shoal.engines.spark.frames import Batches, key, map_batches
from shoal.engines.spark.session import pyspark
from shoal.release.blocks import Answer
from shoal.release.promise import Promise
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MARK = "mark"  # a hash of the row, computed before the labels are joined to it

RowNumbers = NDArray[np.int64] | None  # None: all rows of the batch


@dataclass(frozen=True, eq=False)
class BatchReader:
    """Reads the codes and the pseudonyms of a batch on a worker.

    columns  the columns of the batches
    keys     the keys of these columns
    """

    known: KnownValues
    coding: Coding
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    pseudonymized: tuple[str, ...]
    secret: bytes | str | None = field(repr=False)

    @classmethod
    def of(cls, request: Request, known: KnownValues, coding: Coding, columns: list[str]) -> BatchReader:
        """Make a reader for the columns of a table, except identifying ones."""
        roles = request.roles
        released = tuple(name for name in columns if name not in roles.identifying)
        keys = tuple(key(columns.index(name)) for name in released)
        return cls(known, coding, released, keys, roles.pseudonymized, request.key)

    def codes(self, batch: pa.RecordBatch) -> tuple[NDArray[np.bool_], IntArray]:
        """Tell which rows are complete, and return their codes."""
        places = self.known.places([batch.column(self.columns.index(name)) for name in self.known.names])
        complete = self.known.complete(places)
        return complete, self.coding.of_places(places[complete])

    def released(self, name: str, column: pa.Array) -> pa.Array:
        """Return a column without labels as it is released: with pseudonyms, or unchanged."""
        if name in self.pseudonymized:
            return pseudonyms(name, pa.chunked_array([column]), self.secret)
        return column


@dataclass(frozen=True, eq=False)
class LookupLabeller:
    """Labels the rows of a batch on a worker, which looks up their classes; the order of rows is kept."""

    reader: BatchReader
    lookup: Lookup
    labels: Mapping[str, Labels]
    drops_suppressed: bool

    def __call__(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, RowNumbers]:
        """Return the released rows in their order, labels as dictionaries, and their numbers in the batch."""
        released, codes = self.reader.codes(batch)
        ids = self.lookup.classes(codes)
        if self.drops_suppressed and (ids < 0).any():
            released = released.copy()
            released[released] = ids >= 0
            ids = ids[ids >= 0]
        rows = batch if released.all() else batch.filter(pa.array(released))
        columns = [
            self.labels[name].of(ids) if name in self.labels else self.reader.released(name, column)
            for name, column in zip(self.reader.columns, rows.columns, strict=True)
        ]
        labelled = pa.RecordBatch.from_arrays(columns, names=rows.schema.names)
        return labelled, None if released.all() else np.flatnonzero(released)


@dataclass(frozen=True, eq=False)
class JoinLabeller:
    """Labels rows by a join of their codes with the answers about blocks; the order of rows is lost."""

    reader: BatchReader
    answers: DataFrame

    def __call__(self, source: DataFrame) -> DataFrame:
        """Return marked rows with their labels and pseudonyms, next to the values that these replace."""
        types, functions = pyspark("sql.types"), pyspark("sql.functions")
        reader, codes, quasi = self.reader, code_names(self.reader.coding), self.reader.coding.quasi
        kinds = {column.name: column.dataType for column in source.schema.fields}
        fields = [types.StructField(name, kinds[name]) for name in (*reader.keys, MARK)]
        pseudonym_fields = [
            types.StructField(shown_key(own), types.StringType())
            for name, own in zip(reader.columns, reader.keys, strict=True)
            if name in reader.pseudonymized
        ]
        code_fields = [types.StructField(code, types.IntegerType()) for code in codes]
        schema = types.StructType([*fields, *pseudonym_fields, *code_fields])

        def with_codes(batches: Batches) -> Batches:
            for batch in batches:
                complete, row_codes = reader.codes(batch)
                rows = batch if complete.all() else batch.filter(pa.array(complete))
                columns = dict(zip(rows.schema.names, rows.columns, strict=True))
                for name, own in zip(reader.columns, reader.keys, strict=True):
                    if name in reader.pseudonymized:
                        columns[shown_key(own)] = reader.released(name, rows.column(own))
                columns |= dict(zip(codes, map(pa.array, row_codes.T), strict=True))
                yield pa.RecordBatch.from_pydict(columns)

        rows = map_batches(source, with_codes, schema)
        # A row without an answer must not be released, whenever the DataFrame is computed.
        refusal = functions.raise_error(functions.lit(f"shoal.errors.InputError: {CHANGED_INPUT}"))
        labels = [
            functions.coalesce(f"label{at}", refusal).alias(shown_key(reader.keys[reader.columns.index(name)]))
            for at, name in enumerate(quasi)
        ]
        names = [column.name for column in (*fields, *pseudonym_fields)]
        return rows.join(self.answers, codes, "left").select(*names, *labels)


Labeller = LookupLabeller | JoinLabeller


@dataclass(frozen=True, eq=False)
class Answered:
    """The algorithm's answer, its promise, and how workers relabel rows; Spark keeps `persisted` for that purpose."""

    answer: Answer
    promise: Promise
    labeller: Labeller
    counted: Counted
    persisted: DataFrame | None = None


def shown_key(own: str) -> str:
    """Return the key of a released column that is next to its original values."""
    return f"shown_{own}"


def code_names(coding: Coding) -> list[str]:
    """Return the names of the columns of codes."""
    return [f"code{at}" for at in range(len(coding.names))]


def code_columns(coding: Coding) -> str:
    """Return the columns of codes as a schema."""
    return ", ".join(f"{name} int" for name in code_names(coding))
