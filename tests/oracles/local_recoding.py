"""The boxes of local recoding, word for word: every window of costs, every node, every row that is left."""

from __future__ import annotations

from collections import defaultdict


def released(rows, weights, nodes, shown, costs, limits, enough):
    """The class of each row, −1: left over.

    `shown[a][level][code]` is what a code shows, `costs` likewise what that costs; `limits` are the ends of the
    windows; `enough` says of a list of rows whether they may be a class.
    """
    classes, left, count = [-1] * len(rows), list(range(len(rows))), 0
    for above, upto in zip([-1, *limits], limits, strict=False):
        for node in nodes:
            boxes = defaultdict(list)
            for row in left:
                cost = sum(costs[a][level][rows[row][a]] for a, level in enumerate(node))
                if above < cost <= upto:
                    boxes[tuple(shown[a][level][rows[row][a]] for a, level in enumerate(node))].append(row)
            for box in boxes.values():
                if enough(box):
                    for row in box:
                        classes[row] = count
                    count += 1
            left = [row for row in left if classes[row] < 0]
    return classes
