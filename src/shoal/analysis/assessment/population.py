"""The sizes of a table's classes in the population that contains it."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.data.grouping import Grouping
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.data.value_order import NUMBER
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.groups import group_weights


def population_sizes(grouping: Grouping, population: Table) -> NDArray[np.int64]:
    """Count the rows of the population in each class; raise InputError if there are fewer than in the table."""
    table = grouping.table
    shared = np.ones(len(population.weights), np.bool_)
    columns = []
    for place, domain in enumerate(table.domains):
        codes = _moved(population.domains[place], domain)[population.codes[:, place]]
        shared &= codes >= 0
        columns.append(codes)
    firsts_codes = table.codes[grouping.firsts]
    together = [np.concatenate([firsts_codes[:, place], codes[shared]]) for place, codes in enumerate(columns)]
    ids, firsts = group_rows(together, [len(domain) for domain in table.domains], len(together[0]))
    # The classes of the table come first, so their numbers are those of the groups.
    weights = np.concatenate([np.zeros(len(firsts_codes), np.int64), population.weights[shared]])
    sizes = group_weights(weights, ids, firsts.size)[: len(firsts_codes)]
    too_small = np.flatnonzero(sizes < grouping.sizes)
    if too_small.size:
        worst = int(too_small[0])
        shown = ", ".join(f"{name}={label}" for name, label in grouping.labels(worst).items())
        raise InputError(
            f"The population has {sizes[worst]} rows with {shown} and the table {grouping.sizes[worst]} (the first is "
            f"row {grouping.firsts[worst] + 1}): the population must contain every row of the table, written the same "
            f"way."
        )
    return sizes


def _moved(of: AnyDomain, to: AnyDomain) -> Ints:
    """Return for each code of one domain that of the same value in another, or −1.

    The same text is the same value; otherwise the same number is, if only one text of the other domain reads as it.
    """
    labels = {label: code for code, label in enumerate(to.labels) if code != to.missing}
    numbers: dict[Decimal, int] = {}
    for label, code in labels.items():
        number = _number(label)
        if number is not None:
            numbers[number] = code if number not in numbers else -1
    codes = []
    for code, label in enumerate(of.labels):
        value = _number(label)
        same = labels.get(label, numbers.get(value, -1) if value is not None else -1)
        codes.append(to.missing if code == of.missing else same)
    return np.array(codes, np.int32)


def _number(label: str) -> Decimal | None:
    try:
        return Decimal(label) if NUMBER.fullmatch(label) else None
    except ArithmeticError:
        return None
