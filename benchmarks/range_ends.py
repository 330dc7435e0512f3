"""Whether the ends of ranges point at people: tight, closed and stepped ranges beside a control group.

python benchmarks/range_ends.py [--shipped] [--algorithms mondrian,local] [--k 3,5,10,50] [--columns 7]

Half of the table is released, the other half is the control group. "End" is the share of the ranges for which "in this
box, and the value is the range's end" fits exactly one row, among the released people and among the control group. The
aware attacker picks the best of twenty predicates near the end on half of the classes and is scored on the other half.
The loss is that of the whole table, as a multiple of the loss of tight ranges.
"""

from __future__ import annotations

import argparse
import os
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from notes import note
from numpy.typing import NDArray
from pyarrow import csv

import shoal

TREES = ["workclass", "marital-status", "race", "sex", "native-country"]
COLUMNS = {
    "4": ["age", "education-num", "hours-per-week", "sex"],
    "7": ["age", "education-num", *TREES],
}
ALGORITHMS = {"mondrian": "mondrian", "local": shoal.LocalRecoding("fast")}
NUMBERS = ("age", "education-num", "hours-per-week")
OFFSETS = 10  # values from the end inward; with "up to so many values from the end" there are twenty predicates
SPLITS = 20  # of the classes, into those on which the attacker chooses and those on which he is scored
KEY = "a key for this benchmark"

Flags = NDArray[np.bool_]
Ends = NDArray[np.int64]


def tables(shipped: bool) -> tuple[pa.Table, dict[str, Any]]:
    """Return the table and its hierarchies."""
    if shipped:
        return shoal.datasets.adult(), {name: shoal.datasets.adult_hierarchies()[name] for name in TREES}
    folder = Path(os.environ["SHOAL_REFERENCE_DATA"]) / "peers"
    trees = {name: folder / f"adult_{name.replace('-', '_')}.txt" for name in TREES}
    return csv.read_csv(folder / "adult30162.csv"), trees


def released(table: pa.Table, trees: dict[str, Any], quasi: list[str], **options: Any) -> shoal.Release:
    """Release a table with these kinds of ranges."""
    guides = {name: tree for name, tree in trees.items() if name in quasi}
    table = table.select(quasi)
    return shoal.anonymize(table, quasi_identifiers=quasi, hierarchies=guides, key=KEY, rows_are_people=True, **options)


class Boxes:
    """What each class of a release shows: the ends of numbers, and the values under the labels of other columns."""

    def __init__(self, release: shoal.Release, trees: dict[str, Any], quasi: list[str]):
        self.labels, self.quasi = release.labels, quasi
        self.count = len(self.labels[quasi[0]])
        self.ends = {name: _ends(self.labels[name]) for name in quasi if name in NUMBERS}
        self.under = {name: _under(trees[name]) for name in quasi if name not in self.ends}

    def rows(self, table: pa.Table) -> list[NDArray[np.int64]]:
        """Return the rows of a table that each box covers."""
        numbers = {name: table[name].to_numpy() for name in self.ends}
        fits: dict[str, dict[str, Flags]] = {}
        for name, leaves in self.under.items():
            values = np.array(table[name].to_pylist(), object)
            used = set(self.labels[name])
            fits[name] = {label: np.isin(values, [*leaves.get(label, ()), label]) for label in used}
        found = []
        for box in range(self.count):
            inside = np.ones(len(table), np.bool_)
            for name in fits:
                inside &= fits[name][self.labels[name][box]]
            at = np.flatnonzero(inside)
            for name, values in numbers.items():
                low, high = self.ends[name][box]
                at = at[(values[at] >= low) & (values[at] <= high)]
            found.append(at)
        return found


def _ends(labels: list[str]) -> Ends:
    return np.array([[int(end) for end in (label.split("-") * 2)[:2]] for label in labels], np.int64)


def _under(tree: Any) -> dict[str, set[str]]:
    """Return the values under each label of a hierarchy."""
    hierarchy = tree if isinstance(tree, shoal.Hierarchy) else shoal.Hierarchy.from_file(tree)
    leaves: dict[str, set[str]] = {}
    for node, label in enumerate(hierarchy.labels):
        low, high = int(hierarchy.lows[node]), int(hierarchy.highs[node])
        leaves.setdefault(label, set()).update(hierarchy.leaves[low : high + 1])
    return leaves


def singled_out(boxes: Boxes, table: pa.Table) -> tuple[Flags, NDArray[np.int64]]:
    """Say for each end of a range which of twenty predicates fit exactly one row; return the classes, too."""
    flags, classes = [], []
    covered = boxes.rows(table)
    for name, ends in boxes.ends.items():
        values = table[name].to_numpy()
        for box, (low, high) in enumerate(ends.tolist()):
            if low == high:
                continue
            inside = values[covered[box]]
            for distance in (inside - low, high - inside):
                counts = np.bincount(np.minimum(distance, OFFSETS + 1), minlength=OFFSETS + 2)
                both = np.concatenate([counts[:OFFSETS], np.cumsum(counts)[1 : OFFSETS + 1]])
                flags.append(both == 1)
                classes.append(box)
    return np.array(flags), np.array(classes)


def aware(data: Flags, control: Flags, classes: NDArray[np.int64]) -> tuple[float, float]:
    """Return how far the best predicate exceeds the control group on other classes: the mean over splits, the most."""
    advantages = []
    for seed in range(SPLITS):
        chosen = (np.random.RandomState(seed).random_sample(classes.max() + 1) < 0.5)[classes]
        best = (data[chosen].mean(axis=0) - control[chosen].mean(axis=0)).argmax()
        advantages.append(float(data[~chosen, best].mean() - control[~chosen, best].mean()))
    return float(np.mean(advantages)), max(advantages)


def main() -> None:
    """Print a line for each k and kind of range."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shipped", action="store_true", help="the Adult table that shoal ships")
    parser.add_argument("--algorithms", default="mondrian,local")
    parser.add_argument("--k", default="3,5,10,50")
    parser.add_argument("--columns", default="7", choices=COLUMNS)
    parser.add_argument("--kinds", default="tight,closed,stepped")
    asked = parser.parse_args()
    table, trees = tables(asked.shipped)
    quasi = COLUMNS[asked.columns]
    order = np.random.RandomState(1).permutation(len(table))
    half, control = (table.take(pa.array(np.sort(part))) for part in np.array_split(order, 2))
    print("algorithm   k  kind      loss         end: data  control   aware attacker: mean  most")
    for name, k in product(asked.algorithms.split(","), map(int, asked.k.split(","))):
        tight = 0.0
        for kind in asked.kinds.split(","):
            if kind == "closed" and name != "mondrian":
                continue
            options = {"model": shoal.KAnonymity(k), "algorithm": ALGORITHMS[name], "ranges": kind}
            loss = released(table, trees, quasi, **options).report.metrics["loss"]
            tight = tight or loss
            boxes = Boxes(released(half, trees, quasi, **options), trees, quasi)
            (data, classes), (others, _) = singled_out(boxes, half), singled_out(boxes, control)
            mean, most = aware(data, others, classes)
            figures = {"data": data[:, 0].mean(), "control": others[:, 0].mean(), "aware": mean}
            percent = {f"{figure}_percent": 100 * share for figure, share in figures.items()}
            note(f"{name}.{kind}.k{k}", times=loss / tight, **percent)
            shares = f"{data[:, 0].mean():9.1%} {others[:, 0].mean():8.1%}"
            print(
                f"{name:8}  {k:3}  {kind:8} {loss:.4f} x{loss / tight:.3f} {shares} {mean:21.1%} {most:7.1%}",
                flush=True,
            )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
