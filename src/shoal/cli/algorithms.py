"""The algorithm of a command: its name, and its parameters as text."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from shoal.errors import InputError
from shoal.system.close_names import did_you_mean

if TYPE_CHECKING:
    from shoal.algorithms import Algorithm


ENDLESS = ("time_limit", "rounds")  # parameters that may be none


def algorithm_of(
    name: str,
    parameters: dict[str, str],
    *,
    seed: int | None = None,
    weights: dict[str, str] | None = None,
    levels: dict[str, str] | None = None,
) -> Algorithm:
    """The algorithm that the options ask for."""
    from shoal.algorithms import ALGORITHMS

    head, *rest = name.split(":")
    if rest and head in ALGORITHMS:
        raise InputError(
            f"{name!r} is how shoal compare names an algorithm: here, write --algorithm {head} "
            f"{' '.join(f'--set {part}' for part in rest)}."
        )
    if name not in ALGORITHMS:
        raise InputError(
            f"There is no algorithm {name!r}: choose from {', '.join(ALGORITHMS)}.{did_you_mean(name, ALGORITHMS)}"
        )
    kind = ALGORITHMS[name]
    known = parameters_of(name)
    given: dict[str, Any] = {}
    if seed is not None and "seed" in known:
        given["seed"] = seed
    for parameter, value in parameters.items():
        if parameter not in known:
            instead = _instead(name, parameter, known)
            raise InputError(f"{name} has no parameter {parameter!r}: {instead}.{did_you_mean(parameter, known)}")
        given[parameter] = _like(known[parameter], parameter, value)
    for option, parameter, read, texts in (
        ("--weight", "weights", _weight, weights),
        ("--levels", "levels", _levels, levels),
    ):
        if texts and not hasattr(kind, parameter):
            takers = [other for other, one in ALGORITHMS.items() if hasattr(one, parameter)]
            sentence = f"{option} is for {' and '.join(takers)}: {name} knows none"
            raise InputError(f"{sentence}, so add --algorithm {takers[-1]}.")
        if texts:
            given[parameter] = {column: read(column, text) for column, text in texts.items()}
    return kind(**given)


def parameters_of(name: str) -> dict[str, Any]:
    """The parameters of an algorithm that --set takes, with the values that they have by themselves."""
    from shoal.algorithms import ALGORITHMS

    known = {field.name: _default(field) for field in fields(ALGORITHMS[name]) if field.repr}  # type: ignore[arg-type]
    return {parameter: default for parameter, default in known.items() if parameter not in ("weights", "levels")}


def algorithms_with(parameter: str) -> list[str]:
    """The names of the algorithms that have a parameter."""
    from shoal.algorithms import ALGORITHMS

    return [name for name in ALGORITHMS if parameter in parameters_of(name)]


def options_of(algorithm: Algorithm) -> list[str]:
    """The options that ask for an algorithm, beside its seed, which --seed gives."""
    words = ["--algorithm", algorithm.name]
    for field in fields(algorithm):  # type: ignore[arg-type]
        value = getattr(algorithm, field.name)
        if field.repr and field.name != "seed" and value != field.default:
            words += ["--set", f"{field.name}={str(value).lower() if value in (None, True, False) else value}"]
    return words


def _instead(name: str, parameter: str, known: dict[str, Any]) -> str:
    """What to do where an algorithm has no such parameter."""
    owners = algorithms_with(parameter)
    if name == "auto" and owners:
        return f"it is one of {', '.join(owners)}, so name the algorithm, as --algorithm {owners[0]}"
    return f"it has {', '.join(known) or 'none'}"


def _like(default: Any, parameter: str, value: str) -> Any:
    """The text of an option as a value of the same type as the parameter's default."""
    if isinstance(default, bool):
        if value.lower() not in ("true", "false"):
            raise InputError(f"{parameter}={value!r} must be true or false.")
        return value.lower() == "true"
    if parameter in ENDLESS and value.lower() == "none":
        return None
    try:
        return float(value) if parameter == "effort" else type(default)(value)
    except ValueError as error:
        if parameter == "effort":  # by name, not in seconds
            return value
        raise InputError(f"{parameter}={value!r} must be a number.") from error


def _default(field: Field[Any]) -> Any:
    """The value that a parameter has by itself, or the number or text that None may be replaced by."""
    if field.default is None and field.type == "int | None":
        return 0
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
