"""Charts of releases: loss and risk, distributions, class sizes, and shares before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.ui.charts.distributions import Bars
from shoal.ui.charts.echarts import AFTER, BEFORE, MAX_POINTS, PERCENT, Options, axis, chart, horizontal_axis, legend

SHORT_LABELS = {"width": 150, "overflow": "truncate", "interval": 0, "fontSize": 11, "hideOverlap": False}
# The smallest class size of each bar.
SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000)


def loss_and_risk(points: Sequence[tuple[int, float, float]], shown: int | None, measure: str) -> Options:
    """Plot loss against risk of the runs; the third value of a clicked point is the number of its run."""
    points = sorted(points[-MAX_POINTS:], key=lambda point: point[0] == shown)  # the shown run is on top
    tooltip = (
        "'run ' + p.value[2] + ': loss ' + p.value[0].toFixed(4) + ', risk ' + (100 * p.value[1]).toFixed(2) + ' %'"
    )
    marked = [
        {
            "value": [loss, risk, number],
            "symbolSize": 18 if number == shown else 12,
            "itemStyle": {"color": BEFORE if number == shown else AFTER, "opacity": 0.9},
            "label": {"show": bool(name), "position": "right", "formatter": name, "color": "currentColor"},
        }
        for (number, loss, risk), name in zip(points, _point_labels(points), strict=True)
    ]
    return chart(
        x=horizontal_axis("loss", min=0),
        y=axis(measure, min=0, splitNumber=3, **PERCENT),
        series=[{"type": "scatter", "data": marked}],
        tooltip=tooltip,
    )


def _point_labels(points: Sequence[tuple[int, float, float]]) -> list[str]:
    """Label each point with its run; of points at the same place, only the last is labelled, with all their runs."""
    widest = max((loss for _, loss, _ in points), default=0) or 1
    highest = max((risk for _, _, risk in points), default=0) or 1
    spots = [(round(20 * loss / widest), round(10 * risk / highest)) for _, loss, risk in points]
    together: dict[tuple[int, int], list[int]] = {}
    for spot, (number, _, _) in zip(spots, points, strict=True):
        together.setdefault(spot, []).append(number)
    last = {spot: at for at, spot in enumerate(spots)}
    return [", ".join(map(str, sorted(together[spot]))) if last[spot] == at else "" for at, spot in enumerate(spots)]


def bar_chart(bars: Bars, *, before: bool) -> Options:
    """Plot the rows of each value as horizontal bars."""
    rows = bars.rows or 1
    return chart(
        x=horizontal_axis("rows", min=0, splitNumber=3),
        y=axis("", type="category", data=list(bars.labels), inverse=True, axisLabel=SHORT_LABELS),
        series=[{"type": "bar", "data": list(bars.counts), "barCategoryGap": "25%", **_fill(before)}],
        tooltip="p.name + ': ' + p.value.toLocaleString('en') + ' rows, ' "
        f"+ (100 * p.value / {rows}).toFixed(2) + ' %'",
    )


def class_sizes(before: Mapping[int, int], after: Mapping[int, int], *, rows: bool) -> Options:
    """Plot the shares of classes by their size, or of their rows, before and after."""
    sides = [_by_size(sizes, rows=rows) for sizes in (before, after)]
    last = max((place for counts in sides for place, count in enumerate(counts) if count), default=0)
    labels = [_size_label(place) for place in range(last + 1)]
    data = [[{"value": count / (sum(counts) or 1), "count": count} for count in counts[: last + 1]] for counts in sides]
    unit = "rows" if rows else "classes"
    x = horizontal_axis("rows of a class", type="category", data=labels, axisLabel={"interval": 0, "fontSize": 11})
    count = f"p.data.count.toLocaleString('en') + ' {unit}, ' + "
    return _before_and_after(x, axis(f"share of {unit}", min=0, **PERCENT), *data, count=count)


def _by_size(sizes: Mapping[int, int], *, rows: bool) -> list[int]:
    counts = [0] * len(SIZES)
    for size, classes in sizes.items():
        place = max(number for number, low in enumerate(SIZES) if low <= size)
        counts[place] += size * classes if rows else classes
    return counts


def _size_label(place: int) -> str:
    low = SIZES[place]
    if place + 1 == len(SIZES):
        return f"{low:,} or more"
    high = SIZES[place + 1] - 1
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def shares(names: Sequence[str], before: Sequence[float], after: Sequence[float]) -> Options:
    """Plot shares before and after, side by side."""
    x = axis("", type="category", data=list(names))
    return _before_and_after(x, axis("", min=0, max=1, **PERCENT), list(before), list(after))


def _before_and_after(x: Options, y: Options, before: list[Any], after: list[Any], *, count: str = "") -> Options:
    series = [
        {"type": "bar", "name": name, "data": data, **_fill(name == "before")}
        for name, data in (("before", before), ("after", after))
    ]
    tooltip = f"p.name + ', ' + p.seriesName + ': ' + {count}(100 * p.value).toFixed(2) + ' %'"
    return chart(x=x, y=y, series=series, tooltip=tooltip) | {"legend": legend(["before", "after"])}


def _fill(before: bool) -> Options:
    return {"itemStyle": {"color": BEFORE if before else AFTER}}
