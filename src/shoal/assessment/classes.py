"""The classes of a table as an attacker sees them, and their histograms in blocks that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.kernels.groups import group_weights
from shoal.table import Classes, IntArray, Overall, Table, blocks, group_rows

CELLS = 2**21  # of a histogram at a time


@dataclass(frozen=True, eq=False)
class Grouping:
    """The rows of a table by class: `ids` (−1: suppressed, in no class) and the first row of each class."""

    table: Table
    ids: IntArray
    firsts: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table, *, suppressed: Sequence[str] = ()) -> Grouping:
        """Equal quasi-identifiers make a class; rows that show one of the labels `suppressed` in each are in none."""
        columns = [table.codes[:, place] for place in range(len(table.quasi))]
        grouping = cls(table, *group_rows(columns, [len(domain) for domain in table.domains], len(table.weights)))
        hidden = grouping.showing(suppressed)
        if not hidden.any():
            return grouping
        if hidden.all():
            raise InputError("Every row is suppressed, so there is no class to assess.")
        number = np.where(hidden, -1, np.cumsum(~hidden) - 1).astype(np.int32)
        return cls(table, number[grouping.ids], grouping.firsts[~hidden])

    def showing(self, labels: Sequence[str]) -> NDArray[np.bool_]:
        """The classes that show one of these labels for every quasi-identifier."""
        found = np.ones(self.firsts.size, np.bool_)
        for place, domain in enumerate(self.table.domains):
            found &= np.array([label in labels for label in domain.labels])[self.table.codes[self.firsts, place]]
        return found

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The rows of each class."""
        return group_weights(self.table.weights, self.ids, self.firsts.size)

    @cached_property
    def rows(self) -> int:
        """The rows that are in a class."""
        return int(self.sizes.sum())

    def labels(self, number: int) -> dict[str, str]:
        """What the rows of a class show."""
        codes = self.table.codes[self.firsts[number]].tolist()
        return {
            name: domain.labels[code]
            for name, domain, code in zip(self.table.quasi, self.table.domains, codes, strict=True)
        }

    @cached_property
    def counts(self) -> dict[str, Counts]:
        """Each sensitive attribute's values by class."""
        return {name: Counts.of(self, place) for place, name in enumerate(self.table.sensitive)}


@dataclass(frozen=True, eq=False)
class Counts:
    """The values of a sensitive attribute by class: class i has `values[starts[i]:starts[i + 1]]`, with `counts`.

    The values of a class are in ascending order.
    """

    starts: NDArray[np.int64]
    values: IntArray
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, grouping: Grouping, place: int) -> Counts:
        """Count each value of each class."""
        table, kept = grouping.table, np.flatnonzero(grouping.ids >= 0)
        ids, codes = grouping.ids[kept], table.sensitive_codes[kept, place]
        pairs, firsts = group_rows([ids, codes], [grouping.firsts.size, len(table.sensitive_domains[place])], kept.size)
        counts = group_weights(table.weights[kept], pairs, firsts.size)
        order = np.lexsort([codes[firsts], ids[firsts]])
        starts = np.searchsorted(ids[firsts][order], np.arange(grouping.firsts.size + 1))
        return cls(starts.astype(np.int64), codes[firsts][order], counts[order])

    def dense(self, numbers: NDArray[np.int64], width: int) -> NDArray[np.int64]:
        """The histograms of some classes: classes × values."""
        lengths, places = np.diff(self.starts)[numbers], self._places(numbers)
        histogram = np.zeros((numbers.size, width), np.int64)
        histogram[np.repeat(np.arange(numbers.size), lengths), self.values[places]] = self.counts[places]
        return histogram

    def some(self, numbers: NDArray[np.int64]) -> Counts:
        """Those of some classes."""
        lengths = np.diff(self.starts)[numbers]
        places = self._places(numbers)
        return Counts(np.concatenate([[0], np.cumsum(lengths)]), self.values[places], self.counts[places])

    def _places(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the values of some classes stand."""
        lengths = np.diff(self.starts)[numbers]
        before = np.cumsum(lengths) - lengths
        return np.repeat(self.starts[numbers] - before, lengths) + np.arange(int(lengths.sum()))


def histogram_blocks(
    counts: Mapping[str, Counts],
    sizes: NDArray[np.int64],
    overall: Mapping[str, Overall],
    numbers: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], Classes]]:
    """The classes of these numbers, some at a time: their numbers, and the classes with their histograms."""
    width = max((len(overall[name].labels) for name in counts), default=1)
    # Classes of about the same size together: whole numbers of 64 bits are then enough for most blocks.
    numbers = numbers[np.argsort(sizes[numbers], kind="stable")]
    for block in blocks(numbers.size, width, CELLS):
        some = numbers[block]

        def histogram(name: str, some: NDArray[np.int64] = some) -> NDArray[np.int64]:
            return counts[name].dense(some, len(overall[name].labels))

        yield some, Classes(sizes[some], overall, histogram)
