"""Suggestions for a table without a description: the likely role of each column, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.suggestions.facts import common_values, facts_of, marks_in, spellings
from shoal.analysis.suggestions.people import People, guess_people
from shoal.analysis.suggestions.roles import Evidence, keys_of, role_of
from shoal.analysis.units import units_of
from shoal.data.column import Column
from shoal.data.column_names import Role, meaning_of
from shoal.data.roles import Roles
from shoal.documents.html_page import Summaries, Summary
from shoal.errors import InputError, reason
from shoal.io.source import Source
from shoal.kernels.arrays import Ints
from shoal.release.arguments import Names, texts_of
from shoal.release.review.content import content_of_sample
from shoal.release.review.presidio import Analyzer
from shoal.release.review.sampling import Sample
from shoal.release.review.shapes import shape_of
from shoal.system.mistaken_arguments import answering_mistakes

__all__ = ["Suggestion", "marks_in", "suggest_missing", "suggest_roles", "worst_first"]


WITHOUT_HIERARCHY: dict[str, Any] = {"hierarchy": None, "other_hierarchies": (), "common_values": ()}


@dataclass(frozen=True, repr=False)
class Suggestion(Summary):
    """The likely role of a column, why, and for a quasi-identifier the hierarchies that fit its values.

    `own` is the number of rows, or people, with a value of their own. `hierarchy` is the spelling to begin with, None
    if ranges or sets without a hierarchy suffice. `common_values` are all values of a column that has few of them, each
    in many rows. `household` says that it may be named as the group.
    """

    column: str
    role: Role | Literal["unit"]
    why: str
    facts: str = ""
    kind: str = ""
    different: int = 0
    missing: int = 0
    own: int = 0
    hierarchy: str | None = None
    other_hierarchies: tuple[str, ...] = ()
    common_values: tuple[str, ...] = ()
    household: bool = False

    def _figures(self) -> dict[str, object]:
        figures: dict[str, object] = {"column": self.column, "role": self.role, "why": self.why, "facts": self.facts}
        tree = self.hierarchy or ", ".join(self.other_hierarchies)
        return figures | ({"hierarchy": tree} if tree else {})


@answering_mistakes("shoal.suggest_roles")
def suggest_roles(
    data: Any, *, missing_values: Names = (), unit: str | None = None, analyzer: Analyzer | None = None
) -> list[Suggestion]:
    """Guess the role of each column from its name and values; a guess to be reviewed, never a decision.

    data            a data frame, a file or a database address
    missing_values  texts that count as missing, such as "?"
    unit            the column that says whose row it is, if people have several: a column in which most people have a
                    value of their own identifies them; by default, one is guessed if values of such a column repeat
    analyzer        Presidio's analyzer, to look for names that shoal does not know

    >>> import shoal
    >>> suggestions = shoal.suggest_roles(shoal.datasets.adult())
    >>> [suggestion.column for suggestion in suggestions if suggestion.role == "identifying"]
    ['fnlwgt']
    """
    source, missing = Source.of(data), texts_of(missing_values)
    people = guess_people(source, missing) if unit is None else People(unit, "it says whose row it is")
    whose = None
    if people.unit is not None:
        whose = units_of(source, Roles(()), unit=people.unit, missing_values=missing, missing="own")
    found = (_suggestion(source, name, missing, whose, analyzer) for name in source.columns)
    return Summaries(_of_people(one, people) for one in found)


def _of_people(found: Suggestion, people: People) -> Suggestion:
    """Return the suggestion for a column that says whose row it is, or names a record or household."""
    household = found.column == people.household
    if found.column == people.unit:
        return replace(found, role="unit", why=people.why, household=household, **WITHOUT_HIERARCHY)
    if found.column in people.others:
        why = "it says which people are found together" if household else "it names records that tell whose row it is"
        return replace(found, role="identifying", why=why, household=household, **WITHOUT_HIERARCHY)
    return found


def suggest_missing(data: Any) -> tuple[str, ...]:
    """Find texts that often mean a missing value, to be passed as `missing_values` if they do in this table.

    data  a data frame, a file or a database address

    >>> import shoal
    >>> shoal.suggest_missing(shoal.datasets.adult())
    ('?',)
    """
    return marks_in(Source.of(data))


def _suggestion(
    source: Source, name: str, missing: tuple[str, ...], whose: Ints | None, analyzer: Analyzer | None
) -> Suggestion:
    try:
        facts = facts_of(source, name, missing)
    except InputError as error:
        return Suggestion(name, "identifying", f"its values cannot be read ({reason(error)})")
    counts = _counts(facts.column, whose)
    sample = Sample.of(source.arrow(name), missing)
    evidence = Evidence(
        name,
        facts,
        content_of_sample(name, sample, analyzer),
        keys_of(counts),
        people=whose is not None,
        are_dates=shape_of(sample.texts) == "date",
    )
    role, why = role_of(evidence)
    meaning = meaning_of(name)
    first, others = spellings(facts, meaning.what if meaning else "") if role == "quasi" else (None, ())
    return Suggestion(
        column=name,
        role=role,
        why=why,
        facts=str(facts),
        kind=facts.kind,
        different=facts.different,
        missing=facts.missing,
        own=int((counts == 1).sum()),
        hierarchy=first,
        other_hierarchies=others,
        common_values=common_values(facts) if role == "quasi" else (),
    )


def _counts(column: Column, whose: Ints | None) -> NDArray[np.int64]:
    """Return the number of rows with each value; of people, if they are known, each once per value."""
    if whose is None:
        return column.counts
    known = column.places >= 0
    pairs = np.unique(np.column_stack([whose[known], column.places[known]]), axis=0)
    return np.bincount(pairs[:, 1].astype(np.int64), minlength=len(column.values))


def worst_first(suggestions: Iterable[Suggestion]) -> list[Suggestion]:
    """Return the columns that are released as they are, those first that most rows have a value of their own in."""
    others = [one for one in suggestions if one.role == "other"]
    return sorted(others, key=lambda one: (-one.own, -one.different))
