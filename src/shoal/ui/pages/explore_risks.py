"""Risk: what an attacker can learn from the table and from its release, measure by measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from nicegui import ui

from shoal.ui.charts.releases import shares
from shoal.ui.pages.elements import before_after_table, chart, percent
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

Assessment = Mapping[str, Any]


class Line(NamedTuple):
    """A measure with its value before and after, and what it means."""

    name: str
    before: str
    after: str
    meaning: str


def risks_part(bench: Workbench, shown: Run) -> None:
    """Show a chart of the main risks, and a table of all measures."""
    before, after = shown.release.sides
    with ui.row().classes("w-full gap-6 no-wrap items-start"):
        with ui.column().classes("w-[34rem] shrink-0 gap-1"):
            heads = ("point at a line to see its meaning", "before", "after")
            before_after_table(heads, risk_lines(before, after), marker="risk-table").classes("w-full")
        with ui.column().classes("flex-1 min-w-0 gap-1"):
            names = ["highest risk", "average risk", f"rows above {100 * after['threshold']:g} %"]
            keys = ("highest", "average", "share_above")
            first, then = ([side["prosecutor"][key] for key in keys] for side in (before, after))
            each = zip(names, first, then, strict=True)
            summary = "; ".join(f"{name}: {percent(old)}, then {percent(new)}" for name, old, new in each)
            chart(
                shares(names, first, then),
                f"Risk of being found, before and after. {summary}",
                height="18rem",
                marker="risks",
            )
            ui.label(
                "The risk of a row is the probability that an attacker who knows the person's quasi-identifiers picks "
                "the right row. Suppressed rows are not counted."
            ).classes("text-sm opacity-70")


def risk_lines(before: Assessment, after: Assessment) -> list[Line]:
    """Return all measures of two assessments."""

    def line(name: str, value: Callable[[Assessment], str], meaning: str) -> Line:
        return Line(name, value(before), value(after), meaning)

    above = f"{100 * after['threshold']:g} %"
    lines = [
        line(
            "k",
            lambda side: f"{side['k']:,}",
            "Rows of the smallest class: everybody looks like at least k − 1 others.",
        ),
        line(
            "unique rows",
            lambda side: f"{side['unique_rows']:,} ({percent(side['unique_rows'] / side['rows'])})",
            "Rows whose quasi-identifiers no other row shares: these people are found with certainty.",
        ),
    ]
    for kind, who in ATTACKERS.items():
        lines += [
            line(
                f"{kind}: highest risk", _share(kind, "highest"), f"{who} The risk of the row that is easiest to find."
            ),
            line(f"{kind}: average risk", _share(kind, "average"), f"{who} The mean risk over all rows."),
            line(
                f"{kind}: rows above {above}",
                _share(kind, "share_above"),
                f"{who} The share of rows whose risk is above {above}, a common threshold for health data.",
            ),
        ]
    lines.append(line("marketer: rows found", lambda side: percent(side["marketer"]), MARKETER))
    for name in after["sensitive"]:
        lines += [
            line(f"{name}: {words}", _sensitive(name, key), meaning.format(name=name))
            for key, (words, meaning) in SENSITIVE.items()
            if before["sensitive"][name][key] is not None or key not in OPTIONAL
        ]
    return lines


ATTACKERS = {
    "prosecutor": "An attacker who knows that the person is in the table.",
    "journalist": "An attacker who does not know whether the person is in the table; without a population "
    "table, this is the same as the prosecutor.",
}
MARKETER = "An attacker who links everybody: the share of rows that are linked correctly."
SENSITIVE = {
    "distinct_l": (
        "different values (distinct ℓ)",
        "The fewest different values of {name} in a class: 1 means that the value of everybody in it is known.",
    ),
    "entropy_l": (
        "entropy ℓ",
        "How evenly {name} is distributed in the worst class, as a number of equally frequent values: 1 means known.",
    ),
    "alpha": (
        "share of the most frequent value",
        "The share of the most frequent {name} in the worst class: an attacker who guesses it is right that often.",
    ),
    "t_equal": (
        "distance from all rows (t)",
        "The largest distance between the shares of {name} in a class and in the whole table: 0 means that a class "
        "reveals nothing new, 1 that it reveals everything.",
    ),
    "t_ordered": (
        "distance from all rows, by order (t)",
        "The same, but values of {name} that are close in their order count as similar.",
    ),
    "t_hierarchical": (
        "distance from all rows, by tree (t)",
        "The same, but values of {name} that are close in their hierarchy count as similar.",
    ),
}
OPTIONAL = ("t_ordered", "t_hierarchical")


def _share(kind: str, key: str) -> Callable[[Assessment], str]:
    return lambda side: percent(side[kind][key])


def _sensitive(name: str, key: str) -> Callable[[Assessment], str]:
    def value(side: Assessment) -> str:
        number = side["sensitive"][name][key]
        if number is None:
            return "–"
        if key == "alpha":
            return percent(number)
        return f"{number:,}" if isinstance(number, int) else f"{number:.3g}"

    return value
