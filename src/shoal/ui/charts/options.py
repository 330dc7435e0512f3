"""Charts as options of ECharts: plain dictionaries, which never have a name or a value of the table as a key.

Texts and axes take the colour of the page (`currentColor`), so that they are readable in light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.ui.charts.distributions import Bars

Options = dict[str, Any]

BEFORE = "#d55e00"  # told apart by everybody, and from a white and a black page
AFTER = "#1f83c4"
MOST = 5_000  # points of a chart
SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000)


def loss_and_risk(points: Sequence[tuple[int, float, float]], shown: int | None, measure: str) -> Options:
    """Loss against risk of runs, each with its number; a click on one has the number as the third of its values."""
    points = sorted(points[-MOST:], key=lambda point: point[0] == shown)  # the one that is shown lies on top
    words = "'run ' + p.value[2] + ': loss ' + p.value[0].toFixed(4) + ', risk ' + (100 * p.value[1]).toFixed(2) + ' %'"
    marked = [
        {
            "value": [loss, risk, number],
            "symbolSize": 18 if number == shown else 12,
            "itemStyle": {"color": BEFORE if number == shown else AFTER, "opacity": 0.9},
            "label": {"show": bool(name), "position": "right", "formatter": name, "color": "currentColor"},
        }
        for (number, loss, risk), name in zip(points, _names(points), strict=True)
    ]
    return chart(
        x=across("loss", min=0),
        y=axis(measure, min=0, splitNumber=3, **percents()),
        series=[{"type": "scatter", "data": marked}],
        words=words,
    )


def _names(points: Sequence[tuple[int, float, float]]) -> list[str]:
    """The numbers of the runs, of which those that lie on one another are told at the last of them."""
    widest = max((loss for _, loss, _ in points), default=0) or 1
    highest = max((risk for _, _, risk in points), default=0) or 1
    spots = [(round(20 * loss / widest), round(10 * risk / highest)) for _, loss, risk in points]
    together: dict[tuple[int, int], list[int]] = {}
    for spot, (number, _, _) in zip(spots, points, strict=True):
        together.setdefault(spot, []).append(number)
    last = {spot: at for at, spot in enumerate(spots)}
    return [", ".join(map(str, sorted(together[spot]))) if last[spot] == at else "" for at, spot in enumerate(spots)]


def bars(found: Bars, *, before: bool) -> Options:
    """How many rows have each value, one bar below the other."""
    rows = found.rows or 1
    return chart(
        x=across("rows", min=0, splitNumber=3),
        y=axis("", type="category", data=list(found.labels), inverse=True, **_short_labels()),
        series=[{"type": "bar", "data": list(found.counts), "barCategoryGap": "25%", **_fill(before)}],
        words=f"p.name + ': ' + p.value.toLocaleString('en') + ' rows, ' + (100 * p.value / {rows}).toFixed(2) + ' %'",
    )


def class_sizes(before: Mapping[int, int], after: Mapping[int, int], *, rows: bool) -> Options:
    """The shares of classes by their size, or of the rows that are in them, before and after."""
    sides = [_by_size(sizes, rows=rows) for sizes in (before, after)]
    last = max((place for counts in sides for place, count in enumerate(counts) if count), default=0)
    labels = [_size_label(place) for place in range(last + 1)]
    data = [[{"value": count / (sum(counts) or 1), "count": count} for count in counts[: last + 1]] for counts in sides]
    unit = "rows" if rows else "classes"
    made = _before_and_after(
        across("rows of a class", type="category", data=labels, axisLabel={"interval": 0, "fontSize": 11}), *data
    )
    made["yAxis"]["name"] = f"share of {unit}"
    count = f"p.data.count.toLocaleString('en') + ' {unit}, '"
    made["tooltip"][":formatter"] = _telling(
        f"p.name + ', ' + p.seriesName + ': ' + {count} + (100 * p.value).toFixed(2) + ' %'"
    )
    return made


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
    """Shares before and after, side by side."""
    made = _before_and_after(axis("", type="category", data=list(names)), list(before), list(after))
    made["yAxis"]["max"] = 1
    return made


def _before_and_after(x: Options, before: list[Any], after: list[Any]) -> Options:
    series = [
        {"type": "bar", "name": name, "data": data, **_fill(name == "before")}
        for name, data in (("before", before), ("after", after))
    ]
    made = chart(
        x=x,
        y=axis("", min=0, **percents()),
        series=series,
        words="p.name + ', ' + p.seriesName + ': ' + (100 * p.value).toFixed(2) + ' %'",
    )
    return made | {"legend": legend(["before", "after"])}


def chart(*, x: Options, y: Options, series: list[Options], words: str) -> Options:
    """A chart with two axes; `words` are an expression of ours for what is under the mouse, `p`."""
    return {
        "backgroundColor": "transparent",
        "textStyle": {"color": "currentColor", "fontFamily": "inherit"},
        "animation": False,
        "grid": {"left": 12, "right": 24, "top": 28, "bottom": 26 if x["name"] else 6, "containLabel": True},
        "tooltip": {"confine": True, "transitionDuration": 0, ":formatter": _telling(words)},
        "xAxis": x,
        "yAxis": y,
        "series": series,
    }


def _telling(words: str) -> str:
    """A function that shows words as text, so that a label of the table is never read as HTML."""
    return f"p => {{ const tip = document.createElement('span'); tip.textContent = {words}; return tip; }}"


def axis(name: str, **more: Any) -> Options:
    """An axis of numbers, or of another type that is given."""
    faint = {"lineStyle": {"color": "currentColor", "opacity": 0.15}}
    kind = more.pop("type", "value")
    return {
        "type": kind,
        "name": name,
        "nameTextStyle": {"color": "currentColor"},
        "axisLabel": {"color": "currentColor", "hideOverlap": True} | more.pop("axisLabel", {}),
        "axisLine": {"lineStyle": {"color": "currentColor", "opacity": 0.4}},
        "splitLine": {"show": kind == "value"} | faint,
    } | more


def across(name: str, **more: Any) -> Options:
    """A level axis, with its name below."""
    return axis(name, **more) | {"nameLocation": "middle", "nameGap": 26}


def percents() -> Options:
    """What an axis needs to show shares."""
    return {"axisLabel": {":formatter": "value => +(100 * value).toFixed(2) + ' %'"}}


def _short_labels() -> Options:
    return {"axisLabel": {"width": 150, "overflow": "truncate", "interval": 0, "fontSize": 11, "hideOverlap": False}}


def _fill(before: bool) -> Options:
    return {"itemStyle": {"color": BEFORE if before else AFTER}}


def legend(names: list[str]) -> Options:
    """The names of the series, at the top."""
    return {"data": names, "top": 0, "right": 8, "textStyle": {"color": "currentColor"}, "itemHeight": 10}
