"""check_release(): whether a released table keeps its promise: columns, rows, cells and the model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text
from shoal.data.classes import Classes
from shoal.errors import InputError, VerificationError
from shoal.io.source import Source
from shoal.release.promise import Promise, Verified
from shoal.release.verification.cells import Form, alike, first_difference, names_more
from shoal.release.verification.classes import judge
from shoal.release.verification.columns import Remembered
from shoal.release.verification.comparison import Comparison
from shoal.release.verification.people import People, check_pseudonyms, people_of


def check_release(
    released: Any,
    promise: Promise,
    *,
    form: Form = "frame",
    weights: NDArray[np.int64] | None = None,
    people: People | None = None,
) -> Classes:
    """Return the classes of a released table; raise VerificationError if it does not keep its promise.

    released  the table: a frame, or what was read back
    promise   what must hold
    form      frame: in the caller's kind of frame; batch: a part, whose categories may be those of other parts; file:
              read from a file with types; database: without categories; text: read from a CSV
    weights   how many rows each row represents, if there is no original to compare it with
    people    whose rows they are, in the same case
    """
    table = Source.of(released)
    verified = _verified(promise) if form in ("file", "text") else None
    if verified is not None and _copied(table, verified.table, form):
        return verified.classes
    numbered, whole = Remembered(table.arrow), promise.whole
    if promise.original is not None:
        comparison = Comparison(promise, promise.original, table, form, numbered)
        comparison.run()
        comparison.means.check(promise.quasi)
        whole = comparison.whole
        people = people_of(promise, promise.original, comparison.stays)
        if people is not None and people.owners is not None and promise.unit is not None:
            owner = promise.unit.owner
            if owner in promise.roles.pseudonymized:
                check_pseudonyms(table.arrow(str(owner)), people.owners)
    classes = judge(table, promise, numbered, whole=whole, weights=weights, people=people)
    if promise.original is not None and form == "frame" and isinstance(released, pa.Table):
        promise.original.verified[id(promise)] = Verified(ref(promise), released, classes)
    return classes


def _verified(promise: Promise) -> Verified | None:
    """Return the table that already kept this promise, if any."""
    verified = promise.original.verified.get(id(promise)) if promise.original is not None else None
    return verified if verified is not None and verified.promise() is promise else None


def _copied(table: Source, verified: pa.Table, form: Form) -> bool:
    """Say whether a file holds, cell by cell, a table that was verified before."""
    if table.columns != verified.column_names or len(table) != verified.num_rows:
        return False
    for name in table.columns:
        column, expected = table.arrow(name), verified[name]
        if form == "text":
            expected = as_text(expected)
        elif not alike(column.type, expected.type, any_text=True):
            return False
        if first_difference(column, expected) is not None or names_more(column):
            return False
    return True


@contextmanager
def readable() -> Iterator[None]:
    """Refuse a release that cannot be read back from where it was written."""
    try:
        yield
    except InputError as error:
        raise VerificationError("What was written cannot be read back.") from error
