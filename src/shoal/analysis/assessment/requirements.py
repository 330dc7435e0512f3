"""Requirements as people write them, `k>=5, distinct l>=3, t<=0.2`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from math import isinf
from operator import and_

from shoal.analysis.assessment.sensitive import Known
from shoal.errors import InputError
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
)

Number = int | float
Required = str | PrivacyModel | Iterable[str | PrivacyModel]
Form = Callable[[Number, str | None], PrivacyModel]

AT_LEAST: dict[str, Form] = {
    "k": lambda number, name: KAnonymity(number),  # type: ignore[arg-type]
    "distinct l": lambda number, name: DistinctDiversity(number, name),  # type: ignore[arg-type]
    "frequency l": FrequencyDiversity,
    "entropy l": EntropyDiversity,
}
AT_MOST: dict[str, Form] = {
    "t": lambda number, name: Closeness(number, sensitive=name),
    "alpha": lambda number, name: AlphaK(number, 1, name),
    "beta": lambda number, name: BetaLikeness(number, sensitive=name),
    "enhanced beta": lambda number, name: BetaLikeness(number, enhanced=True, sensitive=name),
    "delta": DeltaDisclosure,
    "risk": lambda number, name: HighestRisk(number),
    "average risk": lambda number, name: AverageRisk(number),
}
ORDERED, HIERARCHICAL, RECURSIVE = "ordered t", "hierarchical t", "recursive(c, l)"
SAME = {"l": "distinct l", "equal t": "t", "basic beta": "beta", "highest risk": "risk"}
GREEK = str.maketrans({"ℓ": "l", "α": "alpha", "β": "beta", "δ": "delta", "≥": ">=", "≤": "<="})
NUMBER = r"[0-9.]+(?:[eE][+-]?[0-9]+)?"
COMPARED = re.compile(rf"([a-z ]+?)\s*(>=|<=|<)\s*({NUMBER})(?:\s+of\s+(.+))?")
PAIRED = re.compile(rf"recursive\s*\(\s*({NUMBER})\s*,\s*({NUMBER})\s*\)(?:\s+of\s+(.+))?")


@dataclass(frozen=True)
class Requirement:
    """A requirement as it was written, and the model that decides it."""

    text: str
    model: PrivacyModel


def parse_requirements(wanted: Required, known: Known | None = None) -> tuple[Requirement, ...]:
    """Requirements from text, from a model, or from several of these.

    >>> [requirement.model for requirement in parse_requirements("k>=5, t<=0.2 of disease")]
    [KAnonymity(k=5), Closeness(t=0.2, distance='equal', order=None, hierarchy=None, sensitive='disease')]
    """
    if not isinstance(wanted, str | PrivacyModel | Iterable):
        raise InputError(f"{wanted!r} is no requirement: give text such as 'k>=5', or a model.")
    found: list[Requirement] = []
    for one in [wanted] if isinstance(wanted, str | PrivacyModel) else wanted:
        if isinstance(one, str) and not _split(one):
            raise InputError(f"The requirement {one!r} asks for nothing: write one such as 'k>=5'.")
        if isinstance(one, PrivacyModel):
            found += [Requirement(str(part), part) for part in one.parts]
        elif isinstance(one, str):
            found += [Requirement(text, _model(text, known or Known())) for text in _split(one)]
        else:
            raise InputError(f"{one!r} is no requirement: give text such as 'k>=5', or a model.")
    return tuple(found)


def _split(text: str) -> list[str]:
    """The requirements of a text, cut at commas and semicolons that stand in no parentheses or quotes."""
    cut = re.findall(r"(?:\([^)]*\)|\"[^\"]*\"|[^,;(\"]|[(\"])+", text)
    return [part.strip() for part in cut if part.strip()]


def _model(text: str, known: Known) -> PrivacyModel:
    # The name of a column stays as it is written, all before it may be in Greek and capital letters.
    before, of, column = text.partition(" of ")
    plain = before.translate(GREEK).lower() + of + column
    if pair := PAIRED.fullmatch(plain):
        return RecursiveDiversity(_number(pair[1]), _number(pair[2]), _column(pair[3]))  # type: ignore[arg-type]
    compared = COMPARED.fullmatch(plain)
    if compared is None:
        raise _unknown(text)
    words = SAME.get(" ".join(compared[1].split()), " ".join(compared[1].split()))
    number, name = _number(compared[3]), _column(compared[4])
    if words not in (*AT_LEAST, *AT_MOST, ORDERED, HIERARCHICAL):
        raise _unknown(text)
    signs = (">=",) if words in AT_LEAST else ("<=", "<") if words == "delta" else ("<=",)
    if compared[2] not in signs:
        raise InputError(f"The requirement {text!r} asks the wrong way: write {words}{signs[0]}{compared[3]}.")
    if words in ("k", "risk", "average risk") and name is not None:
        raise InputError(f"The requirement {text!r} is not about a sensitive column: leave out 'of {name}'.")
    if words in (ORDERED, HIERARCHICAL):
        return _closeness(words, number, name, known)
    return (AT_LEAST | AT_MOST)[words](number, name)


def _closeness(words: str, number: Number, name: str | None, known: Known) -> PrivacyModel:
    """One model for each sensitive attribute, as each has its own order or hierarchy."""
    models: list[PrivacyModel] = []
    for one in [name] if name is not None else known.names:
        if words == ORDERED:
            models.append(Closeness(number, "ordered", order=known.orders.get(one), sensitive=one))
        elif one in known.hierarchies:
            models.append(Closeness(number, "hierarchical", hierarchy=known.hierarchies[one], sensitive=one))
        else:
            raise InputError(f"The hierarchical distance of {one!r} needs a hierarchy of that column: give one.")
    if not models:
        raise InputError(f"The requirement {words}<={number} needs a sensitive column and none is named.")
    return reduce(and_, models)


def _number(text: str) -> Number:
    try:
        if isinf(float(text)):
            raise InputError(f"{text!r} in a requirement is too large for a number.")
        return int(text) if text.isdecimal() else float(text)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{text!r} in a requirement is no number.") from error


def _column(text: str | None) -> str | None:
    return text if text is None else text.strip().strip('"')


def _unknown(text: str) -> InputError:
    words = [f"{word}>=…" for word in AT_LEAST] + [f"{word}<=…" for word in (*AT_MOST, ORDERED, HIERARCHICAL)]
    return InputError(f"The requirement {text!r} is not known: write {', '.join(words)} or {RECURSIVE}.")
