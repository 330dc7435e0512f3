"""Weak points of classes: one sensitive value in all rows, classes of two, and tables that are too small for two.

Codes: homogeneous-class, small-k, tiny-table, intersection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from shoal.data.classes import PEOPLE, ROWS, Classes, Noun
from shoal.data.persons import varying
from shoal.data.table import Table
from shoal.kernels.arrays import Flags
from shoal.release.request import Request
from shoal.release.review.finding import Finding

NEARLY_ALL = 0.95  # of a class, or of all people, who have the same sensitive value


def weak_classes(request: Request, table: Table, classes: Classes) -> list[Finding]:
    """List the weak points that distinct rows with their weights reveal."""
    changing = {} if table.units is None else varying(table, table.units)  # one person can be in several classes
    return [
        *_homogeneous(request, table, classes),
        *_small(_fewest(request, classes)),
        *_tiny(request, table, changing),
        *_found_by_intersection(request, table, changing),
    ]


def noun_of(table: Table) -> Noun:
    """Return what the classes of a table count."""
    return ROWS if table.units is None else PEOPLE


def _homogeneous(request: Request, table: Table, classes: Classes) -> Iterator[Finding]:
    """Warn of classes in which all rows, or nearly all rows or people, have the same sensitive value."""
    model = request.model
    for name in request.roles.sensitive:
        for nearly, chosen in ((False, classes.distinct(name) == 1), (True, _tell_a_value(classes, name))):
            chosen = chosen & (classes.distinct(name) > 1) if nearly else chosen
            count, rows = int(chosen.sum()), int(classes.rows[chosen].sum())
            if not rows or (model.uses_sensitive and not nearly):
                continue
            held = f"{count} classes ({rows} rows) hold" if count > 1 else f"1 class ({rows} rows) holds"
            what = f"one value in at least {NEARLY_ALL:.0%} of their rows" if nearly else "one value"
            if nearly and table.units is not None:
                what = f"a value that at least {NEARLY_ALL:.0%} of their people have in some row"
            ask = "closeness" if nearly else "diversity"
            yield Finding(
                "homogeneous-class",
                f"{model} does not protect {name!r}: {held} {what}. Ask for {ask} too.",
                (name,),
                figures={"classes": count, "rows": rows},
            )


def _tell_a_value(classes: Classes, name: str) -> Flags:
    """Return in which classes nearly all have a value; of people, one that not nearly all of the whole table have.

    A person has every value of their rows, so that nearly everybody often has one, in any class.
    """
    counts, overall = classes.counts(name), classes.sensitive[name]
    told = counts.counts >= NEARLY_ALL * counts.spread(classes.sizes)
    if classes.by_person is not None:
        told &= (overall.counts < NEARLY_ALL * overall.size)[counts.values]
    return counts.gathered(np.logical_or, told)


def _fewest(request: Request, classes: Classes) -> int:
    """Return the size of the smallest class; of linked rows, how many people are alike, as promised."""
    if request.unit is not None and request.unit.linked:
        return request.model.smallest
    return int(classes.sizes.min()) if len(classes) else 0


def _small(k: int) -> Iterator[Finding]:
    """Warn of people who are alone in their class, and of classes of two, in which each knows the other."""
    if k == 1:
        yield Finding("small-k", "Some rows are alone in their class: k = 1. Choose k = 5 or more.", figures={"k": 1})
    if k == 2:
        yield Finding(
            "small-k",
            "With k = 2 each of the two people of a class knows everything that is released about the other, and one "
            "error of fact about a person leaves one row. Choose k = 5 or more.",
            figures={"k": 2},
        )


def _tiny(request: Request, table: Table, changing: Mapping[str, int]) -> Iterator[Finding]:
    """Warn of a table that has too few people for two classes."""
    if table.people < 2 * request.model.smallest and not changing:
        size = noun_of(table).of(table.people)
        yield Finding(
            "tiny-table",
            f"The table has {size}, too few for two classes under {request.model}: all rows are one class.",
        )


def _found_by_intersection(request: Request, table: Table, changing: Mapping[str, int]) -> Iterator[Finding]:
    """Warn of sensitive values that are the same in all rows of a person, whose rows are in several classes."""
    if table.units is None or request.unit is None or request.unit.linked or not changing:
        return
    secret = varying(replace(table, quasi=table.sensitive, codes=table.sensitive_codes), table.units)
    for name in table.sensitive:
        if name not in secret:
            others = ", ".join(map(repr, changing))
            yield Finding(
                "intersection",
                f"Column {name!r} is the same in all rows of a person, which differ in {others}: whoever knows several "
                f"rows of a person may find the value that their classes have in common. Choose promise='profiles', or "
                f"leave out the columns that differ.",
                (name,),
            )
