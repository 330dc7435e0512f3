"""The words of a report, from its facts."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.documents.document import Bars, Beside, Code, Document, Grid, Line, Pairs, Part, Section, Text
from shoal.release.report.distribution import Bar
from shoal.release.report.facts import LEAST, THRESHOLD, Attribute, Facts, Side
from shoal.release.report.phrases import SHUFFLED, certificate_in_words, clipped, percent, search_in_words, three_digits

NAMES = 30  # columns that are listed by name
LISTED = 60  # quasi-identifiers whose loss is listed


def document(facts: Facts) -> Document:
    """The words of a report."""
    found = [
        Section("In short", (Pairs(tuple(_in_short(facts).items())),)),
        Section("What is guaranteed", (Pairs(facts.guarantees), *_verified(facts))),
    ]
    if facts.warnings:
        found.append(Section("What to look at", tuple(Text(sentence, "alarm") for sentence in facts.warnings)))
    found += [Section("Risk before and after", _risks(facts)), Section("What it cost", _cost(facts))]
    if search := search_in_words(facts.search, figures=not facts.suppressed_rows):
        found.append(Section("The search", (Pairs(tuple(search.items())),)))
    found += [
        Section("The quasi-identifiers before and after", _distributions(facts)),
        Section("Make it again", _again(facts)),
        Section("What this report tells, and what not", _rule(facts)),
    ]
    return Document("Release report", f"{clipped(facts.input)}, {facts.input_rows:,} rows", tuple(found))


def _in_short(facts: Facts) -> dict[str, str]:
    after = facts.after
    short = {
        "promise": " and ".join(name for name, _ in facts.guarantees),
        "classes": f"{after.classes:,} of {_plural(after.smallest)} or more, {after.average:,.1f} on average",
    }
    if facts.suppressed_rows:
        kept = "kept, with every quasi-identifier hidden" if facts.suppressed_kept else "left out"
        kept += " as in a class, which counts them, too" * facts.suppressed_in_class
        short["suppressed"] = f"{_rows(facts.suppressed_rows, facts.before.rows)}, {kept}"
    if facts.dropped_rows:
        short["dropped"] = f"{_rows(facts.dropped_rows, facts.input_rows)}, as they miss a value"
    short["loss"] = f"{three_digits(facts.losses.loss)} per cell, from 0 (nothing changed) to 1 (nothing left)"
    short |= certificate_in_words(facts.certificate)
    short["algorithm"] = facts.algorithm
    if facts.choice:
        short["why"] = facts.choice
    if facts.shuffled:
        short["order of the rows"] = SHUFFLED
    return short | {role: _names(names) for role, names in facts.roles.items() if names}


def _names(names: Sequence[str]) -> str:
    more = len(names) - NAMES
    return ", ".join(map(clipped, names[:NAMES])) + (f" and {more:,} more" if more > 0 else "")


def _verified(facts: Facts) -> list[Part]:
    after = facts.after
    text = (
        "Before it was given out, the released table was grouped again by the labels that it shows, by code that has "
        f"no part in making a release (shoal.verify, which hashes the text of the labels). It has {after.classes:,} "
        f"classes, the smallest with {after.smallest:,} rows, and every one keeps the promise."
    )
    if facts.people is not None:
        text += f" What a class shows fits at least {facts.people:,} people of the population."
    for name, count in facts.distinct_sensitive.items():
        text += f" Each class holds at least {count:,} different value{'s' * (count != 1)} of “{clipped(name)}”."
    if facts.suppressed_rows and facts.suppressed_kept:
        place = "in the class that shows the same" if facts.suppressed_in_class else "in no class"
        text += f" Suppressed rows show nothing of the quasi-identifiers and are {place}."
    saved = (
        "A file is read back and verified in the same way before it gets its name; one that fails is never written, "
        "and its report neither."
    )
    return [Text(text), Text(saved)]


def _risks(facts: Facts) -> tuple[Part, ...]:
    sides = (facts.before, facts.after)
    rows = (
        ("rows in classes", *(f"{side.rows:,}" for side in sides)),
        ("classes", *(f"{side.classes:,}" for side in sides)),
        ("smallest class", *(_plural(side.smallest) for side in sides)),
        ("prosecutor: highest risk of a row", *(percent(side.risk.highest) for side in sides)),
        ("prosecutor: average risk of a row", *(percent(side.risk.average) for side in sides)),
        ("marketer: rows rightly named by linking all", *(percent(side.risk.average) for side in sides)),
        ("rows that are unique", *(_told(side.unique_rows, side, facts) for side in sides)),
        (f"rows with a risk above {THRESHOLD:.0%}", *(_told(side.rows_above, side, facts) for side in sides)),
    )
    note = (
        "Before: the original values of all rows that were not dropped. After: the released labels. The prosecutor "
        "knows that a person is in the table and knows the quasi-identifiers; the risk of a row is 1 / the size of its "
        "class."
    )
    sizes = Beside(
        "Rows by the size of their class",
        _shares("before", facts.before.sizes),
        _shares("after", facts.after.sizes),
    )
    return Grid(("", "before", "after"), rows), Text(note, "note"), sizes


def _told(rows: int | None, side: Side, facts: Facts) -> str:
    if rows is None:
        return f"fewer than {facts.floor:,} rows"
    return _rows(rows, side.rows) if rows else "none"


def _cost(facts: Facts) -> tuple[Part, ...]:
    lost, title = facts.attributes, "Loss of each quasi-identifier, from 0 to 1"
    if len(lost) > LISTED:
        title = f"Loss of the {LISTED} quasi-identifiers of {len(lost):,} that lost most, from 0 to 1"
        lost = tuple(sorted(lost, key=lambda one: -one.loss)[:LISTED])
    lines = tuple(
        Line(clipped(one.name), one.loss, f"{three_digits(one.loss)}  ({one.values:,} values → {one.labels:,} labels)")
        for one in lost
    )
    found = Pairs(
        (
            ("loss (LM)", f"{three_digits(facts.losses.loss)} per cell"),
            ("certainty penalty (NCP)", percent(facts.losses.penalty)),
            ("discernibility (DM)", f"{facts.discernibility:,}"),
            ("average class", f"{facts.after.average:,.1f} rows"),
        )
    )
    note = (
        "Losses are measured by the values of the rows that are not suppressed: a label loses (values that it covers "
        "− 1) / (all values − 1), a suppressed row 1. The .json report measures against all values of the table."
    )
    return Bars(title, lines), found, *([Text(note, "note")] if facts.suppressed_rows else [])


def _distributions(facts: Facts) -> tuple[Part, ...]:
    drawn = [one for one in facts.attributes if one.before]
    note = (
        f"Left the original values, right the released labels, as shares of the rows. "
        f"Left, no bar stands for fewer than {facts.floor:,} rows, and rarer values are not named."
    )
    if facts.suppressed_rows:
        note += " The original values of suppressed rows are in no bar."
    if len(drawn) < len(facts.attributes):
        note += f" Of {len(facts.attributes):,} quasi-identifiers the {len(drawn)} that lost most are drawn."
    return Text(note, "note"), *(_attribute(one) for one in drawn)


def _attribute(one: Attribute) -> Beside:
    after = "after, the rows of a range spread evenly over it" if one.spread else "after"
    return Beside(clipped(one.name), _shares("before", one.before), _shares(after, one.after))


def _shares(title: str, bars: Sequence[Bar]) -> Bars:
    rows = sum(bar.rows for bar in bars)
    return Bars(title, tuple(Line(bar.name, bar.rows / rows, percent(bar.rows / rows)) for bar in bars))


def _again(facts: Facts) -> tuple[Part, ...]:
    found = facts.certificate
    cut_off = found is not None and found["interrupted"] and found["repeatable"]
    said = "The command:" if facts.choice or cut_off else "The command, as it was typed:"
    typed = (Text(said), Code(facts.command)) if facts.command else ()
    same = "The same release in Python:"
    if facts.shuffled:
        same = "In Python. The rows are shuffled at random, so another run gives them in another order:"
    if found and not found["repeatable"]:
        same = "In Python. The search went by the clock, so another run may give another release:"
    return *typed, Text(same), Code(facts.python.rstrip("\n"))


def _rule(facts: Facts) -> tuple[Part, ...]:
    rule = (
        "This report may be published with the release. Of the original table it names no value that fewer than "
        f"{facts.floor:,} rows have, and no bar stands for fewer than {facts.floor:,} rows: that is as many as the "
        f"smallest class of the release has or was promised to have, and at least {LEAST}. Beside the release, "
        "differences may tell how many rows of a class have a value, never which of them unless all do. Numbers and "
        "dates are counted between round cuts, open at both ends; how many rows lie between round numbers chooses the "
        "cuts, so that one says nothing on whether a row has just this value. The report tells nothing of the original "
        "values of suppressed rows: the number of classes and of unique rows before tells whether these are like "
        "others, losses are measured without them. It tells nothing of single rows, of sensitive, removed and "
        "pseudonymized columns and of the population, and no checksum of the input. Labels are those that the release "
        "shows. The command and the lines of Python stand as they were given, but for folders of the machine and for "
        "servers: look them through for what should stay with you."
    )
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    made = f"Made with {versions}. No time is told, so that the same input gives the same report."
    return Text(rule), Text(made, "note")


def _rows(count: int, whole: int) -> str:
    return f"{_plural(count)} ({percent(count / whole)})"


def _plural(count: int) -> str:
    return f"{count:,} row{'s' * (count != 1)}"
