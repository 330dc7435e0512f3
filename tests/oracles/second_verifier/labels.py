"""What released labels mean: which values each may stand for, and what it loses."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
STYLE = {"numbers": "{low}-{high}", "ordered": "{low} - {high}", "separator": " | ", "top": "*", "missing": "?"}


class Meaning:
    """What the labels of a column stand for; a missing value is None."""

    def __init__(self, meaning, values, style):
        self.style, self.top, self.mark = style, style["top"], style["missing"]
        self.values = values
        self.covers, self.losses = cache(self.covers), cache(self.losses)

    def covers(self, label, value):
        """Whether a label may stand for a value."""
        raise NotImplementedError

    def losses(self, label, value):
        """The least and the most that a cell can have lost by LM: they differ where a label is read in two ways."""
        raise NotImplementedError

    def cuts(self, label, pattern):
        """Every way to read a label as a range."""
        before, first, between, _, after = re.split(r"(\{low\}|\{high\})", pattern)
        if not between or not label.startswith(before) or not label.endswith(after):
            return []
        body = label[len(before) : len(label) - len(after)]
        ends = [(body[: at.start()], body[at.end() :]) for at in re.finditer(f"(?={re.escape(between)})", body)]
        ends = [(one, other[len(between) :]) for one, other in ends]
        return ends if first == "{low}" else [(other, one) for one, other in ends]


class Numbers(Meaning):
    """Ranges of numbers, or of dates; with the style "mean", the mean of a class."""

    def __init__(self, meaning, values, style):
        self.place = date_place if meaning["kind"] == "dates" else number_place
        self.means = style["numbers"] == "mean" and meaning["kind"] == "numbers"
        super().__init__(meaning, values, style)
        places = [self.place(value) for value in values if value is not None]
        self.least, self.most = min(places), max(places)
        self.span = self.most - self.least

    def ends(self, label):
        """The two ends of a label."""
        place = self.place(label)
        if place is not None:
            return place, place
        numbers = STYLE["numbers"] if self.style["numbers"] == "mean" else self.style["numbers"]
        for pattern in (numbers, self.style["ordered"]):
            for low, high in self.cuts(label, pattern):
                low, high = self.place(low), self.place(high)
                if low is not None and high is not None and low <= high:
                    return low, high
        return None

    def covers(self, label, value):
        if label == self.top:
            return True
        if label == self.mark or value is None:
            return label == self.mark and value is None
        ends = self.ends(label)
        return ends is not None and (self.means or ends[0] <= self.place(value) <= ends[1])

    def losses(self, label, value):
        if label == self.top or label == self.mark:
            return [Fraction(label == self.top)] * 2
        if self.means:
            return [Fraction(0), Fraction(1)]
        low, high = self.ends(label)
        low, high = max(low, self.least), min(high, self.most)  # an end may lie where nobody's value is
        return [(high - low) / self.span if self.span else Fraction(0)] * 2


class Order(Meaning):
    """Ranges in an order of values, before which the missing value stands."""

    def __init__(self, meaning, values, style):
        super().__init__(meaning, values, style)
        names = [self.mark, *meaning["values"]] if None in values else meaning["values"]
        self.places = {name: place for place, name in enumerate(dict.fromkeys(names))}

    def readings(self, label, value):
        """The ways to read a label that cover a value."""
        ends = [(label, label), *self.cuts(label, self.style["ordered"])]
        at = self.places.get(self.mark if value is None else value)
        known = [(self.places[low], self.places[high]) for low, high in ends if {low, high} <= self.places.keys()]
        return [(low, high) for low, high in known if at is not None and low <= at <= high]

    def covers(self, label, value):
        return label == self.top or bool(self.readings(label, value))

    def losses(self, label, value):
        every = max(1, len(self.places) - 1)
        found = [Fraction(high - low, every) for low, high in self.readings(label, value)]
        found += [Fraction(1)] * (label == self.top)
        return [min(found), max(found)]


class Sets(Meaning):
    """Unions of values; a value may hold the separator itself."""

    def __init__(self, meaning, values, style):
        super().__init__(meaning, values, style)
        self.members = {self.mark if value is None else value for value in values}

    def sizes(self, label, wanted):
        """How many values a label can be of which one is wanted."""
        pieces = label.split(self.style["separator"])
        reached = {(0, False): {0}}
        for start in range(len(pieces)):
            for end in range(start + 1, len(pieces) + 1):
                value = self.style["separator"].join(pieces[start:end])
                for seen in (False, True):
                    counts = reached.get((start, seen))
                    if counts and value in self.members:
                        key = end, seen or value == wanted
                        reached.setdefault(key, set()).update(count + 1 for count in counts)
        return reached.get((len(pieces), True), set())

    def covers(self, label, value):
        return label == self.top or bool(self.sizes(label, self.mark if value is None else value))

    def losses(self, label, value):
        every = max(1, len(self.members) - 1)
        found = [Fraction(size - 1, every) for size in self.sizes(label, self.mark if value is None else value)]
        found += [Fraction(1)] * (label == self.top)
        return [min(found), max(found)]


class Tree(Meaning):
    """Nodes of a tree; a node is told by its path to the root, as a label may stand at several places."""

    def __init__(self, meaning, values, style):
        super().__init__(meaning, values, style)
        paths = {value: (value, *above) for value, above in meaning["paths"].items()}
        self.top = next(iter(paths.values()))[-1]
        if None in values and self.mark not in paths:
            if len(paths) == 1 and paths.get(self.top) == (self.top,):  # a root that is a value itself stays one
                paths = {self.top: (self.top, self.top)}
            paths[self.mark] = (self.mark, self.top)
        self.paths = paths
        self.under = Counter(path[at:] for path in paths.values() for at in range(len(path)))

    def nodes(self, label, value):
        """The nodes of a label above a value, and the value itself."""
        path = self.paths.get(self.mark if value is None else value, ())
        return [path[at:] for at, name in enumerate(path) if name == label]

    def covers(self, label, value):
        return bool(self.nodes(label, value))

    def losses(self, label, value):
        every = max(1, len(self.paths) - 1)
        found = [Fraction(self.under[node] - 1, every) for node in self.nodes(label, value)]
        return [min(found), max(found)]


KINDS = {"numbers": Numbers, "dates": Numbers, "order": Order, "sets": Sets, "tree": Tree}


def number_place(text):
    """A number, exactly; None for other text."""
    return Fraction(text) if NUMBER.fullmatch(text) else None


def date_place(text):
    """A date or time as microseconds; None for other text."""
    try:
        return Fraction((datetime.fromisoformat(text) - datetime.min) // timedelta(microseconds=1))
    except (ValueError, TypeError):
        return None
