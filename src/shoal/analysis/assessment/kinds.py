"""Kinds of classes: those that hold the same sensitive values equally often meet the same requirements.

There are far fewer kinds than classes, so that a requirement on a large table is answered at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.data.grouping import Grouping
from shoal.data.table import Classes, Counts, IntArray, Overall, group_rows
from shoal.models import PrivacyModel

LOOKED_AT = 64  # different values of a class; one with more is a kind of its own


@dataclass(frozen=True, eq=False)
class Kinds:
    """The classes of a table without its rows: what they show, their sizes, and the kind of each.

    firsts  the first row of each class
    people  their sizes in the population, if it is known
    counts  each sensitive attribute's values in one class of each kind, whose numbers are `examples`
    """

    domains: Mapping[str, AnyDomain]
    codes: IntArray
    firsts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    people: NDArray[np.int64] | None
    overall: Mapping[str, Overall]
    kinds: IntArray
    examples: NDArray[np.int64]
    counts: Mapping[str, Counts]

    @classmethod
    def of(cls, grouping: Grouping, people: NDArray[np.int64] | None = None) -> Kinds:
        """Tell the classes of a table by their kinds."""
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
        )

    def labels(self, number: int) -> dict[str, str]:
        """What the rows of a class show."""
        codes = self.codes[number].tolist()
        return {name: domain.labels[code] for (name, domain), code in zip(self.domains.items(), codes, strict=True)}

    def failing(self, model: PrivacyModel) -> NDArray[np.int64]:
        """The numbers of the classes that do not satisfy a model, in the order of their first rows."""
        failed = np.zeros(self.sizes.size, np.bool_)
        for part in model.parts:
            failed |= self._fails_by_kind(part)[self.kinds] if _tells_kinds(part) else self._fails(part)
        return np.flatnonzero(failed)

    def _fails(self, model: PrivacyModel) -> NDArray[np.bool_]:
        """For each class, where the model looks at all classes at once or at no sensitive value."""
        classes = Classes(self.sizes, self.overall, lambda name: self.counts[name].some(self.kinds), self.people)
        return ~model.satisfied(classes)

    def _fails_by_kind(self, model: PrivacyModel) -> NDArray[np.bool_]:
        return ~model.satisfied(Classes(self.sizes[self.examples], self.overall, self.counts.__getitem__))


def _tells_kinds(model: PrivacyModel) -> bool:
    return model.uses_sensitive and model.per_class


def kinds_of(counts: Sequence[Counts], sizes: NDArray[np.int64]) -> tuple[IntArray, NDArray[np.int64]]:
    """Number classes alike that have the same size and sensitive values; returns (kind of each, one of each kind)."""
    kinds, examples = group_rows([sizes], [int(sizes.max(initial=0)) + 1], sizes.size)
    for one in counts:
        lengths, most = np.diff(one.starts), int(one.counts.max(initial=0)) + 1
        values = int(one.values.max(initial=0)) + 1
        found, number = kinds.astype(np.int64), examples.size
        for place in range(min(LOOKED_AT, int(lengths.max(initial=0)))):
            left = np.flatnonzero(lengths > place)
            entry = one.starts[left] + place
            new, firsts = group_rows(
                [found[left], one.values[entry], one.counts[entry]], [number, values, most], left.size
            )
            found[left] = number + new
            number += firsts.size
        long = np.flatnonzero(lengths > LOOKED_AT)
        found[long] = number + np.arange(long.size)
        kinds, examples = group_rows([found], [number + long.size], sizes.size)
    return kinds, examples
