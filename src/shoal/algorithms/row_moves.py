"""The costs of rows, and the conditions on clusters, while rows move from cluster to cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log2
from typing import Literal

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import LARGEST, ONE, space_of
from shoal.data.domain import TreeDomain
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.clustering.sequential import Diversity, Known, move_rows
from shoal.kernels.costs import Space
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, groups_of
from shoal.metrics.cells import running, value_counts
from shoal.models import PrivacyModel

MAX_PAIRS = 10**8  # of a row and a class that one pass of moves may compare
MAX_PASSES = 10
PAIRS_PER_CALL = 1 << 23  # of a row and a class, or of two classes, before Ctrl-C is answered
MeasureName = Literal["loss", "certainty_penalty", "entropy"]


def measure_of(table: Table, name: MeasureName, weights: Sequence[int] | None = None) -> Measure:
    """Return what cells cost as integers, times the weights of their attributes.

    They are multiples of a common fraction of LM or NCP, or bits with 30 binary places.
    """
    cells = table.rows * len(table.quasi)
    factor = np.array(weights or [1] * len(table.quasi), np.int64)
    if name != "entropy":
        return by_loss(space_of(table.domains, name, exact=cells, weights=weights))._replace(factor=factor)
    space = space_of(table.domains, exact=cells)
    places = ONE
    while cells * places * log2(table.rows + 1) * int(factor.max(initial=1)) >= LARGEST:
        places //= 2
    price = bits(table.rows, places)
    counts = [value_counts(table, attribute) for attribute in range(len(table.quasi))]
    costs = [np.zeros(0, np.int64)]
    for domain, count, times in zip(table.domains, counts, factor, strict=True):
        if isinstance(domain, TreeDomain):
            upto = running(count)
            costs.append(price[upto[domain.hierarchy.highs + 1] - upto[domain.hierarchy.lows]] * times)
    before = np.concatenate([running(count)[:-1] for count in counts])
    return Measure(space._replace(cost=np.concatenate(costs)), price, np.concatenate(counts), before, factor)


def by_loss(space: Space) -> Measure:
    """Return the costs of a space as they are."""
    none = np.zeros(0, np.int64)
    return Measure(space, none, np.ones(space.position.size, np.int64), none, np.ones(space.kind.size, np.int64))


def total_cost(table: Table, ids: Ints, measure: Measure) -> int:
    """Return what all cells cost in these classes."""
    classes = int(ids.max(initial=0)) + 1
    groups = groups_of(measure, np.ascontiguousarray(table.codes), table.weights, ids, np.zeros(classes, np.int64))
    return int((groups.size * groups.total).sum())


def moved(table: Table, ids: Ints, model: PrivacyModel, measure: Measure) -> Ints:
    """Move rows to cheaper classes until none moves any more; their own classes must stay large enough."""
    classes = int(ids.max(initial=0)) + 1
    if len(ids) * classes > MAX_PAIRS or classes == 1:
        return ids
    diversity, codes = diversity_of(table, model), np.ascontiguousarray(table.codes)
    groups = groups_of(measure, codes, table.weights, ids, np.zeros(classes, np.int64))
    memory = Known(np.full(len(ids), -1, np.int64), np.full(len(ids), -1, np.int64))
    for time in range(0, MAX_PASSES * len(ids), len(ids)):
        if not moves(measure, diversity, groups, memory, codes, time, model.smallest):
            break
    return np.unique(groups.home, return_inverse=True)[1].astype(np.int32)


def moves(
    measure: Measure,
    diversity: Diversity,
    groups: Groups,
    memory: Known,
    codes: Ints,
    time: int,
    smallest: int,
    tell: Progress = nobody,
) -> int:
    """Make one pass over the rows, in chunks, so that Ctrl-C is answered between them; return how many moved."""
    rows, moved = len(codes), 0
    step = max(1, PAIRS_PER_CALL // groups.size.size)
    for begin in range(0, rows, step):
        end = min(begin + step, rows)
        moved += move_rows(measure, diversity, groups, memory, codes, begin, end, time, smallest)
        tell(end / rows)
    return moved


def mean_cost(table: Table, measure: Measure) -> Callable[[int], float]:
    """Return a function from a sum of costs to the mean over all cells, weighted by attribute, as reports have it."""
    if not measure.price.size:
        top = table.rows * int(measure.space.full.sum())
        return lambda cost: cost / max(1, top)
    own = sum(
        int((measure.price[counts] * counts).sum()) * int(factor)
        for counts, factor in (
            (value_counts(table, attribute), measure.factor[attribute]) for attribute in range(len(table.quasi))
        )
    )
    bit = int(measure.price[2]) if table.rows > 1 else 1
    return lambda cost: max(0, cost - own) / (table.rows * int(measure.factor.sum()) * bit)


def bits(most: int, unit: int) -> Longs:
    """Return log2 of the numbers up to a limit (of 0: 0) in parts of a bit, by operations that are exact everywhere."""
    fractions, powers = np.frexp(np.maximum(np.arange(most + 1), 1).astype(np.float64))
    ratio = (fractions - 1) / (fractions + 1)
    series = np.zeros(most + 1)
    for term in range(37, 0, -2):
        series = series * ratio * ratio + 1 / term
    bits = powers + 2 * ratio * series / 0.6931471805599453
    return np.asarray(np.rint(bits * unit), np.int64)


def diversity_of(table: Table, model: PrivacyModel) -> Diversity:
    """Return the conditions of the model that no sensitive value has more than 1/ℓ of the rows of a class."""
    conditions = [
        (table.sensitive.index(name), 1 / part.share_limit)
        for part in model.parts
        if part.share_limit is not None and part.share_limit < 1
        for name in part.attributes(table.whole())
    ]
    rows = len(table.weights)
    values = np.ascontiguousarray(table.sensitive_codes[:, [column for column, _ in conditions]])
    most = np.zeros((len(conditions), rows + 1), np.int64)
    for condition, (_, diversity) in enumerate(conditions):
        most[condition] = shares(rows, diversity)
    return Diversity(values, most, np.zeros(int(values.max(initial=0)) + 1, np.int64))


def shares(rows: int, diversity: Fraction) -> Longs:
    """Return for each class size up to `rows` the most rows that one value may have: size / ℓ rounded down."""
    kind = np.int64 if rows * diversity.denominator < LARGEST and diversity.numerator < LARGEST else object
    return (np.arange(rows + 1).astype(kind) * diversity.denominator // diversity.numerator).astype(np.int64)
