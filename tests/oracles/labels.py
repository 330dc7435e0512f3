"""What released labels mean, told from the labels alone: which values they cover and what they lose."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction


class Numbers:
    """Ranges `low-high` of numbers; the missing value is `?`, everything is `*`."""

    def __init__(self, values):
        self.values = [v for v in values if v is not None]

    def covers(self, label, value):
        if label == "*":
            return True
        if label == "?":
            return value is None
        low, high = self._ends(label)
        return value is not None and low <= value <= high

    def loss(self, label):
        if label == "*":
            return Fraction(1)
        if label == "?":
            return Fraction(0)
        low, high = self._ends(label)
        span = max(self.values) - min(self.values)
        return Fraction(high - low) / Fraction(span) if span else Fraction(0)

    @staticmethod
    def _ends(label):
        # A minus sign may stand before either number.
        cut = label.find("-", 1)
        return (int(label), int(label)) if cut < 0 else (int(label[:cut]), int(label[cut + 1 :]))


class Tree:
    """Nodes of a tree given as paths from each value up to the root; labels are unique in it."""

    def __init__(self, paths):
        self.paths = paths
        self.under = Counter(label for path in paths.values() for label in set(path))

    def covers(self, label, value):
        key = "?" if value is None else str(int(value)) if isinstance(value, float) else str(value)
        return label in self.paths[key]

    def loss(self, label):
        leaves = len(self.paths)
        return Fraction(self.under[label] - 1, leaves - 1) if leaves > 1 else Fraction(0)


class Sets:
    """Unions `a | b` of values."""

    def __init__(self, values):
        self.size = len({"?" if v is None else v for v in values})

    def covers(self, label, value):
        return ("?" if value is None else value) in label.split(" | ")

    def loss(self, label):
        return Fraction(len(label.split(" | ")) - 1, self.size - 1) if self.size > 1 else Fraction(0)


def class_sizes(rows, quasi):
    """The size of each class that the labels show."""
    return Counter(tuple(row[name] for name in quasi) for row in rows)


def sensitive_values(rows, quasi, sensitive):
    """The sensitive values of each class that the labels show."""
    values = {}
    for row in rows:
        values.setdefault(tuple(row[name] for name in quasi), []).append(row[sensitive])
    return values


def distinct_values(rows, quasi, sensitive):
    """The number of different sensitive values in each class that the labels show."""
    return {key: len(set(values)) for key, values in sensitive_values(rows, quasi, sensitive).items()}


def mean_loss(rows, meanings):
    """LM as the mean over cells, exactly."""
    cells = [meaning.loss(row[name]) for row in rows for name, meaning in meanings.items()]
    return sum(cells) / len(cells)
