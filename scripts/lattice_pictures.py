"""Draws how algorithms of levels search the same lattice: three columns of the Adult table at k = 5."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from drawing import Picture

import shoal
from shoal.algorithms.full_domain.lattice import Lattice

QUASI = ["age", "marital-status", "sex"]
K = 5
WIDE, ACROSS, UP, RADIUS, TOP = 276, 39, 45, 14.5, 82
MIDDLE = WIDE / 2 + 11  # of the nodes, as heights are numbered on the left

Node = tuple[int, ...]


def pictures() -> dict[str, Picture]:
    """Return the lattice with what each node loses, and the nodes that each search looks at."""
    search = Search()
    searches = {
        "full-domain": "Full-domain",
        "bottom-up": "Bottom-up",
        "samarati": "Samarati",
        "incognito": "Incognito",
        "datafly": "Datafly",
    }
    drawn = {f"lattice-{name}": search.drawn(name, title) for name, title in searches.items()}
    return {"lattice-all": search.whole()} | drawn


@contextmanager
def heights_tried() -> Iterator[list[int]]:
    """Write down each height whose nodes a search goes through."""
    tried: list[int] = []
    nodes_of = Lattice.level

    def level(self: Lattice, left: int, levels: Node = ()) -> Iterator[Node]:
        if not levels:
            tried.append(left)
        return nodes_of(self, left, levels)

    Lattice.level = level  # type: ignore[method-assign]
    try:
        yield tried
    finally:
        Lattice.level = nodes_of  # type: ignore[method-assign]


class Search:
    """The lattice, on which searches are drawn."""

    def __init__(self) -> None:
        self.adult = shoal.datasets.adult(drop_missing=True).select(QUASI)
        trees = shoal.datasets.adult_hierarchies()
        self.trees = {name: trees[name] for name in QUASI}
        self.trees["age"] = shoal.Hierarchy.intervals(self.adult["age"].to_pylist(), widths=[20], origin=0)
        self.facts = {facts.node: facts for facts in self.released("full-domain").lattice.complete().facts()}
        self.top: Node = max(self.facts)

    def released(self, algorithm: str) -> shoal.Release:
        """Release the three columns."""
        return shoal.anonymize(
            self.adult,
            quasi_identifiers=QUASI,
            hierarchies=self.trees,
            model=shoal.KAnonymity(K),
            algorithm=algorithm,
            rows_are_people=True,
        )

    def whole(self) -> Picture:
        """Draw all nodes, and under each that satisfies the model what it loses."""
        good = {node: facts for node, facts in self.facts.items() if facts.satisfied}
        least = min(facts.loss for facts in good.values())
        picture = self.card("The lattice", f"{len(good)} of {len(self.facts)} nodes are {K}-anonymous", "")
        self.nodes(picture, seen=dict.fromkeys(good, ""), chosen=None)
        for node, facts in good.items():
            x, y = self.place(node)
            picture.box(x - 15, y + 16, x + 15, y + 29, fill="card", opacity=0.9, round_by=3)
            loss = f"{facts.loss:.3f}".removeprefix("0")
            picture.text(x, y + 26.5, loss, size=11.5, colour="strong", at="middle", bold=facts.loss == least)
        return picture

    def drawn(self, name: str, title: str) -> Picture:
        """Draw one search: the heights or nodes that it looks at, in their order, and the node that it chooses."""
        with heights_tried() as tried:
            release = self.released(name)
        tried = [*dict.fromkeys(tried)]
        found = release.lattice.found
        looked = [*dict.fromkeys(found.lattice.judged)]
        loss = f"loss {release.report.metrics['loss']:.3f}"
        work = f"{len(tried)} heights" if tried else f"{len(looked)} nodes"
        says = f" It takes node {''.join(map(str, found.node))}."
        picture = self.card(title, f"{work} · {loss}", says)
        for number, height in enumerate(tried, 1):
            y = self.place((0,) * len(self.top))[1] - height * UP
            picture.box(7, y - UP / 2 + 2, WIDE - 7, y + UP / 2 - 2, fill="edge", opacity=0.5, round_by=8)
            picture.text(14, y + 5, f"{number}.", size=14, bold=True)
        seen = {node: str(number) for number, node in enumerate(looked, 1)}
        if tried:
            seen = {node: "" for node in self.facts if sum(node) in tried}
        self.nodes(picture, seen=seen, chosen=found.node, path=looked if name == "datafly" else [])
        return picture

    def card(self, title: str, below: str, says: str) -> Picture:
        """Return an empty card."""
        lattice = f"A lattice of {len(self.facts)} nodes for age, marital status and sex."
        height = TOP + sum(self.top) * UP + RADIUS + 16
        picture = Picture(WIDE, height, f"{title}: {below}. {lattice}{says}")
        picture.text(16, 27, title, size=17, bold=True)
        picture.text(16, 47, below, size=14, colour="muted")
        return picture

    def place(self, node: Node) -> tuple[float, float]:
        """Return where a node is: its height upwards, and beside the others in the order of their levels."""
        row = sorted(other for other in self.facts if sum(other) == sum(node))
        return MIDDLE + (row.index(node) - (len(row) - 1) / 2) * ACROSS, TOP + (sum(self.top) - sum(node)) * UP

    def nodes(
        self, picture: Picture, *, seen: dict[Node, str], chosen: Node | None, path: list[Node] | None = None
    ) -> None:
        """Draw steps and nodes; those that were looked at have a firm border and say when that was."""
        for node in self.facts:
            for step in np.eye(len(node), dtype=int).tolist():
                higher = tuple(map(sum, zip(node, step, strict=True)))
                if higher in self.facts:
                    picture.line(self.place(node), self.place(higher), colour="edge")
        if path:
            picture.path([self.place(node) for node in path], colour="strong", wide=3.5)
        for node, facts in self.facts.items():
            x, y = self.place(node)
            if node == chosen:
                picture.ring(x, y, radius=RADIUS + 3.5, fill="card", colour="strong", wide=2)
                picture.ring(x, y, radius=RADIUS, fill="strong", colour="strong")
            else:
                firm = "strong" if facts.satisfied else "weak"
                fill, edge = ("calm" if facts.satisfied else "card"), (firm if node in seen else "edge")
                picture.ring(x, y, radius=RADIUS, fill=fill, colour=edge, wide=2.2 if node in seen else 1.2)
            colour = "card" if node == chosen else "text" if node in seen else "muted"
            picture.text(
                x, y + 4.5, "".join(map(str, node)), size=12.5, colour=colour, at="middle", bold=node == chosen
            )
            if seen.get(node):
                picture.dot(x + 14, y - 14, radius=8, colour="muted")
                picture.text(x + 14, y - 10.2, seen[node], size=10.5, colour="card", at="middle", bold=True)
