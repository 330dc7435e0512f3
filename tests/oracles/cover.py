"""Whether a label covers a value, literally: looked up, cut and compared one by one, as SPEC §8 (c) says."""

from __future__ import annotations

from fractions import Fraction


def under(path: tuple[str, ...], label: str) -> bool:
    """Whether a label is the value or stands above it: `path` goes from the value up to the root."""
    return label in path


def in_range(value: str, label: str, between: str) -> bool:
    """Whether a number is the label, or lies in the range that it is."""
    for at in range(len(label)):
        if label[at : at + len(between)] == between:
            low, high = _number(label[:at]), _number(label[at + len(between) :])
            if low is not None and high is not None and low <= Fraction(value) <= high:
                return True
    return _number(label) == Fraction(value)


def in_order(value: str, label: str, order: list[str], between: str) -> bool:
    """Whether a value of an order is the label, or lies in the range that it is."""
    for low in range(len(order)):
        for high in range(low, len(order)):
            shown = order[low] if low == high else order[low] + between + order[high]
            if shown == label and low <= order.index(value) <= high:
                return True
    return False


def in_set(value: str, label: str, between: str) -> bool:
    """Whether a value is one of those in a label."""
    return value in label.split(between)


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except ValueError:
        return None
