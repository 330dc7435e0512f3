"""run(): the release of a table in memory, verified before it is returned."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from shoal.algorithms.full_domain.prefixes import Node
from shoal.data.recoding import Recoding
from shoal.engines.memory.count import Counted, count
from shoal.engines.memory.finish import finish
from shoal.engines.memory.relabel import relabel
from shoal.engines.memory.review import review_columns, review_release, stop_at_repeated_people
from shoal.engines.memory.verify import verify
from shoal.io.source import Source
from shoal.release.labelling import Labelling
from shoal.release.release import Release
from shoal.release.request import Request
from shoal.release.shifted_dates import with_shifted_dates
from shoal.release.solve import Solved, Tell, solve
from shoal.release.verification.shifted_dates import check_shifted


def run(source: Source, request: Request, tell: Tell, *, stacklevel: int) -> Release:
    """Count, solve, relabel, verify and report; warnings name the line at this level of the stack, 2 for the caller."""
    shifted = with_shifted_dates(source, request)
    check_shifted(source, shifted, request)
    counted, repeated = review_columns(count(shifted, request))
    solved = solve(counted.encode, request, tell)
    stop_at_repeated_people(repeated, counted, solved)
    return _release(counted, solved, tell, solved.recoding, stacklevel=stacklevel + 1)


def _release(
    counted: Counted, solved: Solved, tell: Tell, recoding: Recoding, node: Node | None = None, *, stacklevel: int = 3
) -> Release:
    """Relabel, verify and report; also called for the other nodes of a lattice."""
    labelling = Labelling.of(replace(solved, recoding=recoding), counted.request)
    tell("labelling", 0)
    relabelled = relabel(counted, labelling)
    tell("verifying", 0)
    verified = verify(relabelled, counted, labelling)
    return finish(
        counted,
        labelling,
        relabelled,
        verified=verified,
        review=review_release(counted, labelling),
        node=node,
        release_of=partial(_release, counted, solved, tell),
        stacklevel=stacklevel + 1,
    )
