"""finish(): warn of the weak points of a verified release, and report on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shoal.algorithms.full_domain.lattice import Explored
from shoal.algorithms.full_domain.prefixes import Node
from shoal.data.classes import Classes
from shoal.data.recoding import Recoding
from shoal.engines.finish import warn_of
from shoal.engines.memory.count import Counted
from shoal.engines.memory.relabel import Relabelled
from shoal.release.class_records import Groups
from shoal.release.figures import input_of, report_of
from shoal.release.labelling import Labelling
from shoal.release.lattice_explorer import Solutions
from shoal.release.promise import Promise
from shoal.release.release import Release
from shoal.release.review.review import Review


def finish(
    counted: Counted,
    labelling: Labelling,
    relabelled: Relabelled,
    *,
    verified: tuple[Classes, Promise],
    review: Review,
    node: Node | None,
    release_of: Callable[[Recoding, Node | None], Release],
    stacklevel: int,
) -> Release:
    """Warn of weak points, and return the release with its report.

    verified    the classes of the released labels, and the promise they keep
    node        the requested node of the lattice, if not the best one
    release_of  makes the release of another node
    stacklevel  of the function that the warnings are for
    """
    request, solved, table, ids = labelling.request, labelling.solved, labelling.table, labelling.ids
    lattice = None
    if isinstance(solved.recoding, Explored):
        lattice = Solutions.of(solved.recoding, solved.algorithm, release_of)
    report = report_of(
        labelling,
        data=input_of(counted.source, table),
        dropped=counted.dropped,
        search=lattice.summary() if lattice else None,
    )
    return Release(
        report=replace(report, warnings=warn_of(review, stacklevel=stacklevel), review=review.to_dict()),
        classes=verified[0],
        promise=verified[1],
        request=request.finished(
            solved.algorithm, node=None if node is None else dict(zip(table.quasi, node, strict=True))
        ),
        source=counted.source,
        table=table,
        recoding=labelling.recoding,
        ids=ids,
        labels=labelling.labels,
        review=review,
        node=lattice.node if lattice else None,
        frame=relabelled.frame,
        groups=Groups(counted.kept, counted.numbers, ids, labelling.labels, request.roles.sensitive),
        lattice=lattice,
    )
