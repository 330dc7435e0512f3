"""What guides a quasi-identifier: a drawn tree, a spelling or an order, as it is given and as it is meant."""

from __future__ import annotations

from dataclasses import dataclass

import shoal
from soak.builders import BUILDERS, counted, in_order
from soak.columns import NUMBER
from soak.models import hierarchy
from soak.trees import FORMATS, Drawn, can_be_filed, twice_named


@dataclass(frozen=True)
class Guide:
    """A way to give a hierarchy or an order: as a tree, a file, a spelling or an order."""

    form: str  # tree, tab-tree, pairs, levels, spelling, order
    tree: Drawn | None = None
    spelling: str = ""
    values: tuple[str, ...] = ()

    def given(self, folder, number):
        """What anonymize() is given; a file is written."""
        if self.form == "tree":
            return hierarchy(self.tree)
        if self.form == "order":
            return shoal.Ordered(list(self.values))
        return self.spelling if self.form == "spelling" else self.file(folder, number)

    def option(self, folder, number):
        """What follows the column's name in a command; None where a command cannot say it."""
        if self.form in ("tree", "order"):
            return None
        return self.spelling if self.form == "spelling" else str(self.file(folder, number))

    def file(self, folder, number):
        """The tree written as a file of its format."""
        path = folder / f"tree{number}.{'csv' if self.form == 'pairs' else 'txt'}"
        path.write_text(self.tree.text(self.form), encoding="utf-8", newline="")
        return path

    def meaning(self, texts):
        """What the second verifier is told, for these values of the column (None: missing)."""
        name, _, parameter = self.spelling.partition(":")
        if self.tree is not None:
            return {"kind": "tree", "paths": self.tree.paths()}
        if name in BUILDERS:
            return {"kind": "tree", "paths": BUILDERS[name](parameter, counted(texts))}
        return {"kind": "order", "values": list(self.values)}


def draw_guide(rng, column, *, command, trees, more=()):
    """A guide of a column, whose trees know all of its values; None at times, and where a command cannot give it.

    An order is seldom drawn where trees are needed.
    """
    values = list(dict.fromkeys([*(text for text in column.texts if text is not None), *more]))
    if not values or rng.random() < 0.3:
        return None
    draw = rng.choice([_tree, _tree, _spelled, _spelled, *([] if trees and rng.random() < 0.9 else [_order])])
    return draw(rng, column, values, command)


def _tree(rng, column, values, command):
    extra = [f"unused {number}" for number in range(rng.choice([0, 0, 0, 1, 4]))]
    known = values[1:] if len(values) > 2 and rng.random() < 0.02 else values  # one is not known at times
    tree = Drawn(rng, [*known, *extra])
    if rng.random() < 0.15:
        tree.root = twice_named(rng, tree.root)
    labels = [label for _, label, _ in tree.nodes()]
    forms = ["tree"] if not command else []
    if all(map(can_be_filed, labels)):
        forms.append("tab-tree")
        if len(set(labels)) == len(labels) > 1:
            forms += FORMATS
    return Guide(rng.choice(forms), tree) if forms else None


def _spelled(rng, column, values, command):
    names = ["flat", "by-order", "by-frequency", "prefix"]
    if all(NUMBER.fullmatch(value) for value in values):
        names += ["intervals", "intervals", "cuts", "cuts"]
    if column.type == "date":
        names += ["dates", "dates"]
    name = rng.choice(names)
    parameter = {
        "intervals": lambda: rng.choice(["5,10,20", "2,4@1", "10,30@16", "0.5,2", "1000", "3,6,12,24@-5"]),
        "cuts": lambda: _bounds(rng, values),
        "by-order": lambda: rng.choice(["", "3"]),
        "by-frequency": lambda: rng.choice(["", "3"]),
    }.get(name, str)()
    return Guide("spelling", spelling=f"{name}:{parameter}" if parameter else name)


def _bounds(rng, values):
    numbers = sorted({int(float(value)) for value in values} | {0, 18})
    fine = sorted(rng.sample(numbers, rng.randint(2, min(5, len(numbers)))))
    coarse = sorted(rng.sample(fine, rng.randint(1, len(fine) - 1)))
    return ",".join(map(str, fine)) + (f"/{','.join(map(str, coarse))}" if rng.random() < 0.6 else "")


def _order(rng, column, values, command):
    values = in_order(values)
    if rng.random() < 0.7:
        rng.shuffle(values)
    spelled = all(value and value == value.strip() and "," not in value for value in values)
    if spelled and (command or rng.random() < 0.4):
        return Guide("spelling", spelling="ordered:" + ",".join(values), values=tuple(values))
    return None if command else Guide("order", values=tuple(values))
