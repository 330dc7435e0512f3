"""measure(): what a release costs, computed from the original and the released table."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import numpy as np

from shoal.analysis.read_labels import read_release
from shoal.data.column import read_column
from shoal.data.roles import Roles, check_column
from shoal.data.style import text
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.metrics import METRICS, Metric, metrics_for
from shoal.release.arguments import Hierarchies, Names, guides_of, texts_of
from shoal.system.mistaken_arguments import answering_mistakes


@answering_mistakes("shoal.measure")
def measure(
    original: Any,
    released: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    hierarchies: Hierarchies | None = None,
    missing_values: Names = (),
    measures: Names | None = None,
) -> dict[str, float]:
    """Measure the information loss of a release, made by any tool, from its labels.

    original           the original table
    released           the released table, with the same rows in the same order, suppressed ones included
    quasi_identifiers  the generalized columns
    sensitive          the sensitive columns, for the measures that need them
    hierarchies        the hierarchies or orders of the quasi-identifiers, as in `anonymize`
    missing_values     texts that count as missing, such as "?"
    measures           the names of the measures; by default all that the columns allow

    >>> import pyarrow as pa, shoal
    >>> before, after = pa.table({"age": [20, 30, 40, 40]}), pa.table({"age": ["20-30", "20-30", "40", "40"]})
    >>> shoal.measure(before, after, quasi_identifiers="age", measures=["loss", "discernibility"])
    {'loss': 0.25, 'discernibility': 8}
    """
    before, after = Source.of(original), Source.of(released)
    roles = Roles.of(before.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    wanted = wanted_measures(measures, roles)
    for name in roles.quasi:
        check_column(name, after.columns, table="the release")
    missing, guides = texts_of(missing_values), guides_of(hierarchies, roles, before.columns)
    table = before.encode(roles, guides=guides, missing_values=missing)
    recoding = read_release(table, {name: after.arrow(name) for name in roles.quasi})
    for name in roles.sensitive:
        _check_kept(name, before, after)
    return {name: metric(table, recoding) for name, metric in wanted.items()}


def wanted_measures(measures: Names | None, roles: Roles) -> dict[str, Metric]:
    """Return the named measures, or all that the columns allow."""
    if measures is None:
        return metrics_for(sensitive=bool(roles.sensitive))
    names = texts_of(measures)
    for name in names:
        if name not in METRICS:
            close = get_close_matches(str(name), METRICS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(METRICS)}."
            raise InputError(f"There is no measure {name!r}: {hint}")
        if METRICS[name].needs_sensitive and not roles.sensitive:
            raise InputError(f"The measure {name!r} needs a sensitive column and none is named.")
    return {name: METRICS[name] for name in names}


def _check_kept(name: str, before: Source, after: Source) -> None:
    """Raise InputError if a sensitive value of the release differs: its rows are not those of the original."""
    if name not in after.columns:
        return
    first, second = read_column(name, before.arrow(name)), read_column(name, after.arrow(name))
    old = np.array([*map(text, first.values), ""], object)[first.places]
    new = np.array([*map(text, second.values), ""], object)[second.places]
    changed = np.flatnonzero(old != new)
    if changed.size:
        row = int(changed[0])
        raise InputError(
            f"Row {row + 1} of the release has {new[row]!r} in column {name!r} and the original {old[row]!r}: "
            f"give the same rows in the same order."
        )
