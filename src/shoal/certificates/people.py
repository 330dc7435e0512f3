"""Whose rows they are: people are counted at the original rows that the released rows were matched with.

Where no column tells the rows apart, rows of the original that are equal but for their person can be exchanged, and the
release is the same. Then it is enough that the rows can be matched so that the promise holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.checks import Checks
from shoal.data.classes import Classes
from shoal.data.unit import WORDS, Unit
from shoal.errors import InputError
from shoal.release.figures import people_in_figures
from shoal.release.request import Request
from shoal.release.verification.classes import grouped
from shoal.release.verification.people import People

Ints = NDArray[np.int64]
STATED = ("unit", "group", "promise", "strict")  # what a report says of who was counted


def people_at(checks: Checks, originals: Ints) -> People | None:
    """Return whose rows the released rows are; None if rows are counted."""
    tables, unit = checks.tables, checks.tables.request.unit
    if unit is None or tables.table.units is None:
        return None
    whole = tables.table.units.astype(np.int64)
    if not unit.linked or tables.table.owners is None:
        return People(whole[originals], whole)
    if not checks.sure:
        raise InputError(
            f"The release promised {unit.promise}, and no column tells which row is which in it: this cannot be "
            f"certified."
        )
    return People(whole[originals], whole, tables.table.owners.astype(np.int64)[originals])


def spread_people(checks: Checks) -> Ints:
    """Match the released rows anew, so that equal rows of the original bring different people into each class."""
    rows, tables = checks.rows, checks.tables
    units = np.arange(len(tables.kept)) if tables.table.units is None else tables.table.units
    kinds = grouped([rows.before, *(column - column.min() for column in tables.table.codes.T)])[0]
    left: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for original, (kind, person) in enumerate(zip(kinds.tolist(), units.tolist(), strict=True)):
        left[kind][person].append(original)
    inside: dict[int, Counter[int]] = defaultdict(Counter)
    matched = np.empty_like(checks.originals)
    own = zip(checks.classes().tolist(), kinds[checks.originals].tolist(), strict=True)
    for row, (number, kind) in enumerate(own):
        people, present = left[kind], inside[number]
        person = min(people, key=lambda one: (present[one], -len(people[one])))
        matched[row] = people[person].pop()
        present[person] += 1
        if not people[person]:
            del people[person]
    return matched


def other_people(request: Request, report: Mapping[str, Any]) -> str | None:
    """Say that a report, or its record for the next delivery, counts others than the request; None if it does not."""
    unit, stated, kept = request.unit, report.get("people"), report.get("generalization")
    told = None if stated is None else tuple(stated.get(name) for name in STATED)
    asked = None if unit is None else (unit.column, unit.group, unit.promise, unit.strict)
    advice = "give the unit of the release (unit=…, --unit)."
    if told != asked:
        named = "" if told is None else ", ".join(f"{one} {value!r}" for one, value in zip(STATED, told, strict=True))
        reported = f"people ({named})" if named else "rows"
        return f"The report counts {reported}, and the request {'rows' if unit is None else _counted(unit)}: {advice}"
    if isinstance(kept, Mapping) and "refused" not in kept and kept.get("unit") != (unit and asdict(unit)):
        return f"The record for the next delivery, in the report, counts others than the request: {advice}"
    return None


def check_people(checks: Checks, classes: Classes, report: Mapping[str, Any] | None) -> None:
    """Say who was counted and what they were promised; check the figures of the report."""
    unit = checks.tables.request.unit
    figures = people_in_figures(checks.tables.table, classes, unit)
    if unit is None or figures is None:
        return
    for name, value in figures.items():
        if report is None or (name == "largest_share_of_a_class" and not checks.sure):
            continue
        if (stated := report["people"].get(name)) != value:
            checks.failures.append(f"The report says {name} = {stated!r}, and it is {value!r}.")
    checks.figures["people"] = figures["people"]
    alike = "" if checks.sure else " Rows that are alike but for their person were matched as the promise allows."
    sentence = f"{_counted(unit)}, {figures['people']:,} in all, are counted, not rows. {WORDS[unit.promise]}{alike}"
    checks.holds("people", asdict(unit), figures["people"], sentence[0].upper() + sentence[1:])


def _counted(unit: Unit) -> str:
    whose = f"people of column {unit.column!r}"
    if unit.promise == "households":
        whose = f"households of column {unit.group!r}"
    return f"the {whose}" + (", nobody with more than 1/k of a class" if unit.strict else "")
