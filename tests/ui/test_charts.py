"""Charts: the options of ECharts, in which nothing of the table is a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, strategies as st

from shoal.ui.charts import releases as charts
from shoal.ui.charts.distributions import Bars


def keys(part: Any) -> Iterator[str]:
    """Collect all keys of nested options."""
    if isinstance(part, dict):
        yield from part
        for value in part.values():
            yield from keys(value)
    elif isinstance(part, list):
        for value in part:
            yield from keys(value)


def test_loss_and_risk() -> None:
    """Each run is a point with its number; the shown one is on top, and runs at the same place share a label."""
    options = charts.loss_and_risk([(1, 0.5, 0.1), (2, 0.1, 0.2), (3, 0.5, 0.1)], 1, "highest risk")
    points = options["series"][0]["data"]
    assert [point["value"] for point in points] == [[0.1, 0.2, 2], [0.5, 0.1, 3], [0.5, 0.1, 1]]
    assert [point["label"]["formatter"] for point in points] == ["2", "", "1, 3"]
    assert points[-1]["symbolSize"] > points[0]["symbolSize"]
    assert options["yAxis"]["name"] == "highest risk"


def test_bars() -> None:
    """A bar has its label and its number of rows."""
    options = charts.bar_chart(Bars([":x", "<b>"], [3, 1], others=4), before=True)
    assert options["yAxis"]["data"] == [":x", "<b>"]
    assert options["series"][0]["data"] == [3, 1]
    assert "p.value / 8" in options["tooltip"][":formatter"]


def test_class_sizes() -> None:
    """Classes are binned by size, as a share of the classes or of their rows."""
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
    """Every size is in the chart."""
    options = charts.class_sizes(sizes, {5: 1}, rows=False)
    assert sum(point["count"] for point in options["series"][0]["data"]) == sum(sizes.values())


def test_shares() -> None:
    """Before and after are next to each other."""
    options = charts.shares(["highest"], [1.0], [0.1])
    assert [(side["name"], side["data"]) for side in options["series"]] == [("before", [1.0]), ("after", [0.1])]


def test_names_are_no_keys() -> None:
    """Keys that begin with a colon run as JavaScript: none comes from the table."""
    odd = ":onload"
    for options in (
        charts.bar_chart(Bars([odd], [1]), before=False),
        charts.shares([odd], [0.1], [0.2]),
    ):
        assert odd not in set(keys(options))
        assert {key for key in keys(options) if key.startswith(":")} <= {":formatter"}
