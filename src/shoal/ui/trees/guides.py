"""How a column is generalized now: the tree that comes of it, what is wrong with it, and what it was before."""

from __future__ import annotations

from dataclasses import dataclass, field

import shoal
from shoal.ui.trees.facts import Problem, counted, problems_of
from shoal.ui.trees.ways import Counts, Guide, numeric, tree_of

STEPS_BACK = 50


@dataclass(frozen=True)
class Built:
    """A guide (spelling, tree or None) with its tree, if it has one, and its problems; or the error that it met."""

    guide: Guide
    tree: shoal.Hierarchy | None = None
    problems: tuple[Problem, ...] = ()
    error: str = ""

    @property
    def wrong(self) -> str:
        """What keeps a release from being made, in a sentence; empty if nothing does."""
        return self.error or next((problem.sentence for problem in self.problems if problem.serious), "")


def build(guide: Guide, counts: Counts) -> Built:
    """What a guide makes of the values of a column, given in their order."""
    try:
        tree = tree_of(guide, counts)
    except shoal.ShoalError as error:
        return Built(guide, error=str(error))
    return Built(guide, tree, tuple(problems_of(tree, counts)) if tree else ())


def summary(built: Built, counts: Counts) -> str:
    """The guide of a column in a few words: `free ranges`, `intervals:5,10`, `tree, 16 values, height 3`."""
    if built.guide is None:
        return "free ranges" if numeric(counts) else "sets of values"
    if isinstance(built.guide, str):
        return built.guide
    return f"tree, {counted(len(built.guide.leaves), 'value')}, height {built.guide.height}"


@dataclass
class History:
    """The guides that a column had, to go back to and forth."""

    now: Guide
    earlier: list[Guide] = field(default_factory=list)
    later: list[Guide] = field(default_factory=list)

    def take(self, guide: Guide) -> None:
        """Go on to a new guide."""
        self.earlier = [*self.earlier, self.now][-STEPS_BACK:]
        self.later = []
        self.now = guide

    def undo(self) -> Guide:
        """Go back by one step, if there is one."""
        if self.earlier:
            self.later.append(self.now)
            self.now = self.earlier.pop()
        return self.now

    def redo(self) -> Guide:
        """Go forth again by one step, if there is one."""
        if self.later:
            self.earlier.append(self.now)
            self.now = self.later.pop()
        return self.now
