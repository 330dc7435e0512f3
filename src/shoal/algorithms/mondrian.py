"""Mondrian: K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity (2006).

doi:10.1109/ICDE.2006.101. Anonymize(partition): while a partition has an allowable cut, choose a dimension, cut
it there, and continue with both sides; a partition without one is a class. All partitions of one depth are cut
together. Departures: by default the cut that lowers the loss most is taken among all allowable ones, while the paper
takes the median of the widest dimension; a cut is allowable if both sides satisfy the model, whichever it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil
from typing import Literal

import numpy as np

from shoal.algorithms.algorithm import UNSAID, Algorithm, Progress, check_seed, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.cut_sides import Sides, some_cuts
from shoal.algorithms.joining import check_per_class
from shoal.algorithms.open_cells import OpenCells
from shoal.algorithms.people.cut_sides import Holding, PeopleBeside
from shoal.algorithms.people.rejoining import recoding_of
from shoal.data.cells import CellRecoding
from shoal.data.parameters import take_plain_numbers
from shoal.data.recoding import Recoding
from shoal.data.rows import slices
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels import mondrian as kernel
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.costs import Space
from shoal.kernels.halves import candidate_halves, places
from shoal.kernels.mondrian import Cuts, Partitions
from shoal.models import KAnonymity, PrivacyModel

RULES = {"loss": kernel.BY_COST, "widest": kernel.BY_SPAN, "random": kernel.BY_RANK}
CHUNK = 1 << 17  # rows whose partitions are cut together, which bounds the memory for candidate cuts
GATHERED = 24  # rows are moved in memory when partitions have become so many times smaller
MIN_GATHERED = 128  # rows of a partition that are worth it
GROWTH = 1.25  # of the size that classes must have, until they satisfy the model


@dataclass(frozen=True)
class Mondrian(Algorithm):
    """Cut the table until no cut is allowable.

    dimension    "loss": the cut that lowers the loss most; "widest": the attribute of the widest normalized
                 range; "random": by the seed.
    cut          "any": any allowable cut (for "widest" and "random" the one nearest the median);
                 "median": at the median only.
    relaxed      False: rows of equal value stay together; True: into halves of equal size.
    ties         relaxed only: rows of equal value in the order of the earlier cuts ("cuts") or of the table ("rows").
    categorical  "hierarchy": one node against the rest, or between the children of a node; "order": as numbers.
    blind        True: cut by size alone, so that cuts tell less of sensitive values (docs/minimality.md).
    keep_cells   return the cells of the classes, too.
    """

    dimension: Literal["loss", "widest", "random"] = "loss"
    cut: Literal["any", "median"] = "any"
    relaxed: bool = False
    ties: Literal["cuts", "rows"] = "cuts"
    categorical: Literal["hierarchy", "order"] = "hierarchy"
    seed: int = 0
    blind: bool = False
    keep_cells: bool = field(default=False, repr=False, compare=False, metadata=UNSAID)

    name = "mondrian"
    title = "Mondrian"
    summary = "fast, for large tables"

    @property
    def equal_rows_together(self) -> bool:
        """Whether it is strict."""
        return not self.relaxed

    @property
    def counts_people(self) -> bool:
        """Whether it is strict."""
        return not self.relaxed

    @property
    def for_blocks(self) -> Algorithm:
        """Itself."""
        return self

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        choices = {"dimension": RULES, "cut": ("any", "median"), "ties": ("cuts", "rows")}
        for name, allowed in (choices | {"categorical": ("hierarchy", "order")}).items():
            if getattr(self, name) not in list(allowed):
                raise InputError(f"Mondrian's {name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}.")
        for name in ("relaxed", "blind"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"Mondrian's {name} is True or False, not {getattr(self, name)!r}.")
        check_seed("Mondrian", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Partition the table and let each partition show its minimal generalization; nothing is suppressed."""
        cells = OpenCells.of(table) if self.keep_cells else None
        ids = self.partition(table, model, progress=progress, cells=cells)
        recoding = recoding_of(table, ids, model)
        return recoding if cells is None else CellRecoding.of(recoding, ids, cells.done)

    def partition(
        self,
        table: Table,
        model: PrivacyModel,
        *,
        progress: Progress = nobody,
        within: Ints | None = None,
        cells: OpenCells | None = None,
    ) -> Ints:
        """Return the number of each row's partition.

        within  the classes to cut, if not the whole table
        cells   learns the cell of each partition
        """
        check_per_class("Mondrian", model)
        if self.blind and model.uses_sensitive:
            return self._by_size_alone(table, model, progress, within, cells)
        if self.relaxed:
            return self._anonymize(table, model, progress, within, cells=cells)
        if table.units is None:
            rows, place = table.distinct(sensitive=model.uses_sensitive, within=within)
            people = None
        else:
            # Which cuts there are, and how good they are, depends on how many rows are equal, not on whose they are.
            rows, place = replace(table, units=None).distinct(sensitive=False, within=within)
            people = Holding.of(table, table.units, place, len(rows.weights))
        if within is not None:
            classes, within = within, np.empty(len(rows.weights), np.int32)
            within[place] = classes
        return self._anonymize(rows, model, progress, within, people, cells)[place]

    def _by_size_alone(
        self, table: Table, model: PrivacyModel, progress: Progress, within: Ints | None, cells: OpenCells | None
    ) -> Ints:
        """Cut without a look at sensitive values; ask for larger classes until all of them satisfy the model.

        Only the size that was needed tells of sensitive values, where other cuts tell for each class what was needed.
        """
        size = max(1, model.smallest)
        while True:
            if cells is not None:
                cells.begin(table)
            ids = self.partition(table, KAnonymity(size), within=within, cells=cells)
            if size >= table.people or model.satisfied(table.classes(ids)).all():
                progress(1.0)
                return ids
            size = min(table.people, ceil(size * GROWTH))

    def _anonymize(
        self,
        table: Table,
        model: PrivacyModel,
        progress: Progress,
        within: Ints | None = None,
        people: Holding | None = None,
        cells: OpenCells | None = None,
    ) -> Ints:
        """Cut all partitions of one depth, then those of the next; number those that have no allowable cut.

        within  the classes to cut, if not the whole table
        people  who has each row, if people are counted
        """
        order, starts, ends = _slices_of(np.zeros(len(table.weights), np.int32) if within is None else within)
        rows, gathered = np.arange(order.size), order.size
        space = space_of(table.domains)
        random = np.random.RandomState(self.seed)
        classes = [np.zeros((2, 0), np.int64)]
        rows_done = 0
        while starts.size:
            size = int((ends - starts).sum()) // starts.size
            if MIN_GATHERED <= size <= gathered // GATHERED:
                # Partitions are read many times, which is faster if their rows are side by side in memory.
                table, people, rows = _gathered(table, order), people and people.reordered(order), rows[order]
                order, gathered = np.arange(order.size), size
            partitions = Partitions(np.ascontiguousarray(table.codes), table.weights, order, starts, ends)
            parts = [partitions._replace(starts=starts[some], ends=ends[some]) for some in slices(ends - starts, CHUNK)]
            cut = [self._cut(part, table, model, space, random, people) for part in parts]
            middle = np.concatenate([places for places, _ in cut])
            if cells is not None:
                cells.cut(partitions, middle, np.concatenate([attributes for _, attributes in cut]))
            done = middle == ends
            classes.append(np.stack([starts[done], ends[done]]))
            rows_done += int((ends[done] - starts[done]).sum())
            starts, middle, ends = starts[~done], middle[~done], ends[~done]
            starts, ends = np.stack([starts, middle], axis=1).ravel(), np.stack([middle, ends], axis=1).ravel()
            progress(rows_done / len(order))
        return _numbered(rows[order], *np.concatenate(classes, axis=1))

    def _cut(
        self,
        partitions: Partitions,
        table: Table,
        model: PrivacyModel,
        space: Space,
        random: np.random.RandomState,
        people: Holding | None,
    ) -> tuple[Longs, Longs]:
        """Put each partition's left side first; return where its right side begins, and the attribute of the cut.

        The right side of a partition that cannot be cut begins at its end.
        """
        rule, ranks = RULES[self.dimension], np.zeros((0, 0), np.int64)
        if rule == kernel.BY_RANK:
            draws = random.random_sample((partitions.starts.size, len(table.quasi)))
            ranks = np.argsort(draws, axis=1, kind="stable")
        if self.relaxed:
            keys = places(partitions)
            candidates = candidate_halves(partitions, keys, space, model.smallest, rule, ranks)
        else:
            keys = partitions.codes
            at_median, by_node = self.cut == "median", self.categorical == "hierarchy"
            candidates = kernel.candidate_cuts(partitions, space, model.smallest, rule, ranks, at_median, by_node)
        cuts = Cuts(*np.ascontiguousarray(candidates.T))
        sides = Sides(partitions, keys, table, model) if people is None else people.beside(partitions, model)
        best = _best_allowable(cuts, sides, partitions.starts.size)
        middle = kernel.apply_cuts(partitions, keys, cuts, best, self.relaxed and self.ties == "cuts")
        return middle, np.append(cuts.attribute, -1)[best]


