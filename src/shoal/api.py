"""anonymize() and assess(): the straight line from a table to a verified release, in full view."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from importlib.metadata import version
from os import PathLike
from typing import Any, Literal

import numpy as np

from shoal import hierarchies as trees
from shoal.algorithms import ALGORITHMS, Algorithm
from shoal.assessment import Assessment, assessment_of
from shoal.cautions import cautions
from shoal.domain import Ordered
from shoal.encoding import Guide, encode, read_column
from shoal.errors import InfeasibleError, InputError, PrivacyWarning, VerificationError
from shoal.hierarchies.spec import parse
from shoal.hierarchy import Hierarchy
from shoal.labels import Style
from shoal.metrics import METRICS, loss_by_attribute
from shoal.models import KAnonymity, PrivacyModel
from shoal.models.distinct_diversity import distinct_values
from shoal.pseudonyms import pseudonyms
from shoal.recoding import Recoding
from shoal.release import Promise, Release, Report, released_frame
from shoal.roles import Roles, check_column
from shoal.source import Source
from shoal.table import Table

Names = str | Iterable[str]
Hierarchies = Mapping[str, Hierarchy | Ordered | str | PathLike[str]] | str | PathLike[str]


def anonymize(
    data: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    identifying: Names = (),
    hierarchies: Hierarchies | None = None,
    model: PrivacyModel,
    algorithm: Algorithm | str = "mondrian",
    max_suppression: float | int = 0,
    suppressed: Literal["keep", "drop"] = "keep",
    missing_values: Names = (),
    drop_missing: bool = False,
    pseudonymize: Names = (),
    key: bytes | str | None = None,
    style: Style | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Release:
    """Make a release of a table whose every class satisfies the model, verified from the labels it shows.

    >>> import shoal
    >>> release = shoal.anonymize(
    ...     shoal.datasets.adult(),
    ...     quasi_identifiers=["age", "sex", "race"],
    ...     sensitive="occupation",
    ...     identifying="fnlwgt",
    ...     hierarchies=shoal.datasets.adult_hierarchies(),
    ...     model=shoal.KAnonymity(10) & shoal.DistinctDiversity(3),
    ... )
    >>> release.report.k
    10
    """
    tell = progress or (lambda stage, share: None)
    style = style or Style()
    if suppressed not in ("keep", "drop"):
        raise InputError(f"suppressed = {suppressed!r} is not known: choose keep or drop.")
    source = Source.of(data)
    roles = Roles.of(
        source.columns,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        identifying=identifying,
        pseudonymize=pseudonymize,
    )
    _check_model(model, roles)
    guides = _guides(hierarchies, roles, source.columns)
    missing = (missing_values,) if isinstance(missing_values, str) else tuple(missing_values)
    kept = _without_missing(source, roles, missing) if drop_missing else source
    tell("encoding", 0)
    table = encode(
        {name: kept.arrow(name) for name in (*roles.quasi, *roles.sensitive)},
        quasi=roles.quasi,
        sensitive=roles.sensitive,
        guides=guides,
        missing_values=missing,
        style=style,
    )
    budget = _budget(max_suppression, table.rows)
    chosen = _algorithm(algorithm)
    _check_feasible(table, model)

    recoding = chosen.recode(table, model, max_suppressed=budget, progress=partial(tell, chosen.name))

    tell("labelling", 0)
    gone = _check_answer(recoding, table, budget)
    frame = released_frame(
        kept,
        table,
        recoding,
        style=style,
        other={name: pseudonyms(name, kept.arrow(name), key) for name in roles.pseudonymized},
        identifying=roles.identifying,
        drop_suppressed=suppressed == "drop",
    )
    tops = {name: domain.top(style) for name, domain in zip(table.quasi, table.domains, strict=True)}
    shown = len(kept) - gone if suppressed == "drop" else len(kept)
    promise = Promise(roles.quasi, roles.sensitive, model, tops, 0 if suppressed == "drop" else budget, shown)
    tell("verifying", 0)
    classes = promise.verify(frame)
    warned = cautions(kept, roles, table, table.classes(recoding.ids), model)
    for sentence in warned:
        warnings.warn(sentence, PrivacyWarning, stacklevel=2)
    parameters = {
        "model": str(model),
        "algorithm": str(chosen),
        "quasi_identifiers": list(roles.quasi),
        "sensitive": list(roles.sensitive),
        "identifying": list(roles.identifying),
        "pseudonymized": list(roles.pseudonymized),
        "hierarchies": sorted(set(guides) & set(roles.quasi)),
        "max_suppressed_rows": budget,
        "suppressed": suppressed,
        "missing_values": list(missing),
    }
    report = _report(source, kept, table, recoding, parameters, warned)
    return Release(frame, classes, report, promise, source)


def assess(data: Any, *, quasi_identifiers: Names, sensitive: Names = (), missing_values: Names = ()) -> Assessment:
    """How safe a table is as it stands: k, ℓ, class sizes, and how many rows are unique.

    >>> import shoal
    >>> shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"], sensitive="occupation").k
    1
    """
    source = Source.of(data)
    roles = Roles.of(source.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    table = encode(
        {name: source.arrow(name) for name in (*roles.quasi, *roles.sensitive)},
        quasi=roles.quasi,
        sensitive=roles.sensitive,
        guides={},
        missing_values=(missing_values,) if isinstance(missing_values, str) else tuple(missing_values),
        style=Style(),
    )
    return assessment_of(table)


def _check_model(model: PrivacyModel, roles: Roles) -> None:
    if not isinstance(model, PrivacyModel):
        raise InputError(f"{model!r} is no privacy model: give one such as shoal.KAnonymity(10).")
    if model.parts and all(isinstance(part, KAnonymity) for part in model.parts) and model.smallest < 2:
        raise InputError("k = 1 protects nobody: choose k of at least 2.")
    if model.uses_sensitive and not roles.sensitive:
        raise InputError(f"The model {model} needs a sensitive column and none is named.")


def _check_feasible(table: Table, model: PrivacyModel) -> None:
    whole = table.whole()
    if not model.satisfied(whole).all():
        reach = model.reach(whole)
        raise InfeasibleError(f"No release of this table can satisfy {model}: {reach}.", achievable=reach)


def _check_answer(recoding: Recoding, table: Table, budget: int) -> int:
    """The number of suppressed rows, if the recoding speaks of this table's rows and suppresses no more than allowed."""
    if recoding.ids.shape != table.weights.shape:
        raise VerificationError(
            f"The algorithm answered for {recoding.ids.size} rows of {table.weights.size}. Nothing was released."
        )
    gone = int(table.weights[recoding.suppressed].sum())
    if gone > budget:
        raise VerificationError(
            f"The algorithm suppressed {gone} rows where {budget} are allowed. Nothing was released."
        )
    return gone


