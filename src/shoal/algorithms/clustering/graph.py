"""Graph clustering: G. Raghava, K-anonymity using graph theory (thesis, JNTU Kakinada, 2018).

It has no DOI. Records are the vertices of a graph, and the loss of two in one class is the weight of their edge. ⌊n/k⌋
random records start a group each, every other record joins the best group, then the sizes are balanced. Departures:
the printed program compares a group with a number and so leaves groups below k, which cannot happen here; it visits
the records from the last to the first, here they are visited in the order of the rows. Losses and distances are
compared as whole multiples of a common fraction; only if their sums exceed 62 bits are cells rounded to 30.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.algorithms.algorithm import Progress, check_seed, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import GroupingAlgorithm
from shoal.data.parameters import take_plain_numbers
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.clustering.assignment import BY_CENTROID_AND_SIZE, BY_LOSS, assign, farthest
from shoal.kernels.costs import Space

WAYS = {"loss": BY_LOSS, "distance": BY_CENTROID_AND_SIZE}  # of choosing a group for a record
RECORDS_PER_SETTLED = 10  # a round settles at least one in so many records: equal ones would take n/k rounds


@dataclass(frozen=True)
class GraphClustering(GroupingAlgorithm):
    """Groups that grow around random records and are then balanced.

    variant  "fill": groups above k give records to those below; "dissolve": groups below k are dissolved and their
             records clustered again.
    by       "loss": a record joins the group whose information loss, size × D, grows least, as in the thesis's program;
             "distance": the one that is least distant, by the distance to its centroid times its size, as in its text.

    The first ⌊n/k⌋ rows of a shuffle by the seed start the groups. Every other record, row by row, joins the best
    group, the first of equals. A group above k keeps the k records nearest to its centroid, the first rows of equals,
    and gives up the others; the centroid is not moved in between. It has the mean of numbers and of places in an order,
    the lowest node above the values of a tree, and the top if values without order or tree, or missing and known
    numbers, meet.
    "fill", the thesis's program: row by row, records that were given up join the best group among those below k while
    there are any. "dissolve", its pseudocode: records that were given up or dissolved are clustered in the same way
    again, until fewer than k are left or a round settles less than a tenth of its own; these join the best group.
    """

    variant: Literal["fill", "dissolve"] = "fill"
    seed: int = 0
    by: Literal["loss", "distance"] = "loss"

    name = "graph"
    title = "graph clustering"
    summary = "groups that grow around random records"

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        if self.variant not in ("fill", "dissolve"):
            raise InputError(f"GraphClustering's variant is one of fill, dissolve, not {self.variant!r}.")
        if self.by not in WAYS:
            raise InputError(f"GraphClustering's by is one of loss, distance, not {self.by!r}.")
        check_seed("GraphClustering", self.seed)

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's group; all have at least k rows if the table does."""
        if len(table.weights) < 2 * k:
            return np.zeros(len(table.weights), np.int32)
        space = space_of(table.domains, "information_loss", exact=table.codes.size)
        codes = np.ascontiguousarray(table.codes)
        even_out = self._fill if self.variant == "fill" else self._dissolve
        return even_out(space, codes, k, np.random.RandomState(self.seed), progress)

    def _fill(self, space: Space, codes: Ints, k: int, random: np.random.RandomState, progress: Progress) -> Ints:
        """Move the farthest records of the groups above k into those below."""
        ids = self._best_groups(space, codes, k, random, progress, (0.0, 0.5))
        given_up = farthest(space, codes, ids, k)
        ids[given_up] = -1
        assign(space, codes, ids, given_up, WAYS[self.by], enough=k, progress=progress, share=(0.5, 1.0))
        return ids

    def _dissolve(self, space: Space, codes: Ints, k: int, random: np.random.RandomState, progress: Progress) -> Ints:
        """Keep the groups that reach k, reduced to k records, and cluster all other records again."""
        ids = np.full(len(codes), -1, np.int32)
        left, done, going = np.arange(len(codes)), 0.0, True
        while going and left.size >= k:
            groups = self._best_groups(space, codes[left], k, random, progress, (done, (1 + done) / 2))
            groups[farthest(space, codes[left], groups, k)] = -1
            whole = np.bincount(groups + 1)[1:] >= k
            settled = (groups >= 0) & whole[groups]
            ids[left[settled]] = ids.max() + np.cumsum(whole)[groups[settled]]
            going = bool(RECORDS_PER_SETTLED * settled.sum() >= left.size)
            left, done = left[~settled], (1 + done) / 2
        if ids.max() < 0:
            # No group could be settled: the records are too far apart for this few seeds.
            return self._fill(space, codes, k, np.random.RandomState(self.seed), progress)
        assign(space, codes, ids, left, WAYS[self.by], progress=progress, share=(done, 1.0))
        return ids

    def _best_groups(
        self,
        space: Space,
        codes: Ints,
        k: int,
        random: np.random.RandomState,
        progress: Progress,
        share: tuple[float, float],
    ) -> Ints:
        """Start the groups with random records and let the others join them."""
        order = np.arange(len(codes))
        random.shuffle(order)
        ids = np.full(len(codes), -1, np.int32)
        ids[order[: len(codes) // k]] = np.arange(len(codes) // k)
        assign(space, codes, ids, np.flatnonzero(ids < 0), WAYS[self.by], progress=progress, share=share)
        return ids
