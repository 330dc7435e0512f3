"""The attacks of the lab, person by person and row by row, on labels whose meaning is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

Meaning = dict[str, set[str]]  # the values that each label covers


def distance(label: str, value: str, meaning: Meaning, whole: Fraction) -> Fraction:
    """0 if the label covers the value; otherwise the gap between numbers as a share of the range, and 1 for text."""
    if value in meaning[label]:
        return Fraction(0)
    if not value.isdecimal() or label == "*":
        return Fraction(1)
    numbers = [int(covered) for covered in meaning[label]]
    return min(Fraction(1), max(min(numbers) - int(value), int(value) - max(numbers)) / whole)


def nearest(rows: Sequence[tuple], person: tuple, meanings: Sequence[Meaning], wholes: Sequence[Fraction]) -> list[int]:
    """The rows with the smallest sum of distances."""
    sums = [
        sum(distance(*cell) for cell in zip(row, person, meanings, wholes, strict=True))  # type: ignore[arg-type]
        for row in rows
    ]
    return [number for number, total in enumerate(sums) if total == min(sums)]


def linked(first: list[int], second: list[int]) -> Fraction:
    """The chance that a row drawn from each list is the same."""
    return Fraction(len(set(first) & set(second)), len(first) * len(second))


def guessed(near: list[int], weights: list[Fraction], secrets: Sequence[str], own: str) -> Fraction:
    """The chance that one of the values with the most weight is the own one."""
    votes: Counter[str] = Counter()
    for row in near:
        votes[secrets[row]] += weights[row]  # type: ignore[assignment]
    best = [value for value, weight in votes.items() if weight == max(votes.values())]
    return Fraction(own in best, len(best))


def shares(values: Sequence[str], likely: Sequence[float], size: int, allowed) -> list[float]:
    """The expected share of each value in a class of so many rows, over all classes that are allowed."""
    total, counts = 0.0, [0.0] * len(values)
    for drawn in product(range(len(values)), repeat=size):
        if allowed([values[number] for number in drawn]):
            chance = 1.0
            for number in drawn:
                chance *= likely[number]
            total += chance
            for number in drawn:
                counts[number] += chance / size
    return [count / total for count in counts]
