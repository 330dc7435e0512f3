"""Mondrian as its paper has it: one partition at a time, by recursion, over lists of rows."""

from __future__ import annotations

from collections import Counter

ONE = 2**30


class Numbers:
    """An attribute of ordered values; `missing` is the code of the missing value, if there is one."""

    def __init__(self, values, missing=None, span=None):
        self.values, self.missing = values, missing
        numbers = [value for code, value in enumerate(values) if code != missing]
        self.first = numbers[0]
        self.span = span or numbers[-1] - numbers[0]

    def cost(self, codes):
        low, high = min(codes), max(codes)
        if low == high:
            return 0
        if low == self.missing:
            return ONE
        return self._place(high) - self._place(low)

    def _place(self, code):
        return round((self.values[code] - self.first) / self.span * ONE)

    def stretches(self, present):
        return prefixes(present)


class Set:
    """An attribute without order or tree."""

    def __init__(self, size):
        self.size = size

    def cost(self, codes):
        return (len(set(codes)) - 1) * ONE // (self.size - 1) if len(set(codes)) > 1 else 0

    def stretches(self, present):
        return prefixes(present) + [{code} for code in present[1:-1]]


class Tree:
    """An attribute with a tree, given as the path of node numbers from each leaf up to the root."""

    def __init__(self, paths):
        self.paths = paths

    def top(self, codes):
        shared = set.intersection(*(set(self.paths[code]) for code in codes))
        return next(node for node in self.paths[min(codes)] if node in shared)

    def under(self, node):
        return {code for code, path in enumerate(self.paths) if node in path}

    def cost(self, codes):
        covered = len(self.under(self.top(codes)))
        return round((covered - 1) / (len(self.paths) - 1) * ONE) if len(set(codes)) > 1 else 0

    def stretches(self, present):
        top = self.top(present)
        between = [
            set(present[: i + 1]) for i in range(len(present) - 1) if self.top([present[i], present[i + 1]]) == top
        ]
        below = []
        for code in present:
            for node in self.paths[code]:
                if node == top:
                    break
                held = self.under(node) & set(present)
                if min(held) == code and held not in below:
                    below.append(held)
        return between + below


def prefixes(present):
    return [set(present[: i + 1]) for i in range(len(present) - 1)]


def anonymize(partition, rows, attributes, allowable, *, dimension="loss", cut="any", categorical="hierarchy"):
    """The strict partitions of the rows (lists of row numbers)."""
    best = None
    for j, attribute in enumerate(attributes):
        counts = Counter(rows[r][j] for r in partition)
        present = sorted(counts)
        if len(present) < 2:
            continue
        total = len(partition)
        ways = attribute.stretches(present) if categorical == "hierarchy" else prefixes(present)
        for left_codes in ways:
            lhs = [r for r in partition if rows[r][j] in left_codes]
            rhs = [r for r in partition if rows[r][j] not in left_codes]
            if cut == "median":
                before = sum(counts[c] for c in left_codes if c != max(left_codes))
                if present[0] not in left_codes or 2 * before >= total or 2 * len(lhs) < total:
                    continue
                if left_codes != set(present[: len(left_codes)]):
                    continue
            if not (allowable(lhs) and allowable(rhs)):
                continue
            span = attribute.cost(present)
            fall = (
                total * span
                - len(lhs) * attribute.cost([rows[r][j] for r in lhs])
                - len(rhs) * attribute.cost([rows[r][j] for r in rhs])
            )
            preference = (fall if dimension == "loss" else span, -abs(len(lhs) - len(rhs)))
            if best is None or preference > best[0]:
                best = (preference, lhs, rhs)
    if best is None:
        return [partition]
    options = {"dimension": dimension, "cut": cut, "categorical": categorical}
    _, lhs, rhs = best
    return anonymize(lhs, rows, attributes, allowable, **options) + anonymize(
        rhs, rows, attributes, allowable, **options
    )


def anonymize_relaxed(partition, rows, attributes, allowable, *, dimension="loss", ties="cuts"):
    """The relaxed partitions of the rows: halves by value, rows of equal value in their order."""
    best = None
    for j, attribute in enumerate(attributes):
        if len({rows[r][j] for r in partition}) < 2:
            continue
        ordered = sorted(partition, key=lambda r: rows[r][j])
        half = (len(ordered) + 1) // 2
        lhs, rhs = ordered[:half], ordered[half:]
        if not (allowable(lhs) and allowable(rhs)):
            continue
        span = attribute.cost([rows[r][j] for r in partition])
        fall = (
            len(partition) * span
            - len(lhs) * attribute.cost([rows[r][j] for r in lhs])
            - len(rhs) * attribute.cost([rows[r][j] for r in rhs])
        )
        preference = fall if dimension == "loss" else span
        if best is None or preference > best[0]:
            best = (preference, lhs, rhs)
    if best is None:
        return [partition]
    sides = best[1:] if ties == "cuts" else map(sorted, best[1:])
    return [
        found
        for side in sides
        for found in anonymize_relaxed(side, rows, attributes, allowable, dimension=dimension, ties=ties)
    ]
