"""Full-domain generalization: the best node of the whole lattice, proven by a branch and bound over its prefixes.

For the suppression budget this answers the question that Huang's report leaves open; the search itself is in
branch_and_bound.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, inf
from numbers import Real

from shoal.algorithms.algorithm import Progress, check_weights, nobody
from shoal.algorithms.full_domain.branch_and_bound import Search
from shoal.algorithms.full_domain.lattice import Explored, Lattice, LatticeAlgorithm
from shoal.algorithms.full_domain.objective import Options
from shoal.algorithms.full_domain.objectives import FACTORED, OBJECTIVES, WEIGHTED
from shoal.data.parameters import take_plain_numbers
from shoal.data.table import Table
from shoal.errors import InfeasibleError, InputError
from shoal.models import PrivacyModel
from shoal.system.close_names import did_you_mean


@dataclass(frozen=True)
class FullDomain(LatticeAlgorithm):
    """The node of lowest cost among all that satisfy the model; ties to the smallest vector.

    objective   "loss", "loss_geometric", "loss_maximum", "loss_rank" (the largest loss of an attribute, then the second
                largest, …), "non_uniform_entropy", "precision", "discernibility", "discernibility_star",
                "average_class_size", "ambiguity", "divergence", "classification" (of a sensitive attribute) or
                "height" (of the lowest nodes the one with the lowest loss).
    weights     of the attributes in the objective, 1 if not given: {"age": 3, "sex": 0.5}.
    levels      the level of an attribute, or the lowest and the highest: {"zip": 2, "age": (1, 3)}.
    time_limit  seconds after which the best node found so far is taken, with a bound on what is left; None: no limit.
    suppression_factor
                f from 0 to 1, by which the forms of loss and precision multiply what cells cost: min(1, 2 − 2 f) for
                cells that are shown, min(1, 2 f) for suppressed ones. At .5 both cost what the measure says; at 0
                suppression is free, at 1 generalization is.
    target      the sensitive attribute that the objective "classification" is about, the first if not given.
    """

    objective: str = "loss"
    weights: Mapping[str, float] | None = None
    levels: Mapping[str, int | tuple[int, int]] | None = None
    time_limit: float | None = 60.0
    suppression_factor: float = 0.5
    target: str | None = None

    name = "full-domain"
    title = "full-domain generalization"
    summary = "the best levels, the same for all rows"

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        if self.objective not in OBJECTIVES:
            close = did_you_mean(self.objective, OBJECTIVES)
            raise InputError(
                f"FullDomain's objective is one of {', '.join(OBJECTIVES)}, not {self.objective!r}.{close}"
            )
        check_weights(self.weights)
        if self.weights and self.objective not in WEIGHTED:
            raise InputError(f"Weights are for the objectives {', '.join(WEIGHTED)}: {self.objective} takes none.")
        limit = self.time_limit
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Real) or not limit > 0):
            raise InputError(f"FullDomain's time_limit is a number of seconds above 0, or None, not {limit!r}.")
        factor = self.suppression_factor
        if isinstance(factor, bool) or not isinstance(factor, Real) or not 0 <= factor <= 1:
            raise InputError(f"FullDomain's suppression_factor is a number from 0 to 1, not {factor!r}.")
        if factor != 0.5 and self.objective not in FACTORED:
            raise InputError(
                f"A suppression_factor is for the objectives {', '.join(FACTORED)}: {self.objective} takes none."
            )
        if self.target is not None and self.objective != "classification":
            raise InputError(f"A target is for the objective classification: {self.objective} takes none.")
        _ranges(self.levels)

    @property
    def _objective_in_words(self) -> str:
        """The name of the objective, for reports: with a factor, its value is not that of the measure."""
        factor = self.suppression_factor
        return self.objective if factor == 0.5 else f"{self.objective} with suppression factor {factor:g}"

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Explored:
        """Search the lattice, for `time_limit` seconds at most."""
        for name in (*(self.weights or {}), *(self.levels or {})):
            if name not in table.quasi:
                raise InputError(f"{name!r} is not a quasi-identifier: choose from {', '.join(table.quasi)}.")
        lattice = Lattice.of(
            table,
            model,
            max_suppressed,
            levels=_ranges(self.levels),
            leave_out=self.objective not in ("non_uniform_entropy", "divergence"),
            sensitive=self.objective == "classification",
        )
        weights = [float((self.weights or {}).get(name, 1)) for name in table.quasi]
        if max(weights) == 0:
            raise InputError("Every weight is 0: give at least one attribute a weight.")
        weights = [weight / max(weights) for weight in weights]
        total = fsum(weights)
        options = Options.of([weight / total for weight in weights], float(self.suppression_factor), self.target)
        objective = OBJECTIVES[self.objective](lattice, options)
        search = Search(lattice, objective, progress, inf if self.time_limit is None else float(self.time_limit))
        search.run()
        if search.best is None:
            if search.stopped:
                raise InfeasibleError(
                    f"No node that satisfies {model} was found within {self.time_limit} seconds: give time_limit more.",
                    achievable=model.reach(table.whole()),
                )
            raise lattice.infeasible()
        return lattice.recoding(
            search.best.node,
            objective=self._objective_in_words,
            value=objective.value(search.cost),
            bound=objective.value(min(search.bound, search.cost)),
            closed=search.closed,
            stopped=search.stopped,
        )


def _ranges(levels: Mapping[str, int | tuple[int, int]] | None) -> dict[str, tuple[int, int]]:
    """Return the lowest and highest level of each attribute that has limits."""
    ranges = {}
    for name, limits in (levels or {}).items():
        pair: tuple[int, ...] = (limits, limits) if isinstance(limits, int) else ()
        if isinstance(limits, tuple | list):
            pair = tuple(limits)
        whole = all(isinstance(level, int) and not isinstance(level, bool) for level in pair)
        if len(pair) != 2 or not whole or not 0 <= pair[0] <= pair[1]:
            raise InputError(
                f"The levels of {name!r} are a whole number or a lowest and a highest one, not {limits!r}."
            )
        ranges[name] = (pair[0], pair[1])
    return ranges
