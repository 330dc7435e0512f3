"""repeated-people: a released column that has one value for all rows of a person, and another for most people.

It links the rows of a person although the unit is removed, so that classes no longer hide whose rows they are. Where it
does so for some people only, it is linked-rows, which warns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.release.request import Request
from shoal.release.review.finding import Finding

MIN_SHARE = 0.1  # of the people with several rows, whose rows the column links
MIN_LINKED, MIN_SEVERAL = 3, 20  # people whose rows are linked, and who have several; fewer may be chance
STATIC_SHARE = 0.9  # of the people with several rows, for whom a column is constant


def columns_that_may_link(columns: Iterable[str], request: Request) -> tuple[str, ...]:
    """Return the columns that are released as they are, or as pseudonyms.

    Where rows can be linked, they are matched, and sensitive values are left to the model.
    """
    if request.unit is None or (request.unit.column is None and not request.unit.linked):
        return ()
    hidden = {*request.roles.quasi, *request.roles.identifying}
    if request.unit.linked:
        hidden |= {*request.roles.sensitive, *request.unit.columns}
    return tuple(name for name in columns if name not in hidden)


@dataclass(frozen=True)
class Links:
    """How many people have several rows, for how many of them a column is constant, and whose rows it links.

    Rows of a person are linked if all of them have the same value, and few others have it.
    """

    several: int
    constant: int
    linked: int
    nearly_unique: bool  # whether there are half as many values as people, or more

    @classmethod
    def of(cls, values: NDArray[np.integer], people: NDArray[np.integer], fewer_than: int) -> Links:
        """Count them, given the number of each row's value and of its person; fewer people than this are few."""
        width = int(values.max(initial=0)) + 1
        whose, held = np.divmod(np.unique(people.astype(np.int64) * width + values), width)
        several, constant = np.bincount(people) > 1, np.bincount(whose) == 1
        rare = np.zeros(several.size, np.bool_)
        rare[whose] = np.bincount(held)[held] < fewer_than
        alike = several & constant
        unique = 2 * np.unique(held).size >= np.unique(people).size
        return cls(int(several.sum()), int(alike.sum()), int((alike & rare).sum()), unique)

    def are_many(self, *, sensitive: bool = False) -> bool:
        """Say whether the rows of many people are linked; rare sensitive values are left to the model."""
        many = self.linked >= max(MIN_LINKED, MIN_SHARE * self.several)
        return many and (self.nearly_unique or (self.several >= MIN_SEVERAL and not sensitive))

    def are_some(self) -> bool:
        """Say whether the rows of some people are linked, more than by chance."""
        return self.linked >= MIN_LINKED

    @property
    def is_static(self) -> bool:
        """Whether the column hardly ever changes from row to row of a person."""
        return self.several > 0 and self.constant >= STATIC_SHARE * self.several


def linking_columns(
    columns: Mapping[str, NDArray[np.integer]], people: NDArray[np.integer], request: Request
) -> list[Finding]:
    """Find the columns that link rows, each by itself or, if none does, those that are static together.

    columns  the number of each row's value, −1 if it is missing, by column
    people   the number of each row's person
    """
    fewer_than, secret = request.model.smallest, set(request.roles.sensitive)
    links = {}
    for name, values in columns.items():
        known = values >= 0  # a missing value links nobody
        if known.any():
            links[name] = Links.of(values[known], people[known], fewer_than)
    found = [_finding((name,), request, own) for name, own in links.items() if own.are_many(sensitive=name in secret)]
    static = tuple(name for name, own in links.items() if own.is_static)
    if not found and len(static) > 1:
        rows = np.column_stack([columns[name] for name in static])
        together = Links.of(np.unique(rows, axis=0, return_inverse=True)[1].ravel(), people, fewer_than)
        if together.are_many(sensitive=secret.issuperset(static)):
            found.append(_finding(static, request, together))
    stopped = {name for one in found for name in one.columns}
    some = {name: own for name, own in links.items() if own.are_some() and name not in stopped | secret}
    return found + [_warning(name, request, own) for name, own in some.items()]


def _warning(name: str, request: Request, links: Links) -> Finding:
    """Warn of a column that links the rows of fewer people than stop a release."""
    whose = "households" if request.unit is not None and request.unit.promise == "households" else "people"
    return Finding(
        "linked-rows",
        f"Column {name!r} links the rows of {links.linked:,} of the {links.several:,} {whose} with several rows: it "
        f"has the same value in all of them, and hardly anybody else has it. Remove it (identifying={name!r}, "
        f"--identifying), or keep it (keep={name!r}, --keep) if you have looked.",
        (name,),
        figures={"linked": links.linked, "several": links.several},
    )


def _finding(names: tuple[str, ...], request: Request, links: Links) -> Finding:
    unit, linked = (None, False) if request.unit is None else (request.unit.column, request.unit.linked)
    which, it, verb = f"Column {names[0]!r}", "it has", ("tells" if linked else "links")
    if len(names) > 1:
        which, it, verb = f"The columns {', '.join(map(repr, names))} together", "they have", verb[:-1]
    held = f"the same value in all of them, and hardly anybody else has it. Remove one (identifying={names[0]!r}, "
    if linked and request.unit is not None:
        whose = "households" if request.unit.promise == "households" else "people"
        return Finding(
            "repeated-people",
            f"{which} {verb} {whose} apart whose rows are made alike: for {links.linked:,} of the {links.several:,} "
            f"{whose} with several rows {it} {held}--identifying).",
            names,
            blocks=True,
        )
    return Finding(
        "repeated-people",
        f"{which} {verb} rows although {unit!r} is removed: for {links.linked:,} of the {links.several:,} people with "
        f"several rows {it} {held}--identifying), or choose promise='profiles' (--promise profiles), which holds for "
        f"rows that can be linked.",
        names,
        blocks=True,
    )
