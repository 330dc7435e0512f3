"""Charts of nodes: the front, the lattice, and the marked nodes."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, strategies as st

from shoal.ui.charts import lattice
from shoal.ui.charts.echarts import MAX_POINTS


def node(
    suppressed: int, loss: float, *, satisfied: bool = True, chosen: bool = False, **levels: int
) -> dict[str, Any]:
    """Make a node as in the result of a run."""
    found = {"height": sum(levels.values()), "loss": loss, "classes": 3, "suppressed": suppressed}
    found |= {"satisfied": satisfied, "checked": True, "chosen": chosen}
    return {f"level {name}": level for name, level in levels.items()} | found


def test_kinds_of_nodes() -> None:
    """The chosen node, the front, and allowed nodes are classified."""
    nodes = [
        node(0, 0.9, a=3),
        node(5, 0.5, a=2, chosen=True),
        node(5, 0.7, a=1),
        node(9, 0.4, a=0, satisfied=False),
        node(9, 0.8, b=0, satisfied=False),
    ]
    assert lattice.node_kinds(nodes) == ["on the front", "chosen", "allowed", "on the front", "not allowed"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40))
def test_the_front(points: list[tuple[int, int]]) -> None:
    """A node is on the front, or another is as good in both and better in one, or the same."""
    nodes = [node(suppressed, loss / 10, a=at) for at, (suppressed, loss) in enumerate(points)]
    kinds = lattice.node_kinds(nodes)
    for at, (suppressed, loss) in enumerate(points):
        better = any(s <= suppressed and m <= loss and (s, m) != (suppressed, loss) for s, m in points)
        first = points.index((suppressed, loss)) == at
        assert (kinds[at] == "on the front") == (not better and first)


def test_pareto() -> None:
    """Each node is a point of its kind with its place, and the line goes along the front."""
    nodes = [node(0, 0.9, a=3), node(50, 0.5, a=2, chosen=True), node(50, 0.7, a=1)]
    options = lattice.pareto(nodes, lattice.node_kinds(nodes), 100)
    drawn = {series.get("name"): series["data"] for series in options["series"]}
    assert drawn["chosen"] == [[0.5, 0.5, 1]]
    assert drawn["allowed"] == [[0.5, 0.7, 2]]
    assert drawn[None] == [[0.0, 0.9], [0.5, 0.5]]


def test_many_nodes_are_thinned_out() -> None:
    """A chart has a limited number of points, with all marked ones."""
    nodes = [node(1, 0.5, a=at) for at in range(3 * MAX_POINTS)] + [node(0, 0.9, a=-1, chosen=True)]
    options = lattice.pareto(nodes, lattice.node_kinds(nodes), 100)
    points = [point for series in options["series"] if series["type"] == "scatter" for point in series["data"]]
    assert MAX_POINTS / 2 < len(points) <= MAX_POINTS
    assert [0.0, 0.9, 3 * MAX_POINTS] in points


def test_lattice() -> None:
    """Each node is at its height, and lines lead to the nodes one level higher."""
    nodes = [node(0, 0.1, a=a, b=b) for a, b in product(range(3), range(2))]
    options = lattice.lattice(nodes, lattice.node_kinds(nodes), ["a", "b"])
    series = options["series"][0]
    assert [point["value"][1:] for point in series["data"]] == [[0, 0], [1, 1], [1, 2], [2, 3], [2, 4], [3, 5]]
    links = {(link["source"], link["target"]) for link in series["links"]}
    assert links == {(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)}
    spots = [tuple(point["value"][:2]) for point in series["data"]]
    assert len(set(spots)) == len(spots)


def test_names_of_columns_are_no_keys() -> None:
    """Keys that begin with a colon run as JavaScript: none comes from the table."""
    odd = ":onload"
    nodes = [node(0, 0.1, **{odd: 0}), node(1, 0.1, **{odd: 1})]
    kinds = lattice.node_kinds(nodes)
    for options in (lattice.lattice(nodes, kinds, [odd]), lattice.pareto(nodes, kinds, 10)):
        assert odd not in repr(options)
