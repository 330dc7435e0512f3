"""Graph clustering word for word: lists of records, each distance anew, in fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from oracles.metrics import height, path
from shoal.data.domain import NumericDomain, SetDomain, TreeDomain

# The nine records of the thesis, without the sensitive income.
NINE = {
    "age": [39, 50, 38, 53, 28, 37, 49, 52, 31],
    "workclass": ["State-gov", "Self-emp-not-inc", *["Private"] * 5, "Self-emp-not-inc", "Private"],
    "education-num": [13, 13, 9, 7, 13, 14, 5, 9, 14],
    "marital-status": [
        "Never-married",
        "Married-civ-spouse",
        "Divorced",
        "Married-civ-spouse",
        "Married-civ-spouse",
        "Married-civ-spouse",
        "Married-spouse-absent",
        "Married-civ-spouse",
        "Never-married",
    ],
    "occupation": [
        "Adm-clerical",
        "Exec-managerial",
        "Handlers-cleaners",
        "Handlers-cleaners",
        "Prof-specialty",
        "Exec-managerial",
        "Other-service",
        "Exec-managerial",
        "Prof-specialty",
    ],
    "race": ["White", "White", "White", "Black", "Black", "White", "Black", "White", "White"],
    "sex": ["Male", "Male", "Male", "Male", "Female", "Female", "Female", "Male", "Female"],
    "native-country": ["United-States"] * 4 + ["Cuba", "United-States", "Jamaica", "United-States", "United-States"],
}
TOP = "top"


@dataclass
class Tree:
    """A value is the path of its nodes up to the root; several are their lowest common node."""

    tree: object

    def value(self, code):
        return path(self.tree, code)

    def centre(self, values):
        return next(node for node in values[0] if all(node in other for other in values))

    def distance(self, value, centre):
        over = self._path(centre)
        common = next(node for node in value if node in over)
        return Fraction(height(self.tree, common), max(1, height(self.tree, 0)))

    def diversity(self, values):
        return Fraction(height(self.tree, self.centre(values)), max(1, height(self.tree, 0)))

    def _path(self, node):
        return [node] if node == 0 else [node, *self._path(int(self.tree.parents[node]))]


@dataclass
class Numbers:
    """A value is a number or, if it is missing, None; missing and known ones together are the top."""

    places: list
    whole: Fraction

    def value(self, code):
        return self.places[code]

    def centre(self, values):
        if all(value is None for value in values):
            return None
        return TOP if None in values else sum(values) / len(values)

    def distance(self, value, centre):
        if centre == TOP or (value is None) != (centre is None):
            return Fraction(1)
        return Fraction(0) if value is None else abs(value - centre) / self.whole

    def diversity(self, values):
        if self.centre(values) == TOP:
            return Fraction(1)
        return Fraction(0) if values[0] is None else (max(values) - min(values)) / self.whole


class Names:
    """A value without order or tree; several are the top."""

    def value(self, code):
        return code

    def centre(self, values):
        return values[0] if len(set(values)) == 1 else TOP

    def distance(self, value, centre):
        return Fraction(value != centre)

    def diversity(self, values):
        return Fraction(len(set(values)) > 1)


def attribute(domain):
    """What an attribute's values are and how far they are apart."""
    if isinstance(domain, TreeDomain):
        return Tree(domain.hierarchy)
    if isinstance(domain, SetDomain):
        return Names()
    if isinstance(domain, NumericDomain):
        places = [None if value != value else Fraction(float(value)) for value in domain.values]
    else:
        places = [None if code == domain.missing else Fraction(code) for code in range(len(domain))]
    known = [place for place in places if place is not None]
    if isinstance(domain, NumericDomain):
        return Numbers(places, (max(known) - min(known) if known else 0) or Fraction(1))
    return Numbers(places, Fraction(max(1, len(domain) - 1)))


class Records:
    """The records of a table as values, and the measures of the thesis over lists of their numbers."""

    def __init__(self, table):
        self.attributes = [attribute(domain) for domain in table.domains]
        self.values = [
            [attribute.value(code) for attribute, code in zip(self.attributes, codes, strict=True)]
            for codes in table.codes.tolist()
        ]

    def __len__(self):
        return len(self.values)

    def columns(self, group):
        return zip(self.attributes, zip(*(self.values[record] for record in group), strict=True), strict=True)

    def loss(self, group):
        """|P| × D(P)."""
        return len(group) * sum(attribute.diversity(values) for attribute, values in self.columns(group))

    def growth(self, group, record):
        """By how much the loss of a group would grow."""
        return self.loss([*group, record]) - self.loss(group)

    def distance(self, record, group):
        """The distance of a record to the centroid of a group."""
        return sum(
            attribute.distance(self.values[record][j], attribute.centre(values))
            for j, (attribute, values) in enumerate(self.columns(group))
        )

    def cut_down(self, group, k):
        """The k records nearest to the centroid, of equals the first, and the others."""
        nearest = sorted(group, key=lambda record: (self.distance(record, group), record))
        return nearest[:k], nearest[k:]


def seeded(rows, k, random):
    """The first n/k of the shuffled rows, each in a group of its own."""
    order = np.array(rows)
    random.shuffle(order)
    return [[record] for record in order[: len(rows) // k].tolist()]


def join_best(records, groups, record, by):
    """Put a record where the loss grows least, or to the group from which its distance is least."""
    distance = {
        "loss": lambda group: records.growth(group, record),
        "distance": lambda group: len(group) * records.distance(record, group),
    }
    min(groups, key=distance[by]).append(record)


def clustered(records, rows, k, random, by):
    groups = seeded(rows, k, random)
    for record in [row for row in rows if [row] not in groups]:
        join_best(records, groups, record, by)
    return groups


def fill(table, k, seed, by="loss"):
    """The groups, where those below k are filled."""
    records = Records(table)
    groups = clustered(records, list(range(len(records))), k, np.random.RandomState(seed), by)
    given_up = []
    for group in groups:
        group[:], beyond = records.cut_down(group, k)
        given_up += beyond
    for record in sorted(given_up):
        below = [group for group in groups if len(group) < k]
        join_best(records, below or groups, record, by)
    return groups


def dissolve(table, k, seed, by="loss"):
    """The groups, where those below k are dissolved and their records clustered again."""
    records, random = Records(table), np.random.RandomState(seed)
    left, groups = list(range(len(records))), []
    while len(left) >= k:
        kept = [records.cut_down(group, k)[0] for group in clustered(records, left, k, random, by) if len(group) >= k]
        groups += kept
        settled = {record for group in kept for record in group}
        few = 10 * len(settled) < len(left)
        left = [record for record in left if record not in settled]
        if few:
            break
    if not groups and len(records) >= 2 * k:
        return fill(table, k, seed, by)
    for record in left:
        join_best(records, groups, record, by)
    return groups
