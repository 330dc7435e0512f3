"""solve(): from a table to a recoding; picks the algorithm if the caller named none."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from shoal.algorithms import Algorithm, Auto
from shoal.algorithms.algorithm import Share
from shoal.algorithms.auto import Choice
from shoal.algorithms.local_recoding.local_recoding import Bounded
from shoal.algorithms.mondrian import Mondrian
from shoal.data.budget import budget_of
from shoal.data.coding import Coding
from shoal.data.encoding import Guide
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InterruptedSearch
from shoal.models import PrivacyModel
from shoal.release.arguments import algorithm_of, check_feasible, check_recoding, flat
from shoal.release.linked_rows import LinkedRows
from shoal.release.people import Task
from shoal.release.range_ends.kinds import check_cells, secret_for, share_of, with_cells
from shoal.release.range_ends.widening import Moved, can_be_moved, widened
from shoal.release.request import Request
from shoal.system.interrupts import answering_interrupts
from shoal.system.progress import Progress

CLOSED = Choice(Mondrian(), "auto picked Mondrian: closed ranges show its cells.")
Tell = Progress
Encode = Callable[[Mapping[str, Guide]], tuple[Table, Coding | None]]  # the coding only for tables read in parts


@dataclass(frozen=True, eq=False)
class Solved:
    """A recoding of a table, the algorithm that reproduces it, why it was picked, its inputs, and how it was moved."""

    table: Table
    recoding: Recoding
    algorithm: Algorithm
    choice: Choice | None
    guides: Mapping[str, Guide]
    budget: int
    coding: Coding | None = None
    moved: Moved | None = None


def solve(encode: Encode, request: Request, tell: Tell) -> Solved:
    """Encode the table with the hierarchies that the algorithm needs, and let the algorithm recode it."""
    if request.unit is not None and request.unit.linked:
        return solve_linked(encode, request, tell)
    tell("encoding", 0)
    secret = secret_for(request.ranges, request.key)
    model, algorithm = request.model, algorithm_of(request.algorithm)
    with_trees = {name: request.guides.get(name, flat(request.style)) for name in request.roles.quasi}
    guides = with_trees if getattr(algorithm, "needs_hierarchies", False) else dict(request.guides)
    (table, coding), choice = encode(guides), None
    budget = budget_of(request.max_suppression, table.rows)
    task = Task.of(table, model)
    if isinstance(algorithm, Auto):
        if request.ranges == "closed":
            choice = algorithm.with_effort(CLOSED)
        else:
            choice = algorithm.pick(task.table, task.model, max_suppressed=budget)
        algorithm = choice.algorithm
        if algorithm.needs_hierarchies and guides.keys() != with_trees.keys():
            guides, (table, coding) = with_trees, encode(with_trees)
            task = Task.of(table, model)
    task.check(algorithm)
    if not (budget and getattr(algorithm, "suppresses", False) and not model.monotone_with_suppression):
        check_feasible(table, model)
    if request.ranges == "closed":
        check_cells(algorithm)
    recoding = answer(task, with_cells(algorithm, request.ranges), request, budget=budget, tell=tell)
    if was_interrupted(recoding):
        warnings.warn("The search was interrupted: this is the best release so far.", InterruptedSearch, stacklevel=3)
    if hasattr(algorithm, "repeating"):
        algorithm = algorithm.repeating(recoding)
    solved = Solved(table, recoding, algorithm, choice, guides, budget, coding)
    if request.ranges == "tight" or (request.ranges_by_default and not can_be_moved(table)):
        return solved
    return _with_moved_ranges(solved, request.model, secret)


def _with_moved_ranges(solved: Solved, model: PrivacyModel, secret: bytes | None) -> Solved:
    """Move the ranges of an answer outward from the values of people."""
    check_recoding(solved.recoding, solved.table, solved.budget)
    table, recoding, moved = widened(solved.table, solved.recoding, model, share=share_of(model), secret=secret)
    return replace(solved, table=table, recoding=recoding, moved=moved)


def solve_linked(encode: Encode, request: Request, tell: Tell) -> Solved:
    """Match the rows of people or households who are to release the same, where rows can be linked."""
    tell("encoding", 0)
    guides = dict(request.guides)
    table, coding = encode(guides)
    budget = budget_of(request.max_suppression, table.rows)
    check_feasible(table, request.model)
    linked = LinkedRows.of(table, request)
    with answering_interrupts():
        recoding = linked.recode(max_dropped=budget, progress=lambda share: tell("matching rows", share))
    return Solved(table, recoding, algorithm_of(request.algorithm), linked.choice, guides, budget, coding)


def answer(task: Task, algorithm: Algorithm, request: Request, *, budget: int, tell: Tell) -> Recoding:
    """Return the algorithm's answer for all rows; if it suppresses people with too many rows, let it suppress fewer."""
    most = task.most_suppressed(request.max_suppression, budget)
    while True:
        recoding = task.of_rows(recode(task.table, task.model, algorithm, max_suppressed=most, tell=tell))
        if most == 0 or task.fits(recoding, budget):
            return recoding
        most //= 2


def recode(table: Table, model: PrivacyModel, algorithm: Algorithm, *, max_suppressed: int, tell: Tell) -> Recoding:
    """Run the algorithm; after an interrupt, return its best recoding so far."""

    def progress(share: float) -> None:
        tell(f"{algorithm.name}: {share.note}" if isinstance(share, Share) else algorithm.name, share)

    with answering_interrupts():
        return algorithm.recode(table, model, max_suppressed=max_suppressed, progress=progress)


def was_interrupted(recoding: Recoding) -> bool:
    """Say whether Ctrl-C ended the search, so that the recoding is only the best so far."""
    if isinstance(recoding, Bounded):
        return recoding.certificate.interrupted
    return getattr(recoding, "stopped", "") == "interrupted"
