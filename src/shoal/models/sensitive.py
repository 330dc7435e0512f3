"""SensitiveModel: what models of sensitive attributes have in common."""

from __future__ import annotations

from abc import abstractmethod
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import reduce
from math import isfinite
from operator import and_
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.classes import Classes, Counts, Overall
from shoal.errors import InputError
from shoal.kernels.arrays import Flags
from shoal.models.caps import Caps
from shoal.models.context import ModelContext
from shoal.models.form import Form
from shoal.models.model import PrivacyModel


class SensitiveModel(PrivacyModel):
    """A model that asks each class for something about one sensitive attribute, or about each of them.

    parameter  the parameter that `measured` returns
    at_least   whether that parameter is a lower limit, so that a class is safer with more of it
    strict     whether a class must stay below that parameter
    """

    parameter: ClassVar[str]
    at_least: ClassVar[bool] = False
    strict: ClassVar[bool] = False
    sensitive: str | None

    @classmethod
    def applies(cls, form: Form, column: str, context: ModelContext) -> bool:
        """Return whether a form can be measured for a column, which may lack an order or a hierarchy."""
        return True

    @abstractmethod
    def holds(self, classes: Classes, name: str) -> Flags:
        """Return for each class whether it satisfies the model for one attribute."""

    @abstractmethod
    def measured(self, classes: Classes, name: str) -> NDArray[np.number]:
        """Return for each class the parameter that it reaches for one attribute."""

    def caps(self, name: str, overall: Overall) -> Caps | None:
        """Return what the model says of the rows of a class that are released, if it says so by caps."""
        if self.share_limit is None:
            return None
        return Caps.of_values(name, np.full(overall.counts.size, float(self.share_limit)), 1.0)

    def satisfied(self, classes: Classes) -> Flags:
        """Return for each class whether the model holds for all attributes that it looks at."""
        return reduce(and_, (self.holds(classes, name) for name in self.attributes(classes)))

    def worst(self, classes: Classes, name: str) -> float:
        """Return the parameter that every class reaches for one attribute."""
        values = self.measured(classes, name)
        worst: float = (values.min() if self.at_least else values.max()).item()
        return worst

    def reach(self, whole: Classes) -> str:
        """Say what the table as one class reaches for each attribute."""
        limit = "at most" if self.at_least else "more than" if self.strict else "no less than"
        figures = {name: _attainable(self.worst(whole, name), self.at_least) for name in self.attributes(whole)}
        return "; ".join(f"column {name!r} allows {self.parameter} of {limit} {n:.6g}" for name, n in figures.items())

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the parameter of the worst class, by column if there are several."""
        figures = {name: rounded(self.worst(classes, name)) for name in self.attributes(classes)}
        return {self.parameter: figures if len(figures) > 1 else next(iter(figures.values()))}

    @property
    def column_words(self) -> str:
        """The column that the model looks at, in words."""
        return f"“{self.sensitive}”" if self.sensitive is not None else "each sensitive column"

    def attributes(self, classes: Classes) -> tuple[str, ...]:
        """Return the attribute that the model names, or all sensitive attributes of the table."""
        if not classes.sensitive:
            raise InputError("The model needs a sensitive attribute and none is named: give sensitive=….")
        if self.sensitive is None:
            return tuple(classes.sensitive)
        if not isinstance(self.sensitive, str):
            raise InputError(
                f"A model names one sensitive attribute, not {self.sensitive!r}: combine models with & for several."
            )
        if self.sensitive not in classes.sensitive:
            raise InputError(
                f"The model asks for the sensitive attribute {self.sensitive!r}, but the sensitive attributes are "
                f"{', '.join(map(repr, classes.sensitive))}."
            )
        return (self.sensitive,)


def table_counts(classes: Classes, name: str) -> tuple[Counts, Overall]:
    """Return the counts of an attribute in the classes, for values that the whole table has, and in the whole table."""
    counted, overall = classes.counts(name), classes.sensitive[name]
    if overall.present < overall.counts.size:
        counted = counted.kept(overall.counts[counted.values] > 0)
    return counted, overall


def _attainable(figure: float, at_least: bool) -> float:
    """Return a figure with six digits that can be asked for: rounded down if at least as much is, up otherwise."""
    digits = Context(prec=6, rounding=ROUND_FLOOR if at_least else ROUND_CEILING)
    return float(digits.create_decimal(f"{figure:.12g}"))  # 0.2 was computed as 0.20000000000000004


def rounded(figure: float) -> float | int | None:
    """Return a figure with six digits, which is the same on every machine; None if it is infinite."""
    if isinstance(figure, int):
        return figure
    return float(f"{figure:.6g}") if isfinite(figure) else None
