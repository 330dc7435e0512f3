"""solve(): from a table to what an algorithm answers, the algorithm being picked on the way where none was named."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shoal.algorithms import Algorithm, Auto
from shoal.algorithms.algorithm import Share
from shoal.algorithms.auto import Choice
from shoal.algorithms.local_recoding.local_recoding import Bounded
from shoal.data.budget import budget_of
from shoal.data.encoding import Guide
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InterruptedSearch
from shoal.models import PrivacyModel
from shoal.release.arguments import check_feasible, flat
from shoal.system.interrupts import answering_interrupts

Tell = Callable[[str, float], None]  # told the stage of the work and the share of it that is done


@dataclass(frozen=True, eq=False)
class Solved:
    """A recoding of a table, the algorithm that makes it again, why it was picked, and what it was given."""

    table: Table
    recoding: Recoding
    algorithm: Algorithm
    choice: Choice | None
    guides: Mapping[str, Guide]
    budget: int


def solve(
    encoded: Callable[[Mapping[str, Guide]], Table],
    model: PrivacyModel,
    *,
    quasi: tuple[str, ...],
    given: Mapping[str, Guide],
    algorithm: Algorithm,
    max_suppression: float | int,
    style: Style,
    tell: Tell,
) -> Solved:
    """Encode the table with the trees that the algorithm needs, and let it answer."""
    tell("encoding", 0)
    with_trees = {name: given.get(name, flat(style)) for name in quasi}
    guides = with_trees if getattr(algorithm, "needs_hierarchies", False) else dict(given)
    table, choice = encoded(guides), None
    budget = budget_of(max_suppression, table.rows)
    if isinstance(algorithm, Auto):
        choice = algorithm.pick(table, model, max_suppressed=budget)
        algorithm = choice.algorithm
        if algorithm.needs_hierarchies and guides.keys() != with_trees.keys():
            guides, table = with_trees, encoded(with_trees)
    if not (budget and getattr(algorithm, "suppresses", False) and not model.monotone_with_suppression):
        check_feasible(table, model)
    recoding = recode(table, model, algorithm, max_suppressed=budget, tell=tell)
    if was_interrupted(recoding):
        warnings.warn("The search was interrupted: this is the best release so far.", InterruptedSearch, stacklevel=3)
    if hasattr(algorithm, "repeating"):
        algorithm = algorithm.repeating(recoding)
    return Solved(table, recoding, algorithm, choice, guides, budget)


def recode(table: Table, model: PrivacyModel, algorithm: Algorithm, *, max_suppressed: int, tell: Tell) -> Recoding:
    """What the algorithm answers; where it was interrupted, the best so far."""

    def working(share: float) -> None:
        tell(f"{algorithm.name}: {share.note}" if isinstance(share, Share) else algorithm.name, share)

    with answering_interrupts():
        return algorithm.recode(table, model, max_suppressed=max_suppressed, progress=working)


def was_interrupted(recoding: Recoding) -> bool:
    """Whether Ctrl-C ended the search for a recoding, which is the best so far."""
    if isinstance(recoding, Bounded):
        return recoding.certificate.interrupted
    return getattr(recoding, "stopped", "") == "interrupted"
