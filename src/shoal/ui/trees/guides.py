"""How a column is generalized: its guide (a spelling, a tree or None), the resulting tree, and the history."""

from __future__ import annotations

from dataclasses import dataclass, field

import shoal
from shoal.ui.trees.facts import Problem, counted, problems_of
from shoal.ui.trees.methods import Counts, Guide, numeric, tree_of

MAX_UNDO = 50


@dataclass(frozen=True)
class Built:
    """A guide with its tree, if any, and its problems; or the error of building it."""

    guide: Guide
    tree: shoal.Hierarchy | None = None
    problems: tuple[Problem, ...] = ()
    error: str = ""

    @property
    def obstacle(self) -> str:
        """Why no release can be made, in a sentence; empty if it can."""
        return self.error or next((problem.sentence for problem in self.problems if problem.serious), "")


def build(guide: Guide, counts: Counts) -> Built:
    """Build the tree of a guide over the values of a column, which are in order."""
    try:
        tree = tree_of(guide, counts)
    except shoal.ShoalError as error:
        return Built(guide, error=str(error))
    return Built(guide, tree, tuple(problems_of(tree, counts)) if tree else ())


def summary(built: Built, counts: Counts) -> str:
    """Describe a guide in a few words: `free ranges`, `intervals:5,10`, `tree, 16 values, height 3`."""
    if built.guide is None:
        return "free ranges" if numeric(counts) else "sets of values"
    if isinstance(built.guide, str):
        return built.guide
    return f"tree, {counted(len(built.guide.leaves), 'value')}, height {built.guide.height}"


@dataclass
class History:
    """The guides that a column has had, for undo and redo."""

    now: Guide
    earlier: list[Guide] = field(default_factory=list)
    later: list[Guide] = field(default_factory=list)

    def take(self, guide: Guide) -> None:
        """Change to a new guide."""
        self.earlier = [*self.earlier, self.now][-MAX_UNDO:]
        self.later = []
        self.now = guide

    def undo(self) -> Guide:
        """Go back one step, if possible."""
        return self._go(self.earlier, self.later)

    def redo(self) -> Guide:
        """Go forward one step, if possible."""
        return self._go(self.later, self.earlier)

    def _go(self, source: list[Guide], target: list[Guide]) -> Guide:
        if source:
            target.append(self.now)
            self.now = source.pop()
        return self.now
