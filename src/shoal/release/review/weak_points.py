"""The weak points of a release that its classes, labels and ranges show."""

from __future__ import annotations

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
        *([] if request.style.means else range_ends(table, labelling.recoding)),
    ]
