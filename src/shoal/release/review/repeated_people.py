"""repeated-people: the values of a column that says whose row it is are in several rows.

A model would count rows as people: a class of k rows may be of fewer than k people, down to one.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal.data.column_names import plain_words
from shoal.data.roles import Roles
from shoal.release.request import Request
from shoal.release.review.finding import Finding, stop_at
from shoal.release.review.names import NUMBERS, says_whose
from shoal.release.review.shapes import Shape, are_long_numbers, shape_of
from shoal.release.review.tally import Tally

MIN_MEAN = 1.2  # rows per value
MIN_SHARE = 0.01  # of rows whose value repeats, if the name of the column says that it has ids
MIN_CODES = 10  # different values, of columns whose name does not say so
MIN_NUMBERS = 500
MAX_GAPS = 2.0  # the range of ids that were counted up, over their number

PERSONAL_SHAPES: tuple[Shape, ...] = (
    "e-mail",
    "uuid",
    "ip",
    "mac",
    "hash",
    "social security",
    "iban",
    "card",
    "handle",
)
CONTACT_SHAPES: tuple[Shape, ...] = (*PERSONAL_SHAPES, "phone", "digits")
MIN_SHAPES, MANY_ROWS = 5, 50
Evidence = Literal["person", "record", "shape", "code", "long number", "number", "dense", "full name", "pseudonym"]


@dataclass(frozen=True)
class Suspect:
    """A column that may say whose row it is, and why; `span` is the range of its values, if they are numbers."""

    column: str
    evidence: Evidence
    span: int = 0

    def repeats(self, tally: Tally) -> bool:
        """Tell whether its values repeat as those of people do who have several rows."""
        if self.evidence == "person":
            return tally.repeated_share >= MIN_SHARE
        often = tally.mean >= MIN_MEAN
        if self.evidence == "record":  # a few values with many rows each are a category
            return (tally.different >= MIN_CODES or 1 < tally.mean <= MIN_CODES) and tally.repeated_share >= MIN_SHARE
        if self.evidence == "full name":  # different people share common names, and most names are rare
            return often and tally.different >= MIN_CODES and tally.single <= tally.different / 2
        if self.evidence in ("number", "dense"):
            fewest = MIN_NUMBERS if self.evidence == "number" else MIN_CODES
            return often and tally.different >= fewest and self.span <= MAX_GAPS * tally.different
        if self.evidence == "shape":  # a few with very many rows each are servers or versions, not people
            return often and tally.different >= 2 and (tally.different >= MIN_SHAPES or tally.mean <= MANY_ROWS)
        return often and tally.different >= MIN_CODES


@dataclass(frozen=True)
class Repeated:
    """A column that says whose row it is and repeats."""

    column: str
    tally: Tally

    @property
    def people(self) -> str:
        """How many people there are, in words."""
        return f"{'' if self.tally.exact else 'about '}{_people(self.tally.different)}"

    def finding(self, people: int | None = None) -> Finding:
        """Say so, with the fewest people of a class of the release, if known, and the two ways on."""
        name, smallest = self.column, ""
        if people is not None:
            smallest = f" The smallest class of this release would have rows of {_people(people)}."
        return Finding(
            "repeated-people",
            f"Values of {name!r} repeat: {self.tally.rows:,} rows are of {self.people}, and "
            f"classes would count rows, not people.{smallest} Name the column that says whose row it is "
            f"(unit={name!r}, --unit {shlex.quote(name)}), or say that each row is a different person "
            f"(rows_are_people=True, --rows-are-people).",
            (name,),
            blocks=True,
        )


def _people(count: int) -> str:
    return f"{count:,} {'person' if count == 1 else 'people'}"


def columns_to_review(columns: Iterable[str], request: Request) -> tuple[str, ...]:
    """Return the columns that may say whose row it is: all but quasi-identifiers, and none if a column is named."""
    if request.unit is not None and request.unit.column is not None:
        return ()
    known = {*request.roles.quasi, *(() if request.unit is None else request.unit.columns)}
    return tuple(name for name in columns if name not in known)


def suspects(samples: Mapping[str, Sequence[str]], roles: Roles) -> list[Suspect]:
    """Find the columns that may say whose row it is, by their names and some of their values."""
    found = []
    for name, sample in samples.items():
        evidence = _evidence(name, sample, gone=name in roles.identifying, pseudonymized=name in roles.pseudonymized)
        if evidence is not None:
            numbers = [int(text) for text in sample if text.isdecimal()] if evidence in ("number", "dense") else []
            found.append(Suspect(name, evidence, max(numbers) - min(numbers) if numbers else 0))
    return found


def _evidence(name: str, sample: Sequence[str], *, gone: bool, pseudonymized: bool) -> Evidence | None:
    says, shape = says_whose(name), shape_of(sample)
    if says == "other" or shape in ("date", "measure"):
        return None
    if says == "person" or says == "record":
        return says
    if says == "people" and shape not in ("full name", "other", "none"):
        return "record"
    if says == "contact":
        long = shape == "number" and are_long_numbers(sample)
        return "shape" if shape in CONTACT_SHAPES or long else None
    if shape in PERSONAL_SHAPES:
        return "shape"
    if not (gone or pseudonymized):
        return None
    if pseudonymized and says == "name":
        return "pseudonym"
    if says == "people" or (says, shape) == ("name", "full name"):
        return "full name"
    if shape == "number":
        if are_long_numbers(sample):
            return "long number"
        return "dense" if pseudonymized or NUMBERS & {*plain_words(name)} else "number"
    return "code" if shape in ("code", "phone", "digits") else None


def repeated_in(tallies: Iterable[tuple[Suspect, Tally]]) -> list[Repeated]:
    """Return the columns that do repeat."""
    return [Repeated(suspect.column, tally) for suspect, tally in tallies if suspect.repeats(tally)]


def stop_or_state(request: Request, repeated: Sequence[Repeated]) -> Request:
    """Raise ReviewError if people repeat; if each row is a person, as asked, have the request state it instead."""
    if request.rows_are_people:
        return with_statement(request, repeated)
    stop_at([found.finding() for found in repeated])
    return request


def with_statement(request: Request, repeated: Sequence[Repeated]) -> Request:
    """Have the request state that each row was taken as one person, as asked, and which columns say otherwise."""
    names = [f"“{found.column}”" for found in repeated]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    although = f", although values of {listed} repeat" if names else ""
    return replace(request, statements=(f"Each row was taken as one person, as asked{although}.",))


def fewest_people(classes: NDArray[np.int32], places: NDArray[np.int64]) -> int:
    """Return the smallest number of different people in a class; a row without a name is a person of its own.

    classes  the class of each row, −1 for suppressed ones
    places   the number of each row's person, −1 if missing
    """
    inside = classes >= 0
    ids, people = classes[inside].astype(np.int64), places[inside]
    unnamed = people < 0
    people = np.where(unnamed, people.max(initial=-1) + np.cumsum(unnamed), people)
    bound = people.max(initial=0) + 1
    per_class = np.bincount(np.unique(ids * bound + people) // bound)
    return int(per_class[per_class > 0].min())
