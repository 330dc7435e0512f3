"""Algorithm: from a table and a model to a recoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from sys import float_info
from typing import Any, ClassVar, Protocol

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import PrivacyModel

LARGEST = float_info.max  # weight of an attribute
Progress = Callable[[float], None]  # told the share of the work that is done


class Share(float):
    """A share of the work that is done, with a note on how it goes."""

    note: str

    def __new__(cls, share: float, note: str) -> Share:
        """A number that also says something."""
        made = super().__new__(cls, share)
        made.note = note
        return made


def check_seed(name: str, seed: object) -> None:
    """Refuse what numpy's legacy generator does not take as a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise InputError(f"{name}'s seed is a whole number from 0 to 4294967295, not {seed!r}.")


def check_weights(weights: Any) -> None:
    """Refuse weights of attributes that are no numbers of at least 0, by name."""
    if weights is not None and not isinstance(weights, Mapping):
        raise InputError(f"Weights are numbers by attribute, such as {{'age': 3}}, not {weights!r}.")
    for name, weight in (weights or {}).items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= LARGEST:
            raise InputError(f"The weight of {name!r} must be a number of at least 0, not {weight!r}.")


class Algorithm(Protocol):
    """A frozen dataclass of parameters with one method."""

    name: ClassVar[str]
    suppresses: ClassVar[bool]  # whether it may leave rows out, within the limit

    @property
    def needs_hierarchies(self) -> bool:
        """Whether columns without a hierarchy get one of all or nothing."""
        ...

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Group the rows so that every class satisfies the model, at most `max_suppressed` rows left out."""
        ...
