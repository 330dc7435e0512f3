"""Building blocks of ECharts options: plain dictionaries, in which no name or value of the table is ever a key.

Texts and axes take the colour of the page (`currentColor`), so that they are readable in light and dark mode.
"""

from __future__ import annotations

from typing import Any

Options = dict[str, Any]

BEFORE = "#d55e00"  # distinguishable for everyone, on a white and on a black page
AFTER = "#1f83c4"
MAX_POINTS = 5_000  # of a chart
PERCENT: Options = {"axisLabel": {":formatter": "value => +(100 * value).toFixed(2) + ' %'"}}  # of an axis of shares


def chart(*, x: Options, y: Options, series: list[Options], tooltip: str) -> Options:
    """Make a chart with two axes; `tooltip` is a JavaScript expression for the text about the point `p`."""
    return {
        "backgroundColor": "transparent",
        "textStyle": {"color": "currentColor", "fontFamily": "inherit"},
        "animation": False,
        "grid": {"left": 12, "right": 24, "top": 28, "bottom": 26 if x["name"] else 6, "containLabel": True},
        "tooltip": {"confine": True, "transitionDuration": 0, ":formatter": text_function(tooltip)},
        "xAxis": x,
        "yAxis": y,
        "series": series,
    }


def text_function(expression: str) -> str:
    """Return a JavaScript function that shows an expression as text, so that no label is ever read as HTML."""
    return f"p => {{ const tip = document.createElement('span'); tip.textContent = {expression}; return tip; }}"


def axis(name: str, **options: Any) -> Options:
    """Make an axis of numbers, or of another `type`."""
    faint = {"lineStyle": {"color": "currentColor", "opacity": 0.15}}
    kind = options.pop("type", "value")
    return {
        "type": kind,
        "name": name,
        "nameTextStyle": {"color": "currentColor"},
        "axisLabel": {"color": "currentColor", "hideOverlap": True} | options.pop("axisLabel", {}),
        "axisLine": {"lineStyle": {"color": "currentColor", "opacity": 0.4}},
        "splitLine": {"show": kind == "value"} | faint,
    } | options


def horizontal_axis(name: str, **options: Any) -> Options:
    """Make a horizontal axis, with its name below."""
    return axis(name, **options) | {"nameLocation": "middle", "nameGap": 26}


def legend(names: list[str]) -> Options:
    """Make a legend of the series, at the top."""
    return {"data": names, "top": 0, "right": 8, "textStyle": {"color": "currentColor"}, "itemHeight": 10}
