"""The rows of a table and what is released of each, as one table, and the colours of its classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.ui.state.rows import Rows

FIRST = {"quasi": 0, "sensitive": 1, "other": 2, "identifying": 3}  # the order of the columns by their roles


@dataclass(frozen=True)
class SideBySide:
    """The rows before and after as columns b0, b1, … and a0, a1, …, which are named by `before` and `after`."""

    rows: Rows
    before: dict[str, str]
    after: dict[str, str]


def side_by_side(original: pa.Table, released: pa.Table, roles: Mapping[str, str]) -> SideBySide:
    """Each row of the original with its class and what is released of it; nothing is where the row is left out."""
    classes = released["class"]
    there = pc.greater_equal(classes, 0)
    places = None if pc.all(there).as_py() else pc.if_else(there, np.arange(len(classes)), None).combine_chunks()
    columns = {"class": classes}
    before, after = {"row": "row"}, {"class": "class"}
    for number, name in enumerate(sorted(original.column_names, key=lambda name: FIRST[roles[name]])):
        columns[f"b{number}"], before[f"b{number}"] = original[name], name
        if roles[name] == "identifying":
            continue
        after[f"a{number}"] = name
        if roles[name] == "quasi":
            columns[f"a{number}"] = released[f"after {name}"]
        else:
            columns[f"a{number}"] = original[name] if places is None else original[name].take(places)
    return SideBySide(Rows(pa.table(columns)), before, after)


def class_name(number: int) -> str:
    """A class in words."""
    return {0: "suppressed", -1: "left out"}.get(number, f"class {number}")


def class_colours(number: int) -> dict[str, str]:
    """A dark colour for white text on it, and a tint of it that a row can have in light and dark."""
    if number <= 0:
        return {"colour": "hsl(0 0% 35%)", "tint": "hsl(0 0% 50% / 0.12)"}
    hue = round(number * 137.508) % 360  # by the golden angle, numbers that are close have colours that are not
    return {"colour": f"hsl({hue} 55% 30%)", "tint": f"hsl({hue} 55% 50% / 0.14)"}
