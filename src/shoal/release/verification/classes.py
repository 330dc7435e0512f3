"""judge(): whether a released table satisfies a model, judged from its labels and nothing else.

Rows are grouped by Arrow's hashing of the released values, not by the code that groups or labels a release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text, plain
from shoal.data.classes import Classes, Counts, Overall
from shoal.data.label_cover import people_covered
from shoal.data.style import is_plain, text, texts
from shoal.errors import VerificationError
from shoal.io.source import Source
from shoal.models import KAnonymity, PrivacyModel
from shoal.models.population import one_population
from shoal.release.promise import Promise
from shoal.release.verification.columns import Remembered
from shoal.release.verification.people import People, classes_of_people, profiles

IntArray = NDArray[np.int64]
Values = tuple[IntArray, IntArray, Overall]  # the codes of a column, those of the whole column, and its values


def judge(
    source: Source,
    promise: Promise,
    numbered: Remembered,
    *,
    whole: Mapping[str, pa.ChunkedArray] | None,
    weights: IntArray | None,
    people: People | None = None,
) -> Classes:
    """Check the number of rows and the classes of a table whose columns may already be numbered.

    people  whose rows they are, if several can be about one person
    """
    model, quasi = promise.model, promise.quasi
    weights = np.ones(len(source), np.int64) if weights is None else weights
    if weights.sum() != promise.rows:
        raise VerificationError(f"The release has {weights.sum()} rows and should have {promise.rows}.")
    ids, firsts = grouped([numbered[name].numbers for name in quasi])
    values = {}
    for name in promise.sensitive:
        counts = weights if whole is None or name not in whole else (promise.whole_weights or {}).get(name)
        values[name] = _sensitive(source.arrow(name), (whole or {}).get(name), counts, set(promise.missing_values))
    classes = _classes(ids, values, weights)
    if people is not None:
        classes = classes_of_people(ids, people, values, classes.sizes)
    if model.populations:
        labels = {name: source.arrow(name).take(pa.array(firsts)).to_pylist() for name in quasi}
        population = Source.of(one_population(model))
        fitting = people_covered(labels, population, promise.hierarchies, promise.style, promise.missing_values)
        classes = replace(classes, people=fitting)
        _check_absent(len(population) - int(fitting.sum()), model)
    failed = _failing(classes, model)
    if promise.max_suppressed:
        tops = np.ones(firsts.size, np.bool_)
        for name, top in promise.hidden.items():
            shown = plain(source.arrow(name).take(pa.array(firsts)))
            if not is_text(shown.type):  # a column that kept its type has no top label
                tops[:] = False
                break
            tops &= pc.fill_null(pc.equal(shown, top), False).to_numpy(zero_copy_only=False)
        if classes.rows[failed & tops].sum() <= promise.max_suppressed:
            failed &= ~tops
            if failed.any() and not model.per_class:
                failed[~tops] = ~model.satisfied(classes.some(~tops))
    if failed.any():
        worst = int(np.flatnonzero(failed)[0])
        row = int(firsts[worst])
        shown = ", ".join(f"{name}={source.arrow(name)[row].as_py()}" for name in quasi)
        place = f" at row {row + 1}" if len(source) == weights.sum() else ""
        size, (one, many) = classes.sizes[worst], ("row", "rows") if people is None else ("person", "people")
        raise VerificationError(
            f"The release does not satisfy {model}: {int(failed.sum())} of {len(classes)} classes fail, the first with "
            f"{size} {one if size == 1 else many}{place} ({shown})."
        )
    if people is not None and people.owners is not None:
        _check_profiles(ids, people, values, promise)
    return classes


def _check_profiles(ids: IntArray, people: People, values: dict[str, Values], promise: Promise) -> None:
    """Refuse sets of rows that can be linked and that too few people or households share."""
    if people.owners is None or promise.unit is None:
        return
    sets = profiles(ids, people.owners)
    rows = np.bincount(sets)
    owners = replace(people, released=people.owners)
    alike = classes_of_people(sets, owners, values, rows)
    among = classes_of_people(sets, people, values, rows)
    failed = _failing(alike, KAnonymity(promise.model.smallest)) | _failing(among, promise.model)
    if failed.any():
        worst = int(np.flatnonzero(failed)[0])
        whose = "households" if promise.unit.promise == "households" else "people"
        raise VerificationError(
            f"The release does not satisfy {promise.model}: {int(failed.sum())} of {rows.size} sets of rows that can "
            f"be linked fail, the first of {int(alike.sizes[worst])} {whose}."
        )


def _check_absent(people: int, model: PrivacyModel) -> None:
    """Refuse a release that reveals who of the population is not in it, if the model forbids that."""
    nobody = Classes(np.zeros(1, np.int64), people=np.array([people]))
    if people > 0 and not all(part.satisfied(nobody).all() for part in model.parts if part.disjoint):
        raise VerificationError(
            f"The release does not satisfy {model}: it shows that {people} people of the population are not in it."
        )


def _failing(classes: Classes, model: PrivacyModel) -> NDArray[np.bool_]:
    """Flag the classes that fail."""
    return ~model.satisfied(classes)


def _classes(ids: IntArray, values: dict[str, Values], weights: IntArray) -> Classes:
    sizes = np.bincount(ids, weights).astype(np.int64)

    def counts_of(name: str) -> Counts:
        codes, _, overall = values[name]
        pairs = ids * len(overall.labels) + codes
        order = np.argsort(pairs, kind="stable")
        firsts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
        rows = order[firsts]
        starts = np.searchsorted(ids[rows], np.arange(sizes.size + 1))
        counts = Counts(starts, codes[rows].astype(np.int32), np.add.reduceat(weights[order], firsts))
        return counts.kept(counts.counts > 0)

    return Classes(sizes, {name: overall for name, (_, _, overall) in values.items()}, counts_of)


def _sensitive(
    column: pa.ChunkedArray, whole: pa.ChunkedArray | None, weights: IntArray | None, missing: set[str]
) -> Values:
    """Return a sensitive column as codes, and its values in the whole input, or in the column itself."""
    if whole is None:
        whole = column
    else:
        column, whole = plain(column), plain(whole)
        if column.type != whole.type:  # one of them was read from a CSV file
            kind = pa.string() if is_text(column.type) or is_text(whole.type) else column.type
            column, whole = column.cast(kind), whole.cast(kind)
        # A CSV file has an empty text instead of null.
        has_empty = is_text(whole.type) and pc.any(pc.equal(whole, "")).as_py()
        missing = missing | ({""} if whole.null_count and not has_empty else set())
    both = column.chunks if column.equals(whole) else [*column.chunks, *whole.chunks]
    combined = plain(pa.chunked_array(both, column.type)).combine_chunks()
    encoded = pc.dictionary_encode(combined, null_encoding="encode")
    places, values = encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist()
    labels: Sequence[str | None]
    if is_plain(values) and not missing:
        labels, codes = texts(values), places.astype(np.int64)
    else:
        written = [None if value is None or value != value else text(value) for value in values]
        labels = list(dict.fromkeys(None if name in missing else name for name in written))
        place = {label: number for number, label in enumerate(labels)}
        codes = np.array([place[None if name in missing else name] for name in written], np.int64)[places]
    counts = np.bincount(codes[codes.size - len(whole) :], weights, len(labels))
    return codes[: len(column)], codes[codes.size - len(whole) :], Overall(tuple(labels), counts.astype(np.int64))


def grouped(columns: Sequence[NDArray[np.integer[Any]]]) -> tuple[IntArray, IntArray]:
    """Number the distinct rows; return the number of each row, and the first row with each number."""
    ids, bound = columns[0].astype(np.int64), int(columns[0].max()) + 1
    for column in columns[1:]:
        width = int(column.max()) + 1
        if bound * width >= 2**62:
            ids = _renumbered(ids)
            bound = int(ids.max()) + 1
        ids, bound = ids * width + column, bound * width
    ids = _renumbered(ids)
    firsts = np.full(int(ids.max()) + 1, ids.size, np.int64)
    np.minimum.at(firsts, ids, np.arange(ids.size))
    return ids, firsts


def _renumbered(numbers: IntArray) -> IntArray:
    """Replace numbers by consecutive ones from 0."""
    return np.asarray(pc.dictionary_encode(pa.array(numbers)).indices.to_numpy(zero_copy_only=False), np.int64)
