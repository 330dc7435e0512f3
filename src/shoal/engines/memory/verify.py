"""verify(): the check of a released frame against the caller's table."""

from __future__ import annotations

from shoal.data.classes import Classes
from shoal.engines.memory.count import Counted
from shoal.engines.memory.relabel import Relabelled
from shoal.release.labelling import Labelling
from shoal.release.promise import Original, Promise
from shoal.release.verification.release import check_release


def verify(relabelled: Relabelled, counted: Counted, labelling: Labelling) -> tuple[Classes, Promise]:
    """Check that a frame keeps the promise; return its equivalence classes, read from the labels, and the promise."""
    original = Original(counted.source, order=counted.request.order, at=relabelled.numbers)
    promise = labelling.promise(original)
    return check_release(relabelled.frame, promise), promise
