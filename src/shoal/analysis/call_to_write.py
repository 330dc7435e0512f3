"""The call to write in place of one with an argument that does not exist, such as anonymize(df, k=5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from shoal import models
from shoal.data.roles import names_of
from shoal.errors import InputError, ShoalError
from shoal.io.source import Source
from shoal.system.mistaken_arguments import meant_by

if TYPE_CHECKING:
    from shoal.analysis.suggestions import Suggestion

MODELS = {"k": "KAnonymity", "l": "DistinctDiversity", "t": "Closeness"}  # by the letter of the parameter
REQUIREMENTS = {"k": "k>=", "l": "distinct l>=", "t": "t<="}
WANTED = {
    "quasi_identifiers": "the columns that others may know about a person",
    "sensitive": "those that nobody should learn",
}
ROLES = ("identifying", *WANTED, "unit")  # that the call names first, in this order
COLUMNS = (*ROLES, "pseudonymize", "keep", "group", "shift_dates")  # arguments that name columns
PEOPLE = ("unit", "group", "rows_are_people")  # arguments that say whose row it is
UNWRITTEN = ("data", "output", "model", *ROLES)  # arguments that the call does not repeat as they are
LOOKED_AT = 1_000  # rows that the guess is made from


def call_with_models(name: str, args: tuple[Any, ...], given: Mapping[str, Any], known: Collection[str]) -> str:
    """Answer k=, l= and t= with the call that names their models; empty if none of them is given."""
    letters = {argument.lower(): value for argument, value in given.items() if argument.lower() in MODELS}
    if not letters:
        return ""
    wrong = next(argument for argument in given if argument.lower() in MODELS)
    others = [argument for argument in given if argument not in known and argument.lower() not in MODELS]
    start = f"{name}() has no argument {' or '.join(map(repr, [wrong, *others]))}. {MODELS[wrong.lower()]} is a model"
    try:
        model = reduce(and_, (getattr(models, MODELS[letter])(value) for letter, value in letters.items()))
    except InputError as error:
        return f"{start}: {error}"
    if model.trivial:
        return f"{start}, but {model} protects nobody: choose at least 2."
    meant = {right: given[argument] for argument in others if (right := meant_by(argument, known))}
    taken = meant | {argument: value for argument, value in given.items() if argument in known}
    return f"{start}; write: {_call(name, args, taken, letters)}"


def call_with_requirements(name: str, args: tuple[Any, ...], given: Mapping[str, Any], known: Collection[str]) -> str:
    """Answer k=, l= and t= with the requirement to write; empty if none of them is given."""
    letters = {argument.lower(): (argument, value) for argument, value in given.items()}
    asked = [f"{REQUIREMENTS[letter]}{letters[letter][1]}" for letter in MODELS if letter in letters]
    if not asked:
        return ""
    wrong = next(letters[letter][0] for letter in MODELS if letter in letters)
    return f"{name}() has no argument {wrong!r}. Write it as a requirement: require={', '.join(asked)!r}"


def complete_call(name: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """End a sentence about a call that lacks an argument with a call that can be made."""
    return f"; write: {_call(name, args, given, {} if 'model' in given else {'k': 5})}"


def _call(name: str, args: tuple[Any, ...], given: Mapping[str, Any], letters: Mapping[str, Any]) -> str:
    """Write a call that can be run as it stands: with what is given, and with columns that are guessed."""
    needed = ["quasi_identifiers", *(["sensitive"] if {*letters} & {"l", "t"} else [])]
    wanted = [role for role in needed if role not in given]
    guesses: dict[str, list[Suggestion]] = {}
    hints = []
    if wanted:
        try:
            guesses = _guessed(args[0] if args else given.get("data"), given, wanted)
        except ShoalError as error:  # what is wrong with the table
            hints = [str(error)]
    if lacking := [f"{role}= with {WANTED[role]}" for role in wanted if role not in guesses]:
        return " ".join([f"{', '.join([*lacking, _model(given, letters)])}.", *hints])
    if "sensitive" in guesses:
        diverse = [one for one in guesses["sensitive"] if one.different >= letters.get("l", 1)]
        most = max(guesses["sensitive"], key=lambda one: one.different)
        guesses["sensitive"] = diverse or [most]
        if not diverse:
            letters = {**letters, "l": most.different}
            hints = [f"The column {most.column!r} has {most.different} different values: l cannot be larger."]
    columns: dict[str, Any] = {role: [one.column for one in found] for role, found in guesses.items()}
    columns |= {"unit": columns["unit"][0]} if "unit" in columns else {}
    roles = [f"{role}={columns.get(role, given.get(role))!r}" for role in ROLES if role in {*columns, *given}]
    others = [f"{other}={_written(other, value)}" for other, value in given.items() if other not in UNWRITTEN]
    table = "data, output" if name.endswith("_files") else "data"
    hints += ["The columns are guessed: correct them."] if columns else []
    return " ".join([f"{name}({', '.join([table, *roles, _model(given, letters), *others])})", *hints])


def _model(given: Mapping[str, Any], letters: Mapping[str, Any]) -> str:
    """Write the model of the letters, beside the one that is given."""
    named = [f"shoal.{kind}({letters[letter]!r})" for letter, kind in MODELS.items() if letter in letters]
    return f"model={' & '.join([*(['model'] if 'model' in given else []), *named])}"


def _written(argument: str, value: Any) -> str:
    """Write a value, or for an object or a key the name of its argument."""
    parts = value if isinstance(value, list | tuple) else [value]
    plain = all(isinstance(part, str | int | float | None) for part in parts)
    return repr(value) if plain and argument != "key" else argument


def _guessed(data: Any, given: Mapping[str, Any], wanted: Collection[str]) -> dict[str, list[Suggestion]]:
    """Guess the columns of the roles that are wanted, of those to remove and of people, from the first rows."""
    from shoal.analysis.suggestions import suggest_roles  # slow to import

    source = Source.of(data)
    named = {column for argument in COLUMNS for column in names_of(given.get(argument))}
    guessed = {*wanted, *(["unit"] if not {*PEOPLE} & given.keys() else [])}
    if "quasi_identifiers" in wanted and "identifying" not in given:
        guessed.add("identifying")  # who names quasi-identifiers has chosen what to remove
    roles: dict[str, list[Suggestion]] = {}
    for suggestion in suggest_roles(source.some(rows=min(len(source), LOOKED_AT))):
        argument = "quasi_identifiers" if suggestion.role == "quasi" else suggestion.role
        if (
            argument in guessed
            and suggestion.column not in named
            and (argument != "sensitive" or suggestion.different > 1)
        ):
            roles.setdefault(argument, []).append(suggestion)
    return roles
