"""Wrong releases: batches that a worker could return instead of the promised ones."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext, cloudpickle

# Workers cannot import from this folder.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

KEYS = {"name": "c0", "age": "c1", "city": "c2", "disease": "c3", "note": "c4", "score": "c5", "person": "c6"}


def people(rows: int = 64) -> pa.Table:
    """Return two different halves: no label of one half covers a value of the other."""
    at = np.arange(rows)
    return pa.table(
        {
            "name": [f"name {number}" for number in at],
            "age": 20 + at % 8 + 40 * (at >= rows // 2),
            "city": [("Ulm", "Bonn")[number % 2] if number < rows // 2 else "Kiel" for number in at],
            "disease": [f"d{number * 7 % 5}" for number in at],
            "note": [None if number % 11 == 5 else ["", "a", "b"][number % 3] for number in at],
            "score": [float("nan") if number % 5 == 0 else number / 4 for number in at],
            "person": [f"person {number % 9}" for number in at],
        }
    )


def column(made: pa.RecordBatch, name: str) -> pa.Array:
    return made.column(KEYS[name])


def changed(made: pa.RecordBatch, name: str, values) -> pa.RecordBatch:
    at = made.schema.get_field_index(KEYS[name])
    values = values if isinstance(values, pa.Array) else pa.array(values, made.schema.field(at).type)
    return made.set_column(at, KEYS[name], values)


def other(made: pa.RecordBatch, name: str, row: int, value) -> pa.RecordBatch:
    values = column(made, name).to_pylist()
    values[row] = value
    return changed(made, name, values)


def rolled(made: pa.RecordBatch, *names: str) -> pa.RecordBatch:
    for name in names:
        made = changed(made, name, np.roll(np.array(column(made, name).to_pylist(), object), 1).tolist())
    return made


def rows(made: pa.RecordBatch, numbers) -> pa.RecordBatch:
    return made.take(pa.array(numbers))


def narrowed(made: pa.RecordBatch) -> pa.RecordBatch:
    return changed(made, "age", [label.split("-")[0] for label in column(made, "age").to_pylist()])


def of_part(made: pa.RecordBatch) -> pa.RecordBatch:
    """Make pseudonyms that are one to one within a partition, but differ between partitions."""
    number = f"{TaskContext.get().partitionId():x}"
    return changed(made, "person", [number + text[1:] for text in column(made, "person").to_pylist()])


def as_they_are(batch: pa.RecordBatch, made: pa.RecordBatch) -> pa.RecordBatch:
    made = changed(made, "age", column(batch, "age").cast(pa.string()))
    return changed(made, "city", column(batch, "city"))


LABELS = ("age", "city")
COVER = "does not cover that row's value"
CELLS = "is not as it was in row"
COLUMNS = "The release has the columns"
# How a batch is spoiled, and the message.
MADE = {
    "values as they are": (as_they_are, "does not satisfy"),
    "a row in another class": (lambda batch, made: other(other(made, "age", 0, "99"), "city", 0, "Kiel"), COVER),
    "labels rolled": (lambda batch, made: rolled(made, *LABELS), COVER),
    "labels of another column": (lambda batch, made: changed(made, "city", column(made, "age")), COVER),
    "one leaf for all": (lambda batch, made: changed(made, "city", ["Bonn"] * made.num_rows), COVER),
    "ranges narrowed": (lambda batch, made: narrowed(made), COVER),
    "no label": (lambda batch, made: other(made, "city", 0, None), "shows no label in row 1 of a batch"),
    "a row lost": (lambda batch, made: made.slice(1), "rows and should have|nothing tells which"),
    "a row doubled": (lambda batch, made: rows(made, [0, *range(made.num_rows)]), "rows and should have"),
    "one row twice, another lost": (
        lambda batch, made: rows(made, [1, *range(1, made.num_rows)]),
        f"{COVER}|{CELLS}|not replaced",
    ),
    "rows turned": (lambda batch, made: rows(made, range(made.num_rows)[::-1]), f"{COVER}|{CELLS}|not replaced"),
    "a sensitive cell changed": (lambda batch, made: other(made, "disease", 3, "d9"), "'disease' is not as it was in"),
    "sensitive cells turned": (lambda batch, made: changed(made, "disease", column(made, "disease")[::-1]), CELLS),
    "a cell changed": (lambda batch, made: other(made, "note", 3, "c"), "'note' is not as it was in row 4 of a batch"),
    "null for an empty text": (lambda batch, made: other(made, "note", 0, None), "'note' is not as it was in row"),
    "null for NaN": (
        lambda batch, made: changed(
            made, "score", pc.if_else(pc.is_nan(column(made, "score")), None, column(made, "score"))
        ),
        "'score' is not as it was in row",
    ),
    "identifying kept": (lambda batch, made: made.append_column("c0", column(made, "note")), COLUMNS),
    "a column lost": (lambda batch, made: made.drop_columns(["c4"]), COLUMNS),
    "a column renamed": (lambda batch, made: made.rename_columns([*made.schema.names[:-1], "x"]), COLUMNS),
    "columns in another order": (lambda batch, made: made.select(made.schema.names[::-1]), COLUMNS),
    "another type": (
        lambda batch, made: changed(made, "score", column(made, "score").cast(pa.float32())),
        "is of type float",
    ),
    "labels of another type": (
        lambda batch, made: changed(made, "age", column(batch, "age")),
        "'age' is of type int64 and should be text",
    ),
    "one pseudonym for all": (
        lambda batch, made: changed(made, "person", ["0" * 32] * made.num_rows),
        "not replaced, value by value",
    ),
    "persons as they are": (
        lambda batch, made: changed(made, "person", column(batch, "person")),
        "not replaced, value by value",
    ),
    "pseudonyms of each part": (
        lambda batch, made: of_part(made),
        "'person' is not replaced, value by value, by pseudonyms",
    ),
    "an error of Python": (lambda batch, made: made.column(99), r"could not be labelled and checked \(IndexError: "),
}
