"""verify(): the check of a released frame against the caller's table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.data.classes import Classes
from shoal.engines.memory.count import Counted
from shoal.engines.memory.relabel import Relabelled
from shoal.io.source import Source
from shoal.release.labelling import Labelling
from shoal.release.promise import Original, Promise
from shoal.release.range_ends.widening import Moved
from shoal.release.verification.columns import Numbered
from shoal.release.verification.range_ends import Cells, check_range_ends
from shoal.release.verification.release import check_release
from shoal.release.verification.scales import Values


def verify(relabelled: Relabelled, counted: Counted, labelling: Labelling) -> tuple[Classes, Promise]:
    """Check that a frame keeps the promise; return its equivalence classes, read from the labels, and the promise."""
    original = Original(counted.source, order=counted.request.order, at=relabelled.numbers)
    promise = labelling.promise(original)
    classes = check_release(relabelled.frame, promise)
    if labelling.solved.moved is not None:
        _check_range_ends(relabelled, counted, labelling, labelling.solved.moved)
    return classes, promise


def _check_range_ends(relabelled: Relabelled, counted: Counted, labelling: Labelling, moved: Moved) -> None:
    """Check that the ranges of a frame end where they should, given the key."""
    request, released, claim = counted.request, Source.of(relabelled.frame), moved.claim()
    rows = counted.numbers if relabelled.numbers is None else relabelled.numbers
    cells = np.full(len(counted.source), -1, np.int64)
    # A class with the labels of suppressed rows may have been dissolved.
    cells[counted.numbers] = np.where(labelling.ids < 0, -1, claim.cells)

    def values(name: str) -> Cells:
        numbered = Numbered.of(counted.source.arrow(name)).at(rows)
        texts = Values(name, numbered.values, frozenset(request.missing_values))
        pairs = zip(texts.texts, texts.missing.tolist(), strict=True)
        return Cells([None if missing else text for text, missing in pairs], numbered.numbers.astype(np.int64))

    def labels(name: str) -> Cells:
        numbered = Numbered.of(released.arrow(name))
        return Cells(Values(name, numbered.values).texts, numbered.numbers.astype(np.int64))

    check_range_ends(replace(claim, cells=cells[rows]), values, labels, request.style)
