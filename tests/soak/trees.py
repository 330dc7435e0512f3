"""Random trees, as files of each format and as plain paths."""

from __future__ import annotations

import csv
import io
import random

FORMATS = ("tab-tree", "pairs", "levels")


class Drawn:
    """A tree over leaves as (label, children), drawn at random."""

    def __init__(self, rng, leaves):
        self.rng, self.number = rng, 0
        shape = rng.choice(["flat", "deep", "ragged", "ragged", "balanced"])
        leaves = rng.sample(leaves, len(leaves))
        if len(leaves) == 1 and rng.random() < 0.3:
            self.root = (leaves[0], [])  # one leaf, which is the root itself
            return
        nodes = [(leaf, []) for leaf in leaves]
        while shape != "flat" and len(nodes) > 2 and rng.random() < 0.9:
            nodes = self.grouped(nodes, shape)
        if shape == "deep":
            for _ in range(rng.randint(1, 4)):
                nodes = [(self.label(), nodes)]  # a chain of groups that hold the same
        self.root = (rng.choice(["*", "Any", "everything"]), nodes)

    def label(self):
        self.number += 1
        return self.rng.choice(["G{}", "group {}", "<{}>", "[{},x)"]).format(self.number)

    def grouped(self, nodes, shape):
        """Some neighbours under new groups; in ragged trees others stay where they are."""
        made, at = [], 0
        while at < len(nodes):
            size = self.rng.randint(1, 4)
            if shape == "ragged" and self.rng.random() < 0.4:
                made.append(nodes[at])
                at += 1
            else:
                made.append((self.label(), nodes[at : at + size]))
                at += size
        return made

    def paths(self):
        """Each leaf with its ancestors, the root last."""
        found = {}

        def walk(node, above):
            label, children = node
            if not children:
                found[label] = above
            for child in children:
                walk(child, [label, *above])

        walk(self.root, [])
        return found

    def nodes(self):
        """Each node as (depth, label, its parent's place), parents first."""
        found = []

        def walk(node, depth, parent):
            found.append((depth, node[0], parent))
            place = len(found) - 1
            for child in node[1]:
                walk(child, depth + 1, place)

        walk(self.root, 0, -1)
        return found

    def text(self, form):
        """The tree as the text of a file."""
        if form == "tab-tree":
            return "".join("\t" * depth + label + "\n" for depth, label, _ in self.nodes())
        nodes = self.nodes()
        rows = [[label, nodes[parent][1]] for _, label, parent in nodes if parent >= 0]
        if form == "levels":
            rows = [[leaf, *above] for leaf, above in self.paths().items()]
        random.Random(len(rows)).shuffle(rows)  # the same whenever it is written
        out = io.StringIO()
        quoting = csv.QUOTE_ALL if any(set(label) & set(',;"') for row in rows for label in row) else csv.QUOTE_MINIMAL
        writer = csv.writer(out, delimiter="," if form == "pairs" else ";", lineterminator="\n", quoting=quoting)
        writer.writerows(rows)
        return out.getvalue()


def twice_named(rng, tree):
    """The tree with a group that bears the name of one of the values or groups right under it."""
    label, children = tree
    groups = [at for at, child in enumerate(children) if child[1]]
    if groups:
        at = rng.choice(groups)
        name = rng.choice(children[at][1])[0]
        if all(name != child[0] for child in children):
            children = [*children[:at], (name, children[at][1]), *children[at + 1 :]]
    return label, children


def can_be_filed(label):
    """Whether a line of a file can hold a label."""
    return bool(label) and label == label.strip() and not {"\n", "\t", "\r"} & set(label)
