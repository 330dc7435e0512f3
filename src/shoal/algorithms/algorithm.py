"""Algorithm: from a table and a model to a recoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from sys import float_info
from typing import Any, ClassVar, Protocol

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import PrivacyModel

MAX_WEIGHT = float_info.max
UNSAID = {"said": False}  # metadata of a parameter that reports do not name
Progress = Callable[[float], None]  # called with the share of the work that is done


def nobody(share: float) -> None:
    """Ignore the progress."""


class Share(float):
    """A share of the work that is done, with a note on how it is going."""

    note: str

    def __new__(cls, share: float, note: str) -> Share:
        """Create a number that carries a note."""
        made = super().__new__(cls, share)
        made.note = note
        return made


class Algorithm(Protocol):
    """A frozen dataclass of parameters with one method.

    name                 on the command line
    title                in reports
    summary              for people who choose an algorithm
    suppresses           it may suppress rows, within the limit
    drops_suppressed     suppressed rows are left out unless the caller keeps them, as its paper does
    counts_people        it can count people whose quasi-identifiers change from row to row
    equal_rows_together  it puts equal rows into one class, and so needs each different row only once
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suppresses: ClassVar[bool] = False
    drops_suppressed: ClassVar[bool] = False

    @property
    def needs_hierarchies(self) -> bool:
        """Whether every column needs a hierarchy; those without one show their values or nothing."""
        return False

    @property
    def equal_rows_together(self) -> bool:
        """Whether equal rows always share a class."""
        return False

    @property
    def counts_people(self) -> bool:
        """Whether it can count people whose quasi-identifiers change from row to row."""
        return False

    @property
    def for_blocks(self) -> Algorithm | None:
        """The algorithm that works on one block of a large table at a time in place of this one, if any does."""
        return None

    def rows_per_block(self, model: PrivacyModel, columns: int) -> int | None:
        """Return how many different rows take about a minute; None if only memory limits them."""
        return None

    def repeating(self, recoding: Recoding) -> Algorithm:
        """Return the algorithm that makes a recoding of this one again."""
        return self

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Group the rows so that every class satisfies the model, with at most `max_suppressed` rows suppressed."""
        ...


def describe(algorithm: object) -> str:
    """Name an algorithm in words: its title and those of its parameters that differ from their defaults.

    >>> from shoal.algorithms import LocalRecoding, Mondrian
    >>> describe(LocalRecoding("fast", seed=3)), describe(Mondrian(relaxed=True))
    ('local recoding (effort: fast, seed: 3)', 'Mondrian (relaxed)')
    """
    title = getattr(algorithm, "title", None)
    if title is None or not is_dataclass(algorithm):
        return str(algorithm)
    changed = []
    for field in fields(algorithm):
        value = getattr(algorithm, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if field.repr and field.metadata != UNSAID and value != default:
            changed.append(_parameter(field.name.replace("_", " "), value))
    return f"{title} ({', '.join(changed)})" if changed else str(title)


def _parameter(name: str, value: object) -> str:
    if value is True:
        return name
    if value is False or value is None:
        return f"no {name}"
    if isinstance(value, Mapping):
        ranges = {key: amount if isinstance(amount, tuple) else (amount,) for key, amount in value.items()}
        return f"{name}: " + " and ".join(f"{key} {' to '.join(map(str, ends))}" for key, ends in ranges.items())
    return f"{name}: {value}"


def check_seed(name: str, seed: object) -> None:
    """Refuse what numpy's legacy generator does not take as a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise InputError(f"{name}'s seed is a whole number from 0 to 4294967295, not {seed!r}.")


def check_weights(weights: Any) -> None:
    """Refuse weights of attributes that are not numbers of at least 0, by name."""
    if weights is not None and not isinstance(weights, Mapping):
        raise InputError(f"Weights are numbers by attribute, such as {{'age': 3}}, not {weights!r}.")
    for name, weight in (weights or {}).items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MAX_WEIGHT:
            raise InputError(f"The weight of {name!r} must be a number of at least 0, not {weight!r}.")
