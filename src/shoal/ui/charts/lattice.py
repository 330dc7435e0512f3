"""Charts of the nodes of a lattice: the Pareto front, and the lattice itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.ui.charts.echarts import AFTER, BEFORE, MAX_POINTS, PERCENT, Options, axis, chart, horizontal_axis, legend

PALE = "#8a8a8a"
SHAPES = {"not allowed": "circle", "allowed": "circle", "on the front": "diamond", "chosen": "triangle"}
COLOURS = {"not allowed": PALE, "allowed": AFTER, "on the front": "#009e73", "chosen": BEFORE}


def pareto(nodes: Sequence[Mapping[str, Any]], kinds: Sequence[str], rows: int) -> Options:
    """Plot suppressed rows against loss, with the front; the third value of a clicked point is the node's place."""
    places = _thinned(kinds)
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
    line = {
        "type": "line",
        "data": [[nodes[at]["suppressed"] / rows, nodes[at]["loss"]] for at in _front(nodes)],
        "symbol": "none",
        "step": "end",
        "silent": True,
        "lineStyle": {"color": COLOURS["on the front"], "width": 1.5},
        "z": 1,
    }
    tooltip = (
        "'loss ' + p.value[1].toFixed(4) + ', ' + (100 * p.value[0]).toFixed(2) + ' % suppressed, ' + p.seriesName"
    )
    options = chart(
        x=horizontal_axis("suppressed rows", min=0, **PERCENT),
        y=axis("loss", scale=True),
        series=[*series, line],
        tooltip=tooltip,
    )
    return options | {"legend": legend(list(COLOURS))}


def _thinned(kinds: Sequence[str]) -> list[int]:
    """Choose the nodes that fit into a chart: all marked ones, and the others evenly thinned out."""
    marked = [place for place, kind in enumerate(kinds) if kind in ("chosen", "on the front")][:MAX_POINTS]
    plain = [place for place, kind in enumerate(kinds) if kind not in ("chosen", "on the front")]
    room = MAX_POINTS - len(marked)
    step = max(1, -(-len(plain) // room)) if room else len(plain) + 1
    return marked + plain[::step][:room]


def _front(nodes: Sequence[Mapping[str, Any]]) -> list[int]:
    """Find the nodes for which no other loses less with as few suppressed rows."""
    front: list[int] = []
    order = sorted(range(len(nodes)), key=lambda at: (nodes[at]["suppressed"], nodes[at]["loss"]))
    for at in order:
        if nodes[at]["classes"] and (not front or nodes[at]["loss"] < nodes[front[-1]]["loss"]):
            front.append(at)
    return front


def node_kinds(nodes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Classify each node: chosen, on the front, allowed or not allowed."""
    front = set(_front(nodes))
    kinds = ["allowed" if node["satisfied"] else "not allowed" for node in nodes]
    for at, node in enumerate(nodes):
        if node["chosen"]:
            kinds[at] = "chosen"
        elif at in front:
            kinds[at] = "on the front"
    return kinds


def lattice(nodes: Sequence[Mapping[str, Any]], kinds: Sequence[str], columns: Sequence[str]) -> Options:
    """Draw the nodes by height, with lines to the nodes that are one level higher in one column."""
    levels = [tuple(node[f"level {name}"] for name in columns) for node in nodes]
    place = {node_levels: at for at, node_levels in enumerate(levels)}
    by_height: dict[int, list[int]] = {}
    for at, node in enumerate(nodes):
        by_height.setdefault(node["height"], []).append(at)
    spots = {at: (number + 1) / (len(there) + 1) for there in by_height.values() for number, at in enumerate(there)}
    above = [
        (at, place[up])
        for at, own in enumerate(levels)
        for j in range(len(columns))
        if (up := (*own[:j], own[j] + 1, *own[j + 1 :])) in place
    ]
    wide = max((len(there) for there in by_height.values()), default=0) > 12
    points = [
        {
            "name": str(at),
            "value": [spots[at], nodes[at]["height"], at],
            "tip": f"levels {', '.join(map(str, levels[at]))}: loss {nodes[at]['loss']:.4f}",
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
    return chart(
        x=axis("", min=0, max=1, show=False),
        y=axis("height", minInterval=1, scale=True),
        series=[series],
        tooltip="p.dataType === 'edge' ? '' : p.data.tip",
    )


def _dot(kind: str) -> Options:
    """Return the fill of a node; nodes that are not allowed are empty."""
    if kind == "not allowed":
        return {"color": "transparent", "borderColor": PALE, "borderWidth": 1.5}
    return {"color": COLOURS[kind]}
