"""Draws what a release looks like: the patients of the tutorial before and after, and where ranges end."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
from drawing import Picture

import shoal

PATIENTS = Path(__file__).parent.parent / "docs" / "examples" / "patients.csv"
QUASI = ["age", "sex", "zip"]
SHOWN = [{"age": "30-39", "sex": "f", "zip": "1484*"}, {"age": "70-74", "sex": "m", "zip": "1306*"}]  # two classes
COLUMNS = {"name": 112, "age": 56, "sex": 40, "zip": 58, "disease": 102}  # widths
ROW, HEAD = 23, 84


def pictures() -> dict[str, Picture]:
    """Return the pictures of releases."""
    return before_and_after() | {"range-ends": range_ends()}


def before_and_after() -> dict[str, Picture]:
    """Draw two classes of the release that the tutorial makes, with their rows in the original."""
    patients = pd.read_csv(PATIENTS, dtype={"zip": str})
    release = shoal.anonymize(
        patients,
        quasi_identifiers=QUASI,
        sensitive="disease",
        identifying="name",
        hierarchies={"age": "intervals:5,10,20", "zip": "prefix"},
        model=shoal.KAnonymity(5) & shoal.DistinctDiversity(2),
    )
    classes = [next(group.rows for group in release.groups if group.shown == shown) for shown in SHOWN]
    return {
        "before": rows("Before", "who they are, where they live, what they have", patients, classes, alike=False),
        "after": rows("After", "no names; five people look alike", release.frame, classes, alike=True),
    }


def rows(title: str, below: str, table: pd.DataFrame, classes: list, *, alike: bool) -> Picture:
    """Draw the rows of some classes, with those of a class in one band if they look alike."""
    columns = {name: width for name, width in COLUMNS.items() if name in table.columns}
    number, width = sum(map(len, classes)), sum(columns.values()) + 20
    picture = Picture(width, HEAD + ROW * number + 8 * (len(classes) - 1) + 12, f"{title}: {below}.")
    picture.text(14, 27, title, size=17, bold=True)
    picture.text(14, 47, below, size=13.5, colour="muted")
    places, x = {}, 14.0
    for name, wide in columns.items():
        places[name] = x
        picture.text(x, 70, name, size=13, colour="muted", bold=True)
        x += wide
    y = HEAD + 8.0
    for colour, members in zip(("g0", "g1"), classes, strict=True):
        if alike:
            picture.box(7, y - 16, width - 7, y - 16 + ROW * len(members), fill=colour, opacity=0.15, round_by=6)
        for row in members:
            for name, x in places.items():
                hidden = alike and name in QUASI
                picture.text(
                    x, y, str(table[name].iloc[row]), size=14, colour=colour if hidden else "text", bold=hidden
                )
            y += ROW
        y += 8
    return picture


def range_ends() -> Picture:
    """Draw where the ranges of four ages end: at people, at cuts, or a secret step outside."""
    ages = [20, 24, 60, 66]
    asked = {"quasi_identifiers": "age", "model": shoal.KAnonymity(2), "algorithm": "mondrian", "rows_are_people": True}
    key = "a secret that is kept with the table"
    left, right, step = 96, 404, 46
    picture = Picture(420, 66 + 3 * step, "Tight ranges end at people, closed ones at cuts, stepped ones nearby.")
    picture.text(16, 28, "Where do ranges end?", size=17, bold=True)

    def at(age: float) -> float:
        return left + (right - left) * (age - 12) / 66

    for number, (ranges, more) in enumerate({"tight": {}, "closed": {}, "stepped": {"key": key}}.items()):
        y = 66 + step * number
        frame = shoal.anonymize(pa.table({"age": ages}), ranges=ranges, **more, **asked).frame
        picture.text(16, y + 5, ranges, size=15, bold=True)
        for colour, label in zip(("g0", "g1"), dict.fromkeys(frame["age"].to_pylist()), strict=True):
            low, high = map(int, label.split("-"))
            picture.box(at(low), y - 9, at(high), y + 9, fill=colour, colour=colour, opacity=0.15)
            aside = 5 if at(high) - at(low) < 60 else -8
            picture.text(at(low) - aside, y + 25, str(low), size=12.5, colour="muted", at="middle")
            picture.text(at(high) + aside, y + 25, str(high), size=12.5, colour="muted", at="middle")
            for age in ages:
                if low <= age <= high:
                    picture.dot(at(age), y, radius=4.5, colour=colour)
    return picture
