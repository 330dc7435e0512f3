"""The suppression of local recoding, word for word: every row of every class, every place that it could go to.

`rows` are lists of codes, `weights` how many each stands for, `classes` the class of each row (−1: suppressed). `price`
says what one row costs in a class of such rows, `top` what a suppressed one costs, `holds` whether a list of row
numbers may be a class.
"""

from __future__ import annotations


def members(classes, number):
    """The rows of a class."""
    return [row for row, own in enumerate(classes) if own == number]


def cost(rows, weights, own, price):
    """What all rows of a class cost."""
    return sum(weights[row] for row in own) * price([rows[row] for row in own]) if own else 0


def without_outliers(rows, weights, classes, price, top, holds, most):
    """Suppress the row that gains most for each row that it stands for, again and again."""
    classes = list(classes)
    while True:
        found = []
        for row, number in enumerate(classes):
            own = members(classes, number) if number >= 0 else [row]
            rest = [other for other in own if other != row]
            if not rest or weights[row] > most or not holds(rest):
                continue
            gain = cost(rows, weights, own, price) - cost(rows, weights, rest, price) - top * weights[row]
            if gain > 0:
                found.append((-(gain // weights[row]), row))
        if not found:
            return classes
        _, row = min(found)
        classes[row] = -1
        most -= weights[row]


def without_dear_classes(rows, weights, classes, price, top, holds, most):
    """Dissolve the dearest class, then the next, if its rows cost less elsewhere or suppressed."""
    numbers = range(max(classes) + 1)
    costs = {number: cost(rows, weights, members(classes, number), price) for number in numbers}
    for number in sorted(numbers, key=lambda number: (-costs[number], number)):
        before = cost(rows, weights, members(classes, number), price)
        if costs[number] <= top or most <= 0:
            break
        after, gain, left = list(classes), before, most
        for row in members(classes, number):
            found = []
            for other in numbers:
                there = members(after, other)
                if other != number and there:
                    more = cost(rows, weights, [*there, row], price) - cost(rows, weights, there, price)
                    found.append((more, 0, other))
            if weights[row] <= left:
                found.append((top * weights[row], 1, -1))
            if not found:
                gain = -1
                break
            more, _, after[row] = min(found)
            left -= weights[row] if after[row] < 0 else 0
            gain -= more
        homes = {after[row] for row in members(classes, number)} - {-1}
        if gain > 0 and all(holds(members(after, home)) for home in homes):
            classes, most = after, left
    return classes
