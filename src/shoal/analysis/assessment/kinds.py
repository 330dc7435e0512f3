"""Kinds of classes: classes with the same counts of sensitive values meet the same requirements.

There are far fewer kinds than classes, so a requirement on a large table is checked quickly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.assessment.people import Members
from shoal.data.classes import Classes, Counts, Overall
from shoal.data.domain import AnyDomain
from shoal.data.grouping import Grouping
from shoal.data.rows import group_rows
from shoal.kernels.arrays import Ints
from shoal.models import PrivacyModel

LOOKED_AT = 64  # distinct values of a class; one with more is a kind of its own


@dataclass(frozen=True, eq=False)
class Kinds:
    """The classes of a table without its rows: their labels, sizes and kinds.

    firsts  the first row of each class
    people  their sizes in the population, if it is given
    counts  each sensitive attribute's values in one class of each kind, whose numbers are `examples`
    members  whose rows they are, if people are counted: then each class is judged by itself
    """

    domains: Mapping[str, AnyDomain]
    codes: Ints
    firsts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    people: NDArray[np.int64] | None
    overall: Mapping[str, Overall]
    kinds: Ints
    examples: NDArray[np.int64]
    counts: Mapping[str, Counts]
    members: Members | None = None

    @classmethod
    def of(cls, grouping: Grouping, people: NDArray[np.int64] | None = None) -> Kinds:
        """Sort the classes of a table into kinds."""
        table = grouping.table
        kinds, examples = kinds_of(list(grouping.counts.values()), grouping.sizes)
        return cls(
            dict(zip(table.quasi, table.domains, strict=True)),
            table.codes[grouping.firsts],
            grouping.firsts,
            grouping.sizes,
            people,
            table.overall,
            kinds,
            examples,
            {name: counts.some(examples) for name, counts in grouping.counts.items()},
            Members.of(grouping),
        )

    def labels(self, number: int) -> dict[str, str]:
        """Return the labels of a class by quasi-identifier."""
        codes = self.codes[number].tolist()
        return {name: domain.labels[code] for (name, domain), code in zip(self.domains.items(), codes, strict=True)}

    def failing(self, model: PrivacyModel) -> NDArray[np.int64]:
        """Return the numbers of the classes that do not satisfy a model, in the order of their first rows."""
        failed = np.zeros(self.sizes.size, np.bool_)
        for part in model.parts:
            if self.members is not None:
                failed |= ~part.satisfied(self.members.classes)
            elif part.uses_sensitive and part.per_class:
                examples = Classes(self.sizes[self.examples], self.overall, self.counts.__getitem__)
                failed |= ~part.satisfied(examples)[self.kinds]
            else:  # it considers all classes together or no sensitive values
                every = Classes(self.sizes, self.overall, lambda name: self.counts[name].some(self.kinds), self.people)
                failed |= ~part.satisfied(every)
        return np.flatnonzero(failed)

    def number(self, which: NDArray[np.int64]) -> int:
        """Count the rows of some classes, or their people."""
        return int(self.sizes[which].sum()) if self.members is None else self.members.number(which)


def kinds_of(counts: Sequence[Counts], sizes: NDArray[np.int64]) -> tuple[Ints, NDArray[np.int64]]:
    """Give classes with the same size and sensitive values the same number; return the kinds and a class of each."""
    kinds, examples = group_rows([sizes], [int(sizes.max(initial=0)) + 1], sizes.size)
    for attribute in counts:
        lengths, count_bound = np.diff(attribute.starts), int(attribute.counts.max(initial=0)) + 1
        value_bound = int(attribute.values.max(initial=0)) + 1
        refined, number = kinds.astype(np.int64), examples.size
        for place in range(min(LOOKED_AT, int(lengths.max(initial=0)))):
            left = np.flatnonzero(lengths > place)
            entry = attribute.starts[left] + place
            new, firsts = group_rows(
                [refined[left], attribute.values[entry], attribute.counts[entry]],
                [number, value_bound, count_bound],
                left.size,
            )
            refined[left] = number + new
            number += firsts.size
        long = np.flatnonzero(lengths > LOOKED_AT)
        refined[long] = number + np.arange(long.size)
        kinds, examples = group_rows([refined], [number + long.size], sizes.size)
    return kinds, examples
