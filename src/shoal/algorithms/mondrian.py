"""Mondrian: K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity (2006).

doi:10.1109/ICDE.2006.101. Anonymize(partition): while a partition has an allowable cut, choose a dimension, cut
it there, and continue with both sides; a partition without one is a class. All partitions of one depth are cut
together. Departures: by default the cut that lowers the loss most is taken among all allowable ones, while the paper
takes the median of the widest dimension; a cut is allowable if both sides satisfy the model, whichever it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress, check_seed, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import check_per_class
from shoal.algorithms.people.cut_sides import people_on_both_sides
from shoal.algorithms.people.rejoining import recoding_of
from shoal.data.classes import Classes, Counts
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels import mondrian as kernel
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.costs import Space
from shoal.kernels.cut_sides import OwnCodes, own_codes, side_counts
from shoal.kernels.groups import group_weights
from shoal.kernels.mondrian import Cuts, Partitions
from shoal.models import PrivacyModel

RULES = {"loss": kernel.BY_COST, "widest": kernel.BY_SPAN, "random": kernel.BY_RANK}
CHUNK = 1 << 17  # rows whose partitions are cut together, which bounds the memory for candidate cuts
CELLS = 1 << 22  # counts of sensitive values on both sides of cuts in memory at a time


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
    """

    dimension: Literal["loss", "widest", "random"] = "loss"
    cut: Literal["any", "median"] = "any"
    relaxed: bool = False
    ties: Literal["cuts", "rows"] = "cuts"
    categorical: Literal["hierarchy", "order"] = "hierarchy"
    seed: int = 0

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
        choices = {"dimension": RULES, "cut": ("any", "median"), "ties": ("cuts", "rows")}
        for name, allowed in (choices | {"categorical": ("hierarchy", "order")}).items():
            if getattr(self, name) not in list(allowed):
                raise InputError(f"Mondrian's {name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}.")
        if not isinstance(self.relaxed, bool):
            raise InputError(f"Mondrian's relaxed is True or False, not {self.relaxed!r}.")
        check_seed("Mondrian", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Partition the table and let each partition show its minimal generalization; nothing is suppressed."""
        return recoding_of(table, self.partition(table, model, progress=progress), model)

    def partition(
        self, table: Table, model: PrivacyModel, *, progress: Progress = nobody, within: Ints | None = None
    ) -> Ints:
        """Return the number of each row's partition; `within` has the classes to cut, if not the whole table."""
        check_per_class("Mondrian", model)
        if self.relaxed or within is not None:
            return self._anonymize(table, model, progress, within)
        rows, place = table.distinct(sensitive=model.uses_sensitive)
        if table.units is not None and self.dimension != "random" and all(part.by_size_alone for part in model.parts):
            within = np.empty(len(rows.weights), np.int32)
            within[place] = self._surely_allowable(table, table.units, model)
        return self._anonymize(rows, model, progress, within)[place]

    def _surely_allowable(self, table: Table, units: Ints, model: PrivacyModel) -> Ints:
        """Cut while both sides have k people for sure, as they have k times the most rows that a person has.

        Until then people need not be counted, and equal rows of different people can be merged.
        """
        bare, place = replace(table, units=None).distinct(sensitive=False)
        most = int(np.bincount(units, table.weights).max())
        return self._anonymize(bare, model, nobody, enough=model.smallest * most)[place]

    def _anonymize(
        self, table: Table, model: PrivacyModel, progress: Progress, within: Ints | None = None, enough: int = 0
    ) -> Ints:
        """Cut all partitions of one depth, then those of the next; number those that have no allowable cut.

        within  the classes to cut, if not the whole table
        enough  end partitions whose preferred cut leaves fewer rows on a side
        """
        ids = np.zeros(len(table.weights), np.int32)
        # Cuts keep the order of rows, so that the rows of a person stay together in each partition.
        order = np.arange(len(ids)) if table.units is None else np.argsort(table.units, kind="stable")
        within = ids if within is None else within
        order, starts, ends = _slices_of(within, order)
        codes = np.ascontiguousarray(table.codes)
        partitions = Partitions(codes, table.weights, order, starts, ends)
        # Which cuts there are, and how good they are, depends on how many rows are alike, not on whose they are.
        alike = None if table.units is None else _equal_rows(table, within)
        space = space_of(table.domains)
        random = np.random.RandomState(self.seed)
        classes = rows_done = 0
        while starts.size:
            middles = []
            for some in _slices(ends - starts, CHUNK):
                part = partitions._replace(starts=starts[some], ends=ends[some])
                equal = alike and alike._replace(starts=alike.starts[some], ends=alike.ends[some])
                middles.append(self._cut(part, equal, table, model, space, random, enough))
            middle = np.concatenate([one for one, _ in middles])
            done = middle == ends
            if alike is not None:
                alike = _both_sides(alike, np.concatenate([other for _, other in middles]), ~done)
            for start, end in zip(starts[done].tolist(), ends[done].tolist(), strict=True):
                ids[order[start:end]] = classes
                classes += 1
                rows_done += end - start
            _, _, _, starts, ends = _both_sides(partitions._replace(starts=starts, ends=ends), middle, ~done)
            progress(rows_done / len(ids))
        return ids

    def _cut(
        self,
        partitions: Partitions,
        alike: Partitions | None,
        table: Table,
        model: PrivacyModel,
        space: Space,
        random: np.random.RandomState,
        enough: int = 0,
    ) -> tuple[Longs, Longs]:
        """Put each partition's left side first; return where its right side begins, its end if it cannot be cut.

        If people are counted, `alike` has the same partitions of the rows that differ in their codes, and is cut, too.
        """
        rule, ranks = RULES[self.dimension], np.zeros((0, 0), np.int64)
        if rule == kernel.BY_RANK:
            draws = random.random_sample((partitions.starts.size, len(table.quasi)))
            ranks = np.argsort(draws, axis=1, kind="stable")
        if self.relaxed:
            keys = kernel.places(partitions)
            candidates = kernel.candidate_halves(partitions, keys, space, model.smallest, rule, ranks)
        else:
            keys = partitions.codes
            at_median, by_node = self.cut == "median", self.categorical == "hierarchy"
            candidates = kernel.candidate_cuts(
                alike or partitions, space, model.smallest, rule, ranks, at_median, by_node
            )
        cuts = Cuts(*np.ascontiguousarray(candidates.T))
        if enough:
            best = kernel.best_cuts(cuts, np.minimum(cuts.left, cuts.right) > 0, partitions.starts.size)
            best[np.append(np.minimum(cuts.left, cuts.right), enough)[best] < enough] = -1
        else:
            best = _best_allowable(cuts, partitions, keys, table, model)
        middle = kernel.apply_cuts(partitions, keys, cuts, best, self.relaxed and self.ties == "cuts")
        return middle, kernel.apply_cuts(alike, alike.codes, cuts, best, False) if alike else middle


def _slices_of(classes: Ints, order: Longs) -> tuple[Longs, Longs, Longs]:
    """Sort an order of rows by their classes; return it, and where each class begins and ends in it."""
    order = order[np.argsort(classes[order], kind="stable")]
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    return order, starts, np.append(starts[1:], order.size)


def _equal_rows(table: Table, within: Ints) -> Partitions:
    """Return the rows that differ in their codes or classes, whoever's they are, in a partition for each class."""
    sizes = [*(len(domain) for domain in table.domains), int(within.max(initial=0)) + 1]
    ids, firsts = group_rows([*table.codes.T, within], sizes, len(within))
    weights = group_weights(table.weights, ids, firsts.size)
    return Partitions(
        np.ascontiguousarray(table.codes[firsts]), weights, *_slices_of(within[firsts], np.arange(firsts.size))
    )


def _both_sides(partitions: Partitions, middle: Longs, chosen: Flags) -> Partitions:
    """Return both sides of the chosen partitions, given where each right side begins."""
    starts, middle, ends = partitions.starts[chosen], middle[chosen], partitions.ends[chosen]
    return partitions._replace(
        starts=np.stack([starts, middle], axis=1).ravel(), ends=np.stack([middle, ends], axis=1).ravel()
    )


def _best_allowable(cuts: Cuts, partitions: Partitions, keys: Ints, table: Table, model: PrivacyModel) -> Longs:
    """Return the preferred allowable cut of each partition; other cuts are examined only if the first is not."""
    allowed = np.ones(cuts.low.size, np.bool_)
    best = kernel.best_cuts(cuts, allowed, partitions.starts.size)
    chosen = best[best >= 0]
    sides = _Sides(partitions, keys, table, model)
    refused = chosen[~sides.allowable(_some(cuts, chosen))]
    again = np.flatnonzero(np.isin(cuts.partition, cuts.partition[refused]))
    allowed[again] = sides.allowable(_some(cuts, again))
    return kernel.best_cuts(cuts, allowed, partitions.starts.size)


def _some(cuts: Cuts, which: Longs | slice) -> Cuts:
    return Cuts(*(column[which] for column in cuts))


@dataclass(frozen=True, eq=False)
class _Sides:
    """The verdict of the model on the two sides of cuts."""

    partitions: Partitions
    keys: Ints
    table: Table
    model: PrivacyModel
    _known: dict[str, OwnCodes] = field(default_factory=dict)

    def allowable(self, cuts: Cuts) -> Flags:
        """Return for each cut whether both sides satisfy the model."""
        allowed = np.zeros(cuts.low.size, np.bool_)
        for part in self._blocks(cuts):
            some = _some(cuts, part)
            if self.table.units is not None:
                people = people_on_both_sides(self.partitions, self.table, self.table.units, some)
                allowed[part] = self.model.satisfied(people).reshape(2, -1).all(axis=0)
                continue

            def counts(name: str, some: Cuts = some) -> Counts:
                return Counts(*side_counts(self.partitions, self.keys, self._codes(name), some))

            sizes = np.concatenate([some.left, some.right])
            both = Classes(sizes, self.table.overall, counts, self._people(some))
            allowed[part] = self.model.satisfied(both).reshape(2, -1).all(axis=0)
        return allowed

    def _blocks(self, cuts: Cuts) -> list[slice]:
        """Divide the cuts into blocks of about `CELLS` sensitive values, at least one cut each."""
        if not self.model.uses_sensitive or not self.table.sensitive or not cuts.low.size:
            return [slice(0, cuts.low.size)] if cuts.low.size else []
        rows = 2 * (self.partitions.ends - self.partitions.starts)
        if self.table.units is not None:
            return _slices(rows[cuts.partition], CELLS)
        widest = max(len(domain) for domain in self.table.sensitive_domains)
        return _slices(np.minimum(rows, 2 * widest)[cuts.partition], CELLS)

    def _codes(self, name: str) -> OwnCodes:
        if name not in self._known:
            at = self.table.sensitive.index(name)
            column = np.ascontiguousarray(self.table.sensitive_codes[:, at])
            self._known[name] = own_codes(self.partitions, column, len(self.table.sensitive_domains[at]))
        return self._known[name]

    def _people(self, cuts: Cuts) -> Longs | None:
        """Return the people of the population on both sides of cuts."""
        if self.table.population is None:
            return None
        counted = self.partitions._replace(weights=self.table.population)
        alike = own_codes(self.partitions, np.zeros(len(self.table.weights), np.int32), 1)
        people = Counts(*side_counts(counted, self.keys, alike, cuts))
        return people.gathered(np.add, people.counts)


def _slices(amounts: Longs, most: int) -> list[slice]:
    """Divide items into slices of about `most` in total, of at least one item each."""
    upto = np.cumsum(amounts)
    marks = np.unique(np.searchsorted(upto, np.arange(0, int(upto[-1]), most)))
    return [slice(a, b) for a, b in pairwise([*marks.tolist(), upto.size]) if b > a]
