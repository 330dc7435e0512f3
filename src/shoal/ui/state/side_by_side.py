"""The rows of a table and their released labels as one table, and the colours of its classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.ui.state.project import REMOVED
from shoal.ui.state.rows import Rows

ROLE_ORDER = {
    "quasi": 0,
    "sensitive": 1,
    "kept": 2,
    "other": 3,
    "unit": 4,
    "group": 5,
    "identifying": 6,
}  # of the columns


@dataclass(frozen=True)
class SideBySide:
    """The rows before and after as columns b0, b1, … and a0, a1, …, whose names are in `before` and `after`."""

    rows: Rows
    before: Mapping[str, str]
    after: Mapping[str, str]


def side_by_side(original: pa.Table, released: pa.Table, roles: Mapping[str, str]) -> SideBySide:
    """Put each row of the original beside its class and its released labels, which are null if it is left out."""
    classes = released["class"]
    there = pc.greater_equal(classes, 0)
    places = None if pc.all(there).as_py() else pc.if_else(there, np.arange(len(classes)), None).combine_chunks()
    columns = {"class": classes}
    before, after = {"row": "row"}, {"class": "class"}
    for number, name in enumerate(sorted(original.column_names, key=lambda name: ROLE_ORDER[roles[name]])):
        columns[f"b{number}"], before[f"b{number}"] = original[name], name
        if roles[name] in REMOVED:
            continue
        after[f"a{number}"] = name
        if roles[name] == "quasi":
            columns[f"a{number}"] = released[f"after {name}"]
        else:
            columns[f"a{number}"] = original[name] if places is None else original[name].take(places)
    return SideBySide(Rows(pa.table(columns)), before, after)


def class_name(number: int) -> str:
    """Name a class."""
    return {0: "suppressed", -1: "left out"}.get(number, f"class {number}")


def class_colours(number: int) -> dict[str, str]:
    """Return a dark colour behind white text, and a tint for the row in light and dark mode."""
    if number <= 0:
        return {"colour": "hsl(0 0% 35%)", "tint": "hsl(0 0% 50% / 0.12)"}
    hue = round(number * 137.508) % 360  # the golden angle gives neighbouring classes different colours
    return {"colour": f"hsl({hue} 55% 30%)", "tint": f"hsl({hue} 55% 50% / 0.14)"}
