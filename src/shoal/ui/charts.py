"""Charts as options of ECharts: plain dictionaries, which never have a name or a value of the table as a key.

Texts and axes take the colour of the page (`currentColor`), so that they are readable in light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.ui.distributions import Bars

Options = dict[str, Any]

BEFORE = "#d55e00"  # told apart by everybody, and from a white and a black page
AFTER = "#1f83c4"
PALE = "#8a8a8a"
MOST = 5_000  # points of a chart
SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000)
SHAPES = {"not allowed": "circle", "allowed": "circle", "on the front": "diamond", "chosen": "triangle"}
COLOURS = {"not allowed": PALE, "allowed": AFTER, "on the front": "#009e73", "chosen": BEFORE}


def loss_and_risk(points: Sequence[tuple[int, float, float]], shown: int | None, risk: str) -> Options:
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
    return _chart(
        x=_along("loss", min=0),
        y=_axis(risk, min=0, splitNumber=3, **_percents()),
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
    return _chart(
        x=_along("rows", min=0, splitNumber=3),
        y=_axis("", type="category", data=list(found.labels), inverse=True, **_short_labels()),
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
    chart = _before_and_after(
        _along("rows of a class", type="category", data=labels, axisLabel={"interval": 0, "fontSize": 11}), *data
    )
    chart["yAxis"]["name"] = f"share of {unit}"
    count = f"p.data.count.toLocaleString('en') + ' {unit}, '"
    chart["tooltip"][":formatter"] = _telling(
        f"p.name + ', ' + p.seriesName + ': ' + {count} + (100 * p.value).toFixed(2) + ' %'"
    )
    return chart


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
    chart = _before_and_after(_axis("", type="category", data=list(names)), list(before), list(after))
    chart["yAxis"]["max"] = 1
    return chart


def _before_and_after(x: Options, before: list[Any], after: list[Any]) -> Options:
    series = [
        {"type": "bar", "name": name, "data": data, **_fill(name == "before")}
        for name, data in (("before", before), ("after", after))
    ]
    chart = _chart(
        x=x,
        y=_axis("", min=0, **_percents()),
        series=series,
        words="p.name + ', ' + p.seriesName + ': ' + (100 * p.value).toFixed(2) + ' %'",
    )
    return chart | {"legend": _legend(["before", "after"])}


def pareto(nodes: Sequence[Mapping[str, Any]], kinds: Sequence[str], rows: int) -> Options:
    """Suppressed rows against loss of nodes, and a line along the front; a click has the node's place as third."""
    places = _few(kinds)
    series: list[Options] = [
        {
            "type": "scatter",
            "name": kind,
            "symbol": SHAPES[kind],
            "symbolSize": 9 if kind == "allowed" else 8 if kind == "not allowed" else 15,
            "itemStyle": _dot(kind),
            "z": 2 + list(COLOURS).index(kind),
            "data": [[nodes[at]["suppressed"] / rows, nodes[at]["loss"], at] for at in places if kinds[at] == kind],
        }
        for kind in COLOURS
    ]
    along = sorted((nodes[at]["suppressed"] / rows, nodes[at]["loss"]) for at in _front(nodes))
    series.append(
        {"type": "line", "data": [list(one) for one in along], "symbol": "none", "step": "end", "silent": True}
        | {"lineStyle": {"color": COLOURS["on the front"], "width": 1.5}, "z": 1}
    )
    words = "'loss ' + p.value[1].toFixed(4) + ', ' + (100 * p.value[0]).toFixed(2) + ' % suppressed, ' + p.seriesName"
    chart = _chart(
        x=_along("suppressed rows", min=0, **_percents()),
        y=_axis("loss", scale=True),
        series=series,
        words=words,
    )
    return chart | {"legend": _legend(list(COLOURS))}


