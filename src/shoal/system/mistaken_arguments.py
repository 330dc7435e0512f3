"""Answers to arguments that a function does not have, or lacks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from inspect import signature
from itertools import takewhile
from typing import Any, ParamSpec, TypeVar

from shoal.errors import InputError
from shoal.system.close_names import close_name

P = ParamSpec("P")
R = TypeVar("R")
Answer = Callable[[str, tuple[Any, ...], Mapping[str, Any], Collection[str]], str]
Ending = Callable[[str, tuple[Any, ...], Mapping[str, Any]], str]
ALIKE = 5  # letters that two names begin with, so that one may be meant by the other


def answering_mistakes(
    name: str,
    *,
    also: Collection[str] = (),
    needed: Collection[str] = (),
    answer: Answer = lambda name, args, given, known: "",
    write: Ending = lambda name, args, given: "",
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function so that an argument that it does not have is answered with the one that was meant.

    name    how users call it
    also    arguments that it takes and passes on
    needed  those among them that it cannot do without
    answer  writes a better answer from the function's name, what it was given and what it takes, if it has one
    write   ends a sentence about an argument that is lacking or has no name with what to write
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        own = [one for one in signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD]
        known = [*(one.name for one in own), *also]
        unnamed = [one.name for one in own if one.kind is not one.KEYWORD_ONLY]
        required = [*(one.name for one in own if one.default is one.empty), *needed]

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not kwargs.keys() <= {*known}:
                raise InputError(answer(name, args, kwargs, known) or no_such_argument(name, kwargs, known))
            if len(args) > len(unnamed):
                said = f"{name}() takes only {_listed(unnamed)} without a name"
                raise TypeError(said + write(name, args[: len(unnamed)], kwargs))
            missing = [argument for argument in required if argument not in {*unnamed[: len(args)], *kwargs}]
            if missing:
                raise TypeError(f"{name}() lacks {_listed(missing)}{write(name, args, kwargs)}")
            return function(*args, **kwargs)

        return call

    return decorate


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(map(repr, names[:-1])), repr(names[-1])]))


def no_such_argument(name: str, given: Collection[str], known: Collection[str]) -> str:
    """Say which argument does not exist, and which one was probably meant."""
    wrong = next(argument for argument in given if argument not in known)
    meant = meant_by(wrong, known)
    sentence = f"{name}() has no argument {wrong!r}."
    return f"{sentence} {f'Did you mean {meant!r}?' if meant else f'help({name}) lists them.'}"


def meant_by(written: str, known: Collection[str]) -> str | None:
    """Return the argument that was probably meant: the one that begins most like it, or else the closest, if any.

    >>> meant_by("identifiers", ["quasi_identifiers", "identifying"])
    'identifying'
    """
    alike = {
        other: len([*takewhile(lambda pair: len({*pair}) == 1, zip(written, other, strict=False))]) for other in known
    }
    best = max(known, key=lambda other: alike[other], default=written)
    begun = alike.get(best, 0) >= min(len(written), max(ALIKE, len(written) // 2 + 1))
    return best if begun else close_name(written, known)
