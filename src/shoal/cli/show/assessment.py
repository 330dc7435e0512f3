"""An assessment on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from shoal.analysis.assessment.sensitive import figures
from shoal.cli.show.release import bar, facts, rows

if TYPE_CHECKING:
    from shoal.analysis.assessment import Assessment, ColumnSet, PopulationUniqueness, Risk, Sensitive, Verdict

BEST = 10  # sets of columns shown of each size
BANDS = (1, 2, 5, 10, 50, 100, 1000)


def assessment(found: Assessment) -> None:
    """How safe a table is."""
    suppressed = f", {found.suppressed_rows:,} of them suppressed" if found.suppressed_rows else ""
    facts(
        "Assessment",
        {
            "rows": f"{found.rows:,}{suppressed}",
            "classes": f"{found.classes:,}, {found.average_class_size:.1f} rows on average",
            "k": f"{found.k:,}",
            "unique rows": f"{found.unique_rows:,} ({found.unique_rows / found.rows:.1%})",
        },
    )
    _sizes(found)
    if found.sensitive:
        _sensitive(found.sensitive)
    _risks(found)
    if found.population_uniqueness is not None:
        _uniqueness(found.population_uniqueness)
    columns = ["row", "class", *found.riskiest[0].values]
    lines = [[f"{one.row:,}", f"{one.class_size:,}", *one.values.values()] for one in found.riskiest]
    rows("The riskiest rows", columns, lines)
    for note in found.notes:
        Console().print(escape(note), style="dim")


def _sizes(found: Assessment) -> None:
    table = Table(title="Class sizes", title_justify="left", box=None, padding=(0, 2), header_style="bold")
    for name in ("rows per class", "classes", "rows", ""):
        table.add_column(name, justify="right" if name else "left")
    inside = found.rows - found.suppressed_rows
    for low, next_low in zip(BANDS, [*BANDS[1:], None], strict=True):
        band = {size: n for size, n in found.class_sizes.items() if size >= low and (not next_low or size < next_low)}
        if band:
            held = sum(size * number for size, number in band.items())
            name = (
                f"{low:,} or more"
                if next_low is None
                else f"{low:,}"
                if next_low == low + 1
                else f"{low:,}–{next_low - 1:,}"
            )
            table.add_row(name, f"{sum(band.values()):,}", f"{held:,}", bar(held / inside))
    Console().print(table)


def _sensitive(found: dict[str, Sensitive]) -> None:
    table = Table(title="What every class reaches", title_justify="left", header_style="bold")
    table.add_column("")
    for name in found:
        table.add_column(escape(name), justify="right", overflow="fold")
    table.add_column("safer")
    for model, _, figure in figures():
        values = [one.reached[figure.name] for one in found.values()]
        if any(value is not None for value in values):
            table.add_row(figure.title, *map(_number, values), "↑" if model.at_least else "↓")
    Console().print(table)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return "∞" if isinf(value) else f"{value:.4g}" if value < 10_000 else f"{value:,.0f}"


def _risks(found: Assessment) -> None:
    table = Table(title="Risk that a row is traced to its person", title_justify="left", header_style="bold")
    for name in ("attacker", "highest", "average", f"rows above {found.threshold:g}"):
        table.add_column(name, justify="left" if name == "attacker" else "right")

    def row(name: str, risk: Risk) -> None:
        above = f"{risk.rows_above:,} ({risk.share_above:.1%})"
        table.add_row(name, f"{risk.highest:.2%}", f"{risk.average:.2%}", above)

    row("prosecutor: knows who is in the table", found.prosecutor)
    among = f"among {found.population_rows:,} people" if found.population_rows else "as the prosecutor"
    row(f"journalist: {among}", found.journalist)
    table.add_row("marketer: links every row", "", f"{found.marketer:.2%}", "")
    Console().print(table)
    if found.population_unique_rows is not None:
        Console().print(f"{found.population_unique_rows:,} rows are unique in the population.")


def _uniqueness(found: PopulationUniqueness) -> None:
    title = f"People unique in a population of {found.population_rows:,}, estimated"
    estimates = {"Pitman": found.pitman, "Zayatz": found.zayatz, "slide negative binomial": found.snb}
    lines = {
        name: "no solution" if value is None else f"{value:,.0f} ({value / found.population_rows:.2%})"
        for name, value in estimates.items()
    }
    names = {"pitman": "Pitman", "zayatz": "Zayatz", "snb": "slide negative binomial"}
    decided = {
        "Dankar's rule takes": f"{names[found.rule]}: {(getattr(found, found.rule) or 0) / found.population_rows:.2%}"
    }
    if found.disagree:
        decided["they disagree"] = f"from {found.lowest:,.0f} to {found.highest:,.0f} people"
        decided["to be careful"] = f"{names[found.chosen]}: {found.share:.2%}"
    facts(title, {**lines, "no more than": f"{found.at_most:,.0f}, the unique rows of as large a sample", **decided})


def requirements(found: Sequence[Verdict]) -> None:
    """For each requirement yes or no, and which class fails it."""
    table = Table(title="Requirements", title_justify="left", header_style="bold")
    for name in ("required", "holds", "fails", "for example"):
        table.add_column(name, overflow="fold")
    for one in found:
        fails = "" if one else f"{one.failing_classes:,} classes, {one.failing_rows:,} rows"
        example = "" if one else "the table as a whole"
        if one.example is not None:
            shown = ", ".join(f"{name}={label}" for name, label in one.example.labels.items())
            example = f"row {one.example.first_row:,}, class of {one.example.size:,}: {shown}"
        table.add_row(escape(one.requirement), "[green]yes[/]" if one else "[red]no[/]", fails, escape(example))
    Console().print(table)


def columns(found: Sequence[ColumnSet]) -> None:
    """The sets of columns that tell most; those that contain one that tells all rows apart are left out."""
    table = Table(title="What sets of columns tell", title_justify="left", header_style="bold")
    for name in ("columns", "different rows", "pairs told apart", ""):
        table.add_column(name, justify="left" if name in ("", "columns") else "right", overflow="fold")
    for size in sorted({len(one.columns) for one in found}):
        telling = [one for one in found if len(one.columns) == size and one.unique == one.minimal]
        for one in telling[:BEST]:
            mark = "unique" if one.unique else ""
            table.add_row(escape(", ".join(one.columns)), f"{one.distinction:.2%}", f"{one.separation:.4%}", mark)
        table.add_section()
    Console().print(table)
    minimal = [one for one in found if one.minimal]
    said = "; ".join(", ".join(one.columns) for one in minimal) or "none of these"
    Console().print("Tell every row apart, and no part of them does: " + escape(said))
