"""verify(): the check of a whole release: its columns, its rows, its equivalence classes, and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.classes import Classes
from shoal.engines.spark.frames import ROWS, Batches, hash_sums, keys_of, map_batches, numbered, row_hash, total_hash
from shoal.engines.spark.labellers import MARK, Labeller
from shoal.engines.spark.people import in_random_order
from shoal.engines.spark.relabel import PERSON, Relabelled, relabel, released_types, with_marks
from shoal.engines.spark.session import errors_in_one_sentence, pyspark
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.means import Means
from shoal.release.verification.parts import Parts
from shoal.release.verification.people import People, people_of_counts
from shoal.release.verification.release import check_release, readable
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Observation

MARKS, DIGEST = "marks", "digest"


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
    counts = _count_labels(relabelled.numbered, labels, hashes=hashes)
    marks = total_hash(lambda name: _sum(counts[name]), MARKS) if relabelled.marked else None
    _check_rows(data, promise, rows=_sum(counts[ROWS]), marks=marks)
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
    data: DataFrame, written: DataFrame, *, promise: Promise, rows: WrittenRows, labeller: Labeller
) -> Classes:
    """Check that a release that was read back from files keeps the promise; return its equivalence classes."""
    _check_columns(data, written, promise=promise)
    frame = numbered(written)
    labels = keys_of(written, (*promise.quasi, *promise.sensitive))
    with readable(), errors_in_one_sentence():
        counts = _count_labels(frame, labels, hashes={DIGEST: row_hash(frame, frame.columns, text=rows.text)})
    observed, digest = rows.observation.get, total_hash(lambda name: _sum(counts[name]), DIGEST)
    if (_sum(counts[ROWS]), digest) != (observed[ROWS], total_hash(lambda name: observed[name] or 0, DIGEST)):
        raise VerificationError("The values were not written as they are.")
    if promise.unit is not None:
        return _check_people(data, promise, labeller=labeller, hashed=(digest, rows.text))
    marks = total_hash(lambda name: observed[name], MARKS) if rows.marked else None
    _check_rows(data, promise, rows=observed[ROWS], marks=marks)
    return _check_labels(data, counts, promise, labeller=labeller)


def _check_whole_table(data: DataFrame, promise: Promise, *, labeller: Labeller) -> None:
    """Refuse pseudonyms that are not one to one and means that are wrong, which only the whole table can show."""
    witnesses = Witnesses(promise)
    if not witnesses.names:
        return
    rows = relabel(data, promise, labeller=labeller, witnesses=True)
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


def _check_rows(data: DataFrame, promise: Promise, *, rows: int, marks: int | None) -> None:
    """Refuse a release that has dropped too many rows, has too many rows, or has other rows than the source."""
    complete, source_marks = _complete_rows(data, promise, marked=marks is not None)
    if not complete - promise.max_dropped <= rows <= complete:
        raise VerificationError(
            f"The release has {rows} rows of {complete}, of which {promise.max_dropped} may be left out."
        )
    if marks is not None and marks != source_marks:
        raise VerificationError("Rows are missing from the release, and others appear twice.")


def _complete_rows(data: DataFrame, promise: Promise, *, marked: bool) -> tuple[int, int | None]:
    """Return the number of rows of the source that can be released, and the sum of their marks."""
    functions, roles = pyspark("sql.functions"), promise.roles
    names = tuple(name for name in data.columns if name not in roles.identifying)
    rows = numbered(data).select(*keys_of(data, names))
    rows = with_marks(rows) if marked else rows.withColumn(MARK, functions.lit(0).cast("bigint"))
    if promise.drop_missing:
        grouped = tuple(dict.fromkeys((*roles.quasi, *roles.sensitive)))
        keys = keys_of(data, grouped)

        def marks_of_complete_rows(batches: Batches) -> Batches:
            parts = Parts(promise)  # reads missing values independently of the release
            for batch in batches:
                complete = parts.may_stay(batch.select(keys).rename_columns(grouped))
                yield batch.select([MARK]).filter(pa.array(complete))

        rows = map_batches(rows.select(*keys, MARK), marks_of_complete_rows, f"{MARK} bigint")
    if not marked:
        return rows.count(), None
    totals = rows.agg(functions.count(functions.lit(1)).alias(ROWS), *hash_sums(functions.col(MARK), MARKS)).first()
    return totals[ROWS], total_hash(lambda name: totals[name] or 0, MARKS)


def _count_labels(frame: DataFrame, labels: Sequence[str], *, hashes: Mapping[str, Column]) -> pa.Table:
    """Count the distinct rows of these columns, with sums of hashes; null and NaN are values like any other."""
    functions = pyspark("sql.functions")
    count = functions.count(functions.lit(1)).alias(ROWS)
    sums = [part for name, hashed in hashes.items() for part in hash_sums(hashed, name)]
    counts: pa.Table = frame.groupBy(*labels).agg(count, *sums).toArrow()
    if not counts.num_rows:
        raise VerificationError("The release has no rows.")
    return counts


def _check_labels(data: DataFrame, counts: pa.Table, promise: Promise, *, labeller: Labeller) -> Classes:
    """Check the equivalence classes of the labels against the model, then what only the whole table can show."""
    names = [*promise.quasi, *promise.sensitive]
    rows = counts.select(range(len(names))).rename_columns(names)
    classes = check_release(rows, promise, weights=counts[ROWS].to_numpy())
    _check_whole_table(data, promise, labeller=labeller)
    return classes


def _check_people(data: DataFrame, promise: Promise, *, labeller: Labeller, hashed: tuple[int, bool] | None) -> Classes:
    """Check the people of the classes, counted from the labels of the rows that are released.

    hashed  the digest of the rows that were written, and whether as text: those that are counted must have the same
    """
    rows = relabel(data, promise, labeller=labeller, people=True)
    names = [*promise.quasi, *promise.sensitive]
    keys = [*keys_of(data, tuple(names)), PERSON]
    hashes = {} if hashed is None else {DIGEST: row_hash(rows.numbered, rows.keys, text=hashed[1])}
    counts = _count_labels(rows.numbered, keys, hashes=hashes)
    if hashed is not None and total_hash(lambda name: _sum(counts[name]), DIGEST) != hashed[0]:
        raise VerificationError("The rows that were written are not those whose people are known.")
    _check_rows(data, promise, rows=_sum(counts[ROWS]), marks=None)
    weights = counts[ROWS].to_numpy()
    released, at, own = people_of_counts(counts[PERSON], weights, promise.missing_values)
    people = People(released, released, at=at, weights=own, whole_at=at)
    judged = replace(promise, whole=None, whole_weights=None)
    if promise.max_dropped and promise.sensitive:
        whole = _whole_people(data, promise)
        whole_weights = whole[ROWS].to_numpy()
        others, whole_at, _ = people_of_counts(whole[PERSON], whole_weights, promise.missing_values)
        people = replace(people, whole=others, whole_at=whole_at)
        columns = dict(zip(promise.sensitive, whole.columns, strict=False))
        judged = replace(promise, whole=columns, whole_weights=dict.fromkeys(columns, whole_weights))
    labels = counts.select(range(len(names))).rename_columns(names)
    classes = check_release(labels, judged, weights=weights, people=people)
    _check_whole_table(data, promise, labeller=labeller)
    return classes


def _whole_people(data: DataFrame, promise: Promise) -> pa.Table:
    """Count the different pairs of sensitive values and a person among all rows that can be released."""
    unit = promise.unit.columns[:1] if promise.unit is not None else ()
    grouped = (*promise.sensitive, *unit)
    names = tuple(dict.fromkeys((*promise.roles.quasi, *grouped)))
    rows = numbered(data).select(*keys_of(data, names))
    if promise.drop_missing:

        def complete_rows(batches: Batches) -> Batches:
            parts = Parts(promise)
            for batch in batches:
                yield batch.filter(pa.array(parts.may_stay(batch.rename_columns(names))))

        rows = map_batches(rows, complete_rows, rows.schema)
    keys = keys_of(data, grouped)
    counts = _count_labels(rows, keys, hashes={})
    return counts.rename_columns([*keys[:-1], PERSON, ROWS])


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


def _sum(column: pa.ChunkedArray) -> int:
    """Return the sum of a column of whole numbers."""
    return int(pc.sum(column).as_py() or 0)
