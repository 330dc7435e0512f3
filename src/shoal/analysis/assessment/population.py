"""The classes of a table in the population that it is a part of."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.data.grouping import Grouping
from shoal.data.table import IntArray, Table, group_rows
from shoal.data.value_order import NUMBER
from shoal.errors import InputError
from shoal.kernels.groups import group_weights


def population_sizes(grouping: Grouping, population: Table) -> NDArray[np.int64]:
    """The rows of the population in each class of the table; a class that has fewer there than here is refused."""
    table = grouping.table
    known = np.ones(len(population.weights), np.bool_)
    columns = []
    for place, domain in enumerate(table.domains):
        codes = _moved(population.domains[place], domain)[population.codes[:, place]]
        known &= codes >= 0
        columns.append(codes)
    own = table.codes[grouping.firsts]
    together = [np.concatenate([own[:, place], codes[known]]) for place, codes in enumerate(columns)]
    ids, firsts = group_rows(together, [len(domain) for domain in table.domains], len(together[0]))
    # The classes of the table come first, so their numbers are those of the groups.
    weights = np.concatenate([np.zeros(len(own), np.int64), population.weights[known]])
    sizes = group_weights(weights, ids, firsts.size)[: len(own)]
    short = np.flatnonzero(sizes < grouping.sizes)
    if short.size:
        worst = int(short[0])
        shown = ", ".join(f"{name}={label}" for name, label in grouping.labels(worst).items())
        raise InputError(
            f"The population has {sizes[worst]} rows with {shown}, the table {grouping.sizes[worst]} "
            f"(row {grouping.firsts[worst] + 1}): give a population with the same values that the table is a part of."
        )
    return sizes


def _moved(of: AnyDomain, to: AnyDomain) -> IntArray:
    """For each code of one domain that of the same value in another, −1 where it is not there.

    The same text is the same value; else the same number is, where only one text of the other domain stands for it.
    """
    labels = {label: code for code, label in enumerate(to.labels) if code != to.missing}
    numbers: dict[Decimal, int] = {}
    for label, code in labels.items():
        number = _number(label)
        if number is not None:
            numbers[number] = code if number not in numbers else -1
    codes = []
    for code, label in enumerate(of.labels):
        other = _number(label)
        same = labels.get(label, numbers.get(other, -1) if other is not None else -1)
        codes.append(to.missing if code == of.missing else same)
    return np.array(codes, np.int32)


def _number(label: str) -> Decimal | None:
    try:
        return Decimal(label) if NUMBER.fullmatch(label) else None
    except ArithmeticError:
        return None
