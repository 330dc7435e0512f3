"""Risk: what an attacker can tell of the table and of its release, measure by measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from shoal.ui.charts import options
from shoal.ui.pages.parts import chart, hint, percent
from shoal.ui.state.runs import Run
from shoal.ui.state.workbench import Workbench

Found = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A measure with its value before and after, and what it means."""

    name: str
    before: str
    after: str
    meaning: str


def risks_part(bench: Workbench, shown: Run) -> None:
    """A chart of the main risks, and a table of all."""
    result = shown.result
    if result is None:
        return
    before, after = result.before, result.after
    with ui.row().classes("w-full gap-6 no-wrap items-start"):
        with ui.column().classes("w-[34rem] shrink-0 gap-1"):
            _table(risk_lines(before, after))
        with ui.column().classes("flex-1 min-w-0 gap-1"):
            names = ["highest risk", "average risk", f"rows above {100 * after['threshold']:g} %"]
            keys = ("highest", "average", "share_above")
            first, then = ([found["prosecutor"][key] for key in keys] for found in (before, after))
            each = zip(names, first, then, strict=True)
            told = "; ".join(f"{name}: {percent(one)}, then {percent(two)}" for name, one, two in each)
            chart(
                options.shares(names, first, then),
                f"Risk of being found, before and after. {told}",
                height="18rem",
                marker="risks",
            )
            ui.label(
                "The risk of a row is the probability with which an attacker who knows the person's quasi-identifiers "
                "picks the right row. Rows that are suppressed are not counted."
            ).classes("text-sm opacity-70")


def _table(lines: list[Line]) -> None:
    with ui.element("table").classes("w-full text-sm").mark("risk-table"):
        with ui.element("tr").classes("text-left opacity-70"):
            for head in ("rest the mouse on a line for its meaning", "before", "after"):
                with ui.element("th").classes("py-0.5 pr-4 font-normal"):
                    ui.label(head)
        for line in lines:
            with ui.element("tr").classes("border-t border-gray-500/30 cursor-help").props("tabindex=0") as row:
                for text in (line.name, line.before, line.after):
                    with ui.element("td").classes("py-0.5 pr-4"):
                        ui.label(text)
            hint(row, line.meaning)


def risk_lines(before: Found, after: Found) -> list[Line]:
    """All measures of two assessments."""

    def line(name: str, value: Callable[[Found], str], meaning: str) -> Line:
        return Line(name, value(before), value(after), meaning)

    above = f"{100 * after['threshold']:g} %"
    lines = [
        line("k", lambda found: f"{found['k']:,}", "Rows of the smallest class: everybody looks like k − 1 others."),
        line(
            "unique rows",
            lambda found: f"{found['unique_rows']:,} ({percent(found['unique_rows'] / found['rows'])})",
            "Rows that nobody else shares all quasi-identifying values with: these people can be found for certain.",
        ),
    ]
    for kind, who in ATTACKERS.items():
        lines += [
            line(f"{kind}: highest risk", _share(kind, "highest"), f"{who} The risk of the row easiest to find."),
            line(f"{kind}: average risk", _share(kind, "average"), f"{who} The mean risk over all rows."),
            line(
                f"{kind}: rows above {above}",
                _share(kind, "share_above"),
                f"{who} The share of rows whose risk is above {above}, a threshold that health data are often held to.",
            ),
        ]
    lines.append(line("marketer: rows found", lambda found: percent(found["marketer"]), MARKETER))
    for name in after["sensitive"]:
        lines += [
            line(f"{name}: {words}", _sensitive(name, key), meaning.format(name=name))
            for key, (words, meaning) in SENSITIVE.items()
            if before["sensitive"][name][key] is not None or key not in OPTIONAL
        ]
    return lines


ATTACKERS = {
    "prosecutor": "An attacker who knows that the person is in the table.",
    "journalist": "An attacker who does not know whether the person is in the table; without a table of the whole "
    "population it is counted as if they knew.",
}
MARKETER = "An attacker who links everybody: the share of rows that they would name rightly."
SENSITIVE = {
    "distinct_l": (
        "different values (distinct ℓ)",
        "The least number of different values of {name} in a class: 1 means that everybody there is known to have it.",
    ),
    "entropy_l": (
        "entropy ℓ",
        "How evenly {name} is spread in the worst class, as a number of equally frequent values: at 1 it is known.",
    ),
    "alpha": (
        "share of the most frequent value",
        "In the worst class so many have the same value of {name}: an attacker who guesses it is right that often.",
    ),
    "t_equal": (
        "distance from all rows (t)",
        "How far the shares of {name} in a class are from those in the whole table, at most: 0 means that a class "
        "tells nothing new, 1 that it tells everything.",
    ),
    "t_ordered": (
        "distance from all rows, by order (t)",
        "The same where values of {name} that are close in their order count as similar.",
    ),
    "t_hierarchical": (
        "distance from all rows, by tree (t)",
        "The same where values of {name} that are close in their hierarchy count as similar.",
    ),
}
OPTIONAL = ("t_ordered", "t_hierarchical")


def _share(kind: str, key: str) -> Callable[[Found], str]:
    return lambda found: percent(found[kind][key])


def _sensitive(name: str, key: str) -> Callable[[Found], str]:
    def value(found: Found) -> str:
        number = found["sensitive"][name][key]
        if number is None:
            return "–"
        if key == "alpha":
            return percent(number)
        return f"{number:,}" if isinstance(number, int) else f"{number:.3g}"

    return value
