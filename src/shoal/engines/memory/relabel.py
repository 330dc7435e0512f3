"""The released frame: labels in place of quasi-identifiers, without the columns and rows that are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.frames import in_order, own_rows, with_rows, without_order
from shoal.data.style import MAX_TEXT, text_array
from shoal.engines.memory.count import Counted
from shoal.io.source import Source, unique_values
from shoal.release.class_records import class_numbers
from shoal.release.labelling import Labelling
from shoal.release.row_order import shuffled


@dataclass(frozen=True, eq=False)
class Relabelled:
    """A released frame, and the number in the source of each of its rows (None: all rows, where they were)."""

    frame: Any
    numbers: NDArray[np.int64] | None


def relabel(counted: Counted, labelling: Labelling) -> Relabelled:
    """Make the frame that may be released."""
    request, kept, ids = counted.request, counted.kept, labelling.ids
    numbered = {}
    if request.class_column is not None:
        numbered[request.class_column] = class_numbers(ids, request.style)
    rows = released_rows(ids, drop_suppressed=request.drops_suppressed, order=request.order)
    frame = released_frame(
        kept,
        labelling.tops,
        labelling.changed(kept.types(request.roles.quasi), lambda name: unique_values(kept.arrow(name))),
        ids,
        other={**counted.replaced, **numbered},
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
    other: Mapping[str, pa.Array],
    identifying: tuple[str, ...],
    rows: NDArray[np.int64] | None = None,
    order: str = "rows",
) -> Any:
    """The caller's frame with the labels of the classes in place of the quasi-identifiers, and of its rows these."""
    columns = dict(other) | {name: _labelled(shown, tops[name], ids) for name, shown in labels.items()}
    frame = source.changed(columns, drop=identifying)
    if rows is not None:
        stay = np.zeros(len(source), np.bool_)
        stay[rows] = True
        frame = frame if stay.all() else with_rows(frame, stay)
        if order != "rows":
            frame = in_order(frame, (np.cumsum(stay) - 1)[rows])
    return own_rows(without_order(frame) if order == "shuffled" else frame).to_native()


def released_rows(ids: NDArray[np.int32], *, drop_suppressed: bool, order: str) -> NDArray[np.int64] | None:
    """The row that stands in each place of the release; None where all rows stay where they are."""
    if order == "rows" and not (drop_suppressed and (ids < 0).any()):
        return None
    rows = np.flatnonzero(ids >= 0) if drop_suppressed else np.arange(ids.size)
    if order == "classes":
        last = np.iinfo(np.int32).max  # suppressed rows
        return rows[np.argsort(np.where(ids < 0, last, ids)[rows], kind="stable")]
    return rows[shuffled(rows.size)] if order == "shuffled" else rows


def _labelled(labels: list[str], top: str, ids: NDArray[np.int32]) -> pa.Array:
    """The label of each row's class, the top for suppressed rows."""
    different = list(dict.fromkeys(labels))
    numbers = {label: number for number, label in enumerate(different)}
    place = np.array([*(numbers[label] for label in labels), len(different)], np.int32)
    indices = place[ids]  # −1 takes the last: the top
    dictionary = text_array([*different, top])
    size = int(pc.binary_length(dictionary).to_numpy()[indices].sum())
    kind = dictionary.type if size <= MAX_TEXT else pa.large_string()
    return pa.DictionaryArray.from_arrays(pa.array(indices), dictionary.cast(kind)).cast(kind)
