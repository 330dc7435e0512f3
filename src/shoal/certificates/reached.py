"""What the classes of a release reach of each model, beside what is asked: the worst class counts."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from shoal.data.table import Classes
from shoal.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    KAnonymity,
    KMap,
    PrivacyModel,
    PSensitivity,
    RecursiveDiversity,
)
from shoal.models.alpha_k import alpha
from shoal.models.beta_likeness import beta
from shoal.models.delta_disclosure import delta
from shoal.models.distinct_diversity import distinct_values
from shoal.models.entropy_diversity import entropy_l
from shoal.models.frequency_diversity import frequency_l
from shoal.models.recursive_diversity import recursive_c
from shoal.models.sensitive import attributes

OF_WHOLE = (Closeness, BetaLikeness, DeltaDisclosure)  # measured against the whole table, suppressed rows included


def reached(part: PrivacyModel, classes: Classes) -> dict[str, Any]:
    """The figures of the worst class by the names of the model's parameters; by column where there are several."""
    sizes = classes.sizes
    match part:
        case KAnonymity():
            return {"k": int(sizes.min())}
        case HighestRisk():
            return {"risk": six_digits(1 / int(sizes.min()))}
        case AverageRisk():
            return {"risk": six_digits(len(sizes) / int(sizes.sum()))}
        case KMap():
            return {"k": int(_people(classes).min())}
        case DeltaPresence():
            shares = sizes / _people(classes)
            return {"low": six_digits(shares.min()), "high": six_digits(shares.max())}
        case AlphaK():
            return {"k": int(sizes.min())} | _by_column("alpha", part, classes, alpha, max)
        case PSensitivity():
            return {"k": int(sizes.min())} | _by_column("p", part, classes, distinct_values, min)
        case DistinctDiversity():
            return _by_column("l", part, classes, distinct_values, min)
        case FrequencyDiversity():
            return _by_column("l", part, classes, frequency_l, min)
        case EntropyDiversity():
            return _by_column("l", part, classes, entropy_l, min)
        case RecursiveDiversity(l=l):
            return _by_column("c", part, classes, lambda some, name: recursive_c(some, name, l), max)
        case BetaLikeness():
            return _by_column("beta", part, classes, beta, max)
        case DeltaDisclosure():
            return _by_column("delta", part, classes, delta, max)
        case Closeness():
            return _by_column("t", part, classes, part.distances, max)
        case _:
            return {}


def _people(classes: Classes) -> Any:
    return np.maximum(1, classes.people) if classes.people is not None else classes.sizes


def _by_column(
    parameter: str,
    part: Any,
    classes: Classes,
    measured: Callable[[Classes, str], Any],
    worst: Callable[[Any], Any],
) -> dict[str, Any]:
    names = attributes(part.sensitive, classes)
    found = {name: _plain(worst(measured(classes, name).tolist())) for name in names}
    return {parameter: found[names[0]] if len(names) == 1 else found}


def _plain(value: float) -> float | int | None:
    """A figure as JSON has it; what is infinite is none."""
    if isinstance(value, int):
        return value
    return six_digits(value) if isfinite(value) else None


def six_digits(value: float) -> float:
    """A figure to six digits, which is the same on every machine."""
    return float(f"{value:.6g}")
