"""Verification of a whole release: its columns, its rows beside those of the source, its classes, and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.table import Classes
from shoal.engines.spark.errors import told
from shoal.engines.spark.frames import ROWS, keys_of, mapped, numbered
from shoal.engines.spark.relabel import MARK, Joining, Labeller
from shoal.engines.spark.row_comparison import Compared, Complete, compared, marked, released_types
from shoal.engines.spark.row_hashes import row_hash, total_of, totals
from shoal.engines.spark.session import pyspark
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.means import Means
from shoal.release.verification.release import check_release, readable
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Observation

MARKS, DIGEST = "marks", "digest"


@dataclass(frozen=True, eq=False)
class Watched:
    """What tells of the rows that have gone by on their way into files."""

    seen: Observation
    text: bool
    marked: bool


def check(data: DataFrame, rows: Compared, *, promise: Promise) -> Classes:
    """The classes of a release, or VerificationError."""
    frame = rows.frame
    _check_columns(data, frame, promise=promise)
    labels = keys_of(data, (*promise.quasi, *promise.sensitive))
    sums = {MARKS: pyspark("sql.functions").col(MARK)} if rows.marked else {}
    shown = _classes(rows.numbered, labels, sums=sums)
    marks = total_of(lambda name: _whole(shown[name]), MARKS) if rows.marked else None
    _check_rows(data, promise, rows=_whole(shown[ROWS]), marks=marks)
    return _judge(shown, promise)


def watched(rows: Compared, *, text: bool) -> tuple[Watched, DataFrame]:
    """A release to be written, and what tells of its rows after they have gone by."""
    functions, sql = pyspark("sql.functions"), pyspark("sql")
    told = [functions.count(functions.lit(1)).alias(ROWS)]
    told += totals(row_hash(rows.numbered, rows.keys, text=text), DIGEST)
    if rows.marked:
        told += totals(functions.col(MARK), MARKS)
    seen = sql.Observation()
    frame = rows.numbered.observe(seen, *told).select(*rows.keys).toDF(*rows.names)
    return Watched(seen, text, rows.marked), frame


def check_written(data: DataFrame, written: DataFrame, *, promise: Promise, watched: Watched) -> Classes:
    """The classes of a release that was read back from files, or VerificationError."""
    _check_columns(data, written, promise=promise)
    frame = numbered(written)
    labels = keys_of(written, (*promise.quasi, *promise.sensitive))
    with readable(), told():
        shown = _classes(frame, labels, sums={DIGEST: row_hash(frame, frame.columns, text=watched.text)})
    seen, digest = watched.seen.get, total_of(lambda name: _whole(shown[name]), DIGEST)
    if (_whole(shown[ROWS]), digest) != (seen[ROWS], total_of(lambda name: seen[name] or 0, DIGEST)):
        raise VerificationError("The values were not written as they are.")
    _check_rows(
        data, promise, rows=seen[ROWS], marks=total_of(lambda name: seen[name], MARKS) if watched.marked else None
    )
    return _judge(shown, promise)


def check_together(data: DataFrame, promise: Promise, *, making: Labeller | Joining) -> None:
    """Refuse pseudonyms that are not one to one and means that are wrong, which only the whole table can show."""
    witnesses = Witnesses(promise)
    if not witnesses.names:
        return
    rows = compared(data, promise, making=making, witnesses=True)
    key_of = dict(zip(rows.names, rows.keys, strict=True))
    for name, value in witnesses.pseudonymized.items():
        _check_pairs(name, rows.numbered.select(value, key_of[name]))
    if witnesses.means:
        _check_means(rows.numbered, labels={name: key_of[name] for name in promise.quasi}, numbers=witnesses.means)


def _check_columns(data: DataFrame, released: DataFrame, *, promise: Promise) -> None:
    """Refuse other columns, or other types, than those that the source promises."""
    wanted = [name for name in data.columns if name not in promise.roles.identifying]
    if released.columns != wanted:
        raise VerificationError(f"The release has the columns {released.columns} and should have {wanted}.")
    for field, kind in zip(released.schema.fields, released_types(data, promise), strict=True):
        if field.dataType.simpleString() != kind.simpleString():
            raise VerificationError(
                f"Column {field.name!r} is of type {field.dataType.simpleString()} and should be of type "
                f"{kind.simpleString()}."
            )


def _check_rows(data: DataFrame, promise: Promise, *, rows: int, marks: int | None) -> None:
    """Refuse a release that has lost rows beyond the limit, has more of them, or has other ones."""
    may_stay, wanted = _source(data, promise, with_marks=marks is not None)
    if not may_stay - promise.max_dropped <= rows <= may_stay:
        raise VerificationError(
            f"The release has {rows} rows of {may_stay}, of which {promise.max_dropped} may be left out."
        )
    if marks is not None and marks != wanted:
        raise VerificationError("Rows are lost in the release, and others are there twice.")


def _source(data: DataFrame, promise: Promise, *, with_marks: bool) -> tuple[int, int | None]:
    """How many rows may stay, and the sum of their marks."""
    functions, roles = pyspark("sql.functions"), promise.roles
    names = tuple(name for name in data.columns if name not in roles.identifying)
    rows = numbered(data).select(*keys_of(data, names))
    rows = marked(rows) if with_marks else rows.withColumn(MARK, functions.lit(0).cast("bigint"))
    if promise.drop_missing:
        asked = tuple(dict.fromkeys((*roles.quasi, *roles.sensitive)))
        keys = tuple(keys_of(data, asked))
        rows = mapped(rows.select(*keys, MARK), Complete(keys, asked, promise), f"{MARK} bigint")
    if not with_marks:
        return rows.count(), None
    found = rows.agg(functions.count(functions.lit(1)).alias(ROWS), *totals(functions.col(MARK), MARKS)).first()
    return found[ROWS], total_of(lambda name: found[name] or 0, MARKS)


def _classes(frame: DataFrame, labels: Sequence[str], *, sums: Mapping[str, Column]) -> pa.Table:
    """The different rows of these columns with their numbers, and sums of hashes; null and NaN are values as others."""
    functions = pyspark("sql.functions")
    counted = functions.count(functions.lit(1)).alias(ROWS)
    added = [part for name, hashed in sums.items() for part in totals(hashed, name)]
    found: pa.Table = frame.groupBy(*labels).agg(counted, *added).toArrow()
    if not found.num_rows:
        raise VerificationError("The release has no rows.")
    return found


def _judge(shown: pa.Table, promise: Promise) -> Classes:
    """Ask the model about the classes."""
    names = [*promise.quasi, *promise.sensitive]
    rows = shown.select(range(len(names))).rename_columns(names)
    return check_release(rows, promise, weights=shown[ROWS].to_numpy())


def _check_pairs(name: str, pairs: DataFrame) -> None:
    """Refuse a column in which values and pseudonyms are not one to one, or a pseudonym is a value."""
    functions = pyspark("sql.functions")
    value, shown = (functions.col(one) for one in pairs.columns)
    told = [
        functions.struct(one.alias("text"), functions.lit(at).alias("side")) for at, one in enumerate((value, shown))
    ]
    sides = functions.array(*told)
    each = pairs.where(value.isNotNull()).distinct().select(functions.explode(sides).alias("one")).groupBy("one.text")
    times = each.agg(*(functions.count_if(functions.col("one.side") == at).alias(f"times{at}") for at in (0, 1)))
    if not times.where("times0 + times1 > 1").isEmpty():
        raise VerificationError(f"Column {name!r} is not replaced, value by value, by pseudonyms.")


def _check_means(rows: DataFrame, *, labels: Mapping[str, str], numbers: Mapping[str, str]) -> None:
    """Refuse a class that shows a number which is not its mean."""
    functions = pyspark("sql.functions")
    sums = [functions.sum(one).alias(f"sum_{one}") for one in numbers.values()]
    largest = [functions.max(functions.abs(one)).alias(f"largest_{one}") for one in numbers.values()]
    counted = functions.count(functions.lit(1)).alias(ROWS)
    found = rows.groupBy(*labels.values()).agg(counted, *sums, *largest).toArrow()
    means = Means()
    for name, one in numbers.items():
        means.bound(name, float(pc.max(found[f"largest_{one}"]).as_py() or 0.0))
    for row in found.to_pylist():
        there = {name: row[f"sum_{one}"] for name, one in numbers.items() if row[f"sum_{one}"] is not None}
        means.add_class(tuple(row[one] for one in labels.values()), rows=row[ROWS], sums=there)
    means.check(list(labels))


def _whole(column: pa.ChunkedArray) -> int:
    """The sum of a column of whole numbers."""
    return int(pc.sum(column).as_py() or 0)
