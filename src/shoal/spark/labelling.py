"""Labels in place of quasi-identifiers, put on the rows by the workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.coding import Coding
from shoal.plan import Plan
from shoal.pseudonyms import pseudonyms
from shoal.spark.counting import IntArray, Known
from shoal.spark.frames import Batches, key, mapped, numbered
from shoal.spark.starting import pyspark
from shoal.streams.lookup import Lookup
from shoal.streams.relabelling import Labels

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHANGED = "A row is there that was not there before: the input changed while it was read."


@dataclass(frozen=True, eq=False)
class Reading:
    """What a worker needs to know to read rows: their codes, and their columns with pseudonyms."""

    known: Known
    coding: Coding
    columns: tuple[str, ...]  # of the batches
    pseudonymized: tuple[str, ...]
    secret: bytes | str | None = field(repr=False)

    @classmethod
    def of(cls, plan: Plan, known: Known, coding: Coding, columns: list[str]) -> Reading:
        """For the columns of a table, without identifying ones."""
        roles = plan.request.roles
        kept = tuple(name for name in columns if name not in roles.identifying)
        return cls(known, coding, kept, roles.pseudonymized, plan.key)

    def rows(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, IntArray]:
        """The rows that stay, and their codes."""
        places = self.known.places([batch.column(self.columns.index(name)) for name in self.known.names])
        whole = self.known.whole(places)
        codes = self.coding.of_places(places[whole])
        return (batch if whole.all() else batch.filter(pa.array(whole))), codes

    def shown(self, name: str, column: pa.Array) -> pa.Array:
        """A column as it is released."""
        if name in self.pseudonymized:
            return pseudonyms(name, pa.chunked_array([column]), self.secret)
        return column


@dataclass(frozen=True, eq=False)
class Labelling:
    """What a worker needs to know to label rows; it is called with the batches of a part of the table."""

    reading: Reading
    lookup: Lookup
    labels: Mapping[str, Labels]
    drops: bool  # suppressed rows are left out

    def __call__(self, batches: Batches) -> Batches:
        """The batches with labels, their rows in their order."""
        return map(self._batch, batches)

    def _batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        batch, codes = self.reading.rows(batch)
        ids = self.lookup.classes(codes)
        if self.drops:
            batch, ids = batch.filter(pa.array(ids >= 0)), ids[ids >= 0]
        columns = [
            self.labels[name].of(ids).dictionary_decode() if name in self.labels else self.reading.shown(name, column)
            for name, column in zip(self.reading.columns, batch.columns, strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def labelled(data: DataFrame, plan: Plan, labelling: Labelling) -> DataFrame:
    """The DataFrame with labels."""
    names = labelling.reading.columns
    schema = pyspark("sql.types").StructType(released_fields(data, plan, names))
    return mapped(kept_columns(data, names), labelling, schema).toDF(*names)


def joined(data: DataFrame, plan: Plan, reading: Reading, answers: DataFrame) -> DataFrame:
    """The DataFrame with labels that stand in another one with the codes of the rows; the order of rows is lost."""
    types, functions = pyspark("sql.types"), pyspark("sql.functions")
    names, codes, quasi = reading.columns, code_names(reading.coding), reading.coding.quasi
    fields = released_fields(data, plan, names)
    passed = [field for field, name in zip(fields, names, strict=True) if name not in quasi]
    numbers = [types.StructField(code, types.IntegerType()) for code in codes]
    rows = mapped(kept_columns(data, names), _WithCodes(reading), types.StructType([*passed, *numbers]))
    found = rows.join(answers, codes, "left")
    # A row without an answer must not be released, whenever the DataFrame is computed.
    gone = functions.raise_error(functions.lit(f"shoal.errors.InputError: {CHANGED}"))
    labels = {
        name: functions.coalesce(f"label{at}", gone).alias(field.name)
        for at, name in enumerate(quasi)
        for field in fields[names.index(name) : names.index(name) + 1]
    }
    return found.select(*(labels.get(name, field.name) for name, field in zip(names, fields, strict=True))).toDF(*names)


@dataclass(frozen=True, eq=False)
class _WithCodes:
    """The rows of batches, with their codes in place of the quasi-identifiers."""

    reading: Reading

    def __call__(self, batches: Batches) -> Batches:
        coding = self.reading.coding
        passed = [(at, name) for at, name in enumerate(self.reading.columns) if name not in coding.quasi]
        for batch in batches:
            rows, codes = self.reading.rows(batch)
            columns = [self.reading.shown(name, rows.column(at)) for at, name in passed]
            names = [rows.schema.names[at] for at, _ in passed]
            yield pa.RecordBatch.from_arrays([*columns, *map(pa.array, codes.T)], [*names, *code_names(coding)])


def code_names(coding: Coding) -> list[str]:
    """The names of the columns of codes."""
    return [f"code{at}" for at in range(len(coding.names))]


def code_columns(coding: Coding) -> str:
    """The same with their type."""
    return ", ".join(f"{name} int" for name in code_names(coding))


def kept_columns(data: DataFrame, names: tuple[str, ...]) -> DataFrame:
    """Some columns of a DataFrame, under the names of their numbers."""
    return numbered(data).select(*(key(data.columns.index(name)) for name in names))


def released_fields(data: DataFrame, plan: Plan, names: tuple[str, ...]) -> list[Any]:
    """The same columns as they are released."""
    types = pyspark("sql.types")
    texts = {*plan.request.roles.quasi, *plan.request.roles.pseudonymized}
    kinds = {field.name: field.dataType for field in data.schema.fields}
    return [
        types.StructField(key(data.columns.index(name)), types.StringType() if name in texts else kinds[name])
        for name in names
    ]
