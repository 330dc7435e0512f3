"""The call to write in place of one with an argument that does not exist, such as anonymize(df, k=5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from shoal.analysis.suggestions import suggest_roles
from shoal.errors import ShoalError
from shoal.io.source import Source
from shoal.system.close_names import close_name

MODELS = {"k": "KAnonymity", "l": "DistinctDiversity", "t": "Closeness"}  # by the letter of the parameter
LOOKED_AT = 1_000  # rows that the guess is made from


def no_such_argument(data: Any, given: Mapping[str, Any], known: Collection[str]) -> str:
    """Say which argument of anonymize() does not exist, and what to write."""
    name = next(name for name in given if name not in known)
    sentence = f"shoal.anonymize() has no argument {name!r}."
    if name.lower() in MODELS:
        call, guessed = _call(data, given)
        check = " The columns are guessed: correct them." if guessed else ""
        return f"{sentence} {MODELS[name.lower()]} is a model; write: {call}{check}"
    meant = next((other for other in known if other.startswith(name)), None) or close_name(name, known)
    return f"{sentence} {f'Did you mean {meant!r}?' if meant else 'help(shoal.anonymize) lists them.'}"


def _call(data: Any, given: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the call with the models that the letters stand for, and whether columns in it are guessed."""
    letters = {name.lower(): value for name, value in given.items() if name.lower() in MODELS}
    models = [f"shoal.{kind}({letters[letter]!r})" for letter, kind in MODELS.items() if letter in letters]
    wanted = ["quasi_identifiers", *(["sensitive"] if set(letters) & {"l", "t"} else [])]
    guesses = {} if all(name in given for name in wanted) else _guessed(data)
    columns = {name: given.get(name, guesses.get(name)) for name in wanted}
    shown = [f"{name}={'[...]' if value is None else repr(value)}" for name, value in columns.items()]
    return f"shoal.anonymize(data, {', '.join(shown)}, model={' & '.join(models)})", any(map(guesses.get, wanted))


def _guessed(data: Any) -> dict[str, list[str]]:
    """Guess the columns of each role from the first rows; none if the table cannot be read."""
    roles: dict[str, list[str]] = {}
    with suppress(ShoalError):  # what is wrong with the table is said when it is to be released
        source = Source.of(data)
        for suggestion in suggest_roles(source.some(rows=min(len(source), LOOKED_AT))):
            argument = "quasi_identifiers" if suggestion.role == "quasi" else suggestion.role
            roles.setdefault(argument, []).append(suggestion.column)
    return roles
