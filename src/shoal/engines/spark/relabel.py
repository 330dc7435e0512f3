"""relabel(): released rows, which workers compare with their original rows whenever the DataFrame is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from shoal.data.arrow_text import is_text
from shoal.engines.spark.frames import Batches, key, keys_of, map_batches, numbered, row_hash
from shoal.engines.spark.labellers import MARK, JoinLabeller, Labeller, LookupLabeller, RowNumbers, shown_key
from shoal.engines.spark.people import in_random_order
from shoal.engines.spark.session import pyspark
from shoal.errors import ShoalError, VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.parts import Parts
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PERSON = "person"
SAME = "same"  # whether a row is the same as before the join


@dataclass(frozen=True, eq=False)
class Relabelled:
    """A release whose columns have keys as names, and their names; marked rows can be counted one by one.

    shuffled  whether the rows of people must be put in a random order
    """

    numbered: DataFrame
    keys: tuple[str, ...]
    names: tuple[str, ...]
    marked: bool
    shuffled: bool = False

    @property
    def frame(self) -> DataFrame:
        """The release."""
        rows = self.numbered.select(*self.keys)
        return (in_random_order(rows) if self.shuffled else rows).toDF(*self.names)


def relabel(
    data: DataFrame, promise: Promise, *, labeller: Labeller, witnesses: bool = False, people: bool = False
) -> Relabelled:
    """Return the release of a DataFrame, each row of it checked.

    witnesses  add columns to check it as a whole
    people     add the column that says whose row it is
    """
    types = pyspark("sql.types")
    owner = keys_of(data, promise.unit.columns)[0] if people and promise.unit is not None else None
    evidence = Witnesses(promise) if witnesses else None
    checked = check_batches(data.columns, promise, labeller=labeller, witnesses=evidence, owner=owner)
    keys, names = checked.keys, checked.names
    source = numbered(data).select(*keys, *(() if owner is None else (owner,)))
    fields = released_fields(data, checked)
    if owner is not None:
        fields.append(types.StructField(PERSON, numbered(data).schema[owner].dataType))
    if isinstance(labeller, JoinLabeller):
        rows = labeller(with_marks(source))
        source = rows.withColumn(SAME, row_hash(rows, keys).eqNullSafe(pyspark("sql.functions").col(MARK)))
        fields.append(types.StructField(MARK, types.LongType()))
    rows = map_batches(source, lambda batches: map(plain, checked(batches)), types.StructType(fields))
    return Relabelled(rows, keys, names, marked=checked.labeller is None, shuffled=promise.unit is not None)


def check_batches(
    columns: Sequence[str],
    promise: Promise,
    *,
    labeller: Labeller,
    witnesses: Witnesses | None = None,
    owner: str | None = None,
) -> CheckedBatches:
    """Return what labels and checks the batches of a table with these columns."""
    names = tuple(name for name in columns if name not in promise.roles.identifying)
    keys = tuple(key(columns.index(name)) for name in names)
    promise = replace(promise, original=None, whole=None, whole_weights=None)  # workers must not receive these
    lookup = None if isinstance(labeller, JoinLabeller) else labeller
    return CheckedBatches(keys, names, promise, witnesses, lookup, owner)


def plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch without dictionaries, which Spark does not read."""
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def with_marks(source: DataFrame) -> DataFrame:
    """Add the mark of each row."""
    return source.withColumn(MARK, row_hash(source, source.columns))


def released_fields(data: DataFrame, checked: CheckedBatches) -> list[Any]:
    """Return the columns of checked batches with their types, those of witnesses last."""
    types, witnesses = pyspark("sql.types"), checked.witnesses
    kinds = dict(zip(checked.keys, released_types(data, checked.promise), strict=True))
    if witnesses is not None:
        number_kinds = [types.DoubleType() if number else types.StringType() for number in witnesses.numbers]
        kinds |= dict(zip(witnesses.names, number_kinds, strict=True))
    return [types.StructField(name, kind) for name, kind in kinds.items()]


def released_types(data: DataFrame, promise: Promise) -> list[Any]:
    """Return the types of the columns of a release: labels and pseudonyms are text, other columns are unchanged."""
    text, roles = pyspark("sql.types").StringType(), promise.roles
    texts = {*roles.quasi, *roles.pseudonymized}
    fields = [field for field in data.schema.fields if field.name not in roles.identifying]
    return [text if field.name in texts else field.dataType for field in fields]


@dataclass(frozen=True, eq=False)
class CheckedBatches:
    """Labels batches, unless labels were joined to them, and compares them with the original ones on a worker.

    keys      the names of the columns of the batches
    labeller  None if labels were joined; their original values are removed then
    owner     the name of the column that says whose row it is, if it is to stand beside the released rows
    """

    keys: tuple[str, ...]
    names: tuple[str, ...]
    promise: Promise
    witnesses: Witnesses | None
    labeller: LookupLabeller | None
    owner: str | None = None

    def __call__(self, batches: Batches) -> Batches:
        """Iterate over the released batches, each with its witnesses and marks, if any."""
        parts = Parts(self.promise)
        for batch in batches:
            with _as_shoal_error():
                own = batch.select(list(self.keys))
                released, kept = self.labeller(own) if self.labeller else (self._joined(batch), None)
                evidence = self._check(own, released, kept=kept, parts=parts)
                if self.owner is not None:
                    owners = batch.column(self.owner)
                    evidence[PERSON] = owners if kept is None else owners.take(pa.array(kept))
                for name, column in evidence.items():
                    released = released.append_column(name, column)
            yield released if self.labeller else released.append_column(MARK, batch.column(MARK))

    def _joined(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the released columns of a batch to which labels were joined."""
        if not np.asarray(batch.column(SAME).to_numpy(zero_copy_only=False)).all():
            raise VerificationError("The cells of a row are not as they were.")
        names = set(batch.schema.names)
        columns = [batch.column(shown_key(own) if shown_key(own) in names else own) for own in self.keys]
        return pa.RecordBatch.from_arrays(columns, names=list(self.keys))

    def _check(
        self, batch: pa.RecordBatch, released: pa.RecordBatch, *, kept: RowNumbers, parts: Parts
    ) -> dict[str, pa.Array]:
        """Refuse released rows that do not show these rows of a batch as promised; return the columns of witnesses."""
        name_of = dict(zip(self.keys, self.names, strict=True))
        before = batch.rename_columns(self.names)
        after = released.rename_columns([name_of.get(own, own) for own in released.schema.names])
        parts.check(before, after, kept=kept)
        for name in (*self.promise.roles.quasi, *self.promise.roles.pseudonymized):
            kind = after.schema.field(name).type
            if not is_text(kind.value_type if pa.types.is_dictionary(kind) else kind):
                raise VerificationError(f"Column {name!r} is of type {kind} and should be text.")
        witnesses = self.witnesses
        return dict(zip(witnesses.names, witnesses.of(before, kept=kept), strict=True)) if witnesses else {}


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
