"""verify(): the check of a whole release: its columns, its rows, its equivalence classes, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.classes import Classes
from shoal.engines.spark.frames import ROWS, hash_sums, keys_of, numbered, row_hash, total_hash
from shoal.engines.spark.labellers import MARK, JoinLabeller, Labeller
from shoal.engines.spark.people import in_random_order
from shoal.engines.spark.relabel import Relabelled, relabel, released_types
from shoal.engines.spark.row_counts import DIGEST, MARKS, check_rows, count_labels, total
from shoal.engines.spark.session import errors_in_one_sentence, pyspark
from shoal.engines.spark.verify_parts import check_parts, written_rows
from shoal.engines.spark.verify_people import check_people
from shoal.engines.spark.written_parts import WrittenParts
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.means import Means
from shoal.release.verification.release import check_release, readable
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Observation


@dataclass(frozen=True, eq=False)
class WrittenRows:
    """An observation of rows on their way into files: their number, digest and marks."""

    observation: Observation
    text: bool
    marked: bool


def verify(data: DataFrame, relabelled: Relabelled, *, promise: Promise, labeller: Labeller) -> Classes:
    """Check that a release keeps the promise; return its equivalence classes, read from the labels."""
    _check_columns(data, relabelled.frame, promise=promise)
    labels = keys_of(data, (*promise.quasi, *promise.sensitive))
    if promise.unit is not None:
        return _check_people(data, promise, labeller=labeller, hashed=None)
    hashes = {MARKS: pyspark("sql.functions").col(MARK)} if relabelled.marked else {}
    counts = count_labels(relabelled.numbered, labels, hashes=hashes)
    marks = total_hash(lambda name: total(counts[name]), MARKS) if relabelled.marked else None
    check_rows(data, promise, rows=total(counts[ROWS]), marks=marks)
    return _check_labels(data, counts, promise, labeller=labeller)


def observe(relabelled: Relabelled, *, text: bool) -> tuple[WrittenRows, DataFrame]:
    """Return a release to write, and the observation of its rows, which is complete once they are written."""
    functions, sql = pyspark("sql.functions"), pyspark("sql")
    figures = [functions.count(functions.lit(1)).alias(ROWS)]
    figures += hash_sums(row_hash(relabelled.numbered, relabelled.keys, text=text), DIGEST)
    if relabelled.marked:
        figures += hash_sums(functions.col(MARK), MARKS)
    observation = sql.Observation()
    numbered_rows = in_random_order(relabelled.numbered) if relabelled.shuffled else relabelled.numbered
    frame = numbered_rows.observe(observation, *figures).select(*relabelled.keys).toDF(*relabelled.names)
    return WrittenRows(observation, text, relabelled.marked), frame


def verify_written(
    data: DataFrame, written: DataFrame, *, promise: Promise, rows: WrittenRows | WrittenParts, labeller: Labeller
) -> Classes:
    """Check that a release that was read back from files keeps the promise; return its equivalence classes."""
    _check_columns(data, written, promise=promise)
    if isinstance(rows, WrittenParts):
        return _check_parts(data, written, promise=promise, rows=rows, labeller=labeller)
    frame = numbered(written)
    labels = keys_of(written, (*promise.quasi, *promise.sensitive))
    with readable(), errors_in_one_sentence():
        counts = count_labels(frame, labels, hashes={DIGEST: row_hash(frame, frame.columns, text=rows.text)})
    observed, digest = rows.observation.get, total_hash(lambda name: total(counts[name]), DIGEST)
    if (total(counts[ROWS]), digest) != (observed[ROWS], total_hash(lambda name: observed[name] or 0, DIGEST)):
        raise VerificationError("The values were not written as they are.")
    if promise.unit is not None:
        return _check_people(data, promise, labeller=labeller, hashed=(digest, rows.text))
    marks = total_hash(lambda name: observed[name], MARKS) if rows.marked else None
    check_rows(data, promise, rows=observed[ROWS], marks=marks)
    return _check_labels(data, counts, promise, labeller=labeller)


def _check_parts(
    data: DataFrame, written: DataFrame, *, promise: Promise, rows: WrittenParts, labeller: Labeller
) -> Classes:
    """Check files that workers wrote, which keep the order of the rows."""
    if promise.unit is not None or isinstance(labeller, JoinLabeller):
        raise VerificationError("The rows of people, or of blocks, were written in their order.")
    counts = check_parts(rows, written, (*promise.quasi, *promise.sensitive))
    check_rows(data, promise, rows=rows.rows, marks=None)
    return _check_labels(data, counts, promise, labeller=labeller, parts=rows)


def _check_whole_table(
    data: DataFrame, promise: Promise, *, labeller: Labeller, parts: WrittenParts | None = None
) -> None:
    """Refuse pseudonyms that are not one to one and means that are wrong, which only the whole table can show."""
    witnesses = Witnesses(promise)
    if not witnesses.names:
        return
    if parts is None:
        rows = relabel(data, promise, labeller=labeller, witnesses=True)
    else:
        rows = written_rows(parts, data, promise, labeller=labeller)
    key_of = dict(zip(rows.names, rows.keys, strict=True))
    for name, value in witnesses.pseudonymized.items():
        _check_pseudonyms(name, rows.numbered.select(value, key_of[name]))
    if witnesses.means:
        _check_means(rows.numbered, labels={name: key_of[name] for name in promise.quasi}, numbers=witnesses.means)


def _check_columns(data: DataFrame, released: DataFrame, *, promise: Promise) -> None:
    """Refuse a release whose columns or types are not those promised for this source."""
    names = [name for name in data.columns if name not in promise.roles.identifying]
    if released.columns != names:
        raise VerificationError(f"The release has the columns {released.columns} and should have {names}.")
    for field, kind in zip(released.schema.fields, released_types(data, promise), strict=True):
        if field.dataType.simpleString() != kind.simpleString():
            raise VerificationError(
                f"Column {field.name!r} is of type {field.dataType.simpleString()} and should be of type "
                f"{kind.simpleString()}."
            )


def _check_labels(
    data: DataFrame, counts: pa.Table, promise: Promise, *, labeller: Labeller, parts: WrittenParts | None = None
) -> Classes:
    """Check the equivalence classes of the labels against the model, then what only the whole table can show."""
    names = [*promise.quasi, *promise.sensitive]
    rows = counts.select(range(len(names))).rename_columns(names)
    classes = check_release(rows, promise, weights=counts[ROWS].to_numpy())
    _check_whole_table(data, promise, labeller=labeller, parts=parts)
    return classes


def _check_people(data: DataFrame, promise: Promise, *, labeller: Labeller, hashed: tuple[int, bool] | None) -> Classes:
    """Check the people of the equivalence classes, then what only the whole table can show."""
    classes = check_people(data, promise, labeller=labeller, hashed=hashed)
    _check_whole_table(data, promise, labeller=labeller)
    return classes


def _check_pseudonyms(name: str, pairs: DataFrame) -> None:
    """Refuse a column in which values and pseudonyms are not one to one, or a pseudonym is a value."""
    functions = pyspark("sql.functions")
    value, pseudonym = map(functions.col, pairs.columns)
    both = functions.array(value, pseudonym)
    texts = pairs.where(value.isNotNull()).distinct().select(functions.explode(both).alias("text"))
    times = texts.groupBy("text").agg(functions.count(functions.lit(1)).alias("times"))
    if not times.where("times > 1").isEmpty():
        raise VerificationError(f"Column {name!r} is not replaced, value by value, by pseudonyms.")


def _check_means(rows: DataFrame, *, labels: Mapping[str, str], numbers: Mapping[str, str]) -> None:
    """Refuse a class that shows a number which is not its mean."""
    functions = pyspark("sql.functions")
    sums = [functions.sum(key).alias(f"sum_{key}") for key in numbers.values()]
    largest = [functions.max(functions.abs(key)).alias(f"largest_{key}") for key in numbers.values()]
    count = functions.count(functions.lit(1)).alias(ROWS)
    classes = rows.groupBy(*labels.values()).agg(count, *sums, *largest).toArrow()
    means = Means()
    for name, key in numbers.items():
        means.bound(name, float(pc.max(classes[f"largest_{key}"]).as_py() or 0.0))
    for row in classes.to_pylist():
        class_sums = {name: row[f"sum_{key}"] for name, key in numbers.items() if row[f"sum_{key}"] is not None}
        means.add_class(tuple(row[key] for key in labels.values()), rows=row[ROWS], sums=class_sums)
    means.check(list(labels))
