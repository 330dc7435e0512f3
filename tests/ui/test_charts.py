"""Charts: what is in the options of ECharts, and that nothing of the table is a key there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shoal.ui import charts
from shoal.ui.distributions import Bars


def keys(part: Any) -> Iterator[str]:
    """All keys in options, however deep."""
    if isinstance(part, dict):
        yield from part
        for value in part.values():
            yield from keys(value)
    elif isinstance(part, list):
        for value in part:
            yield from keys(value)


def node(
    suppressed: int, loss: float, *, satisfied: bool = True, chosen: bool = False, **levels: int
) -> dict[str, Any]:
    """A node as a run has it."""
    found = {"height": sum(levels.values()), "loss": loss, "classes": 3, "suppressed": suppressed}
    found |= {"satisfied": satisfied, "checked": True, "chosen": chosen}
    return {f"level {name}": level for name, level in levels.items()} | found


def test_loss_and_risk() -> None:
    """Each run is a point with its number; the shown one is on top, and numbers at one spot are told together."""
    options = charts.loss_and_risk([(1, 0.5, 0.1), (2, 0.1, 0.2), (3, 0.5, 0.1)], 1, "highest risk")
    points = options["series"][0]["data"]
    assert [point["value"] for point in points] == [[0.1, 0.2, 2], [0.5, 0.1, 3], [0.5, 0.1, 1]]
    assert [point["label"]["formatter"] for point in points] == ["2", "", "1, 3"]
    assert points[-1]["symbolSize"] > points[0]["symbolSize"]
    assert options["yAxis"]["name"] == "highest risk"


def test_bars() -> None:
    """A bar has its label and its number of rows."""
    options = charts.bars(Bars([":x", "<b>"], [3, 1], others=4), before=True)
    assert options["yAxis"]["data"] == [":x", "<b>"]
    assert options["series"][0]["data"] == [3, 1]
    assert "p.value / 8" in options["tooltip"][":formatter"]


def test_class_sizes() -> None:
    """Classes are put together by size, as a share of the classes or of the rows in them."""
    options = charts.class_sizes({1: 6, 4: 2}, {10: 1, 12: 1, 30: 2}, rows=False)
    assert options["xAxis"]["data"] == ["1", "2", "3–4", "5–9", "10–19", "20–49"]
    before, after = ([point["value"] for point in side["data"]] for side in options["series"])
    assert before == [0.75, 0, 0.25, 0, 0, 0]
    assert after == [0, 0, 0, 0, 0.5, 0.5]
    rows = charts.class_sizes({1: 6, 4: 2}, {10: 1, 12: 1, 30: 2}, rows=True)
    assert [point["count"] for point in rows["series"][0]["data"]] == [6, 0, 8, 0, 0, 0]
    assert [point["count"] for point in rows["series"][1]["data"]] == [0, 0, 0, 0, 22, 60]


@given(st.dictionaries(st.integers(1, 10**8), st.integers(1, 50), max_size=30))
def test_every_class_is_counted(sizes: dict[int, int]) -> None:
    """No size falls out of the chart."""
    options = charts.class_sizes(sizes, {5: 1}, rows=False)
    assert sum(point["count"] for point in options["series"][0]["data"]) == sum(sizes.values())


def test_shares() -> None:
    """Before and after are next to each other."""
    options = charts.shares(["highest"], [1.0], [0.1])
    assert [(side["name"], side["data"]) for side in options["series"]] == [("before", [1.0]), ("after", [0.1])]


def test_kinds_of_nodes() -> None:
    """The chosen node, the front, and what is allowed."""
    nodes = [
        node(0, 0.9, a=3),
        node(5, 0.5, a=2, chosen=True),
        node(5, 0.7, a=1),
        node(9, 0.4, a=0, satisfied=False),
        node(9, 0.8, b=0, satisfied=False),
    ]
    assert charts.node_kinds(nodes) == ["on the front", "chosen", "allowed", "on the front", "not allowed"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40))
def test_the_front(points: list[tuple[int, int]]) -> None:
    """A node is on the front, or another is as good in both and better in one, or the same."""
    nodes = [node(suppressed, loss / 10, a=at) for at, (suppressed, loss) in enumerate(points)]
    kinds = charts.node_kinds(nodes)
    for at, (suppressed, loss) in enumerate(points):
        better = any(s <= suppressed and m <= loss and (s, m) != (suppressed, loss) for s, m in points)
        first = points.index((suppressed, loss)) == at
        assert (kinds[at] == "on the front") == (not better and first)


def test_pareto() -> None:
    """Each node is a point of its kind with its place, and the line goes along the front."""
    nodes = [node(0, 0.9, a=3), node(50, 0.5, a=2, chosen=True), node(50, 0.7, a=1)]
    options = charts.pareto(nodes, charts.node_kinds(nodes), 100)
    drawn = {series.get("name"): series["data"] for series in options["series"]}
    assert drawn["chosen"] == [[0.5, 0.5, 1]]
    assert drawn["allowed"] == [[0.5, 0.7, 2]]
    assert drawn[None] == [[0.0, 0.9], [0.5, 0.5]]


def test_many_nodes_are_thinned_out() -> None:
    """A chart has at most so many points, the marked ones among them."""
    nodes = [node(1, 0.5, a=at) for at in range(3 * charts.MOST)] + [node(0, 0.9, a=-1, chosen=True)]
    options = charts.pareto(nodes, charts.node_kinds(nodes), 100)
    points = [point for series in options["series"] if series["type"] == "scatter" for point in series["data"]]
    assert charts.MOST / 2 < len(points) <= charts.MOST
    assert [0.0, 0.9, 3 * charts.MOST] in points


def test_lattice() -> None:
    """Each node stands at its height, and lines go to those one level up."""
    nodes = [node(0, 0.1, a=a, b=b) for a, b in product(range(3), range(2))]
    options = charts.lattice(nodes, charts.node_kinds(nodes), ["a", "b"])
    series = options["series"][0]
    assert [point["value"][1:] for point in series["data"]] == [[0, 0], [1, 1], [1, 2], [2, 3], [2, 4], [3, 5]]
    links = {(link["source"], link["target"]) for link in series["links"]}
    assert links == {(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)}
    spots = [tuple(point["value"][:2]) for point in series["data"]]
    assert len(set(spots)) == len(spots)


def test_names_are_no_keys() -> None:
    """A key that begins with a colon is run as JavaScript: none comes from the table."""
    odd = ":onload"
    nodes = [node(0, 0.1, **{odd: 0}), node(1, 0.1, **{odd: 1})]
    for options in (
        charts.lattice(nodes, charts.node_kinds(nodes), [odd]),
        charts.pareto(nodes, charts.node_kinds(nodes), 10),
        charts.bars(Bars([odd], [1]), before=False),
        charts.shares([odd], [0.1], [0.2]),
    ):
        assert odd not in set(keys(options))
        assert {key for key in keys(options) if key.startswith(":")} <= {":formatter"}
