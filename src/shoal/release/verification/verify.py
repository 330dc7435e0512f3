"""verify(): whether a table that somebody released satisfies a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from shoal.data.classes import Classes
from shoal.data.column import check_groupable
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.unit import Unit
from shoal.errors import InputError, VerificationError
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.release.promise import Promise
from shoal.release.verification.classes import IntArray, judge
from shoal.release.verification.columns import Remembered
from shoal.release.verification.people import People, people_in
from shoal.system.close_names import did_you_mean
from shoal.system.mistaken_arguments import answering_mistakes

CLOSING = "Do not publish it as it is."


@answering_mistakes("shoal.verify")
def verify(
    released: Any | str | PathLike[str],
    *,
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str] = (),
    model: PrivacyModel,
    suppressed: Mapping[str, str] | None = None,
    max_suppressed: int = 0,
    rows: int | None = None,
    whole: Mapping[str, pa.ChunkedArray] | None = None,
    hierarchies: Mapping[str, Hierarchy | Ordered] | None = None,
    style: Style | None = None,
    missing_values: Iterable[str] = (),
    weights: IntArray | None = None,
    whole_weights: Mapping[str, IntArray] | None = None,
    unit: str | None = None,
    promise: Literal["classes", "profiles"] = "profiles",
) -> Classes:
    """Group a released table by its labels and check every class; raise VerificationError if one fails.

    released           the released table: a frame, or the path or address of a table
    quasi_identifiers  the columns whose labels form the classes
    sensitive          the sensitive columns
    model              what every class must satisfy
    suppressed         the label of suppressed rows in each quasi-identifier; a class that shows these may fail
    max_suppressed     how many rows it may have at most if it fails
    rows               how many rows the table must have
    whole              the sensitive columns of the input, if it had more rows
    hierarchies        what the labels mean, by column, for a model that needs a population
    style              how labels are written, for a model that needs a population
    missing_values     texts that mean a missing value
    weights            how many rows each row represents, if equal rows are given as one
    whole_weights      the same for `whole`, by column
    unit               the column that says whose row it is, such as a pseudonym: people are counted, not rows
    promise            "profiles": as many people must also share their whole set of rows, which the unit links;
                       "classes": leave that out
    """
    source = Source.of(released)
    roles = Roles.of(source.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    for name in (*roles.quasi, *roles.sensitive):
        check_groupable(name, source.arrow(name).type)
    weights = np.ones(len(source), np.int64) if weights is None else weights
    tops = {name: suppressed[name] for name in roles.quasi} if suppressed is not None and max_suppressed else {}
    people = None if unit is None else _people(source, roles, unit, promise, missing_values)
    if people is not None and (whole is not None or not (weights == 1).all()):
        raise InputError("Rows that stand for others do not say whose they are: leave out whole, weights or the unit.")
    promised = Promise(
        roles=roles,
        model=model,
        tops=tops,
        max_suppressed=max_suppressed if tops else 0,
        rows=int(weights.sum()) if rows is None else rows,
        hierarchies=hierarchies or {},
        style=style or Style(),
        missing_values=tuple(missing_values),
        whole=whole,
        whole_weights=whole_weights,
        unit=None if unit is None else Unit(unit, promise=promise),
    )
    try:
        return judge(source, promised, Remembered(source.arrow), whole=whole, weights=weights, people=people)
    except VerificationError as error:
        raise VerificationError(*error.args, closing=CLOSING) from error


def _people(source: Source, roles: Roles, unit: str, promise: str, missing_values: Iterable[str]) -> People:
    """Return whose rows they are by a column of the release itself."""
    if promise not in ("classes", "profiles"):
        close = did_you_mean(promise, ("classes", "profiles"))
        raise InputError(f"promise = {promise!r} is not known: choose classes or profiles.{close}")
    Unit.of(source.columns, roles, unit=unit)
    return people_in(source.arrow(unit), tuple(missing_values), linked=promise == "profiles")
