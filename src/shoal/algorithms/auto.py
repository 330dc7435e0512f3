"""Auto: picks an algorithm by the size of a table and the kind of model alone, so that the choice is reproducible.

Local recoding loses least of all, so it is picked wherever it applies and finishes within about a minute; its effort
takes about five seconds for 50,000 rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from shoal.algorithms.algorithm import Algorithm, Progress, check_seed, nobody
from shoal.algorithms.full_domain.datafly import Datafly
from shoal.algorithms.full_domain.full_domain import FullDomain
from shoal.algorithms.local_recoding.effort import MAX_CELLS, MAX_CELLS_COMPOSED, Effort, by_size, check_effort
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.algorithms.mondrian import Mondrian
from shoal.data.domain import TreeDomain
from shoal.data.parameters import take_plain_numbers
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.models import PrivacyModel

# The cells of different rows for which the better search of local recoding takes about five seconds.
BALANCED_CELLS, BALANCED_CELLS_COMPOSED = 3 * 10**4, 5 * 10**3
MORE = "effort balanced takes five to ten times as long and mostly loses 1 to 4 % less."
LATTICE_CELLS = 5 * 10**9  # in all nodes of a lattice that is searched


@dataclass(frozen=True)
class Choice:
    """The algorithm that was picked, and the sentence that says why."""

    algorithm: Algorithm
    reason: str


@dataclass(frozen=True)
class Auto(Algorithm):
    """Local recoding if it applies and finishes within about a minute, otherwise another algorithm that does.

    seed    of the algorithm that is picked, if it draws at random.
    effort  of local recoding, where that is picked: "fast", "balanced", "best" or a number of seconds, which limits a
            full-domain search, too; None: as the size of the table allows, whatever the machine.
    """

    seed: int = 0
    effort: Effort | float | None = None

    name = "auto"
    title = "auto"
    summary = "the one that suits the table, and why"
    suppresses = True
    equal_rows_together = True
    counts_people = True

    @property
    def for_blocks(self) -> Algorithm:
        """Mondrian."""
        return Mondrian()

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        check_seed("Auto", self.seed)
        if self.effort is not None:
            check_effort(self.effort)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Recode the table with the algorithm that is picked."""
        chosen = self.pick(table, model, max_suppressed=max_suppressed).algorithm
        return chosen.recode(table, model, max_suppressed=max_suppressed, progress=progress)

    def pick(self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0) -> Choice:
        """Pick the algorithm for a table and a model, with the reason."""
        return self.with_effort(self._pick(table, model, max_suppressed))

    def with_effort(self, choice: Choice) -> Choice:
        """Say that an algorithm has no effort, if it has none; a number of seconds limits a full-domain search."""
        if self.effort is None or isinstance(choice.algorithm, LocalRecoding):
            return choice
        if isinstance(choice.algorithm, FullDomain) and not isinstance(self.effort, str):
            reason = f"{choice.reason} It takes {self.effort:g} s at most, as asked for."
            return Choice(FullDomain(time_limit=self.effort), reason)
        return replace(choice, reason=f"{choice.reason} Only local recoding has an effort: {self._named} is not used.")

    @property
    def _named(self) -> str:
        return self.effort if isinstance(self.effort, str) else f"{self.effort:g} s"

    def _pick(self, table: Table, model: PrivacyModel, max_suppressed: int) -> Choice:
        why = _needs_lattice(table, model, max_suppressed)
        if why:
            return _full_domain(table, model, why)
        if table.units is not None:
            why = "a person's rows differ, and it counts the people on both sides of each cut"
            return Choice(Mondrian(), f"auto picked Mondrian: {why}.")
        if model.populations:
            return Choice(Mondrian(), f"auto picked Mondrian: {model} asks about a population, which it cuts, too.")
        return self._by_size(table, model)

    def _by_size(self, table: Table, model: PrivacyModel) -> Choice:
        """Pick local recoding with the effort that the time allows, or Mondrian."""
        size = f"{table.rows:,} rows with {len(table.quasi)} quasi-identifier{'s' * (len(table.quasi) != 1)}"
        local = "every class is made as coarse as its own rows need"
        if self.effort is not None:
            reason = f"auto picked local recoding ({self._named}, as asked for): {local}."
            return Choice(LocalRecoding(self.effort, seed=self.seed), reason)
        cells = _different_rows(table, model) * len(table.quasi)
        balanced, fast = (
            (BALANCED_CELLS, MAX_CELLS) if by_size(model) else (BALANCED_CELLS_COMPOSED, MAX_CELLS_COMPOSED)
        )
        if cells <= balanced:
            reason = f"auto picked local recoding (balanced): {local}; {size} are few enough for the better search."
            return Choice(LocalRecoding("balanced", seed=self.seed), reason)
        if cells <= fast:
            reason = f"auto picked local recoding (fast): {local}; {size} are too many for the better search. {MORE}"
            return Choice(LocalRecoding("fast", seed=self.seed), reason)
        return Choice(Mondrian(), f"auto picked Mondrian: {size} are too many for local recoding.")


def _needs_lattice(table: Table, model: PrivacyModel, max_suppressed: int) -> str:
    """Return why every value of a column must be shown at one level; empty if it need not."""
    if not model.per_class:
        return f"{model} is about all classes together"
    if model.disjoint:
        return f"{model} needs classes that do not overlap"
    leaves_out = max_suppressed > 0 and not model.monotone_with_suppression
    if leaves_out and not model.satisfied(table.whole()).all():
        return f"{model} holds for no release of all rows, and some may be suppressed"
    return ""


def _full_domain(table: Table, model: PrivacyModel, why: str) -> Choice:
    """Pick the best node of the lattice or, if it is large, the first that Datafly reaches."""
    heights = [domain.hierarchy.height if isinstance(domain, TreeDomain) else 1 for domain in table.domains]
    nodes = prod(height + 1 for height in heights)
    if nodes * _different_rows(table, model) * len(heights) <= LATTICE_CELLS:
        # Without a time limit, so that the release does not depend on the machine.
        return Choice(FullDomain(time_limit=None), f"auto picked full-domain generalization: {why}.")
    return Choice(Datafly(), f"auto picked Datafly: {why}; there are too many levels to look for the best.")


def _different_rows(table: Table, model: PrivacyModel) -> int:
    """Return the number of rows that the model distinguishes."""
    return len(table.distinct(sensitive=model.uses_sensitive)[0].weights)
