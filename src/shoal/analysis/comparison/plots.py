"""The plots of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

from shoal.analysis.comparison.results import TIME, Cell, Results, released
from shoal.documents.plots import GREY, dress, matplotlib, new_figure

COLOURS = (
    *("#33658a", "#c8553d", "#7a9e7e", "#b08d1e", "#7b5ea7", "#2a9d8f", "#8d5524", "#d17bb0", "#4a4e69", "#9aa31c"),
    *("#0a9396", "#e07a5f", "#111827"),
)
MARKERS = "osD^vPX*<>ph8"
LINE = {"markersize": 4, "linewidth": 1.5}
MANY, VERY_MANY = 4, 30  # ratios of k and of times above which an axis is logarithmic
NEAR = 0.6  # share of what suppressing every cell costs from which that is drawn as a line


def figures(results: Results) -> dict[str, Any]:
    """Draw each measure against k and, if ℓ varies, against ℓ, and the cost against time."""
    plots: dict[str, Any] = {}
    for measure in results.measures:
        for along in ("k", "l") if results.by_l else ("k",):
            figure = new_figure(6.4, 4)
            draw(figure.subplots(), results, measure, along, legend=True)
            plots[f"{measure}_against_{along}"] = figure
    costs = [measure for measure in results.measures if measure != TIME]
    if TIME in results.measures and costs:
        figure = new_figure(6.4, 4)
        draw_trade_off(figure.subplots(), results, costs[0])
        plots[f"{costs[0]}_against_time"] = figure
    return plots


def draw(axes: Any, results: Results, measure: str, along: str, *, legend: bool, size: float = 9) -> None:
    """Draw a line for each algorithm: the middle, and a band from the lowest to the highest run."""
    lines = results.by_k if along == "k" else results.by_l
    at = f"ℓ = {results.fixed_l}" if along == "k" else f"k = {results.fixed_k}"
    shown = {name: released(line) for name, line in lines.items()}
    for name, line in shown.items():
        style, xs = _style(results, name), [x for x, _ in line]
        axes.plot(xs, [_middle(results, cell, measure) for _, cell in line], label=name, **LINE, **style)
        runs = [_runs(results, cell, measure) for _, cell in line]
        if any(len(values) > 1 for values in runs):
            band = {"color": style["color"], "alpha": 0.18, "linewidth": 0}
            axes.fill_between(xs, list(map(min, runs)), list(map(max, runs)), **band)
    ticks = sorted({x for line in shown.values() for x, _ in line})
    symbol = "k" if along == "k" else "ℓ"
    _dress(axes, f"{results.title(measure)} against {symbol}" + (f"  ({at})" if results.by_l else ""), size)
    if not ticks:
        _say_empty(axes, size)
        return
    _set_ticks(axes, ticks, logarithmic=along == "k")
    _set_height(axes, results, measure, size)
    if legend:
        _draw_legend(axes, size)


def _set_height(axes: Any, results: Results, measure: str, size: float) -> None:
    """Begin the axis of a measure at 0, the same along k and ℓ; times that differ much get a logarithmic one."""
    both = [cell for lines in (results.by_k, results.by_l) for line in lines.values() for _, cell in released(line)]
    values = [value for cell in both for value in _runs(results, cell, measure)]
    worst = results.suppressed.get(measure, 0.0)
    if values and measure == TIME and min(values) > 0 and max(values) / min(values) > VERY_MANY:
        axes.set_yscale("log")
        axes.set_ylim(min(values) / 1.6, max(values) * 1.6)
        axes.minorticks_off()
        _write_plain(axes.yaxis)
    elif values and min(values) >= 0:
        top = max(values)
        if top >= NEAR * worst > 0:
            top = max(worst, top)
            axes.axhline(worst, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
            note = {"xytext": (3, 3), "textcoords": "offset points", "fontsize": size - 2, "color": GREY}
            note["bbox"] = {"facecolor": "white", "linewidth": 0, "pad": 0.6}
            axes.annotate("everything suppressed", (0, worst), xycoords=axes.get_yaxis_transform(), **note)
        axes.set_ylim(0, top * 1.15 or 1)
        axes.locator_params(axis="y", nbins=5)
        _write_plain(axes.yaxis)


def _say_empty(axes: Any, size: float) -> None:
    """Say in an empty plot that there is nothing to draw."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.text(0.5, 0.5, "no release", transform=axes.transAxes, ha="center", va="center", fontsize=size, color=GREY)


def _middle(results: Results, cell: Cell, measure: str) -> float:
    """Return the middle of a cell that has a release, times in the unit in which they are shown."""
    value = cell.middle(measure)
    assert value is not None  # noqa: S101
    return results.scaled(measure, value)