def _slices_of(classes: Ints) -> tuple[Longs, Longs, Longs]:
    """Sort the rows by their classes; return them, and where each class begins and ends."""
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    return order, starts, np.append(starts[1:], order.size)


def _gathered(table: Table, order: Longs) -> Table:
    """Return the rows in another order, with the same sensitive attributes of the whole table."""
    return replace(table.some(order), everything=table.overall)


def _numbered(order: Longs, starts: Longs, ends: Longs) -> Ints:
    """Return for each row the number of the slice order[start:end] that it is in."""
    numbers = np.argsort(starts).astype(np.int32)
    ids = np.empty(order.size, np.int32)
    ids[order] = np.repeat(numbers, (ends - starts)[numbers])
    return ids


def _best_allowable(cuts: Cuts, sides: Sides | PeopleBeside, partitions: int) -> Longs:
    """Return the preferred allowable cut of each partition; other cuts are examined only if the first is not."""
    allowed = np.ones(cuts.low.size, np.bool_)
    best = kernel.best_cuts(cuts, allowed, partitions)
    chosen = best[best >= 0]
    refused = chosen[~sides.surely_allowable(some_cuts(cuts, chosen))]
    if not refused.size:
        return best
    open_again = np.zeros(partitions, np.bool_)
    open_again[cuts.partition[refused]] = True
    again = np.flatnonzero(open_again[cuts.partition])
    allowed[again] = sides.allowable(some_cuts(cuts, again))
    return kernel.best_cuts(cuts, allowed, partitions)
