"""PrivacyModel: what every class of a release must satisfy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from inspect import get_annotations
from typing import Any, ClassVar

import numpy as np

from shoal.data.classes import ROWS, Classes, Noun
from shoal.data.hierarchy import Hierarchy
from shoal.errors import InputError
from shoal.kernels.arrays import Flags
from shoal.models.context import ModelContext
from shoal.models.form import Form


class PrivacyModel(ABC):
    """A condition on classes; models are combined with `&`.

    name                 in certificates, such as "k-anonymity"
    label                the model in a line, with its parameters in braces
    promise              what it promises, in a sentence, with its parameters, {columns}, {row} and {rows} in braces
    forms                how it is written as a requirement and explained to people
    monotone             classes that satisfy it still do when they are joined
    monotone_with_suppression  a class that satisfies it still does when any rows join it
    uses_sensitive       it looks at sensitive attributes
    uses_population      it looks at a population table
    compares_with_table  it compares classes with the whole table, suppressed rows included
    per_class            it can be decided for some classes without the others
    disjoint             it needs classes whose labels do not overlap, so that a person fits only one
    by_values            it asks for different values, which one person alone can have
    by_size_alone        it holds for exactly the classes of at least `smallest` rows
    weakest              the parameters with which every class satisfies it
    """

    name: ClassVar[str] = ""
    label: ClassVar[str] = ""
    promise: ClassVar[str] = ""
    forms: ClassVar[tuple[Form, ...]] = ()
    monotone: ClassVar[bool] = False
    monotone_with_suppression: ClassVar[bool] = False
    uses_sensitive: ClassVar[bool] = True
    uses_population: ClassVar[bool] = False
    compares_with_table: ClassVar[bool] = False
    per_class: ClassVar[bool] = True
    disjoint: ClassVar[bool] = False
    by_values: ClassVar[bool] = False
    by_size_alone: ClassVar[bool] = False
    weakest: ClassVar[tuple[tuple[str, float], ...]] = ()

    def __init_subclass__(cls) -> None:
        if "sensitive" in get_annotations(cls) and not hasattr(cls, "holds"):
            raise TypeError(f"{cls.__name__} names a sensitive column, so it must extend SensitiveModel.")
        super().__init_subclass__()

    @property
    def smallest(self) -> int:
        """The fewest rows that a class can have and satisfy the model."""
        return 1

    @property
    def trivial(self) -> bool:
        """Whether every class satisfies the model, so that it protects nobody."""
        return bool(self.weakest) and all(getattr(self, name) == value for name, value in self.weakest)

    @property
    def share_limit(self) -> Fraction | None:
        """The largest share of a class that a sensitive value may have, if this is all that the model asks."""
        return None

    @property
    def min_people(self) -> int | None:
        """The fewest people of the population whom a class may fit, if the model sets such a limit."""
        return None

    @property
    def hides_absence(self) -> bool:
        """Whether nobody may learn that they are not in the table."""
        return False

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        """The models that this one combines."""
        return (self,)

    @property
    def populations(self) -> list[Any]:
        """The population tables of its parts."""
        return [part.population for part in self.parts if hasattr(part, "population")]

    def attributes(self, classes: Classes) -> tuple[str, ...]:
        """Return the sensitive attributes that the model looks at."""
        return ()

    @abstractmethod
    def satisfied(self, classes: Classes) -> Flags:
        """Return for each class whether it satisfies the model."""

    @abstractmethod
    def reach(self, whole: Classes) -> str:
        """Say what the table as one class reaches, which is the most that can be asked of it."""

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return what the worst class reaches, by the names of the parameters; by column if there are several."""
        return {}

    def words(self, noun: Noun = ROWS) -> str:
        """Say in a sentence what the model promises of rows, or of people."""
        columns = getattr(self, "column_words", "")
        numbers = {name: rounded(value) for name, value in vars(self).items()}
        return self.promise.format(**numbers, columns=columns, rows=noun.many, row=noun.one) or str(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the name of the class and the parameters as plain values, to be written to a file."""
        names: list[str] = [parameter.name for parameter in fields(self)] if is_dataclass(self) else []
        return {"name": type(self).__name__} | {name: self._plain(getattr(self, name)) for name in names}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PrivacyModel:
        """Build a model of this class from the parameters that to_dict() returned."""
        parameters = {name: value for name, value in values.items() if name != "name"}
        if isinstance(parameters.get("hierarchy"), Mapping):
            parameters["hierarchy"] = Hierarchy.from_parents(**parameters["hierarchy"])
        return cls(**parameters)

    @classmethod
    def build(
        cls, form: Form, numbers: Mapping[str, float], context: ModelContext, column: str | None = None
    ) -> PrivacyModel:
        """Build the model that a requirement asks for, about one sensitive column or about each of them."""
        parameters: dict[str, Any] = {**form.fixed, **numbers}
        if column is not None:
            parameters["sensitive"] = column
        if cls.uses_population:
            if context.population is None:
                raise InputError(f"The requirement {form.write(numbers)} needs a population table and none is given.")
            parameters["population"] = context.population
        return cls(**parameters)

    def __and__(self, other: PrivacyModel) -> PrivacyModel:
        if not isinstance(other, PrivacyModel):
            return NotImplemented
        return AllOf((*self.parts, *other.parts))

    def __bool__(self) -> bool:
        raise InputError(
            f"{self} is neither true nor false. Combine models with &, as in KAnonymity(5) & DistinctDiversity(2): "
            f"'and' and 'or' would leave one of them out."
        )

    def __str__(self) -> str:
        column = getattr(self, "sensitive", None)
        return (self.label.format(**vars(self)) or repr(self)) + (f" of {column!r}" if column else "")

    def _plain(self, value: Any) -> Any:
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, Hierarchy):
            return plain_tree(value)
        if isinstance(value, Sequence) and all(isinstance(entry, str) for entry in value):
            return list(value)
        raise InputError(
            f"The parameter {value!r} of {self} is not a plain number or text, so no file can hold it: give one."
        )


@dataclass(frozen=True)
class AllOf(PrivacyModel):
    """Several models that must all hold, as in `KAnonymity(5) & DistinctDiversity(2)`."""

    models: tuple[PrivacyModel, ...]

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(model.monotone for model in self.models)

    @property
    def monotone_with_suppression(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(model.monotone_with_suppression for model in self.models)

    @property
    def uses_sensitive(self) -> bool:  # type: ignore[override]
        """Whether one of them does."""
        return any(model.uses_sensitive for model in self.models)

    @property
    def disjoint(self) -> bool:  # type: ignore[override]
        """Whether one of them needs it."""
        return any(model.disjoint for model in self.models)

    @property
    def per_class(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(model.per_class for model in self.models)

    @property
    def smallest(self) -> int:
        """The largest of their smallest classes."""
        return max(model.smallest for model in self.models)

    @property
    def trivial(self) -> bool:
        """Whether all of them are."""
        return all(model.trivial for model in self.models)

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        """The models themselves."""
        return self.models

    def satisfied(self, classes: Classes) -> Flags:
        """Return for each class whether it satisfies all of them."""
        satisfied: Flags = np.all([model.satisfied(classes) for model in self.models], axis=0)
        return satisfied

    def reach(self, whole: Classes) -> str:
        """Say what the table reaches under those models that it fails."""
        failed = [model for model in self.models if not model.satisfied(whole).all()]
        return "; ".join(model.reach(whole) for model in failed or self.models)

    def __str__(self) -> str:
        return " and ".join(str(model) for model in self.models)


def plain_tree(tree: Hierarchy) -> dict[str, Any]:
    """Return a hierarchy as the label of each node and the position of its parent."""
    return {"labels": list(tree.labels), "parents": tree.parents.tolist()}


def rounded(value: Any) -> Any:
    """Return a fraction or decimal as a double, which can be written with a few digits; anything else as it is."""
    return float(value) if isinstance(value, Fraction | Decimal) else value


def whole_number(name: str, value: object) -> int:
    """Return a parameter as Python's number; refuse all but whole numbers from 1, which is for checking a table."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} must be a whole number of at least 2, not {value!r}.")
    if value < 1:
        raise InputError(f"{name} = {value} is too small: choose a whole number of at least 2.")
    return int(value)
