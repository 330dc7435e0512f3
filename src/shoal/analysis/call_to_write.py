"""The call to write in place of one with an argument that does not exist, such as anonymize(df, k=5)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from shoal.errors import ShoalError
from shoal.io.source import Source

MODELS = {"k": "KAnonymity", "l": "DistinctDiversity", "t": "Closeness"}  # by the letter of the parameter
REQUIREMENTS = {"k": "k>=", "l": "distinct l>=", "t": "t<="}
ROLES = ("identifying", "quasi_identifiers", "sensitive")  # that the call names, in this order
LOOKED_AT = 1_000  # rows that the guess is made from


def call_with_models(name: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """Answer k=, l= and t= with the call that names their models; empty if none of them is given."""
    letters = {argument.lower(): value for argument, value in given.items() if argument.lower() in MODELS}
    if not letters:
        return ""
    wrong = next(argument for argument in given if argument.lower() in MODELS)
    models = [f"shoal.{kind}({letters[letter]!r})" for letter, kind in MODELS.items() if letter in letters]
    wanted = ["quasi_identifiers", *(["sensitive"] if set(letters) & {"l", "t"} else [])]
    call = _call(name, args, given, wanted=wanted, model=" & ".join(models))
    return f"{name}() has no argument {wrong!r}. {MODELS[wrong.lower()]} is a model; write: {call}"


def call_with_requirements(name: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """Answer k=, l= and t= with the requirement to write; empty if none of them is given."""
    letters = {argument.lower(): (argument, value) for argument, value in given.items()}
    asked = [f"{REQUIREMENTS[letter]}{letters[letter][1]}" for letter in MODELS if letter in letters]
    if not asked:
        return ""
    wrong = next(letters[letter][0] for letter in MODELS if letter in letters)
    return f"{name}() has no argument {wrong!r}. Write it as a requirement: require={', '.join(asked)!r}"


def complete_call(name: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """End a sentence about a call that lacks an argument with a call that can be made."""
    model = "..." if "model" in given else "shoal.KAnonymity(5)"
    return f"; write: {_call(name, args, given, wanted=['quasi_identifiers'], model=model)}"


def _call(name: str, args: tuple[Any, ...], given: Mapping[str, Any], *, wanted: list[str], model: str) -> str:
    """Write a call with the columns that are given or guessed, so that it can be run as it stands."""
    complete = all(column in given for column in wanted)
    guesses = {} if complete else _guessed(args[0] if args else given.get("data"))
    if "quasi_identifiers" in given:
        guesses.pop("identifying", None)  # who names quasi-identifiers has chosen what to remove
    named = [role for role in ROLES if role in {*wanted, *given} or (role == "identifying" and role in guesses)]
    columns = {role: given.get(role, guesses.get(role)) for role in named}
    shown = [f"{role}={'[...]' if value is None else repr(value)}" for role, value in columns.items()]
    table = "data, output" if name.endswith("_files") else "data"
    check = " The columns are guessed: correct them." if {*named} & guesses.keys() - given.keys() else ""
    return f"{name}({table}, {', '.join(shown)}, model={model}){check}"


def _guessed(data: Any) -> dict[str, list[str]]:
    """Guess the columns of each role from the first rows; none if the table cannot be read."""
    from shoal.analysis.suggestions import suggest_roles  # slow to import

    roles: dict[str, list[str]] = {}
    with suppress(ShoalError):  # what is wrong with the table is said when it is to be released
        source = Source.of(data)
        for suggestion in suggest_roles(source.some(rows=min(len(source), LOOKED_AT))):
            argument = "quasi_identifiers" if suggestion.role == "quasi" else suggestion.role
            roles.setdefault(argument, []).append(suggestion.column)
    return roles
