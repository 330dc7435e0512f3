"""KeptClasses: an algorithm that assigns every row to a class of an earlier release, or suppresses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms import Algorithm
from shoal.algorithms.algorithm import UNSAID
from shoal.data.classes import PEOPLE, ROWS
from shoal.data.domain import AnyDomain, Sets, TreeDomain
from shoal.data.recoding import Recoding, some_of
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.errors import InfeasibleError
from shoal.models import PrivacyModel
from shoal.models.people import OfPeople
from shoal.release.reuse.exchange_rows import Crowd
from shoal.release.reuse.fitting import Boxes, boxes_of, ends_of, known_codes
from shoal.release.reuse.generalization import Generalization

Ints = NDArray[np.int32]
MAX_NAMED_VALUES = 3  # of a column, in a message


@dataclass(frozen=True, eq=False)
class KeptClasses(Algorithm):
    """The generalization of an earlier release; with `refuse`, rows without a class are refused, not suppressed."""

    generalization: Generalization = field(repr=False)
    refuse: bool = False
    origin: str | None = field(default=None, metadata=UNSAID)  # the file of the generalization

    name: ClassVar[str] = "apply"
    title: ClassVar[str] = "the classes of an earlier release"
    summary: ClassVar[str] = "for the next delivery of a table"
    suppresses: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    def recode(
        self,
        table: Table,
        model: PrivacyModel,
        *,
        max_suppressed: int = 0,
        progress: Callable[[float], None] | None = None,
    ) -> Recoding:
        """Assign rows to the earlier classes; raise InfeasibleError if too many are left without a class."""
        generalization = self.generalization
        codes = known_codes(table, generalization)
        if generalization.classes:
            boxes = boxes_of(table, generalization)
            ids, unfit = _placed(table, model, boxes, codes, progress or (lambda share: None))
            shown, covered = boxes.shown, [_covered(*column) for column in zip(table.domains, boxes.shown, strict=True)]
        else:
            ids, unfit, shown = _leveled(table, model, generalization, codes)
            covered = [np.ones(len(domain), np.bool_) for domain in table.domains]
        unassigned = int((ids < 0).sum())
        if unassigned and (self.refuse or unassigned > max_suppressed or unassigned == ids.size):
            news = _news(table, codes, covered, unfit)
            raise self._refusal(table, model, max_suppressed, unassigned=unassigned, unfit=int(unfit.sum()), news=news)
        used = np.unique(ids[ids >= 0])
        number = np.full(int(used[-1]) + 2, -1, np.int32)
        number[used] = np.arange(used.size, dtype=np.int32)
        ids = number[ids]
        return Recoding(ids, table.sizes(ids), tuple(some_of(column, used) for column in shown))

    def _refusal(
        self, table: Table, model: PrivacyModel, budget: int, *, unassigned: int, unfit: int, news: str
    ) -> InfeasibleError:
        """Say how many rows are left without a class, and which of their values are new."""
        failed = unassigned - unfit
        why = [f"{unfit:,} fit{'s' * (unfit == 1)} no class ({news})"] * (unfit > 0)
        why += [f"{failed:,} {'are' if failed > 1 else 'is'} in classes that fail {model}"] * (failed > 0)
        limit = "none may be" if self.refuse else f"{budget:,} may be suppressed"
        allow, option = "allow as many", f"(max_suppression={unassigned}, --max-suppression {unassigned})"
        noun = PEOPLE if isinstance(model, OfPeople) else ROWS
        if noun == PEOPLE:  # whose rows are suppressed, which can be more
            limit = limit if self.refuse else "fewer rows may be suppressed"
            allow, option = "allow for their rows", "(max_suppression=…, --max-suppression)"
        advice = f"Suppress them (misfits='suppress', --misfits suppress) and {allow} {option}, or anonymize"
        if not self.refuse:
            advice = f"{allow.capitalize()} {option}, or anonymize"
        return InfeasibleError(
            f"Of {noun.of(table.rows)} {unassigned:,} {'are' if unassigned > 1 else 'is'} left without a class of the "
            f"earlier release and {limit}: {' and '.join(why)}. "
            f"{advice if unassigned < table.rows else 'Anonymize'} the table anew.",
            achievable=f"{noun.of(unassigned)} suppressed",
        )

    def __str__(self) -> str:
        if not self.generalization.classes:
            return "the levels of an earlier release"
        return f"the {self.generalization.count:,} classes of an earlier release"


def _placed(
    table: Table, model: PrivacyModel, boxes: Boxes, codes: Ints, tell: Callable[[float], None]
) -> tuple[Ints, NDArray[np.bool_]]:
    """Place each row in a box, −1 if no class that satisfies the model covers it; flag the rows that no class covers.

    A row goes to the box with the least loss. A class that then fails takes rows that it covers from classes that can
    spare them. Of the classes that still fail, the smaller half is abandoned and their rows go to the other boxes with
    the least loss, until no class fails. At the end, rows move to boxes with less loss if both classes allow it.
    """
    place, firsts = group_rows(list(codes.T + 1), [len(domain) + 1 for domain in table.domains], len(codes))
    distinct = np.ascontiguousarray(codes[firsts])
    allowed = np.ones(len(boxes), np.bool_)
    count = int(boxes.classes.max(initial=-1)) + 1
    numbers = np.append(boxes.classes, np.int32(-1))
    best = boxes.first(distinct, allowed, np.zeros(len(distinct), np.int32))
    ids = best[place]
    unfit = ids < 0
    crowd = None
    if model.per_class and table.units is None:  # a row that moves need not take its person along
        crowd = Crowd.of(table, model, boxes, distinct, place, count)
    abandoned = 0
    while (failing := _failing(table, numbers[ids], count, model)).size:
        if crowd is not None:
            crowd.fill(ids, failing)
            failing = _failing(table, numbers[ids], count, model)
        sizes = np.bincount(numbers[ids][ids >= 0], minlength=count)
        smaller = failing[np.lexsort((failing, sizes[failing]))][: -(-failing.size // 2)]
        closed = np.zeros(count + 1, np.bool_)
        closed[smaller] = True
        allowed &= ~closed[boxes.classes]
        rows = np.flatnonzero(closed[numbers[ids]])
        homeless = np.unique(place[rows])
        best[homeless] = boxes.first(np.ascontiguousarray(distinct[homeless]), allowed, best[homeless])
        ids[rows] = best[place[rows]]
        abandoned += smaller.size
        tell(abandoned / count)
    if crowd is not None:
        crowd.settle(ids, boxes.first(distinct, allowed, best)[place])
    return ids, unfit


def _failing(table: Table, classes: Ints, count: int, model: PrivacyModel) -> NDArray[np.int64]:
    """Return the numbers of the classes in use that fail the model."""
    used = np.flatnonzero(np.bincount(classes[classes >= 0], minlength=count))
    if not used.size:
        return used
    number = np.full(count + 1, -1, np.int32)
    number[used] = np.arange(used.size, dtype=np.int32)
    return used[~model.satisfied(table.classes(number[classes]))]


def _leveled(
    table: Table, model: PrivacyModel, generalization: Generalization, codes: Ints
) -> tuple[Ints, NDArray[np.bool_], tuple[Ints, ...]]:
    """Generalize every value by the level of its column and suppress classes that fail."""
    unfit = np.asarray((codes < 0).any(axis=1))
    nodes, trees = [], []
    for column, domain, values in zip(generalization.columns, table.domains, codes.T, strict=True):
        assert isinstance(domain, TreeDomain)  # noqa: S101
        tree = domain.hierarchy
        trees.append(tree)
        above = tree.ancestors(tree.leaf_nodes, column.level or 0)
        nodes.append(np.maximum(above, column.root_in(domain))[np.maximum(values, 0)])
    ids, firsts = group_rows(nodes, [len(tree.labels) for tree in trees], len(codes))
    ids[unfit] = -1
    shown = tuple(column[firsts] for column in nodes)
    columns = ([tree.labels[node] for node in column] for tree, column in zip(trees, shown, strict=True))
    numbers: dict[tuple[str, ...], int] = {}
    classes = np.array([*(numbers.setdefault(row, len(numbers)) for row in zip(*columns, strict=True)), -1], np.int32)
    while (failing := _failing(table, classes[ids], len(numbers), model)).size:
        if not model.per_class:  # the smallest first, as the others may satisfy the model without them
            sizes = np.bincount(classes[ids][ids >= 0], minlength=len(numbers))
            failing = failing[np.lexsort((failing, sizes[failing]))][: -(-failing.size // 2)]
        ids[np.isin(classes[ids], failing)] = -1
    return ids, unfit, shown


def _covered(domain: AnyDomain, shown: Any) -> NDArray[np.bool_]:
    """Flag the values of a domain that a class covers."""
    changes = np.zeros(len(domain) + 1, np.int64)
    if isinstance(shown, Sets):
        changes[shown.codes] = 1
        return changes[:-1] > 0
    low, high = ends_of(domain, shown)
    np.add.at(changes, low, 1)
    np.add.at(changes, high + 1, -1)
    return np.cumsum(changes)[:-1] > 0


def _news(table: Table, codes: Ints, covered: list[NDArray[np.bool_]], unfit: NDArray[np.bool_]) -> str:
    """List the values that no class covers, by column, and the number of rows that only combine covered values."""
    news, rest = [], unfit.copy()
    for at, (name, domain) in enumerate(zip(table.quasi, table.domains, strict=True)):
        new = unfit & ((codes[:, at] < 0) | ~covered[at][codes[:, at]])
        rest &= ~new
        if new.any():
            values = np.unique(table.codes[new, at])
            named = ", ".join(repr(domain.labels[code]) for code in values[:MAX_NAMED_VALUES].tolist())
            more = f" and {values.size - MAX_NAMED_VALUES:,} more" * (values.size > MAX_NAMED_VALUES)
            news.append(f"column {name!r} has {named}{more} in {int(new.sum()):,}")
    if rest.any():
        news.append(f"{int(rest.sum()):,} combine{'s' * (int(rest.sum()) == 1)} values that no class covers together")
    return ", ".join(news)
