"""The weak points of a release that its classes, labels and ranges show."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.data.classes import ROWS
from shoal.release.labelling import Labelling
from shoal.release.review.classes import weak_classes
from shoal.release.review.finding import Finding
from shoal.release.review.labels import weak_labels
from shoal.release.review.range_ends import range_ends


def weak_points(labelling: Labelling) -> list[Finding]:
    """List the weak points of a labelled table; a row of it can stand for several, by its weight."""
    request, table = labelling.request, labelling.table
    return [
        *weak_classes(request, table, table.classes(labelling.ids)),
        *weak_labels(table, request.style),
        *_suppressed_rows(labelling),
        *([] if request.style.means else range_ends(table, labelling.recoding)),
    ]


def _suppressed_rows(labelling: Labelling) -> Iterator[Finding]:
    """Warn of suppressed rows that stay and fail the model together: who fits no class must be one of them."""
    request, table = labelling.request, labelling.table
    hidden = labelling.ids < 0
    if request.drops_suppressed or not hidden.any() or request.model.populations:
        return
    if not request.model.satisfied(table.classes(np.where(hidden, 0, -1).astype(np.int32))).all():
        rows = ROWS.of(int(table.weights[hidden].sum()))
        yield Finding(
            "suppressed-rows",
            f"The suppressed rows stay in the release ({rows}) and together they fail {request.model}: of somebody who "
            f"fits none of the classes, everybody knows that one of these rows is theirs. Leave them out: "
            f"suppressed='drop' (--suppressed drop).",
        )
