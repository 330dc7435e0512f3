"""Attacks and their controls as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from shoal.analysis.attack.trial import Comparison
from shoal.documents.plots import ALARM, CALM, GREY, OTHER, check_plot, dress, new_figure, save

MAX_NAME = 34  # characters of what was attacked


def plot(compared: Sequence[tuple[str, Comparison]], path: str | PathLike[str]) -> None:
    """Draw the rate of each attack, by its name, above that of its control, completely or not at all."""
    check_plot(path)
    figure = new_figure(9, 1.6 + 0.75 * max(1, len(compared)))
    axes = figure.subplots()
    names = []
    for place, (title, one) in enumerate(compared):
        colour = ALARM if one.leaks else CALM
        for trial, offset, shade in ((one.attack, -0.18, colour), (one.control, 0.18, OTHER)):
            low, high = trial.interval(one.confidence)
            error = [[100 * max(0.0, trial.rate - low)], [100 * max(0.0, high - trial.rate)]]
            style = {"ecolor": GREY, "capsize": 2}
            axes.barh(place + offset, 100 * trial.rate, 0.34, color=shade, xerr=error, error_kw=style)
        about = one.about if len(one.about) <= MAX_NAME else f"{one.about[: MAX_NAME - 1]}…"
        names.append(f"{title}\n{about}")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    held_out = any(one.held_out for _, one in compared)
    other = "people who are not in the release" if held_out else "guesses made without the release"
    heading = f"Attacks (red: better than chance explains; blue: not), and {other} (green)"
    dress(axes, heading, "right in % of tries", "", size=10)
    save(figure, path)
