"""The algorithm of a command: its name, and its parameters as text."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.algorithms import Algorithm


def algorithm_of(
    name: str,
    parameters: dict[str, str],
    seed: int | None,
    weights: dict[str, str] | None,
    levels: dict[str, str] | None,
) -> Algorithm:
    """The algorithm that the options ask for."""
    from shoal.algorithms import ALGORITHMS

    if name not in ALGORITHMS:
        raise InputError(f"There is no algorithm {name!r}: choose from {', '.join(ALGORITHMS)}.")
    kind = ALGORITHMS[name]
    known = parameters_of(name)
    given: dict[str, Any] = {}
    if seed is not None and "seed" in known:
        given["seed"] = seed
    for parameter, value in parameters.items():
        if parameter not in known:
            raise InputError(f"{name} has no parameter {parameter!r}: it has {', '.join(known) or 'none'}.")
        given[parameter] = _like(known[parameter], parameter, value)
    for option, parameter, read, texts in (
        ("--weight", "weights", _weight, weights),
        ("--levels", "levels", _levels, levels),
    ):
        if texts and not hasattr(kind, parameter):
            raise InputError(f"{option} is for the algorithm full-domain: {name} knows none.")
        if texts:
            given[parameter] = {column: read(column, text) for column, text in texts.items()}
    return kind(**given)


def parameters_of(name: str) -> dict[str, Any]:
    """The parameters of an algorithm that --set takes, with the values that they have by themselves."""
    from shoal.algorithms import ALGORITHMS

    known = {field.name: _default(field) for field in fields(ALGORITHMS[name])}  # type: ignore[arg-type]
    return {parameter: default for parameter, default in known.items() if parameter not in ("weights", "levels")}


def _like(default: Any, parameter: str, value: str) -> Any:
    """The text of an option as a value of the same type as the parameter's default."""
    if isinstance(default, bool):
        if value.lower() not in ("true", "false"):
            raise InputError(f"{parameter}={value!r} must be true or false.")
        return value.lower() == "true"
    if parameter == "time_limit" and value.lower() == "none":
        return None
    try:
        return type(default)(value)
    except ValueError as error:
        raise InputError(f"{parameter}={value!r} must be a number.") from error


def _default(field: Field[Any]) -> Any:
    """The value that a parameter has by itself, or the text that None may be replaced by."""
    return "" if field.default in (None, MISSING) else field.default


def _weight(column: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"--weight {column}={text} must be a number, such as {column}=2.") from error


def _levels(column: str, text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    try:
        return int(low), int(high if dash else low)
    except ValueError as error:
        raise InputError(f"--levels {column}={text} must be such as {column}=2 or {column}=1-3.") from error
