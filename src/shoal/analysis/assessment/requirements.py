"""Requirements as people write them, `k>=5, distinct l>=3, t<=0.2`, and whether the classes of a table meet them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isinf

import numpy as np

from shoal.analysis.assessment.kinds import Kinds
from shoal.documents.html_page import Summary
from shoal.errors import InputError
from shoal.models import MODELS, ModelContext, PrivacyModel
from shoal.models.form import Form
from shoal.system.close_names import close_name

Number = int | float
Required = str | PrivacyModel | Iterable[str | PrivacyModel]

GREEK = str.maketrans({"ℓ": "l", "α": "alpha", "β": "beta", "δ": "delta", "≥": ">=", "≤": "<="})


@dataclass(frozen=True)
class Requirement:
    """A requirement as it was written, and the model that decides it."""

    text: str
    model: PrivacyModel


def parse_requirements(wanted: Required, context: ModelContext | None = None) -> tuple[Requirement, ...]:
    """Read requirements from text, from a model, or from several of these.

    >>> [requirement.model for requirement in parse_requirements("k>=5, t<=0.2 of disease")]
    [KAnonymity(k=5), Closeness(t=0.2, distance='equal', order=None, hierarchy=None, sensitive='disease')]
    """
    requirements: list[Requirement] = []
    for entry in wanted if isinstance(wanted, Iterable) and not isinstance(wanted, str) else [wanted]:
        if isinstance(entry, str) and not _split(entry):
            raise InputError(f"The requirement {entry!r} asks for nothing: write one such as 'k>=5'.")
        if isinstance(entry, PrivacyModel):
            requirements += [Requirement(str(part), part) for part in entry.parts]
        elif isinstance(entry, str):
            requirements += [Requirement(text, _model(text, context or ModelContext())) for text in _split(entry)]
        else:
            raise InputError(f"{entry!r} is no requirement: give text such as 'k>=5', or a model.")
    return tuple(requirements)


def check_requirements(wanted: str) -> None:
    """Raise InputError if a text is no requirement; what needs a table or a column is looked at when there is one.

    >>> check_requirements("k>=5, k-map>=3")
    """
    for text in _split(wanted) or [wanted]:
        model, form, numbers, column = _asked(text)
        if not model.uses_population and "distance" not in form.fixed:
            model.build(form, numbers, ModelContext(), column)


def _split(text: str) -> list[str]:
    """Cut a text at the commas and semicolons outside parentheses and quotes."""
    cut = re.findall(r"(?:\([^)]*\)|\"[^\"]*\"|[^,;(\"]|[(\"])+", text)
    return [part.strip() for part in cut if part.strip()]


def _model(text: str, context: ModelContext) -> PrivacyModel:
    model, form, numbers, column = _asked(text)
    return model.build(form, numbers, context, column)


def _asked(text: str) -> tuple[type[PrivacyModel], Form, dict[str, Number], str | None]:
    """Return the model that a requirement asks for, its form, its numbers, and the column that it names."""
    # The name of a column stays as it is written; everything before it may be in Greek and capital letters.
    before, of, column = text.partition(" of ")
    plain = before.translate(GREEK).lower() + of + column
    forms = [(model, form) for model in MODELS for form in model.forms]
    for model, form in forms:
        request = form.read(plain)
        if request is None:
            continue
        if request.column is not None and not model.uses_sensitive:
            raise InputError(
                f"The requirement {text!r} is not about a sensitive column: leave out 'of {request.column}'."
            )
        return model, form, {name: _number(written) for name, written in request.numbers.items()}, request.column
    for _, form in forms:
        if corrected := form.corrected(plain):
            raise InputError(f"The requirement {text!r} {corrected}.")
    for _, form in sorted(forms, key=lambda entry: -len(entry[1].key)):
        if re.match(rf"{re.escape(form.key)}\s*[<>=(]", plain):
            figures = "a number" if len(form.parameters) == 1 else "numbers"
            comma = ", and a comma before the next one" * (" and " in plain)
            raise InputError(f"The requirement {text!r} cannot be read: write {form.example} with {figures}{comma}.")
    *others, last = (form.example for _, form in forms)
    close = close_name(re.split(r"[<>=(]", plain)[0], [form.key for _, form in forms])
    meant = "" if close is None else f" Did you mean {next(form.example for _, form in forms if form.key == close)!r}?"
    raise InputError(f"The requirement {text!r} is not known: write {', '.join(others)} or {last}.{meant}")


def _number(text: str) -> Number:
    try:
        number = float(text)
    except ValueError as error:
        raise InputError(f"{text!r} in a requirement is not a number.") from error
    if isinf(number):
        raise InputError(f"{text!r} in a requirement is too large for a number.")
    return int(text) if text.isdecimal() else number


@dataclass(frozen=True)
class FailingClass:
    """A class that does not meet a requirement: its labels, its size and its first row, counted from 1."""

    labels: dict[str, str]
    size: int
    first_row: int


@dataclass(frozen=True, repr=False)
class Verdict(Summary):
    """Whether a requirement holds; if not, how many classes and rows fail it, and the smallest failing class.

    Where people are counted, `failing_rows` and the size of the class are of people.
    """

    requirement: str
    holds: bool
    failing_classes: int
    failing_rows: int
    example: FailingClass | None

    def _figures(self) -> dict[str, object]:
        return {
            "requirement": self.requirement,
            "holds": self.holds,
            "failing classes": int(self.failing_classes),
            "failing rows": int(self.failing_rows),
        }

    def __bool__(self) -> bool:
        return self.holds


def verdicts(classes: Kinds, requirements: Sequence[Requirement]) -> tuple[Verdict, ...]:
    """Check each requirement on the classes of a table."""
    return tuple(_verdict(classes, requirement) for requirement in requirements)


def _verdict(classes: Kinds, requirement: Requirement) -> Verdict:
    failing, example = classes.failing(requirement.model), None
    sizes = classes.sizes[failing]
    # A requirement on all classes together is not failed by a single class.
    if failing.size and requirement.model.per_class:
        worst = int(failing[np.argmin(sizes)])
        example = FailingClass(classes.labels(worst), int(sizes.min()), int(classes.firsts[worst]) + 1)
    return Verdict(requirement.text, not failing.size, failing.size, classes.number(failing), example)
