"""What models of sensitive attributes have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes, Counts, Overall
from shoal.errors import InputError


def attributes(named: str | None, classes: Classes) -> tuple[str, ...]:
    """The attribute that a model names, or all sensitive attributes of the table."""
    if not classes.sensitive:
        raise InputError("The model needs a sensitive attribute and none is named: give sensitive=….")
    if named is None:
        return tuple(classes.sensitive)
    if not isinstance(named, str):
        raise InputError(f"A model names one sensitive attribute, not {named!r}: combine models with & for several.")
    if named not in classes.sensitive:
        raise InputError(
            f"The model asks for the sensitive attribute {named!r}, but the sensitive attributes are "
            f"{', '.join(map(repr, classes.sensitive))}."
        )
    return (named,)


def each(verdicts: Iterable[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """For each class, whether all verdicts are true."""
    first, *others = verdicts
    for other in others:
        first = first & other
    return first


def known_counts(classes: Classes, name: str) -> tuple[Counts, Overall]:
    """The counts of an attribute in the classes, of values that the whole table has, and those of the whole table."""
    counted, overall = classes.counts(name), classes.sensitive[name]
    if overall.present < overall.counts.size:
        counted = counted.kept(overall.counts[counted.values] > 0)
    return counted, overall


def reached(
    parameter: str,
    whole: Classes,
    names: Sequence[str],
    measured: Callable[[Classes, str], NDArray[np.float64]],
    *,
    most: bool,
) -> str:
    """The sentence that says what the table as one class reaches for each attribute."""
    limit = "at most" if most else "no less than"
    values = {name: measured(whole, name)[0] for name in names}
    return "; ".join(f"column {name!r} allows {parameter} of {limit} {value:.6g}" for name, value in values.items())
