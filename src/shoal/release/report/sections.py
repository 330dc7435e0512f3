"""The sections of a report: its facts in words."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.data.classes import PEOPLE
from shoal.documents.document import Bars, Beside, Code, Document, Grid, Line, Pairs, Part, Section, Text
from shoal.release.report.distribution import Bar
from shoal.release.report.facts import MIN_FLOOR, RISK_THRESHOLD, Attribute, Facts, Side
from shoal.release.report.phrases import (
    SHUFFLED,
    certificate_in_words,
    clipped,
    four_digits,
    loss_name,
    percent,
    search_in_words,
)
from shoal.release.review.finding_codes import CODES

MAX_NAMES = 30  # of columns with the same role
MAX_LOSSES = 60  # of quasi-identifiers
ANSWERS = {"kept": "Answered: it may leave as it is.", "accepted": "Answered: accepted as it is."}


def document(facts: Facts) -> Document:
    """Return the report as a document."""
    sections = [
        Section("In short", (Pairs(tuple(_in_short(facts).items())),)),
        Section("What is guaranteed", (Pairs(facts.guarantees), *_verified(facts))),
    ]
    sections.append(Section("Review", _review(facts)))
    sections += [Section("Risk before and after", _risks(facts)), Section("What it cost", _cost(facts))]
    if search := search_in_words(facts.search, figures=not facts.suppressed_rows):
        sections.append(Section("The search", (Pairs(tuple(search.items())),)))
    sections += [
        Section("The quasi-identifiers before and after", _distributions(facts)),
        Section("Reproduce it", _reproduction(facts)),
        Section("What this report discloses", _disclosure(facts)),
    ]
    return Document("Release report", f"{clipped(facts.input)}, {facts.input_rows:,} rows", tuple(sections))


def _in_short(facts: Facts) -> dict[str, str]:
    after = facts.after
    short = {
        "promise": " and ".join(name for name, _ in facts.guarantees),
        "classes": f"{after.classes:,} of {facts.noun.of(after.smallest)} or more, {after.average:,.1f} on average",
    }
    short |= facts.counted
    if facts.suppressed_rows:
        treatment = "kept, with every quasi-identifier hidden" if facts.suppressed_kept else "left out"
        treatment += ", and counted in the class with the same labels" * facts.suppressed_in_class
        short["suppressed"] = f"{_rows(facts.suppressed_rows, facts.before.rows)}, {treatment}"
    if facts.dropped_rows:
        short["dropped"] = f"{_rows(facts.dropped_rows, facts.input_rows)}, because a value is missing"
    loss = f"{four_digits(facts.loss)} per cell, from 0 (nothing changed) to 1 (nothing left)"
    short[loss_name(suppressed=facts.suppressed_rows)] = loss
    short |= certificate_in_words(facts.certificate)
    short["algorithm"] = facts.algorithm
    if facts.choice:
        short["why"] = facts.choice
    if facts.shuffled:
        short["order of the rows"] = SHUFFLED
    return short | {role: _names(names) for role, names in facts.roles.items() if names}


def _names(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMES
    return ", ".join(map(clipped, names[:MAX_NAMES])) + (f" and {more:,} more" if more > 0 else "")


def _verified(facts: Facts) -> list[Part]:
    after = facts.after
    text = (
        "Before the table was released, its rows were grouped again by their released labels, by code that takes "
        f"no part in making a release (shoal.verify, which hashes the text of the labels). It has {after.classes:,} "
        f"classes, the smallest with {after.smallest:,} {facts.noun.many}, and each of them keeps the promise."
    )
    if facts.people is not None:
        text += f" The labels of a class fit at least {facts.people:,} people of the population."
    for name, count in facts.distinct_sensitive.items():
        text += f" Each class holds at least {count:,} different value{'s' * (count != 1)} of “{clipped(name)}”."
    if facts.suppressed_rows and facts.suppressed_kept:
        place = "count in the class with the same labels" if facts.suppressed_in_class else "belong to no class"
        text += f" Suppressed rows show nothing of the quasi-identifiers and {place}."
    saved = (
        "A file is read back and verified in the same way before it gets its name; if it fails, neither the file nor "
        "its report is written."
    )
    return [*map(Text, facts.statements), Text(text), Text(saved)]


def _review(facts: Facts) -> tuple[Part, ...]:
    """Say what was looked for: what is open, what was answered, and what was not found."""
    parts = [Text(sentence, "alarm") for sentence in facts.open_findings]
    parts += [Text(f"{sentence} {ANSWERS[answer]}") for sentence, answer in facts.answered]
    clean, unchecked = ("; ".join(CODES[code] for code in codes) for codes in (facts.clean, facts.unchecked))
    parts.append(Text(f"Looked for and not found: {clean}.", "note"))
    return *parts, *([Text(f"Not looked for, as only a part of the rows was seen: {unchecked}.")] if unchecked else [])


def _risks(facts: Facts) -> tuple[Part, ...]:
    sides = (facts.before, facts.after)
    rows = (
        (f"{facts.noun.many} in classes", *(f"{side.rows:,}" for side in sides)),
        ("classes", *(f"{side.classes:,}" for side in sides)),
        ("smallest class", *(facts.noun.of(side.smallest) for side in sides)),
        (f"prosecutor: highest risk of a {facts.noun.one}", *(percent(side.risk.highest) for side in sides)),
        (f"prosecutor: average risk of a {facts.noun.one}", *(percent(side.risk.average) for side in sides)),
        (f"marketer: {facts.noun.many} identified by linking all", *(percent(side.risk.average) for side in sides)),
        (f"unique {facts.noun.many}", *(_count(side.unique_rows, side, facts) for side in sides)),
        (
            f"{facts.noun.many} with a risk above {RISK_THRESHOLD:.0%}",
            *(_count(side.rows_above, side, facts) for side in sides),
        ),
    )
    note = (
        "Before: the original values of all rows that were not dropped. After: the released labels. The prosecutor "
        "knows that a person is in the table and knows their quasi-identifiers; the risk of a "
        f"{facts.noun.one} is 1 / the size of its class."
    )
    if facts.noun == PEOPLE:
        note += " A person with rows in several classes counts in each of them."
    sizes = Beside(
        f"{facts.noun.many.capitalize()} by the size of their class",
        _shares("before", facts.before.sizes),
        _shares("after", facts.after.sizes),
    )
    return Grid(("", "before", "after"), rows), Text(note, "note"), sizes


def _count(rows: int | None, side: Side, facts: Facts) -> str:
    if rows is None:
        return f"fewer than {facts.floor:,} {facts.noun.many}"
    return f"{facts.noun.of(rows)} ({percent(rows / side.rows)})" if rows else "none"


def _cost(facts: Facts) -> tuple[Part, ...]:
    lost, title = facts.attributes, "Loss of each quasi-identifier, from 0 to 1"
    if len(lost) > MAX_LOSSES:
        title = f"Loss of the {MAX_LOSSES} quasi-identifiers of {len(lost):,} that lost most, from 0 to 1"
        lost = tuple(sorted(lost, key=lambda attribute: -attribute.loss)[:MAX_LOSSES])
    lines = tuple(
        Line(
            clipped(attribute.name),
            attribute.loss,
            f"{four_digits(attribute.loss)}  "
            f"({_plural(attribute.values, 'value')} → {_plural(attribute.labels, 'label')})",
        )
        for attribute in lost
    )
    measures = Pairs(
        (
            (loss_name(suppressed=facts.suppressed_rows), f"{four_digits(facts.loss)} per cell"),
            ("certainty penalty (NCP)", percent(facts.penalty)),
            ("discernibility (DM)", f"{facts.discernibility:,}"),
            ("average class", f"{facts.after.average:,.1f} {facts.noun.many}"),
        )
    )
    note = (
        "Losses are measured by the values of the rows that are not suppressed: a label loses (values that it covers "
        "− 1) / (all values − 1), a suppressed row loses 1. The .json report has this figure, too, and the loss (LM) "
        "by all values of the table."
    )
    return Bars(title, lines), measures, *([Text(note, "note")] if facts.suppressed_rows else [])


def _distributions(facts: Facts) -> tuple[Part, ...]:
    drawn = [attribute for attribute in facts.attributes if attribute.before]
    note = (
        f"On the left the original values, on the right the released labels, as shares of the {facts.noun.many}. On "
        f"the left, no bar stands for fewer than {facts.floor:,} {facts.noun.many}, and rarer values are not named."
    )
    if facts.suppressed_rows:
        note += " The original values of suppressed rows are in no bar."
    if len(drawn) < len(facts.attributes):
        note += f" Of {len(facts.attributes):,} quasi-identifiers the {len(drawn)} that lost most are drawn."
    return Text(note, "note"), *map(_attribute, drawn)


def _attribute(attribute: Attribute) -> Beside:
    after = "after, with the rows of a range spread evenly over it" if attribute.spread else "after"
    return Beside(clipped(attribute.name), _shares("before", attribute.before), _shares(after, attribute.after))


def _shares(title: str, bars: Sequence[Bar]) -> Bars:
    rows = sum(bar.rows for bar in bars)
    return Bars(title, tuple(Line(bar.name, bar.rows / rows, percent(bar.rows / rows)) for bar in bars))


def _reproduction(facts: Facts) -> tuple[Part, ...]:
    certificate = facts.certificate
    cut_off = certificate is not None and certificate["interrupted"] and certificate["repeatable"]
    title = "The command:" if facts.choice or cut_off else "The command, as it was typed:"
    command = (Text(title), Code(facts.command)) if facts.command else ()
    script = "The same release in Python:"
    if facts.shuffled:
        script = "In Python. The rows are shuffled at random, so another run gives them in another order:"
    if certificate and not certificate["repeatable"]:
        script = "In Python. The search had a time limit, so another run may give another release:"
    return *command, Text(script), Code(facts.python.rstrip("\n"))


def _disclosure(facts: Facts) -> tuple[Part, ...]:
    rule = (
        "This report may be published with the release. It names no value of the original table that fewer than "
        f"{facts.floor:,} {facts.noun.many} have, and no bar stands for fewer than {facts.floor:,}: the size that the "
        f"smallest class has or was promised to have, and at least {MIN_FLOOR}. Compared with the release, differences "
        "may reveal how many rows of a class have a value, but never which of them, unless all do. Numbers and dates "
        "are counted between round cuts, open at both ends; the cuts depend only on how many rows lie between round "
        "numbers, so a cut does not imply that a row has exactly that value. The report says nothing about the "
        "original values of suppressed rows: the numbers of classes and of unique rows before only show whether these "
        "rows resemble others, and losses are measured without them. It says nothing about single rows, about "
        "sensitive, removed or pseudonymized columns, or about the population, and contains no checksum of the input. "
        "All labels shown are released labels. The command and the lines of Python are quoted as given, except for "
        "folders of the machine and names of servers: review them for anything that should stay private."
    )
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    made = f"Made with {versions}. It contains no date, so that the same input gives the same report."
    return Text(rule), Text(made, "note")


def _rows(count: int, whole: int) -> str:
    return f"{_plural(count)} ({percent(count / whole)})"


def _plural(count: int, noun: str = "row") -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
