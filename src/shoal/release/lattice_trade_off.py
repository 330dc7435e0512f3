"""The trade-off between suppressed rows and information loss: the best node of a lattice under each limit."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from shoal.algorithms import FullDomain
from shoal.algorithms.full_domain.lattice import Lattice
from shoal.algorithms.full_domain.prefixes import Node
from shoal.data.budget import budget_of
from shoal.errors import InfeasibleError, InterruptedSearch
from shoal.kernels.compilations import clock
from shoal.system.interrupts import deferred
from shoal.system.progress import Progress

MIN_SECONDS = 0.1  # for each search, however little time is left


@dataclass(frozen=True)
class Limit:
    """The best node under a limit of suppressed rows; `proven` is False if the search was stopped early."""

    limit: int
    suppressed: int | None
    value: float | None
    node: Node | None
    proven: bool


def trade_off(
    lattice: Lattice,
    algorithm: FullDomain,
    limits: Iterable[float | int] | None,
    tell: Progress,
) -> list[Limit]:
    """Search for the best node under each limit, by default the lattice's own and up to ten per cent more rows.

    The searches share the time limit of the algorithm; after Ctrl-C, return those that are complete.
    """
    if limits is not None:
        budgets = sorted({budget_of(limit, lattice.rows) for limit in limits})
    else:
        steps = (lattice.max_suppressed + lattice.rows * step // 100 for step in range(11))
        budgets = sorted({min(lattice.rows, budget) for budget in steps})
    best: list[Limit] = []
    start = clock()
    with deferred() as pressed:
        for number, budget in enumerate(budgets):
            tell("trying limits", number / len(budgets))
            if pressed():
                message = "The search under other limits was interrupted: only the completed ones are shown."
                warnings.warn(message, InterruptedSearch, stacklevel=3)
                break
            search = algorithm
            if algorithm.time_limit is not None:
                seconds = algorithm.time_limit - (clock() - start)
                search = replace(algorithm, time_limit=max(MIN_SECONDS, seconds / (len(budgets) - number)))
            best.append(_best_under(lattice, search, budget, pressed))
    return best


def _best_under(lattice: Lattice, algorithm: FullDomain, budget: int, pressed: Callable[[], bool]) -> Limit:
    """Search for the best node that suppresses at most `budget` rows."""

    def stop(share: float) -> None:
        if pressed():
            raise KeyboardInterrupt

    try:
        best = algorithm.recode(lattice.table, lattice.model, max_suppressed=budget, progress=stop)
    except InfeasibleError:
        return Limit(budget, None, None, None, True)
    suppressed = int(lattice.table.weights[best.suppressed].sum())
    return Limit(budget, suppressed, best.value, best.node, not best.stopped)
