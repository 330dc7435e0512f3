"""How much work an effort stands for: fixed numbers of cells, so that the release does not depend on the machine.

Only an effort that is a number of seconds looks at the clock.
"""

from __future__ import annotations

from math import inf
from typing import Literal, NamedTuple, get_args

from shoal.data.domain import SetDomain, TreeDomain
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.compilations import clock
from shoal.models import PrivacyModel

Effort = Literal["fast", "balanced", "best"]
MAX_SECONDS = 10**9
# The cells of different rows that take about a minute on two cores, measured on tables of random numbers, which take
# longest. Models on sensitive values, for which classes are composed, take longer than sizes of classes.
MAX_CELLS, MAX_CELLS_COMPOSED = 5 * 10**6, 6 * 10**5

# Cells that are examined while classes form anew: for each row, and at most in total.
WORK = {"balanced": (5 * 10**5, 3 * 10**10), "best": (8 * 10**6, 5 * 10**11)}
# For each row if fast: most where Mondrian's partitions are the start, which were soon found, and where free ranges
# leave much to be found; least where the model itself judges, which takes longer than all the rest.
FAST_PARTITIONS, FAST_BOXES = 20 * 10**4, 10**5  # if the sizes of classes count
FAST_DIVERSE_PARTITIONS, FAST_COMPOSED = 16 * 10**4, 5 * 10**4  # if sensitive values do
FAST_JUDGED = 10**4
FAST_MOST = 6 * 10**10
TRIAL = (5 * 10**4, 3 * 10**9)  # likewise for each start
BOUND_ROUNDS = {"fast": 1, "balanced": 5, "best": 8}  # in which the lower bound is raised
ROUNDS_OF_PEOPLE = {"fast": 1, "balanced": 2, "best": 4}  # in which rows of people move and classes are cut again

# Seconds for each row, with less than which a search begins with Mondrian's partitions: what its first classes take,
# and a little to improve them. Models of values take less the larger classes are: half as much if k is 14. Those that
# are not compiled begin with partitions only if there was no time to finish, as these are hard to improve.
START_BY_SIZE, START_COMPILED = 1.5e-5, 7e-5
USUAL_COLUMNS = 8  # up to which it does not matter how many there are
HALF_COMPILED = 14
# Likewise, enough to let single rows move first, and to improve several starts before one is chosen.
MOVES, SEVERAL_STARTS = 1e-4, 3e-4
FOR_BOXES = 0.4  # of a number of seconds, at most
FOR_COMPOSING, TO_COMPOSE = 0.8, 0.85  # likewise: what it should take, and at most
FOR_COMPOSING_COMPILED, TO_COMPOSE_COMPILED = 0.6, 0.75  # likewise, for compiled verdicts
FOR_THE_BOUND, MOST_FOR_THE_BOUND = 0.1, 1e-4  # of a number of seconds, and at most so many for each row


def check_effort(effort: object) -> None:
    """Refuse what is neither the name of an effort nor a number of seconds."""
    seconds = isinstance(effort, int | float) and not isinstance(effort, bool) and 0 < effort <= MAX_SECONDS
    if not seconds and effort not in get_args(Effort):
        choices, most = ", ".join(get_args(Effort)), ""
        if isinstance(effort, int | float) and effort > MAX_SECONDS:
            most = f" and up to {MAX_SECONDS:,}"
        raise InputError(f"The effort is {choices} or a number of seconds above 0{most}, not {effort!r}.")


def by_size(model: PrivacyModel) -> bool:
    """Return whether the model depends only on the size of a class and the largest share of a sensitive value."""
    return all(part.by_size_alone or part.share_limit is not None for part in model.parts)


def has_ranges(table: Table) -> bool:
    """Return whether an attribute shows free ranges, which boxes only come near to."""
    return not all(isinstance(domain, TreeDomain | SetDomain) for domain in table.domains)


def fast_work(table: Table, model: PrivacyModel, judged: bool, on_partitions: bool) -> int:
    """Return the cells that a fast search examines for each row."""
    if judged:
        return FAST_JUDGED
    if by_size(model):
        return FAST_PARTITIONS if on_partitions or has_ranges(table) else FAST_BOXES
    return FAST_DIVERSE_PARTITIONS if on_partitions else FAST_COMPOSED


def least_seconds(model: PrivacyModel, *, compiled: bool) -> float:
    """Return how many seconds for each row are enough for first classes that are better than Mondrian's partitions."""
    if by_size(model):
        return START_BY_SIZE
    return START_COMPILED / (1 + model.smallest / HALF_COMPILED) if compiled else 0.0


class OutOfTimeError(Exception):
    """A step has not finished by its deadline."""


class Deadline:
    """A moment at which a step ends, whether or not it has finished; without a moment, never."""

    def __init__(self, moment: float = inf) -> None:
        self.moment = moment

    @property
    def left(self) -> float:
        """The seconds until then."""
        return self.moment - clock()

    @property
    def over(self) -> bool:
        """Whether it has passed."""
        return clock() > self.moment

    def check(self) -> None:
        """Raise OutOfTimeError if it has passed."""
        if self.over:
            raise OutOfTimeError


NEVER = Deadline()


class Deadlines(NamedTuple):
    """When boxes must be released, when classes should be composed and must be, and when rows move no more."""

    boxes: Deadline = NEVER
    planned: Deadline = NEVER
    composed: Deadline = NEVER
    searched: Deadline = NEVER
