"""anonymize() and assess(): the straight line from a table to a verified release, in full view."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from shoal.algorithms import Algorithm
from shoal.arguments import (
    Hierarchies,
    Names,
    algorithm_of,
    budget_of,
    check_feasible,
    check_model,
    check_recoding,
    check_suppressed,
    guides_of,
    population_of,
    style_of,
    texts_of,
    without_missing,
)
from shoal.assessment import Assessment, assessment_of
from shoal.cautions import cautions
from shoal.encoding import encode
from shoal.errors import PrivacyWarning
from shoal.labels import Style
from shoal.models import PrivacyModel
from shoal.pseudonyms import pseudonyms
from shoal.release import Promise, Release, released_frame, report_of
from shoal.roles import Roles
from shoal.source import Source


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
    source = Source.of(data)
    roles = Roles.of(
        source.columns,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        identifying=identifying,
        pseudonymize=pseudonymize,
    )
    style = style_of(style)
    check_model(model, roles)
    check_suppressed(suppressed)
    chosen = algorithm_of(algorithm)
    guides = guides_of(hierarchies, roles, source.columns)
    missing = texts_of(missing_values)
    kept = without_missing(source, roles, missing) if drop_missing else source
    replaced = {name: pseudonyms(name, kept.arrow(name), key) for name in roles.pseudonymized}

    people = population_of(model, roles)

    tell("encoding", 0)
    table = encode(
        {name: kept.arrow(name) for name in (*roles.quasi, *roles.sensitive)},
        quasi=roles.quasi,
        sensitive=roles.sensitive,
        guides=guides,
        missing_values=missing,
        style=style,
        population={name: people.arrow(name) for name in roles.quasi} if people else None,
    )
    budget = budget_of(max_suppression, table.rows)
    check_feasible(table, model)

    recoding = chosen.recode(table, model, max_suppressed=budget, progress=partial(tell, chosen.name))
    check_recoding(recoding, table, budget)
    if people:
        table, recoding = table.without_population(), recoding.of_rows(len(kept))

    tell("labelling", 0)
    drop = suppressed == "drop"
    frame = released_frame(
        kept, table, recoding, style=style, other=replaced, identifying=roles.identifying, drop_suppressed=drop
    )

    tell("verifying", 0)
    promise = Promise(
        quasi=roles.quasi,
        sensitive=roles.sensitive,
        model=model,
        tops={name: domain.top(style) for name, domain in zip(table.quasi, table.domains, strict=True)},
        max_suppressed=0 if drop else budget,
        rows=len(kept) - (int(recoding.suppressed.sum()) if drop else 0),
        whole={name: kept.arrow(name) for name in roles.sensitive},
    )
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
        "hierarchies": sorted(guides),
        "max_suppressed_rows": budget,
        "suppressed": suppressed,
        "missing_values": list(missing),
    }
    report = report_of(source, table, recoding, parameters, dropped=len(source) - len(kept), warned=warned)
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
        missing_values=texts_of(missing_values),
        style=Style(),
    )
    return assessment_of(table)
