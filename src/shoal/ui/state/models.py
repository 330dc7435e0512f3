"""The privacy models that the workbench offers: every form of every model of shoal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

import shoal

Numbers = dict[str, float]


@dataclass(frozen=True)
class Offer:
    """A model in one of its forms: what it promises, its formula, and its requirement as text."""

    model: type[shoal.PrivacyModel]
    form: shoal.models.Form

    @property
    def key(self) -> str:
        """The name by which a project keeps its numbers."""
        return self.form.option or self.form.key

    @property
    def title(self) -> str:
        """The model, for people."""
        return self.form.title

    def requirement(self, numbers: Numbers) -> str:
        """Write the requirement as a configuration file has it."""
        return self.form.write(numbers)

    def build(self, numbers: Numbers, sensitive: Sequence[str], population: str = "") -> shoal.PrivacyModel:
        """Build the model; refuse one that lacks a sensitive column or a population."""
        if self.model.uses_sensitive and not sensitive:
            raise shoal.InputError(f"{self.title} needs a sensitive column: give one the role on the Data page.")
        if self.model.uses_population and not population:
            raise shoal.InputError(f"{self.title} needs a population table: name its file below the models.")
        context = shoal.models.ModelContext(tuple(sensitive), population=population or None)
        return self.model.build(self.form, numbers, context)

    def promise(self, numbers: Numbers, sensitive: Sequence[str] = ()) -> str:
        """Say what the model promises with these numbers, or why they are refused."""
        try:
            model = self.build(numbers, sensitive or ["the sensitive column"], "the population")
        except shoal.InputError as error:
            return str(error)
        return " ".join(part.words() for part in model.parts)

    def checked(self, numbers: Numbers) -> Numbers:
        """Return the numbers, rounded if they must be whole, with the first values for those that are missing."""
        return {
            parameter.name: round(number) if parameter.whole else float(number)
            for parameter in self.form.parameters
            for number in [numbers.get(parameter.name, parameter.start)]
        }


def offers() -> dict[str, Offer]:
    """Return the offers by their keys; first those that have an option of the command line."""
    every = [
        Offer(model, form) for model in shoal.MODELS for form in model.forms if not form.needs_hierarchy
    ]  # the workbench has no hierarchies of sensitive columns
    return {offer.key: offer for offer in sorted(every, key=lambda offer: not offer.form.option)}


def model_of(chosen: dict[str, Numbers], sensitive: Sequence[str], population: str = "") -> shoal.PrivacyModel:
    """Combine the chosen models, all of which must hold."""
    if not chosen:
        raise shoal.InputError("No protection is chosen: switch on at least one model, such as the group size.")
    known = offers()
    return reduce(
        and_,
        (known[key].build(known[key].checked(numbers), sensitive, population) for key, numbers in chosen.items()),
    )