def _guides(hierarchies: Hierarchies | None, roles: Roles, columns: Sequence[str]) -> dict[str, Guide]:
    if hierarchies is None:
        return {}
    if isinstance(hierarchies, Mapping):
        bare = [name for name in roles.quasi if name not in hierarchies]
        for name in set(hierarchies) - set(columns):
            # A hierarchy for another table's column is no mistake, one for a misspelled column is.
            if get_close_matches(name, bare, n=1):
                check_column(name, bare)
        given = {name: guide for name, guide in hierarchies.items() if name in roles.quasi}
    else:
        found = {name: trees.find(hierarchies, name) for name in roles.quasi}
        given = {name: path for name, path in found.items() if path is not None}
        if not given:
            raise InputError(f"{hierarchies}: no file is named for one of the quasi-identifiers ({', '.join(found)}).")
    return {name: _guide(guide) for name, guide in given.items()}


def _guide(given: Hierarchy | Ordered | str | PathLike[str]) -> Guide:
    if isinstance(given, str):
        return parse(given)
    return Hierarchy.from_file(given) if isinstance(given, PathLike) else given


def _without_missing(source: Source, roles: Roles, missing: tuple[str, ...]) -> Source:
    whole = np.ones(len(source), np.bool_)
    for name in (*roles.quasi, *roles.sensitive):
        whole &= read_column(name, source.arrow(name), missing).places >= 0
    if not whole.any():
        raise InputError(
            "Every row misses a quasi-identifying or sensitive value: nothing is left when such rows are dropped."
        )
    return source if whole.all() else source.keep(whole)


def _budget(limit: float | int, rows: int) -> int:
    """The number of rows that may be suppressed: a share of the rows, or a count."""
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit >= 0:
        raise InputError(f"max_suppression = {limit!r} must be a share from 0 to 1 or a number of rows.")
    if isinstance(limit, int):
        return min(limit, rows)
    if limit > 1:
        raise InputError(
            f"max_suppression = {limit!r} is no share: give a number from 0 to 1, or a whole number of rows."
        )
    return int(np.floor(limit * rows))


def _algorithm(algorithm: Algorithm | str) -> Algorithm:
    if not isinstance(algorithm, str):
        return algorithm
    if algorithm not in ALGORITHMS:
        raise InputError(f"There is no algorithm {algorithm!r}: choose from {', '.join(ALGORITHMS)}.")
    return ALGORITHMS[algorithm]()


def _report(
    source: Source,
    kept: Source,
    table: Table,
    recoding: Recoding,
    parameters: dict[str, Any],
    warned: list[str],
) -> Report:
    classes = table.classes(recoding.ids)
    return Report(
        versions={"python": platform.python_version()}
        | {name: version(name) for name in ("shoal", "numpy", "numba", "pyarrow", "narwhals")},
        input={
            "file": source.path.name if source.path else None,
            "sha256": source.checksum() or table.checksum(),
            "sha256_of": "file" if source.path else "encoded columns",
            "rows": len(source),
        },
        parameters=parameters,
        rows=table.rows,
        suppressed_rows=int(recoding.suppressed.sum()),
        dropped_rows=len(source) - len(kept),
        classes=len(classes),
        k=int(classes.sizes.min(initial=table.rows)),
        metrics={name: metric(table, recoding) for name, metric in METRICS.items()},
        loss_by_attribute=loss_by_attribute(table, recoding),
        distinct_sensitive={
            name: int(distinct_values(classes, name).min(initial=table.rows)) for name in table.sensitive
        },
        warnings=warned,
    )
