"""The COMP 430/530 assignment word for word, on texts and lists: files read by Python's csv module, exact fractions.

A DGH is a Tree: labels by line, and for each leaf's label the lines from it up to the root.
"""

from __future__ import annotations

import csv
import io
from collections import namedtuple
from fractions import Fraction
from itertools import product

import numpy as np

Tree = namedtuple("Tree", "labels paths under")


def read_table(file):
    """The names of the columns, and the rows."""
    with open(file, encoding="utf-8-sig", newline="") as text:
        header, *rows = [row for row in csv.reader(text) if row]
    return header, rows


def read_tree(file):
    """A DGH from its lines."""
    lines = [line.rstrip() for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    labels, paths, above = [line.lstrip("\t") for line in lines], {}, []
    for number, line in enumerate(lines):
        above = [*above[: len(line) - len(labels[number])], number]
        paths[number] = above[::-1]
    inner = {number for path in paths.values() for number in path[1:]}
    leaves = {labels[number]: path for number, path in paths.items() if number not in inner}
    return Tree(labels, leaves, [sum(number in path for path in leaves.values()) for number in range(len(labels))])


class Assignment:
    """A raw file with its folder of DGHs."""

    def __init__(self, file, folder):
        self.header, self.rows = read_table(file)
        self.trees = {
            place: read_tree(folder / f"{name}.txt")
            for place, name in enumerate(self.header)
            if (folder / f"{name}.txt").exists()
        }
        (self.sensitive,) = set(range(len(self.header))) - set(self.trees)

    def costs(self, file):
        """MD and LM of an anonymized file."""
        header, rows = read_table(file)
        assert header == self.header
        md, lm = 0, Fraction(0)
        for raw, shown in zip(self.rows, rows, strict=True):
            for place, tree in self.trees.items():
                path = tree.paths[raw[place]]
                steps = [tree.labels[node] for node in path].index(shown[place])
                md += steps
                lm += self.loss(tree, path[steps]) / len(self.trees)
        return md, lm

    def loss(self, tree, node):
        return Fraction(tree.under[node] - 1, len(tree.paths) - 1) if len(tree.paths) > 1 else Fraction(0)

    def common(self, tree, values):
        """The lowest common ancestor of some values."""
        paths = [tree.paths[value] for value in values]
        return next(node for node in paths[0] if all(node in path for path in paths))

    def show(self, groups):
        """The rows, each showing its group's minimal generalization."""
        shown = [list(row) for row in self.rows]
        for group in groups:
            for place, tree in self.trees.items():
                node = self.common(tree, [self.rows[row][place] for row in group])
                for row in group:
                    shown[row][place] = tree.labels[node]
        return shown

    def random(self, k, s):
        """Part 2; the rows themselves are shuffled."""
        records = [{"row": number, "cells": row} for number, row in enumerate(self.rows)]
        np.random.RandomState(s).shuffle(records)
        order = [record["row"] for record in records]
        groups = [order[at : at + k] for at in range(0, len(order) - len(order) % k, k)]
        groups[-1] += order[len(order) - len(order) % k :]
        return self.show(groups)

    def distance(self, one, other):
        """LM_dist + MD_dist / its maximum, of two rows."""
        md, lm, most = 0, Fraction(0), 0
        for place, tree in self.trees.items():
            values = [self.rows[one][place], self.rows[other][place]]
            node = self.common(tree, values)
            md += sum(tree.paths[value].index(node) for value in values)
            lm += self.loss(tree, node) / len(self.trees)
            most += 2 * max(len(path) - 1 for path in tree.paths.values())
        return lm + Fraction(md, max(1, most))

    def clustering(self, k):
        """Part 3, Algorithm 3; ties to the lowest index."""
        unused, centroids, clusters = list(range(len(self.rows))), [], []
        centroid = 0
        while len(unused) >= k:
            others = sorted((row for row in unused if row != centroid), key=lambda row: self.distance(row, centroid))
            clusters.append([centroid, *others[: k - 1]])
            unused = [row for row in unused if row not in clusters[-1]]
            centroids.append(centroid)
            if unused:
                centroid = max(unused, key=lambda row: sum(self.distance(row, c) for c in centroids))
        for row in unused:
            nearest = min(range(len(centroids)), key=lambda place: self.distance(row, centroids[place]))
            clusters[nearest].append(row)
        return self.show(clusters)

    def bottomup(self, k, diversity):
        """Part 4: the lowest LM in the first level with a node that will do, ties to the smallest vector."""
        heights = [max(len(path) - 1 for path in tree.paths.values()) for tree in self.trees.values()]
        found = []
        for node in product(*(range(height + 1) for height in heights)):
            cells = [self.generalized(row, node) for row in self.rows]
            classes = {}
            for row, shown in zip(self.rows, cells, strict=True):
                classes.setdefault(shown, []).append(row[self.sensitive])
            if all(len(secret) >= k and len(set(secret)) >= diversity for secret in classes.values()):
                losses = (self.loss(tree, n) for c in cells for tree, n in zip(self.trees.values(), c, strict=True))
                found.append((sum(node), sum(losses), node, cells))
        shown = [list(row) for row in self.rows]
        for row, cells in zip(shown, min(found)[3], strict=True):
            for (place, tree), node in zip(self.trees.items(), cells, strict=True):
                row[place] = tree.labels[node]
        return shown

    def generalized(self, row, steps):
        """The nodes that a row shows so many steps up, no further than the root."""
        paths = [tree.paths[row[place]] for place, tree in self.trees.items()]
        return tuple(path[min(step, len(path) - 1)] for path, step in zip(paths, steps, strict=True))

    def written(self, rows):
        """The bytes that Python's csv module writes."""
        text = io.StringIO(newline="")
        csv.writer(text).writerows([self.header, *rows])
        return text.getvalue().encode()


def classes(header, rows, sensitive):
    """The sensitive values of each class of a released table."""
    found = {}
    for row in rows:
        found.setdefault(tuple(cell for place, cell in enumerate(row) if place != sensitive), []).append(row[sensitive])
    return found
