"""The measures word for word: loops over rows, with what a label covers written out as a set of codes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import log2, prod

from shoal.data.domain import NumericDomain, SetDomain, TreeDomain


@dataclass(frozen=True)
class Cell:
    """One row of one attribute: its raw code, the codes that its label covers, and the node, if there is a tree."""

    raw: int
    covers: frozenset
    node: int | None


def path(tree, code):
    """The nodes from a value up to the root."""
    nodes = [int(tree.leaf_nodes[code])]
    while nodes[-1]:
        nodes.append(int(tree.parents[nodes[-1]]))
    return nodes


def released(table, recoding):
    """For each attribute its cells, row by row; a suppressed row shows the top."""
    columns = []
    for j, domain in enumerate(table.domains):
        everything = frozenset(range(len(domain)))
        column = []
        for i, group in enumerate(recoding.ids.tolist()):
            raw = int(table.codes[i, j])
            shown = recoding.shown[j]
            if group < 0:
                column.append(Cell(raw, everything, 0 if isinstance(domain, TreeDomain) else None))
            elif isinstance(domain, TreeDomain):
                node = int(shown[group])
                under = frozenset(code for code in everything if node in path(domain.hierarchy, code))
                column.append(Cell(raw, under, node))
            elif isinstance(domain, SetDomain):
                members = shown.codes[shown.starts[group] : shown.starts[group + 1]].tolist()
                column.append(Cell(raw, frozenset(members), None))
            else:
                members = range(int(shown.low[group]), int(shown.high[group]) + 1)
                column.append(Cell(raw, frozenset(members), None))
        columns.append(column)
    return columns


def groups(recoding):
    """The rows of each class; the suppressed rows are under −1."""
    found = {}
    for i, group in enumerate(recoding.ids.tolist()):
        found.setdefault(group, []).append(i)
    return found


def discernibility_star(table, recoding):
    return sum(len(rows) ** 2 for rows in groups(recoding).values())


def average_class_size_all(table, recoding):
    return Fraction(len(recoding.ids), len(groups(recoding)))


def normalized_class_size(table, recoding):
    sizes = [len(rows) for group, rows in groups(recoding).items() if group >= 0]
    return Fraction(sum(sizes), len(sizes) * min(sizes)) if sizes else Fraction(0)


def loss_huang(table, recoding):
    """Row by row what its node loses; a suppressed row loses that of the levels of the others, and 1 per attribute."""
    columns, rows = released(table, recoding), range(len(recoding.ids))
    hidden = {row for row in rows if recoding.ids[row] < 0}
    levels = [
        level_of(domain, [column[i] for i in rows if i not in hidden])
        for domain, column in zip(table.domains, columns, strict=True)
    ]
    total = Fraction(len(hidden) * len(columns))
    for domain, level, column in zip(table.domains, levels, columns, strict=True):
        for i, cell in enumerate(column):
            if i in hidden and None not in levels:
                up = path(domain.hierarchy, cell.raw)
                total += node_loss(domain.hierarchy, up[min(level, len(up) - 1)])
            elif cell.node is not None and i not in hidden:
                total += node_loss(domain.hierarchy, cell.node)
            else:
                total += 1 if i in hidden else plain_loss(domain, cell.covers)
    return total / len(recoding.ids)


def level_of(domain, cells):
    """The level that all cells show, where one is above the root if it is above it in any; None if there is none."""
    if not isinstance(domain, TreeDomain) or not cells:
        return None
    paths = [path(domain.hierarchy, cell.raw) for cell in cells]
    level = max(up.index(cell.node) for up, cell in zip(paths, cells, strict=True))
    alike = all(cell.node == up[min(level, len(up) - 1)] for up, cell in zip(paths, cells, strict=True))
    return level if alike else None


def node_loss(tree, node):
    """The width of an interval such as 16-20 out of that of all, or (leaves under the node - 1) / (all leaves - 1)."""
    leaves = set(tree.leaf_nodes.tolist())
    inner = [at for at in range(1, len(tree.labels)) if at not in leaves]
    ends = {at: re.fullmatch("([0-9]+)-([0-9]+)", tree.labels[at]) for at in inner}
    if inner and all(ends.values()):
        years = {at: range(int(found[1]), int(found[2]) + 1) for at, found in ends.items()}
        every = range(min(one.start for one in years.values()), max(one.stop for one in years.values()))
        return Fraction(1) if node == 0 else Fraction(len(years.get(node, ())), len(every))
    under = sum(node in path(tree, code) for code in range(len(leaves)))
    return Fraction(under - 1, max(1, len(leaves) - 1))


def plain_loss(domain, covers):
    """What a range or a set loses by LM."""
    if len(covers) == 1:
        return Fraction(0)
    if domain.missing in covers and not isinstance(domain, SetDomain):
        return Fraction(1)
    if isinstance(domain, NumericDomain):
        values = [Fraction(float(value)) for code, value in enumerate(domain.values) if code != domain.missing]
        shown = [Fraction(float(domain.values[code])) for code in covers]
        return (max(shown) - min(shown)) / (max(values) - min(values))
    return Fraction(len(covers) - 1, len(domain) - 1)


def ambiguity(table, recoding):
    rows = list(zip(*released(table, recoding), strict=True))
    return Fraction(sum(prod(len(cell.covers) for cell in row) for row in rows), len(rows))


def classification(table, recoding):
    wrong = 0
    for group, rows in groups(recoding).items():
        labels = Counter(int(table.sensitive_codes[i, 0]) for i in rows)
        wrong += len(rows) if group < 0 else len(rows) - max(labels.values())
    return Fraction(wrong, len(recoding.ids))


def height(tree, node):
    """The steps from a node down to its deepest leaf."""
    children = [child for child, parent in enumerate(tree.parents.tolist()) if parent == node]
    return 1 + max(height(tree, child) for child in children) if children else 0


def information_loss(table, recoding):
    total = Fraction(0)
    for domain, column in zip(table.domains, released(table, recoding), strict=True):
        for cell, group in zip(column, recoding.ids.tolist(), strict=True):
            if group < 0:
                total += 1
            elif isinstance(domain, TreeDomain):
                total += Fraction(height(domain.hierarchy, cell.node), max(1, height(domain.hierarchy, 0)))
            elif isinstance(domain, SetDomain):
                total += len(cell.covers) > 1
            elif not isinstance(domain, NumericDomain):
                total += Fraction(len(cell.covers) - 1, max(1, len(domain) - 1))
            elif len(cell.covers) > 1:
                numbers = [int(v) for v in domain.values if v == v]
                shown = [domain.values[code] for code in cell.covers]
                missing = any(v != v for v in shown)
                span = max(numbers) - min(numbers)
                total += 1 if missing else Fraction(int(max(shown) - min(shown)), span)
    return total


def precision(table, recoding):
    lost, cells = Fraction(0), 0
    for domain, column in zip(table.domains, released(table, recoding), strict=True):
        for cell, group in zip(column, recoding.ids.tolist(), strict=True):
            cells += 1
            if isinstance(domain, TreeDomain):
                way = path(domain.hierarchy, cell.raw)
                if len(way) > 1:
                    lost += Fraction(way.index(cell.node), len(way) - 1)
            elif len(domain) > 1:
                lost += group < 0 or len(cell.covers) > 1
    return 1 - lost / cells


def entropy_loss(table, recoding):
    bits, cells = 0.0, 0
    for column in released(table, recoding):
        for cell in column:
            inside = [other.raw for other in column if other.raw in cell.covers]
            bits -= log2(inside.count(cell.raw) / len(inside))
            cells += 1
    return bits / cells


def private_entropy_loss(table, recoding):
    secrets = table.sensitive_codes[:, 0].tolist()
    bits, cells = 0.0, 0
    for column in released(table, recoding):
        for cell, secret in zip(column, secrets, strict=True):
            inside = [s for other, s in zip(column, secrets, strict=True) if other.raw in cell.covers]
            bits -= log2(inside.count(secret) / len(inside))
            cells += 1
    return bits / cells


def non_uniform_entropy(table, recoding):
    shares = []
    for domain, column in zip(table.domains, released(table, recoding), strict=True):
        raws = [cell.raw for cell in column]
        most = -sum(log2(raws.count(raw) / len(raws)) for raw in raws)
        tree = domain.hierarchy if isinstance(domain, TreeDomain) else None
        bits = _by_level(tree, column) if tree else _by_label(column, recoding.ids.tolist())
        shares.append(bits / most if most else 0.0)
    return sum(shares) / len(shares)


def _by_label(column, ids):
    labels = [(group < 0, cell.covers) for cell, group in zip(column, ids, strict=True)]
    bits = 0.0
    for cell, label in zip(column, labels, strict=True):
        alike = [other.raw for other, shown in zip(column, labels, strict=True) if shown == label]
        bits -= log2(alike.count(cell.raw) / len(alike))
    return bits


def _by_level(tree, column):
    ways = [path(tree, cell.raw) for cell in column]
    ways = [[*way, *way[-1:] * (tree.height + 1 - len(way))] for way in ways]
    levels = [tree.height - way[::-1].index(cell.node) for way, cell in zip(ways, column, strict=True)]
    bits, below = 0.0, 0
    for level in sorted(set(levels)):
        here = [way for way, own in zip(ways, levels, strict=True) if own >= level]
        before = [way[below] for way in here]
        after = [way[level] for way in here]
        bits -= sum(log2(before.count(a) / after.count(b)) for a, b in zip(before, after, strict=True))
        below = level
    return bits


def divergence(table, recoding):
    columns = released(table, recoding)
    rows = list(zip(*columns, strict=True))
    records = Counter(tuple(cell.raw for cell in row) for row in rows)
    total = 0.0
    for record, count in records.items():
        p = Fraction(count, len(rows))
        q = Fraction(0)
        for row in rows:
            if all(code in cell.covers for code, cell in zip(record, row, strict=True)):
                q += Fraction(1, len(rows)) / prod(len(cell.covers) for cell in row)
        total += float(p) * log2(p / q)
    return total


def loss_geometric(table, recoding):
    product = 1.0
    for domain, column in zip(table.domains, released(table, recoding), strict=True):
        cells = [_loss(domain, cell, group) for cell, group in zip(column, recoding.ids.tolist(), strict=True)]
        product *= float(sum(cells) / len(cells) + 1) ** (1 / len(table.quasi))
    return product - 1


def _loss(domain, cell, group):
    if group < 0:
        return Fraction(1)
    if len(cell.covers) == 1:
        return Fraction(0)
    if not isinstance(domain, NumericDomain):
        return Fraction(len(cell.covers) - 1, len(domain) - 1)
    shown = [domain.values[code] for code in cell.covers]
    if any(v != v for v in shown):
        return Fraction(1)
    numbers = [v for v in domain.values if v == v]
    return Fraction(int(max(shown) - min(shown)), int(max(numbers) - min(numbers)))
