"""Verdict: the conditions of a model in the form that compiled code checks, for models that have such a form."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.algorithms.cost_arrays import ONE
from shoal.algorithms.row_moves import bits, shares
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.local_recoding.verdicts import DIFFERENT, ENTROPY, SHARE, TAIL, Conditions
from shoal.models import DistinctDiversity, EntropyDiversity, PrivacyModel, RecursiveDiversity
from shoal.models.exact import exact

MAX_FACTOR = 1 << 20  # of counts, so that products of them stay small
Rule = tuple[int, int, int, Longs]

NOTHING = np.zeros(0, np.int64)


def verdict_of(table: Table, model: PrivacyModel) -> tuple[Conditions, Ints] | None:
    """Return the conditions of a model and the column that each counts; None if the model asks for something else.

    Classes that are within rounding of an entropy count as good: the model itself must be asked in the end.
    """
    rules: list[Rule] = []
    columns: list[int] = []
    for part in model.parts:
        if part.by_size_alone:
            continue
        rule = rule_of(part, table.rows)
        if rule is None:
            return None
        for name in part.attributes(table.whole()):
            rules.append(rule)
            columns.append(table.sensitive.index(name))
    return conditions_of(rules), np.ascontiguousarray(table.sensitive_codes[:, columns])


def conditions_of(rules: Sequence[Rule]) -> Conditions:
    """Return rules as arrays."""
    lengths = np.cumsum([0, *(rule[3].size for rule in rules)])
    lines = [[*rule[:3], at] for rule, at in zip(rules, lengths.tolist(), strict=False)]
    return Conditions(np.array(lines, np.int64).reshape(-1, 4), np.concatenate([NOTHING, *(rule[3] for rule in rules)]))


def rule_of(part: PrivacyModel, rows: int) -> Rule | None:
    """Return the kind of a condition, its numbers and its table."""
    if part.share_limit is not None:
        return SHARE, 0, 0, shares(rows, 1 / part.share_limit)
    if isinstance(part, DistinctDiversity):
        return DIFFERENT, part.l, 0, NOTHING
    if isinstance(part, EntropyDiversity):
        wanted = exact(part.l)
        whole = bits(max(rows, wanted.numerator, wanted.denominator), ONE) if wanted.numerator <= MAX_FACTOR else None
        if whole is None:
            return None
        return ENTROPY, int(whole[wanted.numerator] - whole[wanted.denominator]), 0, whole[: rows + 1]
    if isinstance(part, RecursiveDiversity):
        times: Fraction = exact(part.c)
        if max(times.numerator, times.denominator) <= MAX_FACTOR:
            return TAIL, times.denominator, times.numerator, np.array([part.l - 1])
    return None
