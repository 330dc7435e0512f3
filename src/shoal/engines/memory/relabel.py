"""relabel(): the released frame, with labels in place of quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.frames import in_order, own_rows, with_rows, without_order
from shoal.data.style import MAX_TEXT
from shoal.engines.lookup import Labels
from shoal.engines.memory.count import Counted
from shoal.io.source import Source, unique_values
from shoal.release.class_records import class_numbers
from shoal.release.labelling import Labelling
from shoal.release.row_order import shuffled


@dataclass(frozen=True, eq=False)
class Relabelled:
    """A released frame, and the number of each of its rows in the source (None: all rows, in their order)."""

    frame: Any
    numbers: NDArray[np.int64] | None


def relabel(counted: Counted, labelling: Labelling) -> Relabelled:
    """Make the frame of the release."""
    request, kept, ids = counted.request, counted.kept, labelling.ids
    columns = dict(counted.pseudonyms)
    if request.class_column is not None:
        columns[request.class_column] = class_numbers(ids, request.style)
    rows = released_rows(ids, drop_suppressed=request.drops_suppressed, order=request.order)
    frame = released_frame(
        kept,
        labelling.tops,
        labelling.changed(kept.types(request.roles.quasi), lambda name: unique_values(kept.arrow(name))),
        ids,
        columns=columns,
        identifying=request.roles.identifying,
        rows=rows,
        order=request.order,
    )
    if not counted.dropped:
        return Relabelled(frame, rows)
    return Relabelled(frame, counted.numbers if rows is None else counted.numbers[rows])


def released_frame(
    source: Source,
    tops: Mapping[str, str],
    labels: Mapping[str, list[str]],
    ids: NDArray[np.int32],
    *,
    columns: Mapping[str, pa.Array],
    identifying: tuple[str, ...],
    rows: NDArray[np.int64] | None = None,
    order: str = "rows",
) -> Any:
    """Return these rows of the caller's frame, with the labels of their classes in place of the quasi-identifiers.

    columns  other columns to replace or add
    """
    labelled = {name: _label_column(Labels(texts, tops[name]).of(ids)) for name, texts in labels.items()}
    frame = source.changed(dict(columns) | labelled, drop=identifying)
    if rows is not None:
        released = np.zeros(len(source), np.bool_)
        released[rows] = True
        frame = frame if released.all() else with_rows(frame, released)
        if order != "rows":
            frame = in_order(frame, (np.cumsum(released) - 1)[rows])
    return own_rows(without_order(frame) if order == "shuffled" else frame).to_native()


def released_rows(ids: NDArray[np.int32], *, drop_suppressed: bool, order: str) -> NDArray[np.int64] | None:
    """Return the number of the row at each position of the release; None if all rows stay in their order."""
    if order == "rows" and not (drop_suppressed and (ids < 0).any()):
        return None
    rows = np.flatnonzero(ids >= 0) if drop_suppressed else np.arange(ids.size)
    if order == "classes":
        last = np.iinfo(np.int32).max  # for suppressed rows
        return rows[np.argsort(np.where(ids < 0, last, ids)[rows], kind="stable")]
    return rows[shuffled(rows.size)] if order == "shuffled" else rows


def _label_column(labels: pa.DictionaryArray) -> pa.Array:
    """Return labels as text, of a type that can hold all of them."""
    lengths = pc.binary_length(labels.dictionary).to_numpy()
    fits = int(lengths.max()) * len(labels) <= MAX_TEXT or int(lengths[labels.indices.to_numpy()].sum()) <= MAX_TEXT
    kind = labels.dictionary.type if fits else pa.large_string()
    return pa.DictionaryArray.from_arrays(labels.indices, labels.dictionary.cast(kind)).cast(kind)
