"""Local recoding: each class is only as coarse as its own rows need, so that equal values may show different labels.

The boxes of the generalization lattice are examined from the cheapest to the dearest. A box with enough of the
remaining rows releases them as a class; as rows only ever leave, no box is examined twice. Rows that remain in the end
join the class where they cost least. Numbers and orders without a tree are halved repeatedly for the boxes; every
class shows its minimal generalization. If they are cheaper, Mondrian's partitions or the clusters of sequential
clustering replace the boxes; a quick search in a large lattice begins with the partitions alone. Then neighbouring
classes are dissolved and form anew. For other models on sensitive values a box releases the largest part of its rows
that satisfies the model, and rows change places. The steps are in boxes.py, ruin_and_recreate.py, regions.py,
compose.py and exchange.py; the bound, which uses none of them, is in lower_bound.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Literal, get_args

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress, Share, check_seed, check_weights, nobody
from shoal.algorithms.clustering.sequential import SequentialClustering
from shoal.algorithms.joining import check_groupable, joined
from shoal.algorithms.judge import Judge, judge_of
from shoal.algorithms.local_recoding.boxes import lattice_size, released
from shoal.algorithms.local_recoding.effort import (
    BOUND_ROUNDS,
    FAST_MOST,
    FOR_BOXES,
    FOR_COMPOSING,
    FOR_COMPOSING_COMPILED,
    FOR_THE_BOUND,
    MAX_CELLS,
    MAX_CELLS_COMPOSED,
    MOST_FOR_THE_BOUND,
    MOVES,
    ROUNDS_OF_PEOPLE,
    SEVERAL_STARTS,
    TO_COMPOSE,
    TO_COMPOSE_COMPILED,
    TRIAL,
    USUAL_COLUMNS,
    WORK,
    Deadline,
    Deadlines,
    Effort,
    OutOfTimeError,
    by_size,
    check_effort,
    fast_work,
    has_ranges,
    least_seconds,
)
from shoal.algorithms.local_recoding.exchange import improved
from shoal.algorithms.local_recoding.lower_bound import Certificate, least_loss
from shoal.algorithms.local_recoding.regions import Way, composed_classes
from shoal.algorithms.local_recoding.ruin_and_recreate import Pace, Recreation, Rounds
from shoal.algorithms.local_recoding.suppress import cost_with_suppressed, with_suppression
from shoal.algorithms.local_recoding.verdict import verdict_of
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.people.moves import moved as moved_people
from shoal.algorithms.people.rejoining import recoding_of
from shoal.algorithms.row_moves import MeasureName, mean_cost, measure_of, moved, total_cost
from shoal.data.parameters import take_plain_numbers
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InfeasibleError, InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.compilations import clock
from shoal.kernels.local_recoding.row_clusters import Measure
from shoal.models import KAnonymity, PrivacyModel
from shoal.models.people import OfPeople

MAX_PAIRS = 5 * 10**9  # of a row and a class that sequential clustering may compare
MAX_COMPOSED_VALUES = 100  # different sensitive values, up to which classes are composed
MIN_GOOD_SHARE = 0.9  # of classes made for their size that satisfy the model anyway
MAX_WEIGHT = 1_000_000  # of an attribute, as a whole number

FEW_BOXES = 5000  # nodes of the lattice, up to which a quick search begins with boxes
SMALL_CLASSES = 20  # smallest size, up to which Mondrian's partitions are the better start for a quick search
NEAR = 2  # classes that a model makes dearer by this factor than their size alone are composed by a quick search

# Times as wide are the windows in which a quick search composes classes, if the model itself must judge or the lattice
# is large. Other searches compose them in both ways, as either may lose less.
COARSE = 2
COARSE_BY_RULES = 4  # likewise where rules decide: narrower ones take longer and lose hardly less


@dataclass(frozen=True, eq=False)
class Bounded(Recoding):
    """A recoding with a lower bound of the loss of any release."""

    certificate: Certificate


@dataclass(frozen=True)
class LocalRecoding(Algorithm):
    """Release the rows box by box, from the cheapest box on, then let neighbouring classes form anew.

    effort     "fast" (a few seconds for 30,000 rows), "balanced" (about twenty), "best" (minutes), or a number of
               seconds: then the release depends on the machine.
    cells      "nodes": a column without a hierarchy shows its values or nothing; "free": ranges and sets, too.
    objective  what to minimize: "loss", LM; "certainty_penalty", NCP; "entropy", the bits of MI.
    weights    of the attributes in the objective, 1 if not given: {"age": 3, "sex": 0.5}.
    rounds     stop after this many rounds in total; an interrupted search says how many it did, to be repeatable.
    """

    effort: Effort | float = "balanced"
    cells: Literal["free", "nodes"] = "free"
    objective: MeasureName = "loss"
    weights: Mapping[str, float] | None = None
    seed: int = 0
    rounds: int | None = None

    name = "local"
    title = "local recoding"
    summary = "the lowest loss"
    suppresses = True

    equal_rows_together = True
    counts_people = True

    @property
    def needs_hierarchies(self) -> bool:
        """Whether columns without a hierarchy show their values or nothing."""
        return self.cells == "nodes"

    @property
    def for_blocks(self) -> Algorithm:
        """Itself."""
        return self

    def rows_per_block(self, model: PrivacyModel, columns: int) -> int:
        """Return how many different rows take about a minute."""
        return max(1000, (MAX_CELLS if by_size(model) else MAX_CELLS_COMPOSED) // columns)

    def repeating(self, recoding: Recoding) -> Algorithm:
        """Return the algorithm that stops after as many rounds as an interrupted search did."""
        if isinstance(recoding, Bounded) and recoding.certificate.cut_off:
            return replace(self, rounds=recoding.certificate.rounds)
        return self

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        check_effort(self.effort)
        if self.cells not in ("free", "nodes"):
            raise InputError(f"LocalRecoding's cells are free or nodes, not {self.cells!r}.")
        if self.objective not in get_args(MeasureName):
            choices = ", ".join(get_args(MeasureName))
            raise InputError(f"LocalRecoding's objective is one of {choices}, not {self.objective!r}.")
        check_weights(self.weights)
        check_seed("LocalRecoding", self.seed)
        whole = isinstance(self.rounds, int) and not isinstance(self.rounds, bool) and self.rounds >= 0
        if self.rounds is not None and not whole:
            raise InputError(f"LocalRecoding's rounds are a whole number from 0, or None, not {self.rounds!r}.")

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Let each class show its minimal generalization; rows are suppressed only where that lowers the loss.

        Ctrl-C returns the best so far. Nobody is suppressed where people are counted.
        """
        if table.sensitive and not model.uses_sensitive and not (table.weights == 1).all():
            small, place = table.distinct(sensitive=False)  # equal rows stay together, whatever their sensitive values
            answer = self.recode(small, model, max_suppressed=max_suppressed, progress=progress)
            return replace(answer, ids=answer.ids[place])
        check_groupable("LocalRecoding", model)
        if max_suppressed:
            check_all_rows(table, model)
        if table.units is not None:
            return self.of_people(table, model, progress)
        began, tell, rounds = clock(), progress, Rounds(self.rounds)
        tell(0.0)
        measure = measure_of(table, self.objective, self.whole_weights(table))
        mean = mean_cost(table, measure)
        timed = not isinstance(self.effort, str)
        bound = 0.0 if timed else self.bound(table, model.smallest, measure)
        judge = judge_of(table, model) if model.uses_sensitive or not by_size(model) else None
        at_best = "" if timed else f", at best {bound:.4f}"
        single = bool((table.weights == 1).all())  # no kernel composes or moves rows that stand for several
        starts = self.starts(
            table,
            model,
            measure,
            judge if single else None,
            rounds,
            lambda share: tell(Share(share / 4, f"first classes{at_best}")),
            began,
        )
        if by_size(model) and single and (not self.quick or self.has_plenty(MOVES, table, model)):
            starts = [moved(table, ids, model, measure) for ids in starts]
        if single and verdict_of(table, model) is not None:
            judge = None
        tried = [Recreation.of(table, model, measure, ids, self.seed, judge) for ids in starts]
        if len(tried) > 1 and (not self.quick or self.has_plenty(SEVERAL_STARTS, table, model)):
            pace, said = self.trial(table, model.smallest), Share(0.25, f"several starts{at_best}")
            for start in tried:
                start.improve(pace, lambda share: tell(said), rounds)
        search = min(tried, key=lambda start: start.least)

        pace = self.pace(table, model, began, judged=judge is not None, starts=len(starts))
        searching = clock()

        def note(share: float) -> None:
            left = self.seconds_left(share, began, searching)
            said = f"{self.objective} {mean(search.least):.4f}{at_best}{left}"
            tell(Share(0.25 + 0.75 * share, said))

        search.improve(pace, note, rounds)
        best = joined(table, search.best, model)  # classes at the edge of a model were taken for good
        if not any(isinstance(part, OfPeople) for part in model.parts):
            best = with_suppression(table, best, model, measure, most=max_suppressed)
        recoding = Recoding.of_groups(table, best)
        if timed:
            bound = self.bound(table, model.smallest, measure, deadline=began + float(self.effort))
        tell(1.0)
        objective = f"weighted {self.objective}" if self.weights else self.objective
        certificate = Certificate(
            mean(cost_with_suppressed(table, best, measure)), bound, objective, rounds.stopped, not timed, rounds.done
        )
        return Bounded(recoding.ids, recoding.sizes, recoding.shown, certificate)

    def of_people(self, table: Table, model: PrivacyModel, progress: Progress) -> Recoding:
        """Move rows of people between Mondrian's partitions, if only their number counts, and cut them again."""
        mondrian, measure = Mondrian(), measure_of(table, self.objective, self.whole_weights(table))
        ids = mondrian.partition(table, model)
        if all(part.by_size_alone for part in model.parts):
            rounds = ROUNDS_OF_PEOPLE[self.effort if isinstance(self.effort, str) else "balanced"]
            for done in range(rounds):
                progress(done / rounds)
                ids = moved_people(table, ids, model.smallest, measure=measure)
                ids = mondrian.partition(table, model, within=ids)
        progress(1.0)
        return recoding_of(table, ids, model)

    def starts(
        self,
        table: Table,
        model: PrivacyModel,
        measure: Measure,
        judge: Judge | None,
        rounds: Rounds,
        tell: Progress,
        began: float,
    ) -> list[Ints]:
        """Return classes that satisfy the model, made in several ways, as far as there is time since it began."""
        starts = []
        composable = judge is not None and model.uses_sensitive and judge.size <= MAX_COMPOSED_VALUES
        compiled = verdict_of(table, model) is not None
        many = has_ranges(table) or lattice_size(table, measure) > FEW_BOXES
        hurried = self.has_less_than(least_seconds(model, compiled=compiled or not composable), table)
        deadlines = self.deadlines(began, table, compiled=compiled)
        small = model.smallest <= SMALL_CLASSES and not self.has_plenty(SEVERAL_STARTS, table, model)
        if hurried or (self.quick and many and small):
            partitions = Mondrian().recode(table, model).ids
            if judge is None or not composable or by_size(model):
                return [partitions]
            if hurried or is_near(table, partitions, model, measure):
                if compiled:  # forming anew gains as much in the time that exchanging takes
                    return [partitions]
                return [self.exchanged(table, partitions, model, judge, measure, deadlines.searched)]
        if judge is not None and composable:
            coarse = COARSE if judge.rules is None else COARSE_BY_RULES
            if compiled and not (self.quick and many):
                coarse = 1
            ways = [Way(coarse=coarse)]
            if not self.quick:
                ways = list(dict.fromkeys([Way(), Way(every=1), *ways]))
            elif not isinstance(self.effort, str) and coarse > 1:
                ways += [Way(), Way(every=1)]
            try:
                made = composed_classes(table, judge, measure, ways, tell, deadlines)
            except OutOfTimeError:
                partitions = Mondrian().recode(table, model).ids
                return [self.exchanged(table, partitions, model, judge, measure, deadlines.searched)]
            starts = [joined(table, ids, model) for ids in made]
            if not self.quick:
                starts += self.by_size_alone(table, model, measure, rounds)
        if not starts or by_size(model):
            starts += self.boxes(table, model, measure, nobody if starts else tell, deadlines.boxes)
        starts.append(Mondrian().recode(table, model).ids)
        if self.effort == "best" and by_size(model) and 4 * len(table.weights) ** 2 // model.smallest <= MAX_PAIRS:
            starts.append(SequentialClustering(alpha=0.25, seed=self.seed).partition(table, model).ids)
        return starts

    def exchanged(
        self, table: Table, ids: Ints, model: PrivacyModel, judge: Judge, measure: Measure, deadline: Deadline
    ) -> Ints:
        """Let rows of classes that satisfy the model move and change places, as far as there is time."""
        return joined(table, improved(table, ids, judge, measure, seed=self.seed, deadline=deadline), model)

    def boxes(
        self, table: Table, model: PrivacyModel, measure: Measure, tell: Progress, deadline: Deadline
    ) -> list[Ints]:
        """Release rows by boxes from the cheapest on, unless there is no time for that."""
        different, place = table.distinct(sensitive=model.uses_sensitive)
        try:
            ids = released(different, model, measure, tell, deadline=deadline)[place]
        except OutOfTimeError:
            return []
        return [joined(table, np.unique(ids, return_inverse=True)[1].astype(np.int32), model)]

    def by_size_alone(self, table: Table, model: PrivacyModel, measure: Measure, rounds: Rounds) -> list[Ints]:
        """Improve classes by their size alone, then join them until each satisfies the model, if most do anyway."""
        sizes = KAnonymity(max(2, model.smallest))
        starts = self.starts(table, sizes, measure, None, rounds, nobody, clock())
        starts = [moved(table, ids, sizes, measure) for ids in starts]
        search = min(
            (Recreation.of(table, sizes, measure, ids, self.seed) for ids in starts),
            key=lambda recreation: recreation.least,
        )
        search.improve(self.trial(table, model.smallest), nobody, rounds)
        good = model.satisfied(table.classes(search.best))
        return [joined(table, search.best, model)] if good.mean() >= MIN_GOOD_SHARE else []

    @property
    def quick(self) -> bool:
        """Whether it begins with what is soon found."""
        return self.effort not in ("balanced", "best")

    def deadlines(self, began: float, table: Table, *, compiled: bool) -> Deadlines:
        """Return when shares of a number of seconds are over; forming anew takes a larger one if it is compiled."""
        if isinstance(self.effort, str):
            return Deadlines()
        composing = (FOR_COMPOSING_COMPILED, TO_COMPOSE_COMPILED) if compiled else (FOR_COMPOSING, TO_COMPOSE)
        shares = FOR_BOXES, *composing, self.for_searching(table)
        return Deadlines(*(Deadline(began + share * self.effort) for share in shares))

    def for_searching(self, table: Table) -> float:
        """Return the share of a number of seconds that is not for the bound."""
        if isinstance(self.effort, str):
            return 1.0
        return 1 - min(FOR_THE_BOUND, MOST_FOR_THE_BOUND * len(table.weights) / self.effort)

    def has_less_than(self, seconds: float, table: Table) -> bool:
        """Whether it may take only less than so many seconds for each row."""
        wide = max(1, table.codes.shape[1] / USUAL_COLUMNS)
        return not isinstance(self.effort, str) and self.effort < seconds * wide * len(table.weights)

    def has_plenty(self, seconds: float, table: Table, model: PrivacyModel) -> bool:
        """Whether it has so many seconds for each row, if only the size of a class counts."""
        return by_size(model) and not isinstance(self.effort, str) and not self.has_less_than(seconds, table)

    def bound(self, table: Table, smallest: int, measure: Measure, *, deadline: float | None = None) -> float:
        """Return the loss that no release can undercut; 0 if the attributes are weighted by rounded numbers."""
        if not self.weights_are_exact(table):
            return 0.0  # the bound would be for other weights
        rounds = BOUND_ROUNDS[self.effort if isinstance(self.effort, str) else "best"]
        least = least_loss(table, measure, smallest, rounds=rounds, deadline=deadline)
        return mean_cost(table, measure)(least)

    def pace(self, table: Table, model: PrivacyModel, began: float, *, judged: bool, starts: int) -> Pace:
        """Return how long classes form anew, after so many starts were tried."""
        if isinstance(self.effort, str):
            work = WORK.get(self.effort) or (fast_work(table, model, judged, starts == 1), FAST_MOST)
            return Pace.by_work(table.codes.shape, model.smallest, *work)
        seconds = self.effort * self.for_searching(table) - (clock() - began)
        return Pace.by_clock(len(table.weights), seconds)

    def seconds_left(self, share: float, began: float, searching: float) -> str:
        """Say how long the search still takes: by the clock, or as fast as it was so far."""
        now = clock()
        if not isinstance(self.effort, str):
            return f", {max(0.0, began + self.effort - now):.0f} s left"
        return f", about {(now - searching) * (1 - share) / share:.0f} s left" if share > 0 else ""

    def trial(self, table: Table, smallest: int) -> Pace:
        """Return how long the classes of one start form anew before the best start is chosen."""
        if isinstance(self.effort, str):
            return Pace.by_work(table.codes.shape, smallest, *TRIAL)
        return Pace.by_clock(len(table.weights), self.effort / 10)

    def weights_are_exact(self, table: Table) -> bool:
        """Return whether the whole numbers are proportional to the given weights."""
        whole = self.whole_weights(table) or [1]
        exact = [Fraction(repr(float((self.weights or {}).get(name, 1)))) for name in table.quasi]
        return [weight * max(whole) for weight in exact] == [
            weight * max(exact) for weight in whole
        ] or not self.weights

    def whole_weights(self, table: Table) -> list[int] | None:
        """Return the weights of the attributes as whole numbers."""
        if not self.weights:
            return None
        for name in self.weights:
            if name not in table.quasi:
                raise InputError(f"{name!r} is not a quasi-identifier: choose from {', '.join(table.quasi)}.")
        weights = [float(self.weights.get(name, 1)) for name in table.quasi]
        if max(weights) == 0:
            raise InputError("Every weight is 0: give at least one attribute a weight.")
        parts = [Fraction(repr(weight)) for weight in weights]
        whole = lcm(*(part.denominator for part in parts))
        exact = [int(part * whole) for part in parts]
        if max(exact) // gcd(*exact) <= MAX_WEIGHT:
            return [weight // gcd(*exact) for weight in exact]
        return [max(int(weight > 0), round(MAX_WEIGHT * (weight / max(weights)))) for weight in weights]


def check_all_rows(table: Table, model: PrivacyModel) -> None:
    """Refuse a model that only a part of the rows can satisfy: rows leave classes that satisfy it, for less loss."""
    whole = table.whole()
    if not model.satisfied(whole).all():
        message = f"Local recoding begins with all rows, which cannot satisfy {model}: choose full-domain."
        raise InfeasibleError(message, achievable=model.reach(whole))


def is_near(table: Table, ids: Ints, model: PrivacyModel, measure: Measure) -> bool:
    """Return whether classes cost little more than those whose size alone counts."""
    by_size_alone = Mondrian().recode(table, KAnonymity(max(2, model.smallest))).ids
    return total_cost(table, ids, measure) <= NEAR * total_cost(table, by_size_alone, measure)
