"""Charts of the nodes of a lattice: the Pareto front, and the lattice itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.ui.charts.options import AFTER, BEFORE, MOST, Options, across, axis, chart, legend, percents

PALE = "#8a8a8a"
SHAPES = {"not allowed": "circle", "allowed": "circle", "on the front": "diamond", "chosen": "triangle"}
COLOURS = {"not allowed": PALE, "allowed": AFTER, "on the front": "#009e73", "chosen": BEFORE}


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
    line = {
        "type": "line",
        "data": [[nodes[at]["suppressed"] / rows, nodes[at]["loss"]] for at in _front(nodes)],
        "symbol": "none",
        "step": "end",
        "silent": True,
        "lineStyle": {"color": COLOURS["on the front"], "width": 1.5},
        "z": 1,
    }
    words = "'loss ' + p.value[1].toFixed(4) + ', ' + (100 * p.value[0]).toFixed(2) + ' % suppressed, ' + p.seriesName"
    made = chart(
        x=across("suppressed rows", min=0, **percents()),
        y=axis("loss", scale=True),
        series=[*series, line],
        words=words,
    )
    return made | {"legend": legend(list(COLOURS))}


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
    kinds = ["allowed" if node["satisfied"] else "not allowed" for node in nodes]
    for at, node in enumerate(nodes):
        if node["chosen"]:
            kinds[at] = "chosen"
        elif at in front:
            kinds[at] = "on the front"
    return kinds


def lattice(nodes: Sequence[Mapping[str, Any]], kinds: Sequence[str], columns: Sequence[str]) -> Options:
    """The nodes by height, the least general below, with lines from each to those one level up in one column."""
    levels = [tuple(node[f"level {name}"] for name in columns) for node in nodes]
    place = {one: at for at, one in enumerate(levels)}
    by_height: dict[int, list[int]] = {}
    for at, node in enumerate(nodes):
        by_height.setdefault(node["height"], []).append(at)
    spots = {at: (number + 1) / (len(there) + 1) for there in by_height.values() for number, at in enumerate(there)}
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
        words="p.dataType === 'edge' ? '' : p.data.tip",
    )


def _dot(kind: str) -> Options:
    """How a node is filled: those that are not allowed are empty."""
    if kind == "not allowed":
        return {"color": "transparent", "borderColor": PALE, "borderWidth": 1.5}
    return {"color": COLOURS[kind]}
