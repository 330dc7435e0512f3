"""Huang's report on Samarati's algorithm: its tables where they are right, the right figures where they are not.

A node is (sex, race, marital status, age). Huang's loss is that of the node over all rows, ages losing their width out
of 80, and 4 more for each suppressed row. The exact figures were counted without shoal.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pyarrow as pa
import pytest

import shoal
from oracles import metrics as oracles
from shoal import KAnonymity
from shoal.algorithms import BottomUp, FullDomain, Incognito, Samarati
from shoal.algorithms.full_domain.lattice import Lattice
from shoal.data.encoding import encode
from shoal.metrics import METRICS
from shoal.metrics.huang import node_losses

NODES = list(product(range(2), range(2), range(3), range(5)))
MARITAL = {
    "*": None,
    "NM": "*",
    "Married": "*",
    "leave": "*",
    "alone": "*",
    "Never-married": "NM",
    "Married-civ-spouse": "Married",
    "Married-AF-spouse": "Married",
    "Divorced": "leave",
    "Separated": "leave",
    "Widowed": "alone",
    "Married-spouse-absent": "alone",
}
# k, MaxSup: of each node of minimal height the suppressed rows, the classes, Huang's loss and ours as sums
LEVELS = {
    (5, 20): {
        (0, 1, 0, 3): (13, 44, "75509/60324", "450374/356917"),
        (0, 1, 1, 2): (15, 55, "149593/120648", "15910801/12849012"),
        (0, 1, 2, 1): (0, 30, "33/16", "733596/356917"),
        (1, 1, 1, 1): (10, 55, "525241/241296", "3096457/1427668"),
        (1, 1, 2, 0): (7, 69, "45257/15081", "90493/30162"),
    },
    (10, 10): {(0, 1, 2, 1): (0, 30, "33/16", "733596/356917")},
    (10, 20): {
        (0, 1, 2, 1): (0, 30, "33/16", "733596/356917"),
        (1, 1, 1, 1): (17, 54, "175155/80432", "13936727/6424506"),
    },
    (10, 30): {
        (0, 1, 2, 1): (0, 30, "33/16", "733596/356917"),
        (1, 1, 1, 1): (17, 54, "175155/80432", "13936727/6424506"),
        (1, 1, 2, 0): (27, 66, "15099/5027", "30171/10054"),
    },
    (20, 20): {
        (0, 1, 2, 2): (12, 15, "85523/40216", "4550201/2141502"),
        (1, 1, 2, 1): (0, 15, "49/16", "1090513/356917"),
    },
}
# The same of the best node of all, which both losses agree on, and how many nodes satisfy the model
BEST = {
    (5, 20): ((0, 0, 1, 4), (4, 39, "16792/15081", "4579/4113"), 28),
    (10, 10): ((0, 0, 2, 4), (0, 10, "2", "2"), 17),
    (10, 20): ((0, 0, 1, 4), (13, 38, "16810/15081", "201629/180972"), 22),
    (10, 30): ((0, 0, 1, 4), (13, 38, "16810/15081", "201629/180972"), 25),
    (20, 20): ((0, 0, 2, 4), (0, 10, "2", "2"), 13),
}
SETTINGS = pytest.mark.parametrize(("k", "limit"), list(LEVELS))


@cache
def adult():
    table = shoal.datasets.adult(drop_missing=True)
    labels = list(MARITAL)
    trees = {
        "sex": shoal.Hierarchy.flat(["Female", "Male"]),
        "race": shoal.Hierarchy.flat(["Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"]),
        "marital-status": shoal.Hierarchy.from_parents(
            labels, [-1 if up is None else labels.index(up) for up in MARITAL.values()]
        ),
        "age": shoal.Hierarchy.intervals(table["age"].to_pylist(), widths=[5, 10, 20], origin=16),
    }
    columns = {name: table[name] for name in trees}
    return encode(columns, quasi=list(trees), sensitive=[], guides=trees, style=shoal.Style()), columns


def huang_loss(node, suppressed):
    statuses = adult()[1]["marital-status"].to_pylist()
    rows = len(statuses)
    grouped = Fraction(rows - statuses.count("Never-married"), 6 * rows)
    sex, race, status, age = node
    ages = (0, Fraction(1, 16), Fraction(1, 8), Fraction(1, 4), 1)
    return sex + race + (0, grouped, 1)[status] + ages[age] + Fraction(4 * suppressed, rows)


def figures(lattice, node):
    """What a node gives, as in the tables above."""
    judged = lattice.judge(node)
    ours = 4 * lattice.loss(judged)
    return judged.suppressed, judged.sizes.size, str(huang_loss(node, judged.suppressed)), str(ours)


def check(made, node, expected):
    """A release is that of a node, with the expected figures."""
    suppressed, classes, by_huang, loss = expected
    assert made.node == node
    assert int(made.suppressed.sum()) == suppressed
    assert made.sizes.size == classes
    assert METRICS["loss_sum"](adult()[0], made) == pytest.approx(float(Fraction(loss)), abs=1e-12)
    assert METRICS["loss_huang"](adult()[0], made) == float(Fraction(by_huang))


def recoded(algorithm, k, limit):
    return algorithm.recode(adult()[0], KAnonymity(k), max_suppressed=limit)


@SETTINGS
def test_the_nodes_of_minimal_height(k, limit):
    level = LEVELS[k, limit]
    lattice = Lattice.of(adult()[0], KAnonymity(k), limit)
    good = [node for node in NODES if lattice.judge(node) is not None]
    assert [node for node in good if sum(node) == min(map(sum, good))] == list(level)
    assert {node: figures(lattice, node) for node in level} == level
    losses = {node: [Fraction(loss) for loss in row[2:]] for node, row in level.items()}
    by_huang = sorted(level, key=lambda node: losses[node][0])
    assert by_huang == sorted(level, key=lambda node: losses[node][1])
    for algorithm in (BottomUp(), Samarati(), FullDomain("height")):
        check(recoded(algorithm, k, limit), by_huang[0], level[by_huang[0]])
    made = recoded(Samarati("lowest-loss-huang"), k, limit)
    check(made, by_huang[0], level[by_huang[0]])
    assert (made.objective, made.value) == ("loss_huang", float(Fraction(level[by_huang[0]][2])))
    first = min(level)
    check(recoded(Samarati("first"), k, limit), first, level[first])


@SETTINGS
def test_the_best_node_of_all(k, limit):
    node, expected, satisfying = BEST[k, limit]
    made = recoded(FullDomain(), k, limit)
    check(made, node, expected)
    assert made.value == made.bound == pytest.approx(float(Fraction(expected[3]) / 4), abs=1e-12)
    found = {n: figures(made.lattice, n) for n in NODES if made.lattice.judge(n) is not None}
    assert len(found) == satisfying
    assert found[node] == expected
    for loss in (2, 3):
        assert [n for n, row in found.items() if Fraction(row[loss]) <= Fraction(expected[loss])] == [node]
    assert Fraction(expected[2]) < min(Fraction(row[2]) for row in LEVELS[k, limit].values())


# Table, k, MaxSup, node, loss, suppressed rows and classes as printed; the classes that are not suppressed
PRINTED = [
    (1, 10, 20, (0, 1, 2, 1), "2.06250", 0, 30, 30),
    (1, 5, 20, (1, 1, 1, 1), "2.17675", 10, 60, 55),
    (1, 20, 20, (1, 1, 0, 4), "3.00000", 0, 7, 7),
    (1, 10, 10, (0, 1, 2, 1), "2.06250", 0, 30, 30),
    (1, 10, 30, (0, 1, 2, 1), "2.06250", 0, 30, 30),
    (3, 10, 20, (0, 1, 2, 1), "2.06250", 0, 30, 30),
    (3, 5, 20, (1, 1, 1, 1), "2.17675", 10, 60, 55),
    (3, 5, 20, (0, 1, 1, 2), "1.23991", 15, 63, 55),
    (3, 10, 10, (0, 1, 2, 1), "2.06250", 0, 30, 30),
    (4, 10, 20, (0, 1, 2, 1), "2.06250", 0, 30, 30),
    (4, 10, 20, (0, 1, 1, 3), "1.36544", 19, 32, 28),
]


@pytest.mark.parametrize(("table", "k", "limit", "node", "loss", "suppressed", "printed", "classes"), PRINTED)
def test_the_rows_of_the_report(table, k, limit, node, loss, suppressed, printed, classes):
    only = dict(zip(adult()[0].quasi, node, strict=True))
    made = recoded(FullDomain(levels=only), k, limit)
    assert made.node == node
    assert (int(made.suppressed.sum()), made.sizes.size) == (suppressed, classes)
    assert f"{float(huang_loss(node, suppressed)):.5f}" == f"{METRICS['loss_huang'](adult()[0], made):.5f}" == loss
    assert recoded(FullDomain(levels=only), k + 1, limit).suppressed.sum() == suppressed, "the program's size <= k"
    assert classes_in_all(node) == printed, "classes that are suppressed are counted, too"


def classes_in_all(node):
    """The classes of a node by the report's own rules, without hierarchies of shoal."""
    show = (
        lambda value, level: "*" if level else value,
        lambda value, level: "*" if level else value,
        lambda value, level: (value, MARITAL[value], "*")[level],
        lambda value, level: (value, (value - 16) // 5, (value - 16) // 10, (value - 16) // 20, "*")[level],
    )
    columns = [column.to_pylist() for column in adult()[1].values()]
    return len({tuple(show[j](row[j], node[j]) for j in range(4)) for row in set(zip(*columns, strict=True))})


def test_the_row_that_is_not_of_minimal_height():
    wrong, k, limit = (1, 1, 0, 4), 20, 20
    assert sum(wrong) == 6
    for algorithm in (BottomUp(), Samarati(), Samarati("first"), FullDomain("height")):
        assert sum(recoded(algorithm, k, limit).node) == 5
    minimal = recoded(Incognito(), k, limit).minimal
    assert set(LEVELS[k, limit]) <= set(minimal)


def test_the_best_node_where_classes_of_k_rows_are_suppressed():
    lattice = Lattice.of(adult()[0], KAnonymity(11), 20)
    good = {node: huang_loss(node, judged.suppressed) for node in NODES if (judged := lattice.judge(node)) is not None}
    assert min(good, key=good.get) == (0, 1, 1, 3), "the example of Table 4"
    assert (0, 0, 1, 4) not in good
    assert Lattice.of(adult()[0], KAnonymity(11), 30).judge((0, 0, 1, 4)).suppressed == 23


def test_intervals_lose_their_widths_and_other_trees_their_leaves():
    trees = [adult()[0].domains[at].hierarchy for at in (1, 3)]
    race, age = (dict(zip(tree.labels, node_losses(tree), strict=True)) for tree in trees)
    assert race == {"*": 1} | dict.fromkeys(trees[0].leaves, 0)
    shown = {"17": 0, "16-20": Fraction(1, 16), "16-25": Fraction(1, 8), "76-95": Fraction(1, 4), "*": 1}
    assert {label: age[label] for label in shown} == shown


@pytest.mark.parametrize(
    ("groups", "loses"),
    [
        ({"[0, 10)": ["1", "5"], "[10,40)": ["12"]}, {"[0, 10)": Fraction(1, 4), "[10,40)": Fraction(3, 4)}),
        ({"0 to 9": ["1", "5"], "10 to 39": ["12"]}, {"0 to 9": Fraction(1, 4), "10 to 39": Fraction(3, 4)}),
        ({"< 10": ["1", "5"], "10+": ["12"]}, {"< 10": Fraction(1, 2), "10+": 0}),
        ({"0-9": ["1", "5"], "more": ["12"]}, {"0-9": Fraction(1, 2), "more": 0}),
        ({"2001-01-01 to 2001-12-31": ["2001-02-01", "2001-03-01"], "x": ["y"]}, {"x": 0}),
    ],
)
def test_only_intervals_with_two_ends_have_a_width(groups, loses):
    tree = shoal.Hierarchy.from_nested(groups)
    found = dict(zip(tree.labels, node_losses(tree), strict=True))
    assert {label: found[label] for label in loses} == loses
    assert found["*"] == 1
    assert all(found[leaf] == 0 for leaf in tree.leaves)


def test_the_choice_in_the_level_can_differ():
    """Few ages lie in a wide interval, which costs little by leaves, but much by its width."""
    ages, jobs = zip(*product(["1", "2", "90", "91"], "abcdef"), strict=True)
    trees = {
        "age": shoal.Hierarchy.from_nested({"0-9": ["1", "2"], "10-99": ["90", "91"]}),
        "job": shoal.Hierarchy.from_nested({"g": ["a", "b", "c"], "h": ["d", "e", "f"]}),
    }
    table = encode(
        {"age": pa.chunked_array([ages]), "job": pa.chunked_array([jobs])},
        quasi=list(trees),
        sensitive=[],
        guides=trees,
        style=shoal.Style(),
    )
    lattice = Lattice.of(table, KAnonymity(2), 0)
    level = [(0, 1), (1, 0)]
    assert lattice.judge((0, 0)) is None
    by_oracle = {node: oracles.loss_huang(table, lattice.recoding(node)) for node in level}
    made = Samarati("lowest-loss-huang").recode(table, KAnonymity(2))
    assert by_oracle[made.node] == min(by_oracle.values())
    assert made.value == float(min(by_oracle.values()))
    assert (made.node, Samarati().recode(table, KAnonymity(2)).node) == ((0, 1), (1, 0))
