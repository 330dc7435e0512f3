"""The likely role of a column: by what its values are, then by what its name says, then by how many values it has.

None of it depends on the number of rows: shares are of the different values, and how well a column distinguishes rows
is measured by the pairs of rows that agree in it, whose share is the same in a small and in a large part of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.suggestions.facts import Facts
from shoal.data.column_names import Meaning, Role, meanings_of
from shoal.data.value_order import numbers_of
from shoal.release.review import codes
from shoal.release.review.content import FREE_TEXT, Content
from shoal.release.review.names import Says, is_of_a_thing, says_whose

MIN_KEYS = 500.0  # as many equally frequent values distinguish rows so well that whoever knows one finds the row
MIN_SPAN = 2000  # of whole numbers that do; a narrower range has too few of them
MIN_VALUES = 10.0  # of ids and names; fewer are a category
HEAVY, HEAVY_SHARE = 5, 0.05  # rows of a value that is far more frequent than others
FEW_ROWS = 20  # in smaller tables, pairs that agree mean nothing
QUASI = ("dates of birth",)
NUMBER_OR_DATE = ("number", "date", "time")


@dataclass(frozen=True)
class Evidence:
    """What is known about a column: its name, its facts, what its values are, and how well they distinguish rows.

    keys    the number of equally frequent values in which as many pairs of rows agree; inf if no pair does
    people  whether people were counted, who may have several rows
    are_dates  whether values are dates or times, however they are written
    """

    name: str
    facts: Facts
    content: Content | None
    keys: float
    people: bool = False
    are_dates: bool = False

    @property
    def distinguishes(self) -> bool:
        """Whether whoever knows a value finds the row."""
        numbers = numbers_of(self.facts.column.values) if self.facts.kind == "number" else None
        wide = numbers is None or self.has_decimals or float(numbers.max()) - float(numbers.min()) >= MIN_SPAN
        return self.facts.rows >= FEW_ROWS and self.keys >= MIN_KEYS and wide

    @property
    def has_decimals(self) -> bool:
        """Whether values are measured: numbers with decimals."""
        if self.facts.kind != "number":
            return False
        return any("." in str(value).removesuffix(".0") for value in self.facts.column.values)


def keys_of(counts: NDArray[np.int64]) -> float:
    """Return the number of equally frequent values in which as many pairs of rows agree: n(n−1) / Σ c(c−1).

    E. H. Simpson, Measurement of diversity (1949), doi:10.1038/163688a0: the unbiased estimate of 1 / Σ p². The most
    frequent value is left out if less than half of the rows have it: many incomes are 0, and all others differ.

    >>> keys_of(np.array([5, 5])), keys_of(np.array([1, 1, 1])), keys_of(np.array([5, 1, 1, 1, 1, 1, 1]))
    (2.25, inf, inf)
    """
    if counts.size > 2 and HEAVY <= counts.max() < counts.sum() / 2 and counts.max() >= counts.sum() * HEAVY_SHARE:
        counts = np.delete(counts, counts.argmax())
    rows = float(counts.sum())
    alike = float((counts * (counts - 1.0)).sum())
    return rows * (rows - 1) / alike if alike else inf


def role_of(evidence: Evidence) -> tuple[Role, str]:
    """Return the role of a column and the reason in words."""
    facts, content = evidence.facts, evidence.content
    meaning = next(iter(_fitting(evidence)), None)
    if not facts.different:
        return "other", "it has only missing values"
    if meaning is not None and meaning.role == "identifying":
        return "identifying", f"the name says {meaning.what}"
    if facts.different == 1 and content is None:
        return "other", "every row has the same value"
    if content is not None and _goes_first(content, meaning, says_whose(evidence.name)):
        degrees = content.kind == "coordinates" and facts.kind == "number"  # can be generalized, a point cannot
        return ("quasi" if degrees or content.kind in QUASI else "identifying"), f"the values are {content.kind}"
    if meaning is not None and meaning.role == "sensitive":
        own = facts.kind == "text" and (evidence.distinguishes or content is not None)
        return "sensitive", f"the name says {meaning.what}" + (
            "; most texts are different and may name people: check them" if own else ""
        )
    if meaning is not None:
        return meaning.role, f"the name says {meaning.what}"
    if facts.kind == "date" or evidence.are_dates:
        return "quasi", "the values are dates, which others may know"
    return _by_number(evidence)


def _goes_first(content: Content, meaning: Meaning | None, says: Says) -> bool:
    """Return whether the values say more than the name: free text about an illness is first of all about an illness."""
    if meaning is None or says == "person":  # such as an employee number
        return True
    return content.code != FREE_TEXT and content.kind != codes.KIND


def _fitting(evidence: Evidence) -> Iterator[Meaning]:
    """Iterate over the meanings of the name that the values bear out.

    `phone: yes, no` identifies nobody, nor does a `type id`.
    """
    thing, says = is_of_a_thing(evidence.name), says_whose(evidence.name)
    for meaning in meanings_of(evidence.name):
        if meaning.role != "identifying":
            if not (thing and meaning.what == "a date"):  # an admission type
                yield meaning
        elif meaning.weak:
            few = evidence.facts.rows < FEW_ROWS and evidence.facts.different > evidence.facts.rows / 2
            if says != "other" and not evidence.has_decimals and (evidence.keys >= MIN_VALUES or few):
                yield meaning
        elif evidence.facts.different != 2 and not thing and not evidence.has_decimals:
            yield meaning


def _by_number(evidence: Evidence) -> tuple[Role, str]:
    whose, found = ("people", "person") if evidence.people else ("rows", "row")
    why = f"most {whose} have a value of their own, so that whoever knows it finds the {found}"
    if not evidence.distinguishes:
        return "other", "neither its name nor its values say more"
    if evidence.has_decimals:
        return "other", f"numbers with decimals, as measures have; {why}"
    return "identifying", why
