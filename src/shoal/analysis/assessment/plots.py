"""The class sizes and the risks of a table as a picture."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np

from shoal.analysis.assessment.figures import Figures
from shoal.documents.plots import ALARM, CALM, GREY, OTHER, check_plot, dress, matplotlib, new_figure, save

EDGES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # the smallest class of each bar


def plot(figures: Figures, path: str | PathLike[str]) -> None:
    """Draw the class sizes and the risks of an assessment into a file, completely or not at all."""
    check_plot(path)
    figure = new_figure(11, 4.4)
    left, right = figure.subplots(1, 2)
    _draw_sizes(left, figures)
    _draw_risks(right, figures)
    save(figure, path)


def _draw_sizes(axes: Any, figures: Figures) -> None:
    """Draw bars of the share of rows in classes of each size; those with a risk above the threshold stand out."""
    edges = [edge for edge in EDGES if edge <= max(figures.class_sizes)]
    sizes = np.array(list(figures.class_sizes))
    counts = np.array(list(figures.class_sizes.values()))
    place = np.searchsorted(edges, sizes, side="right") - 1
    rows, numbers = (np.bincount(place, weights=weights, minlength=len(edges)) for weights in (sizes * counts, counts))
    shares = 100 * rows / rows.sum()
    colours = [ALARM if 1 / edge > figures.threshold else CALM for edge in edges]
    bars = axes.bar(range(len(edges)), shares, color=colours, width=0.82)
    axes.bar_label(
        bars, [f"{int(number):,}" if number else "" for number in numbers], fontsize=8, color=GREY, padding=2
    )
    axes.set_xticks(range(len(edges)), _names(edges, int(sizes.max())), rotation=30 if len(edges) > 7 else 0)
    axes.margins(y=0.12)
    classes = f"{figures.classes:,} class{'es' if figures.classes > 1 else ''}"
    title = f"k = {figures.k:,}   ({figures.noun.of(figures.counted)}, {classes})"
    dress(
        axes,
        title,
        f"{figures.noun.many} in a class (number of classes above the bars)",
        f"share of {figures.noun.many}, %",
    )


def _names(edges: list[int], largest: int) -> list[str]:
    ends = [*(edge - 1 for edge in edges[1:]), largest]
    return [f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in zip(edges, ends, strict=True)]


def _draw_risks(axes: Any, figures: Figures) -> None:
    """Draw the share of rows whose risk is at least x: the prosecutor's and, with a population, the journalist's."""
    sizes = {size: size * number for size, number in figures.class_sizes.items()}
    if figures.people is not None:
        sizes = figures.people["by_smallest_class"]
    curves = [(sizes, CALM, "knows who is in the table")]
    if figures.population_sizes is not None:
        curves.append((figures.population_sizes, OTHER, f"among {figures.population_rows:,} people"))
    lowest = min([0.1, figures.threshold or 1, *(1 / max(rows) for rows, _, _ in curves)]) / 1.5
    for (rows, colour, label), attacker in zip(curves, ("prosecutor", "journalist"), strict=False):
        ascending = np.array(sorted(rows))  # risks from the highest to the lowest
        shares = 100 * np.cumsum([rows[size] for size in ascending.tolist()]) / sum(rows.values())
        x, y = np.concatenate([[1.0], 1 / ascending, [lowest]]), np.concatenate([[0.0], shares, [100.0]])
        axes.step(x, y, where="post", color=colour, linewidth=2, label=f"{attacker}: {label}")
        axes.fill_between(x, y, step="post", color=colour, alpha=0.12, linewidth=0)
    if figures.threshold > 0:
        axes.axvline(figures.threshold, color=ALARM, linewidth=1.2, linestyle="--")
    axes.set_xscale("log")
    axes.set_xlim(lowest, 1.2)
    axes.set_ylim(0, 104)
    axes.xaxis.set_major_formatter(matplotlib("ticker").FuncFormatter(lambda x, _: f"{x:g}"))
    axes.legend(frameon=False, fontsize=9, loc="lower left")
    title = f"{figures.prosecutor.share_above:.1%} of {figures.noun.many} above a risk of {figures.threshold:g}"
    dress(axes, title, "risk to be found", f"{figures.noun.many} with at least this risk, %")
