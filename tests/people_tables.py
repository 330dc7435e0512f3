"""Small tables in which people have several rows, and every model with its definition for people."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from oracles import people as oracle
from shoal import Hierarchy
from shoal.models import (
    AlphaK,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    KAnonymity,
    PSensitivity,
    RecursiveDiversity,
)
from shoal.models.people import LimitedContribution, for_people

PAIRS = Hierarchy.from_parents(["*", "ab", "a", "b", "c", "d"], [-1, 0, 1, 1, 0, 0])
ORDER = ("b", "a", "d", "c")


def apart(one, other):
    """How far values are apart in the tree of PAIRS, whose root has two levels below it."""
    if one == other:
        return Fraction(0)
    return Fraction(1, 2) if {one, other} == {"a", "b"} else Fraction(1)


# Each model with its definition: (rows of a class, rows of the table) -> bool; a row is a person and a value.
DEFINITIONS = [
    (KAnonymity(2), lambda rows, table: oracle.number(rows) >= 2),
    (KAnonymity(4), lambda rows, table: oracle.number(rows) >= 4),
    (HighestRisk(0.34), lambda rows, table: oracle.number(rows) >= 3),
    (LimitedContribution(2), lambda rows, table: oracle.limited(rows, 2)),
    (LimitedContribution(3), lambda rows, table: oracle.limited(rows, 3)),
    (DistinctDiversity(3), lambda rows, table: oracle.distinct(rows) >= 3),
    (PSensitivity(2, 3), lambda rows, table: oracle.number(rows) >= 3 and oracle.distinct(rows) >= 2),
    (FrequencyDiversity(1.5), lambda rows, table: oracle.frequency(rows, 1.5)),
    (FrequencyDiversity(2), lambda rows, table: oracle.frequency(rows, 2)),
    (AlphaK(0.7, 2), lambda rows, table: oracle.alpha(rows, 0.7, 2)),
    (BetaLikeness(1), lambda rows, table: oracle.beta(rows, table, 1, enhanced=False)),
    (BetaLikeness(1, enhanced=True), lambda rows, table: oracle.beta(rows, table, 1, enhanced=True)),
    (BetaLikeness(0.25), lambda rows, table: oracle.beta(rows, table, 0.25, enhanced=False)),
    (DeltaDisclosure(0.7), lambda rows, table: oracle.delta(rows, table, 0.7)),
    (Closeness(0.25), lambda rows, table: oracle.equal_distance(rows, table) <= Fraction("0.25")),
    (Closeness(0.5), lambda rows, table: oracle.equal_distance(rows, table) <= Fraction("0.5")),
    (EntropyDiversity(1.8), lambda rows, table: oracle.entropy(rows, 1.8)),
    (EntropyDiversity(2), lambda rows, table: oracle.entropy(rows, 2)),
    (RecursiveDiversity(2, 2), lambda rows, table: oracle.recursive(rows, 2, 2)),
    (RecursiveDiversity(1, 3), lambda rows, table: oracle.recursive(rows, 1, 3)),
    (
        Closeness(0.25, distance="ordered", order=ORDER),
        lambda rows, table: oracle.ordered_distance(rows, table, ORDER) <= Fraction("0.25"),
    ),
    (
        Closeness(0.25, distance="hierarchical", hierarchy=PAIRS),
        lambda rows, table: oracle.earth_movers_distance(rows, table, apart) <= Fraction("0.25"),
    ),
    (
        KAnonymity(3) & Closeness(0.5) & LimitedContribution(2),
        lambda rows, table: (
            oracle.number(rows) >= 3
            and oracle.equal_distance(rows, table) <= Fraction("0.5")
            and oracle.limited(rows, 2)
        ),
    ),
]


def as_released(model, definition):
    """The model and the definition of a release: where different values are asked for, of as many people."""
    fewest = max((part.smallest for part in model.parts if part.by_values), default=1)
    return for_people(model), lambda rows, table: oracle.number(rows) >= fewest and definition(rows, table)


RELEASED = [as_released(model, definition) for model, definition in DEFINITIONS]


@st.composite
def owned(draw, tables, most=6):
    """A table whose rows belong to a few people."""
    table = draw(tables)
    rows = len(table.weights)
    units = draw(st.lists(st.integers(0, most - 1), min_size=rows, max_size=rows))
    return replace(table, units=np.array(units, np.int32))


def rows_of(table):
    """The person and the sensitive value of each row."""
    labels = table.sensitive_domains[0].labels
    return [(int(p), labels[c]) for p, c in zip(table.units, table.sensitive_codes[:, 0], strict=True)]


def by_class(rows, ids):
    """List the rows of each class by its number; rows in no class (−1) are left out."""
    groups = {}
    for row, number in zip(rows, ids, strict=True):
        groups.setdefault(int(number), []).append(row)
    return [groups[number] for number in sorted(groups) if number >= 0]
