"""Suggestions for a table without a description: the likely role of each column, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from shoal.analysis.suggestions.facts import Facts, common_values, facts_of, marks_in, spellings
from shoal.analysis.units import units_of
from shoal.data.column_names import Meaning, Role, meaning_of
from shoal.data.roles import Roles
from shoal.errors import InputError, reason
from shoal.io.source import Source
from shoal.release.arguments import Names, texts_of
from shoal.release.cautions import FEW_ROWS, UNIQUE_SHARE

__all__ = ["Suggestion", "marks_in", "suggest_missing", "suggest_roles"]


OF_UNIT: dict[str, Any] = {
    "role": "identifying",
    "why": "it says whose row it is",
    "hierarchy": None,
    "other_hierarchies": (),
    "common_values": (),
}


@dataclass(frozen=True)
class Suggestion:
    """The likely role of a column, why, and for a quasi-identifier the hierarchies that fit its values.

    `hierarchy` is the spelling to begin with, None if ranges or sets without a hierarchy suffice. `common_values` are
    all values of a column that has few of them, each in many rows.
    """

    column: str
    role: Role
    why: str
    facts: str = ""
    kind: str = ""
    different: int = 0
    hierarchy: str | None = None
    other_hierarchies: tuple[str, ...] = ()
    common_values: tuple[str, ...] = ()


def suggest_roles(data: Any, *, missing_values: Names = (), unit: str | None = None) -> list[Suggestion]:
    """Guess the role of each column from its name and values; a guess to be reviewed, never a decision.

    data            a data frame, a file or a database address
    missing_values  texts that count as missing, such as "?"
    unit            the column that says whose row it is, if people have several: a column in which most people have a
                    value of their own identifies them

    >>> import shoal
    >>> suggestions = shoal.suggest_roles(shoal.datasets.adult())
    >>> [suggestion.column for suggestion in suggestions if suggestion.role == "identifying"]
    ['fnlwgt']
    """
    source, missing = Source.of(data), texts_of(missing_values)
    whose = units_of(source, Roles(()), unit=unit, missing_values=missing, missing="own")
    people = len(source) if whose is None else int(whose.max()) + 1
    found = [_suggestion(source, name, missing, people) for name in source.columns]
    return [replace(one, **OF_UNIT) if one.column == unit else one for one in found]


def suggest_missing(data: Any) -> tuple[str, ...]:
    """Find texts that often mean a missing value, to be passed as `missing_values` if they do in this table.

    data  a data frame, a file or a database address

    >>> import shoal
    >>> shoal.suggest_missing(shoal.datasets.adult())
    ('?',)
    """
    return marks_in(Source.of(data))


def _suggestion(source: Source, name: str, missing: tuple[str, ...], people: int) -> Suggestion:
    try:
        facts = facts_of(source, name, missing)
    except InputError as error:
        return Suggestion(name, "identifying", f"its values cannot be read ({reason(error)})")
    meaning = meaning_of(name)
    role, why = _role(facts, meaning, people)
    first, others = spellings(facts, meaning.what if meaning else "") if role == "quasi" else (None, ())
    return Suggestion(
        column=name,
        role=role,
        why=why,
        facts=str(facts),
        kind=facts.kind,
        different=facts.different,
        hierarchy=first,
        other_hierarchies=others,
        common_values=common_values(facts) if role == "quasi" else (),
    )


def _role(facts: Facts, meaning: Meaning | None, people: int) -> tuple[Role, str]:
    """Return the role of a column and the reason in words; each row is one of the people if these are not known."""
    own = people >= FEW_ROWS and facts.different > UNIQUE_SHARE * people
    if not facts.different:
        return "other", "it has only missing values"
    if meaning is not None and meaning.role == "identifying" and _identifies(facts, meaning, people):
        return "identifying", f"the name says {meaning.what}"
    if facts.different == 1:
        return "other", "every row has the same value"
    if meaning is not None and meaning.role == "sensitive":
        texts = "; most texts are different and may name people: check them" if own and facts.kind == "text" else ""
        return "sensitive", f"the name says {meaning.what}{texts}"
    if meaning is not None and meaning.role == "quasi":
        return "quasi", f"the name says {meaning.what}"
    if facts.kind == "date":
        return "quasi", "the values are dates, which others may know"
    if own:
        whose, found = ("rows", "row") if people == facts.rows else ("people", "person")
        return "identifying", f"most {whose} have a value of their own, so that whoever knows it finds the {found}"
    return "other", "neither its name nor its values say more"


def _identifies(facts: Facts, meaning: Meaning, people: int) -> bool:
    """Return whether the values confirm the name: `phone: yes, no` identifies nobody, nor does a `type id`."""
    if people < FEW_ROWS:
        return True
    return facts.different > max(2, people / 20) if meaning.weak else facts.different != 2
