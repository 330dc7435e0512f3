"""Released rows, held by the workers against the rows that they were made of whenever a DataFrame is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from shoal.data.arrow_text import is_text
from shoal.engines.spark.frames import Batches, key, mapped, numbered
from shoal.engines.spark.relabel import MARK, Joining, Kept, Labeller, shown_key
from shoal.engines.spark.row_hashes import row_hash
from shoal.engines.spark.session import pyspark
from shoal.errors import ShoalError, VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.parts import Parts
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SAME = "same"  # whether a row is as it was before the join


@dataclass(frozen=True, eq=False)
class Compared:
    """A release by the keys of its columns, and its columns; marked rows can be counted one by one."""

    numbered: DataFrame
    keys: tuple[str, ...]
    names: tuple[str, ...]
    marked: bool

    @property
    def frame(self) -> DataFrame:
        """The release."""
        return self.numbered.select(*self.keys).toDF(*self.names)


def compared(data: DataFrame, promise: Promise, *, making: Labeller | Joining, witnesses: bool = False) -> Compared:
    """The release of a DataFrame, each row of it checked; `witnesses` adds what is needed to check all of it."""
    types = pyspark("sql.types")
    names = tuple(name for name in data.columns if name not in promise.roles.identifying)
    keys = tuple(key(data.columns.index(name)) for name in names)
    # What workers need not know stays here.
    known = replace(promise, original=None, whole=None, whole_weights=None)
    source = numbered(data).select(*keys)
    fields = [types.StructField(one, kind) for one, kind in zip(keys, released_types(data, promise), strict=True)]
    more = Witnesses(known) if witnesses else None
    if more is not None:
        kinds = [types.DoubleType() if number else types.StringType() for number in more.numbers]
        fields += [types.StructField(name, kind) for name, kind in zip(more.names, kinds, strict=True)]
    if not isinstance(making, Joining):
        rows = mapped(source, _Made(keys, names, known, more, making), types.StructType(fields))
        return Compared(rows, keys, names, marked=False)
    rows = making(marked(source))
    rows = rows.withColumn(SAME, row_hash(rows, keys).eqNullSafe(pyspark("sql.functions").col(MARK)))
    fields.append(types.StructField(MARK, types.LongType()))
    rows = mapped(rows, _Joined(keys, names, known, more), types.StructType(fields))
    return Compared(rows, keys, names, marked=True)


def marked(source: DataFrame) -> DataFrame:
    """Rows with their marks."""
    return source.withColumn(MARK, row_hash(source, source.columns))


def released_types(data: DataFrame, promise: Promise) -> list[Any]:
    """The types of the columns of a release: labels and pseudonyms are text, the others are as they were."""
    text, roles = pyspark("sql.types").StringType(), promise.roles
    texts = {*roles.quasi, *roles.pseudonymized}
    fields = [field for field in data.schema.fields if field.name not in roles.identifying]
    return [text if field.name in texts else field.dataType for field in fields]


@dataclass(frozen=True, eq=False)
class _Comparison:
    """What a worker needs to know to check batches, whose columns go by keys."""

    keys: tuple[str, ...]
    names: tuple[str, ...]
    promise: Promise
    witnesses: Witnesses | None

    def check(self, batch: pa.RecordBatch, made: pa.RecordBatch, *, kept: Kept, parts: Parts) -> list[pa.Array]:
        """Refuse a batch that does not show these rows of another as was promised; what witnesses say otherwise."""
        name_of = dict(zip(self.keys, self.names, strict=True))
        before = batch.rename_columns(self.names)
        after = made.rename_columns([name_of.get(own, own) for own in made.schema.names])
        parts.check(before, after, kept=kept)
        for name in (*self.promise.roles.quasi, *self.promise.roles.pseudonymized):
            kind = after.schema.field(name).type
            if not is_text(kind):
                raise VerificationError(f"Column {name!r} is of type {kind} and should be text.")
        return [] if self.witnesses is None else self.witnesses.of(before, kept=kept)


@dataclass(frozen=True, eq=False)
class _Made(_Comparison):
    """Batches with labels, each checked as it is made."""

    make: Callable[[pa.RecordBatch], tuple[pa.RecordBatch, Kept]]

    def __call__(self, batches: Batches) -> Batches:
        parts = Parts(self.promise)
        for batch in batches:
            with _one_sentence():
                made, kept = self.make(batch)
                more = self.check(batch, made, kept=kept, parts=parts)
            yield _with(made, names=[] if self.witnesses is None else self.witnesses.names, columns=more)


@dataclass(frozen=True, eq=False)
class _Joined(_Comparison):
    """Batches to which labels were joined, without the values that stand beside them."""

    def __call__(self, batches: Batches) -> Batches:
        parts = Parts(self.promise)
        for batch in batches:
            with _one_sentence():
                if not np.asarray(batch.column(SAME).to_numpy(zero_copy_only=False)).all():
                    raise VerificationError("The cells of a row are not as they were.")
                names = set(batch.schema.names)
                shown = [batch.column(shown_key(own) if shown_key(own) in names else own) for own in self.keys]
                made = pa.RecordBatch.from_arrays(shown, names=list(self.keys))
                more = self.check(batch.select(list(self.keys)), made, kept=None, parts=parts)
            witnesses = [] if self.witnesses is None else self.witnesses.names
            yield _with(made, names=[*witnesses, MARK], columns=[*more, batch.column(MARK)])


@dataclass(frozen=True, eq=False)
class Complete:
    """The marks of rows that may stay, by the check's own reading of missing values."""

    keys: tuple[str, ...]
    names: tuple[str, ...]
    promise: Promise

    def __call__(self, batches: Batches) -> Batches:
        """The marks alone."""
        parts = Parts(self.promise)
        for batch in batches:
            stay = parts.may_stay(batch.select(list(self.keys)).rename_columns(self.names))
            yield batch.select([MARK]).filter(pa.array(stay))


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Raise whatever goes wrong with a batch as an error of shoal, which the driver can tell from those of Spark."""
    try:
        yield
    except ShoalError:
        raise
    except Exception as error:
        raise VerificationError(
            f"The rows could not be labelled and checked ({type(error).__name__}: {error})."
        ) from error


def _with(batch: pa.RecordBatch, *, names: list[str], columns: list[pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([*batch.columns, *columns], names=[*batch.schema.names, *names])
