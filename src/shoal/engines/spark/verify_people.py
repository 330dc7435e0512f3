"""check_people(): the people of a release, counted from the labels of its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.data.classes import Classes
from shoal.engines.spark.frames import ROWS, Batches, keys_of, map_batches, numbered, row_hash, total_hash
from shoal.engines.spark.labellers import Labeller
from shoal.engines.spark.relabel import PERSON, relabel
from shoal.engines.spark.row_counts import DIGEST, check_rows, count_labels, total
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.parts import Parts
from shoal.release.verification.people import People, people_of_counts
from shoal.release.verification.release import check_release

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def check_people(data: DataFrame, promise: Promise, *, labeller: Labeller, hashed: tuple[int, bool] | None) -> Classes:
    """Check the people of the classes, counted from the labels of the rows that are released.

    hashed  the digest of the rows that were written, and whether as text: those that are counted must have the same
    """
    rows = relabel(data, promise, labeller=labeller, people=True)
    names = [*promise.quasi, *promise.sensitive]
    keys = [*keys_of(data, tuple(names)), PERSON]
    hashes = {} if hashed is None else {DIGEST: row_hash(rows.numbered, rows.keys, text=hashed[1])}
    counts = count_labels(rows.numbered, keys, hashes=hashes)
    if hashed is not None and total_hash(lambda name: total(counts[name]), DIGEST) != hashed[0]:
        raise VerificationError("The rows that were written are not those whose people are known.")
    check_rows(data, promise, rows=total(counts[ROWS]), marks=None)
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
    return check_release(labels, judged, weights=weights, people=people)


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
    counts = count_labels(rows, keys, hashes={})
    return counts.rename_columns([*keys[:-1], PERSON, ROWS])