def _runs(results: Results, cell: Cell, measure: str) -> list[float]:
    return [results.scaled(measure, value) for value in cell.values(measure)]


def _draw_legend(axes: Any, size: float) -> None:
    """Draw the names of the lines: in the plot if they are few, otherwise below it."""
    marks, names = axes.get_legend_handles_labels()
    below = {"loc": "upper left", "bbox_to_anchor": (0, -0.1), "ncols": 3} if len(names) > MANY else {}
    plain = [name.replace("$", r"\$") for name in names]
    axes.legend(marks, plain, fontsize=size - 1, frameon=False, labelcolor=GREY, **below)


def _style(results: Results, name: str) -> dict[str, str]:
    """Return the colour and the marker of an algorithm."""
    place = results.algorithms.index(name)
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def _dress(axes: Any, title: str, size: float) -> None:
    dress(axes, title, "", "", size=size + 1)
    axes.tick_params(labelsize=size - 1.5)


def _set_ticks(axes: Any, ticks: list[int], *, logarithmic: bool) -> None:
    """Set ticks at the values themselves, unless they are too close to be read; a wide axis may be `logarithmic`."""
    if logarithmic and ticks and ticks[-1] / ticks[0] > MANY:
        axes.set_xscale("log", base=2)
        axes.minorticks_off()
    place: Callable[[int], float] = log if axes.get_xscale() == "log" else float
    apart = (place(ticks[-1]) - place(ticks[0])) / 11 if ticks else 0.0
    readable: list[int] = []
    for tick in ticks:
        if not readable or place(tick) - place(readable[-1]) >= apart:
            readable.append(tick)
    axes.set_xticks(readable, list(map(str, readable)))


def _write_plain(axis: Any) -> None:
    axis.set_major_formatter(matplotlib("ticker").FuncFormatter(lambda value, _: f"{value:,.10g}"))


def draw_trade_off(axes: Any, results: Results, cost: str, *, legend: bool = True, size: float = 9) -> None:
    """Draw the cost against time: a line for each algorithm, from the lowest k to the highest."""
    times: list[float] = []
    points: list[tuple[int, float, float]] = []
    for name, line in results.by_k.items():
        shown = released(line)
        xs, ys = ([_middle(results, cell, measure) for _, cell in shown] for measure in (TIME, cost))
        times += xs
        axes.plot(xs, ys, markersize=4, linewidth=0.8, label=name, **_style(results, name))
        points += list(zip([k for k, _ in shown], xs, ys, strict=True))[:: max(1, len(shown) - 1)]
    _dress(axes, f"{results.title(cost)} against {results.title(TIME)}", size)
    if not times:
        _say_empty(axes, size)
        return
    axes.margins(y=0.18)
    axes.set_ylim(bottom=0)
    _write_plain(axes.yaxis)
    if times and min(times) > 0 and max(times) / min(times) > VERY_MANY:
        axes.set_xscale("log")
        axes.minorticks_off()
        axes.margins(x=0.08)
        _write_plain(axes.xaxis)
    _label_ks(axes, points, size)
    if legend:
        _draw_legend(axes, size)


def _label_ks(axes: Any, points: list[tuple[int, float, float]], size: float) -> None:
    """Write the k of each point beside it, unless another label is there already."""
    wide, high = 3.4 * size, 1.2 * size  # of a label, in points
    scale = 72 / axes.figure.dpi
    written: list[tuple[float, float]] = []
    for k, x, y in points:
        across, up = (part * scale for part in axes.transData.transform((x, y)))
        if all(abs(across - other) > wide or abs(up - above) > high for other, above in written):
            written.append((across, up))
            axes.annotate(f"k={k}", (x, y), textcoords="offset points", xytext=(4, 4), fontsize=size - 2.5, color=GREY)


def draw_relative(axes: Any, results: Results, cost: str, *, size: float = 9) -> None:
    """Draw the cost of each algorithm as a multiple of the lowest cost at each k."""
    lowest: dict[int, float] = {}
    for line in results.by_k.values():
        for k, cell in line:
            mean = cell.mean(cost)
            if mean is not None:
                lowest[k] = min(lowest.get(k, mean), mean)
    for name, line in results.by_k.items():
        points = [(k, mean / lowest[k]) for k, cell in line if (mean := cell.mean(cost)) is not None and lowest[k]]
        if points:
            style = _style(results, name)
            axes.plot(*zip(*points, strict=True), label=name, **LINE, **style)
    _dress(axes, f"{results.title(cost)}, times the lowest, against k", size)
    if not lowest:
        _say_empty(axes, size)
        return
    _set_ticks(axes, sorted(lowest), logarithmic=True)
