"""relabel(): released rows, which workers compare with their original rows whenever the DataFrame is computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from shoal.data.arrow_text import is_text
from shoal.engines.spark.frames import Batches, key, map_batches, numbered
from shoal.engines.spark.labellers import MARK, JoinLabeller, Labeller, LookupLabeller, RowNumbers, shown_key
from shoal.engines.spark.row_hashes import row_hash
from shoal.engines.spark.session import pyspark
from shoal.errors import ShoalError, VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.parts import Parts
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SAME = "same"  # whether a row is the same as before the join


@dataclass(frozen=True, eq=False)
class Relabelled:
    """A release whose columns have keys as names, and their names; marked rows can be counted one by one."""

    numbered: DataFrame
    keys: tuple[str, ...]
    names: tuple[str, ...]
    marked: bool

    @property
    def frame(self) -> DataFrame:
        """The release."""
        return self.numbered.select(*self.keys).toDF(*self.names)


def relabel(data: DataFrame, promise: Promise, *, labeller: Labeller, witnesses: bool = False) -> Relabelled:
    """Return the release of a DataFrame, each row of it checked; `witnesses` adds columns to check it as a whole."""
    types = pyspark("sql.types")
    names = tuple(name for name in data.columns if name not in promise.roles.identifying)
    keys = tuple(key(data.columns.index(name)) for name in names)
    promise = replace(promise, original=None, whole=None, whole_weights=None)  # workers must not receive these
    source = numbered(data).select(*keys)
    fields = [types.StructField(name, kind) for name, kind in zip(keys, released_types(data, promise), strict=True)]
    evidence = Witnesses(promise) if witnesses else None
    if evidence is not None:
        kinds = [types.DoubleType() if number else types.StringType() for number in evidence.numbers]
        fields += [types.StructField(name, kind) for name, kind in zip(evidence.names, kinds, strict=True)]
    if not isinstance(labeller, JoinLabeller):
        checked = _LabelledBatches(keys, names, promise, evidence, labeller)
        return Relabelled(map_batches(source, checked, types.StructType(fields)), keys, names, marked=False)
    rows = labeller(with_marks(source))
    rows = rows.withColumn(SAME, row_hash(rows, keys).eqNullSafe(pyspark("sql.functions").col(MARK)))
    fields.append(types.StructField(MARK, types.LongType()))
    rows = map_batches(rows, _JoinedBatches(keys, names, promise, evidence), types.StructType(fields))
    return Relabelled(rows, keys, names, marked=True)


def with_marks(source: DataFrame) -> DataFrame:
    """Add the mark of each row."""
    return source.withColumn(MARK, row_hash(source, source.columns))


def released_types(data: DataFrame, promise: Promise) -> list[Any]:
    """Return the types of the columns of a release: labels and pseudonyms are text, other columns are unchanged."""
    text, roles = pyspark("sql.types").StringType(), promise.roles
    texts = {*roles.quasi, *roles.pseudonymized}
    fields = [field for field in data.schema.fields if field.name not in roles.identifying]
    return [text if field.name in texts else field.dataType for field in fields]


@dataclass(frozen=True, eq=False)
class _Comparison:
    """The comparison of released batches with original ones on a worker; their columns have keys as names."""

    keys: tuple[str, ...]
    names: tuple[str, ...]
    promise: Promise
    witnesses: Witnesses | None

    def check(
        self, batch: pa.RecordBatch, released: pa.RecordBatch, *, kept: RowNumbers, parts: Parts
    ) -> list[pa.Array]:
        """Refuse released rows that do not show these rows of a batch as promised; return the columns of witnesses."""
        name_of = dict(zip(self.keys, self.names, strict=True))
        before = batch.rename_columns(self.names)
        after = released.rename_columns([name_of.get(own, own) for own in released.schema.names])
        parts.check(before, after, kept=kept)
        for name in (*self.promise.roles.quasi, *self.promise.roles.pseudonymized):
            kind = after.schema.field(name).type
            if not is_text(kind):
                raise VerificationError(f"Column {name!r} is of type {kind} and should be text.")
        return [] if self.witnesses is None else self.witnesses.of(before, kept=kept)

    @property
    def witness_names(self) -> list[str]:
        """The names of the columns of witnesses."""
        return [] if self.witnesses is None else self.witnesses.names


@dataclass(frozen=True, eq=False)
class _LabelledBatches(_Comparison):
    """Labels batches, and checks each of them."""

    labeller: LookupLabeller

    def __call__(self, batches: Batches) -> Batches:
        parts = Parts(self.promise)
        for batch in batches:
            with _as_shoal_error():
                released, kept = self.labeller(batch)
                evidence = self.check(batch, released, kept=kept, parts=parts)
            yield _with_columns(released, names=self.witness_names, columns=evidence)


@dataclass(frozen=True, eq=False)
class _JoinedBatches(_Comparison):
    """Checks batches to which labels were joined, and removes the original values."""

    def __call__(self, batches: Batches) -> Batches:
        parts = Parts(self.promise)
        for batch in batches:
            with _as_shoal_error():
                if not np.asarray(batch.column(SAME).to_numpy(zero_copy_only=False)).all():
                    raise VerificationError("The cells of a row are not as they were.")
                names = set(batch.schema.names)
                columns = [batch.column(shown_key(own) if shown_key(own) in names else own) for own in self.keys]
                released = pa.RecordBatch.from_arrays(columns, names=list(self.keys))
                evidence = self.check(batch.select(list(self.keys)), released, kept=None, parts=parts)
            columns = [*evidence, batch.column(MARK)]
            yield _with_columns(released, names=[*self.witness_names, MARK], columns=columns)


@dataclass(frozen=True, eq=False)
class CompleteRows:
    """Keeps the marks of complete rows, reading missing values independently of the release."""

    keys: tuple[str, ...]
    names: tuple[str, ...]
    promise: Promise

    def __call__(self, batches: Batches) -> Batches:
        """Return the marks alone."""
        parts = Parts(self.promise)
        for batch in batches:
            complete = parts.may_stay(batch.select(list(self.keys)).rename_columns(self.names))
            yield batch.select([MARK]).filter(pa.array(complete))


@contextmanager
def _as_shoal_error() -> Iterator[None]:
    """Raise any error about a batch as an error of shoal, which the driver can distinguish from those of Spark."""
    try:
        yield
    except ShoalError:
        raise
    except Exception as error:
        raise VerificationError(
            f"The rows could not be labelled and checked ({type(error).__name__}: {error})."
        ) from error


def _with_columns(batch: pa.RecordBatch, *, names: list[str], columns: list[pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([*batch.columns, *columns], names=[*batch.schema.names, *names])
