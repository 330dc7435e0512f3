"""Bottom-up on the file of the COMP 430/530 assignment, for every k and ℓ that its report asks for.

Literal reads the file and its trees and groups every node of the lattice without shoal: the smallest class and the
fewest incomes in a class say for which k and ℓ a node will do.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

import shoal
from depth import every
from shoal import DistinctDiversity, InfeasibleError, KAnonymity
from shoal.algorithms import BottomUp, FullDomain, Samarati
from shoal.data.encoding import encode
from shoal.io.source import Source
from shoal.metrics import METRICS

QUASI = ["age", "workclass", "education", "marital-status", "occupation", "relationship", "gender", "native-country"]
ASKED = [*((k, 1) for k in (4, 8, 16, 32, 64, 128, 256)), *((16, diversity) for diversity in range(2, 9))]


class Literal:
    """What the assignment asks for, as it is written there: levels, classes, distinct incomes, LM and MD."""

    def __init__(self, folder):
        with (folder / "adult-hw1.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0]) == [*QUASI, "income"]
        self.incomes = np.unique([row["income"] for row in rows], return_inverse=True)[1]
        self.shown, self.lm, self.md = [], [], []  # of each attribute, at each level
        for name in QUASI:
            self._add([row[name] for row in rows], paths_of(folder / "DGHs" / f"{name}.txt"))
        self.levels = {}
        for node in product(*(range(len(own)) for own in self.lm)):
            self.levels.setdefault(sum(node), {})[node] = self.judge(node)

    def _add(self, values, paths):
        highest = max(map(len, paths.values()))
        cells = [{leaf: path[min(level, len(path) - 1)] for leaf, path in paths.items()} for level in range(highest)]
        leaves = {label: sum(label in path for path in paths.values()) for path in paths.values() for label in path}
        self.shown.append([np.unique([cell[v] for v in values], return_inverse=True)[1] for cell in cells])
        self.lm.append([Fraction(sum(leaves[cell[v]] - 1 for v in values), len(paths) - 1) for cell in cells])
        self.md.append([sum(paths[v].index(cell[v]) for v in values) for cell in cells])

    def judge(self, node):
        """The rows of a node's smallest class, and the fewest distinct incomes in one of its classes."""
        classes = self.classes(node)
        seen = np.zeros((classes.max() + 1, self.incomes.max() + 1), bool)
        seen[classes, self.incomes] = True
        return int(np.bincount(classes).min()), int(seen.sum(axis=1).min())

    def classes(self, node):
        """The number of its class, for each row."""
        key = np.zeros(len(self.incomes), np.int64)
        for shown, level in zip(self.shown, node, strict=True):
            key = key * (shown[level].max() + 1) + shown[level]
        return pd.factorize(key)[0]  # thousands of nodes are grouped, and hashing is faster than sorting

    def bottom_up(self, k, diversity):
        """Level by level: the lowest LM in the first level that has a solution, ties to the smallest vector."""
        for height in sorted(self.levels):
            judged = self.levels[height].items()
            good = [node for node, (rows, incomes) in judged if rows >= k and incomes >= diversity]
            if good:
                return self.lowest_lm(good)
        return None

    def best_of_all(self, k, diversity):
        """The lowest LM of all solutions."""
        judged = [pair for level in self.levels.values() for pair in level.items()]
        return self.lowest_lm([node for node, (rows, incomes) in judged if rows >= k and incomes >= diversity])

    def lowest_lm(self, nodes):
        return min(nodes, key=lambda node: (self.cost_lm(node), node))

    def cost_lm(self, node):
        return sum(own[level] for own, level in zip(self.lm, node, strict=True)) / len(node)

    def cost_md(self, node):
        return sum(own[level] for own, level in zip(self.md, node, strict=True))


def paths_of(file):
    """For each leaf of a tab tree the labels from it up to the top; no label stands twice in these files."""
    paths, above = {}, []
    for line in file.read_text().splitlines():
        above = [*above[: line.count("\t")], line.strip()]
        assert above[-1] not in paths
        paths[above[-1]] = above[::-1]
    inner = {label for path in paths.values() for label in path[1:]}
    return {label: path for label, path in paths.items() if label not in inner}


@pytest.fixture(scope="module")
def literal(reference_data):
    return Literal(reference_data / "comp430")


@pytest.fixture(scope="module")
def table(reference_data):
    folder = reference_data / "comp430"
    source = Source.of(folder / "adult-hw1.csv")
    trees = {name: shoal.Hierarchy.from_tab_tree(folder / "DGHs" / f"{name}.txt") for name in QUASI}
    columns = {name: source.arrow(name) for name in source.columns}
    return encode(columns, quasi=QUASI, sensitive=["income"], guides=trees, style=shoal.Style())


@pytest.mark.parametrize(("k", "diversity"), every(3, ASKED))
def test_every_k_and_diversity_of_the_report(literal, table, k, diversity):
    model = KAnonymity(k) & DistinctDiversity(diversity)
    node = literal.bottom_up(k, diversity)
    made = BottomUp().recode(table, model)
    assert made.node == node
    classes = literal.classes(node)
    assert not made.suppressed.any()
    assert len(set(zip(classes.tolist(), made.ids.tolist(), strict=True))) == classes.max() + 1 == made.sizes.size
    assert made.sizes.min() >= k
    assert METRICS["loss_rows"](table, made) == pytest.approx(float(literal.cost_lm(node)), abs=1e-9)
    assert METRICS["distortion"](table, made) == literal.cost_md(node)
    for other in (FullDomain("height"), Samarati()):
        assert other.recode(table, model).node == node
    assert FullDomain().recode(table, model).node == literal.best_of_all(k, diversity)
    if diversity == 1:
        assert BottomUp().recode(table, KAnonymity(k)).node == node


def test_the_figures_for_k_of_16(table):
    made = BottomUp().recode(table, KAnonymity(16))
    assert made.node == (4, 2, 2, 1, 1, 1, 0, 3)
    assert METRICS["distortion"](table, made) == 139986
    assert METRICS["loss_rows"](table, made) == pytest.approx(6131.3983785822, abs=1e-9)


def test_what_the_file_cannot_reach_is_refused(literal, table):
    assert literal.bottom_up(16, 9) is None
    assert literal.bottom_up(10_000, 1) is None
    for algorithm in (BottomUp(), FullDomain("height"), Samarati()):
        with pytest.raises(InfeasibleError) as refusal:
            algorithm.recode(table, KAnonymity(16) & DistinctDiversity(9))
        assert "column 'income' has 8 different values, so l can be at most 8" in str(refusal.value)
        with pytest.raises(InfeasibleError, match=r"9,?999 rows"):
            algorithm.recode(table, KAnonymity(10_000))
