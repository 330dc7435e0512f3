"""What the classes of a table reveal about a sensitive attribute: the parameter that each privacy model reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from shoal.analysis.assessment.kinds import kinds_of
from shoal.data.grouping import Grouping
from shoal.data.table import Classes
from shoal.models import MODELS, Figure, Form, ModelContext, SensitiveModel


@dataclass(frozen=True)
class Sensitive:
    """The parameters that every class reaches, by the names of their figures, which are attributes, too.

    They are the least ℓ and the greatest c, α, β, δ and t. c and δ are infinite if no number is enough; t by a
    distance that does not apply is None.
    """

    values: int
    reached: Mapping[str, float | None]

    def __getattr__(self, name: str) -> float | None:
        figures: Mapping[str, float | None] = self.__dict__.get("reached", {})
        if name not in figures:
            raise AttributeError(f"An assessment has no figure {name!r}: choose from {', '.join(figures)}.")
        return figures[name]

    def to_dict(self) -> dict[str, float | None]:
        """Return the number of different values and every figure."""
        return {"values": self.values, **self.reached}


def figures() -> Iterator[tuple[type[SensitiveModel], Form, Figure]]:
    """Yield what an assessment shows of each model on sensitive attributes."""
    for model in MODELS:
        if issubclass(model, SensitiveModel):
            yield from ((model, form, figure) for form in model.forms for figure in form.shown)


def sensitive_of(grouping: Grouping, name: str, context: ModelContext) -> Sensitive:
    """Return the parameters of one sensitive attribute, over all classes."""
    table = grouping.table
    counts = grouping.counts[name]
    _, examples = kinds_of([counts], grouping.sizes)
    classes = Classes(grouping.sizes[examples], table.overall, lambda name: counts.some(examples))
    reached: dict[str, float | None] = {}
    for model, form, figure in figures():
        reached[figure.name] = None
        if model.applies(form, name, context):
            probe = model.build(form, figure.parameters, context, name)
            reached[figure.name] = probe.worst(classes, name) if isinstance(probe, SensitiveModel) else None
    return Sensitive(int(np.count_nonzero(table.overall[name].counts)), reached)
