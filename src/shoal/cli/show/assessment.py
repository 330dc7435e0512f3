"""An assessment in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from shoal.analysis.assessment.figures import figures
from shoal.cli.show.tables import bar, count_and_share, headed, show_facts, show_rows
from shoal.data.classes import ROWS, Noun

if TYPE_CHECKING:
    from shoal.analysis.assessment import Assessment, ColumnSet, PopulationUniqueness, Risk, Sensitive, Verdict

ESTIMATORS = {"pitman": "Pitman", "zayatz": "Zayatz", "snb": "slide negative binomial"}
MAX_SETS = 10  # sets of columns listed of each size
SIZE_BANDS = (1, 2, 5, 10, 50, 100, 1000)


def show_assessment(assessment: Assessment) -> None:
    """Print how safe a table is."""
    suppressed = f", {assessment.suppressed_rows:,} of them suppressed" if assessment.suppressed_rows else ""
    show_facts(
        "Assessment",
        {
            "rows": f"{assessment.rows:,}{suppressed}",
            **_people(assessment),
            "classes": f"{assessment.classes:,}, {assessment.average_class_size:.1f} {assessment.noun.many} on average",
            "k": f"{assessment.k:,}",
            f"unique {assessment.noun.many}": count_and_share(assessment.unique_rows, assessment.counted),
        },
    )
    _show_sizes(assessment)
    if assessment.sensitive:
        _show_sensitive(assessment.sensitive)
    _show_risks(assessment)
    if assessment.population_uniqueness is not None:
        _show_uniqueness(assessment.population_uniqueness)
    columns = ["row", "class", *assessment.riskiest[0].values]
    rows = [[f"{risky.row:,}", f"{risky.class_size:,}", *risky.values.values()] for risky in assessment.riskiest]
    show_rows("The riskiest rows", columns, rows)
    for note in assessment.notes:
        Console().print(escape(note), style="dim")


def _people(assessment: Assessment) -> dict[str, str]:
    """Say who was counted instead of rows, and how many people are alike in all of their rows."""
    people = assessment.people
    if people is None:
        return {}
    unique = count_and_share(people["unique_profiles"], people["people"])
    return {
        "people": f"{people['people']:,}, by {people['unit']}, with {people['rows_per_person']:.4g} rows on average",
        "if rows are linked": f"{people['share_a_profile']:,} share a set of rows, {unique} are alone with theirs",
    }


def _show_sizes(assessment: Assessment) -> None:
    many = assessment.noun.many
    headings = (f"{many} per class", "classes", many)
    table = headed("Class sizes", *headings, "", right=headings, box=None, padding=(0, 2))
    in_classes = sum(size * count for size, count in assessment.class_sizes.items())
    for low, next_low in zip(SIZE_BANDS, [*SIZE_BANDS[1:], None], strict=True):
        band = {
            size: count
            for size, count in assessment.class_sizes.items()
            if size >= low and (not next_low or size < next_low)
        }
        if band:
            rows = sum(size * count for size, count in band.items())
            table.add_row(_band(low, next_low), f"{sum(band.values()):,}", f"{rows:,}", bar(rows / in_classes))
    Console().print(table)


def _band(low: int, next_low: int | None) -> str:
    if next_low is None:
        return f"{low:,} or more"
    return f"{low:,}" if next_low == low + 1 else f"{low:,}–{next_low - 1:,}"


def _show_sensitive(by_column: dict[str, Sensitive]) -> None:
    table = headed("What every class satisfies", "", *by_column, "safer", right=by_column)
    for model, _, figure in figures():
        values = [sensitive.reached[figure.name] for sensitive in by_column.values()]
        if any(value is not None for value in values):
            table.add_row(figure.title, *map(_number, values), "↑" if model.at_least else "↓")
    Console().print(table)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return "∞" if isinf(value) else f"{value:.4g}" if value < 10_000 else f"{value:,.0f}"


def _show_risks(assessment: Assessment) -> None:
    headings = ("highest", "average", f"{assessment.noun.many} above {assessment.threshold:g}")
    title = "Risk that a row is linked to its person" if assessment.people is None else "Risk that a person is found"
    table = headed(title, "attacker", *headings, right=headings)

    def row(name: str, risk: Risk) -> None:
        above = f"{risk.rows_above:,} ({risk.share_above:.1%})"
        table.add_row(name, f"{risk.highest:.2%}", f"{risk.average:.2%}", above)

    row("prosecutor: knows who is in the table", assessment.prosecutor)
    population = f"among {assessment.population_rows:,} people" if assessment.population_rows else "as the prosecutor"
    row(f"journalist: {population}", assessment.journalist)
    table.add_row(f"marketer: links every {assessment.noun.one}", "", f"{assessment.marketer:.2%}", "")
    Console().print(table)
    if assessment.population_unique_rows is not None:
        Console().print(f"{assessment.population_unique_rows:,} rows are unique in the population.")


def _show_uniqueness(uniqueness: PopulationUniqueness) -> None:
    population = uniqueness.population_rows
    facts = {}
    for key, name in ESTIMATORS.items():
        estimate = getattr(uniqueness, key)
        facts[name] = "no solution" if estimate is None else f"{estimate:,.0f} ({estimate / population:.2%})"
    facts["at most"] = f"{uniqueness.at_most:,.0f}, the unique rows scaled up to the population"
    by_rule = (getattr(uniqueness, uniqueness.rule) or 0) / population
    facts["Dankar's rule takes"] = f"{ESTIMATORS[uniqueness.rule]}: {by_rule:.2%}"
    if uniqueness.disagree:
        facts["they disagree"] = f"from {uniqueness.lowest:,.0f} to {uniqueness.highest:,.0f} people"
        facts["the careful choice"] = f"{ESTIMATORS[uniqueness.chosen]}: {uniqueness.share:.2%}"
    show_facts(f"People unique in a population of {population:,}, estimated", facts)


def show_requirements(verdicts: Sequence[Verdict], noun: Noun = ROWS) -> None:
    """Print for each requirement whether it holds, and a class that fails it."""
    table = headed("Requirements", "required", "holds", "fails", "for example")
    for verdict in verdicts:
        fails = "" if verdict else f"{verdict.failing_classes:,} classes, {noun.of(verdict.failing_rows)}"
        example = "" if verdict else "the table as a whole"
        if verdict.example is not None:
            labels = ", ".join(f"{name}={label}" for name, label in verdict.example.labels.items())
            example = f"row {verdict.example.first_row:,}, class of {verdict.example.size:,}: {labels}"
        holds = "[green]yes[/]" if verdict else "[red]no[/]"
        table.add_row(escape(verdict.requirement), holds, fails, escape(example))
    Console().print(table)


def show_column_sets(column_sets: Sequence[ColumnSet]) -> None:
    """Print the sets of columns that distinguish rows best, without supersets of a key."""
    shares = ("different rows", "distinguished pairs")
    table = headed("How well sets of columns distinguish rows", "columns", *shares, "", right=shares)
    for size in sorted({len(columns.columns) for columns in column_sets}):
        listed = [columns for columns in column_sets if len(columns.columns) == size]
        for columns in [columns for columns in listed if columns.unique == columns.minimal][:MAX_SETS]:
            mark = "unique" if columns.unique else ""
            names = escape(", ".join(columns.columns))
            table.add_row(names, f"{columns.distinction:.2%}", f"{columns.separation:.4%}", mark)
        table.add_section()
    Console().print(table)
    keys = "; ".join(", ".join(columns.columns) for columns in column_sets if columns.minimal) or "none of these"
    Console().print("Minimal sets that identify every row: " + escape(keys))
