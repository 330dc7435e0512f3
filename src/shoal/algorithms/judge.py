"""Judge: which compositions of sensitive values a model accepts, for many hypothetical classes in one call."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.algorithms.rules import rules_of
from shoal.data.classes import Classes, Counts, Overall
from shoal.data.rows import blocks, group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.groups import group_histogram, group_weights, line_counts
from shoal.kernels.rules import Rules, satisfying_lines
from shoal.models import PrivacyModel


@dataclass(frozen=True, eq=False)
class Judge:
    """A model, and the combined value of each row in all sensitive attributes that the model looks at."""

    model: PrivacyModel
    values: Ints  # of each row
    weights: Longs  # of each row
    counts: Longs  # of each value in the whole table
    overall: dict[str, Overall]
    own: dict[str, Ints]  # for each attribute: its value within each combined value
    rules: Rules | None = None  # the model in the form that compiled code decides, if it has one

    @property
    def size(self) -> int:
        """The number of different combined values."""
        return self.counts.size

    def of(self, rows: Longs) -> Judge:
        """Return the judge of some rows; classes are still compared with the whole table."""
        return replace(self, values=self.values[rows], weights=self.weights[rows])

    def histogram(self, ids: Ints, groups: int) -> Longs:
        """Count each value in each group of rows (−1: in none)."""
        return group_histogram(self.values, self.weights, ids, groups, self.size)

    def satisfied(self, histograms: Longs) -> Flags:
        """Return whether classes with these compositions, one per line, satisfy the model."""
        lines = np.ascontiguousarray(histograms)
        if self.rules is not None:
            return np.asarray(satisfying_lines(self.rules, lines))

        def counts(name: str) -> Counts:
            order = np.argsort(self.own[name], kind="stable")
            return Counts(*line_counts(lines, order, self.own[name][order]))

        return self.model.satisfied(Classes(histograms.sum(axis=1), self.overall, counts))

    def satisfied_by(self, ids: Ints, groups: int) -> Flags:
        """Return whether groups of rows (−1: in none) satisfy the model, without a histogram of many values."""

        def counts(name: str) -> Counts:
            codes, width = self.own[name][self.values], len(self.overall[name].counts)
            return Counts.of(codes, ids, weights=self.weights, classes=groups, values=width)

        return self.model.satisfied(Classes(group_weights(self.weights, ids, groups), self.overall, counts))

    def joins(self, histograms: Longs) -> Flags:
        """Return for each class and value whether the class satisfies the model with one more row of that value."""
        return self._changed(histograms, 1)

    def leaves(self, histograms: Longs) -> Flags:
        """Return for each class and value whether the class satisfies the model with one row less of that value."""
        return self._changed(histograms, -1)

    def _changed(self, histograms: Longs, more: int) -> Flags:
        verdicts = np.zeros(histograms.shape, np.bool_)
        change = more * np.eye(self.size, dtype=np.int64)
        for part in blocks(len(histograms), self.size**2):
            changed = histograms[part, None] + change
            can_be = (changed.min(axis=2) >= 0) & changed.any(axis=2)
            verdicts[part][can_be] = self.satisfied(changed[can_be])
        return verdicts


def judge_of(table: Table, model: PrivacyModel) -> Judge:
    """Return the judge of a table, by the sensitive attributes that the model looks at."""
    names: dict[str, None] = {}
    whole = table.whole()

    def counts(name: str) -> Counts:
        names[name] = None
        return whole.counts(name)

    model.satisfied(Classes(whole.sizes, table.overall, counts))
    places = [table.sensitive.index(name) for name in names]
    columns = [np.ascontiguousarray(table.sensitive_codes[:, place]) for place in places]
    values, firsts = group_rows(columns, [len(table.sensitive_domains[place]) for place in places], len(table.weights))
    own = {name: column[firsts] for name, column in zip(names, columns, strict=True)}
    totals = group_weights(table.weights, values, firsts.size)
    return Judge(model, values, table.weights, totals, table.overall, own, rules_of(model, whole, own))
