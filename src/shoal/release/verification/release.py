"""check_release(): whether a released table keeps its whole promise: columns, rows, cells and the model (SPEC §8)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text
from shoal.data.table import Classes
from shoal.errors import InputError, VerificationError
from shoal.io.source import Source
from shoal.release.promise import Promise, Verified
from shoal.release.verification.cells import alike, first_difference, names_more
from shoal.release.verification.classes import judge
from shoal.release.verification.columns import Remembered
from shoal.release.verification.comparison import Comparison, Form

Ints = NDArray[np.int64]


def check_release(released: Any, promise: Promise, *, form: Form = "frame", weights: Ints | None = None) -> Classes:
    """The classes of a released table that keeps its promise; VerificationError where it does not.

    `form` says how the cells are: as in the caller's kind of frame, as in a batch (whose categories may be those of
    other batches), as in a file that has types, as in a database, which has no categories, or as text in a CSV.
    Where there is no original to hold the cells against, rows may stand for several by their weights.
    """
    shown = Source.of(released)
    known = _verified(promise) if form in ("file", "text") else None
    if known is not None and _copied(shown, known.table, form):
        return known.classes
    numbered, whole = Remembered(shown.arrow), promise.whole
    if promise.original is not None:
        comparison = Comparison(promise, promise.original, shown, form, numbered)
        comparison.run()
        comparison.means.check(promise.quasi)
        whole = comparison.whole
    classes = judge(
        shown,
        promise.labelled,
        numbered=numbered,
        model=promise.model,
        suppressed=promise.hidden,
        max_suppressed=promise.max_suppressed,
        rows=promise.rows,
        whole=whole,
        hierarchies=promise.hierarchies,
        style=promise.style,
        missing_values=promise.missing_values,
        weights=weights,
        whole_weights=promise.whole_weights,
    )
    if promise.original is not None and form == "frame" and isinstance(released, pa.Table):
        promise.original.verified[id(promise)] = Verified(ref(promise), released, classes)
    return classes


def _verified(promise: Promise) -> Verified | None:
    """The table that was seen to keep this very promise, if there was one."""
    found = promise.original.verified.get(id(promise)) if promise.original is not None else None
    return found if found is not None and found.promise() is promise else None


def _copied(shown: Source, verified: pa.Table, form: Form) -> bool:
    """Whether a file holds, cell by cell, a table that was verified before."""
    if shown.columns != verified.column_names or len(shown) != verified.num_rows:
        return False
    for name in shown.columns:
        column, was = shown.arrow(name), verified[name]
        if form == "text":
            was = as_text(was)
        elif not alike(column.type, was.type, any_text=True):
            return False
        if first_difference(column, was) is not None or names_more(column):
            return False
    return True


@contextmanager
def readable() -> Iterator[None]:
    """Refuse a release that cannot be read back from where it was written."""
    try:
        yield
    except InputError as error:
        raise VerificationError("What was written cannot be read back.") from error
