"""The plan of a comparison: every algorithm with every k and ℓ, several times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, cast

import numpy as np

from shoal.algorithms import Algorithm
from shoal.data.parameters import whole_number
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import DistinctDiversity, KAnonymity, PrivacyModel
from shoal.models.people import for_people


@dataclass(frozen=True)
class Setting:
    """An algorithm by its name in the comparison, with a k and an ℓ."""

    algorithm: str
    k: int
    l: int  # noqa: E741

    @property
    def model(self) -> PrivacyModel:
        """k-anonymity and, if ℓ is more than 1, distinct ℓ-diversity."""
        return KAnonymity(self.k) & DistinctDiversity(self.l) if self.l > 1 else KAnonymity(self.k)

    def model_for(self, table: Table) -> PrivacyModel:
        """Return the model; where people are counted, it asks for as many people as different values."""
        return self.model if table.units is None else for_people(self.model)

    def __str__(self) -> str:
        return f"{self.algorithm}, k = {self.k}" + (f", ℓ = {self.l}" if self.l > 1 else "")


@dataclass(frozen=True)
class Plan:
    """The settings, the algorithms by name, and how often each setting runs."""

    settings: tuple[Setting, ...]
    algorithms: dict[str, Algorithm]
    repeat: int
    seed: int

    @property
    def runs(self) -> list[tuple[Setting, int]]:
        """All runs in order: all settings once, then all again, so that early figures cover everything."""
        return [(setting, number) for number in range(self.repeat) for setting in self.settings]

    def algorithm(self, setting: Setting, repetition: int) -> Algorithm:
        """Return the algorithm of a run; a random one has another seed each time."""
        algorithm = self.algorithms[setting.algorithm]
        if not draws(algorithm):
            return algorithm
        return cast(Algorithm, replace(cast(Any, algorithm), seed=cast(Any, algorithm).seed + self.seed + repetition))

    def shuffle(self, setting: Setting, repetition: int) -> int | None:
        """Return the seed that shuffles the rows; None for the first run and for algorithms with a seed."""
        return None if repetition == 0 or draws(self.algorithms[setting.algorithm]) else self.seed + repetition


def shuffled(table: Table, seed: int) -> Table:
    """Return the table with its rows in a random order."""
    return table.some(np.random.RandomState(seed).permutation(len(table.weights)))


def draws(algorithm: Algorithm) -> bool:
    """Return whether an algorithm has a seed."""
    return any(field.name == "seed" for field in fields(cast(Any, algorithm)))


def grid(algorithms: Sequence[str], ks: Sequence[int], ls: Sequence[int]) -> tuple[Setting, ...]:
    """Combine every algorithm with every k and every ℓ."""
    return tuple(Setting(name, k, l) for name in algorithms for l in ls for k in ks)  # noqa: E741


def whole_numbers(name: str, values: object, *, at_least: int) -> tuple[int, ...]:
    """Return one number or several in ascending order, each once."""
    several = tuple(values) if isinstance(values, Iterable) and not isinstance(values, str | bytes) else (values,)
    if not several:
        raise InputError(f"No {name} is given: name one or several, such as {name}=[4, 8, 16].")
    return tuple(sorted({whole_number(name, value, at_least=at_least) for value in several}))