def _few(kinds: Sequence[str]) -> list[int]:
    """At most so many places as a chart has points: what is marked first, the others evenly thinned out."""
    marked = [place for place, kind in enumerate(kinds) if kind in ("chosen", "on the front")][:MOST]
    plain = [place for place, kind in enumerate(kinds) if kind not in ("chosen", "on the front")]
    room = MOST - len(marked)
    step = max(1, -(-len(plain) // room)) if room else len(plain) + 1
    return marked + plain[::step][:room]


def _front(nodes: Sequence[Mapping[str, Any]]) -> list[int]:
    """The places of the nodes of which no other loses less with as few suppressed rows."""
    found: list[int] = []
    order = sorted(range(len(nodes)), key=lambda at: (nodes[at]["suppressed"], nodes[at]["loss"]))
    for at in order:
        if nodes[at]["classes"] and (not found or nodes[at]["loss"] < nodes[found[-1]]["loss"]):
            found.append(at)
    return found


def node_kinds(nodes: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each node whether it was chosen, is on the front, is allowed, or not."""
    front = set(_front(nodes))
    return [
        "chosen"
        if node["chosen"]
        else "on the front"
        if at in front
        else "allowed"
        if node["satisfied"]
        else "not allowed"
        for at, node in enumerate(nodes)
    ]


def lattice(nodes: Sequence[Mapping[str, Any]], kinds: Sequence[str], columns: Sequence[str]) -> Options:
    """The nodes by height, the least general below, with lines from each to those one level up in one column."""
    levels = [tuple(node[f"level {name}"] for name in columns) for node in nodes]
    place = {one: at for at, one in enumerate(levels)}
    by_height: dict[int, list[int]] = {}
    for at, node in enumerate(nodes):
        by_height.setdefault(node["height"], []).append(at)
    across = {
        at: (number + 1) / (len(there) + 1) for there in by_height.values() for number, at in enumerate(sorted(there))
    }
    above = [
        (at, place[up])
        for at, one in enumerate(levels)
        for j in range(len(columns))
        if (up := (*one[:j], one[j] + 1, *one[j + 1 :])) in place
    ]
    wide = max((len(there) for there in by_height.values()), default=0) > 12
    points = [
        {
            "name": str(at),
            "value": [across[at], nodes[at]["height"], at],
            "symbol": SHAPES[kind],
            "symbolSize": 16 if kind == "chosen" else 12,
            "itemStyle": _dot(kind),
            "label": {"show": not wide, "formatter": ",".join(map(str, levels[at])), "position": "right"}
            | {"color": "currentColor", "fontSize": 10},
        }
        for at, kind in enumerate(kinds)
    ]
    series: Options = {
        "type": "graph",
        "coordinateSystem": "cartesian2d",
        "data": points,
        "links": [{"source": low, "target": high} for low, high in above],
        "lineStyle": {"color": PALE, "opacity": 0.35, "width": 0.7},
        "emphasis": {"focus": "adjacency"},
    }
    tips = [f"levels {', '.join(map(str, one))}: loss {nodes[at]['loss']:.4f}" for at, one in enumerate(levels)]
    chart = _chart(
        x=_axis("", min=0, max=1, show=False),
        y=_axis("height", minInterval=1, scale=True),
        series=[series],
        words="p.dataType === 'edge' ? '' : p.data.tip",
    )
    for point, tip in zip(points, tips, strict=True):
        point["tip"] = tip
    return chart


def _dot(kind: str) -> Options:
    """How a node is filled: those that are not allowed are empty."""
    if kind == "not allowed":
        return {"color": "transparent", "borderColor": PALE, "borderWidth": 1.5}
    return {"color": COLOURS[kind]}


def _chart(*, x: Options, y: Options, series: list[Options], words: str) -> Options:
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


def _axis(name: str, **more: Any) -> Options:
    faint = {"lineStyle": {"color": "currentColor", "opacity": 0.15}}
    along = more.pop("type", "value")
    return {
        "type": along,
        "name": name,
        "nameTextStyle": {"color": "currentColor"},
        "axisLabel": {"color": "currentColor", "hideOverlap": True} | more.pop("axisLabel", {}),
        "axisLine": {"lineStyle": {"color": "currentColor", "opacity": 0.4}},
        "splitLine": {"show": along == "value"} | faint,
    } | more


def _along(name: str, **more: Any) -> Options:
    return _axis(name, **more) | {"nameLocation": "middle", "nameGap": 26}


def _percents() -> Options:
    return {"axisLabel": {":formatter": "value => +(100 * value).toFixed(2) + ' %'"}}


def _short_labels() -> Options:
    return {"axisLabel": {"width": 150, "overflow": "truncate", "interval": 0, "fontSize": 11, "hideOverlap": False}}


def _fill(before: bool) -> Options:
    return {"itemStyle": {"color": BEFORE if before else AFTER}}


def _legend(names: list[str]) -> Options:
    return {"data": names, "top": 0, "right": 8, "textStyle": {"color": "currentColor"}, "itemHeight": 10}
