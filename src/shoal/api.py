"""anonymize(): the straight line from a table to a verified release, in full view."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from shoal.algorithms import Algorithm
from shoal.algorithms.full_domain.lattice import Explored
from shoal.data.encoding import Guide, encode
from shoal.data.recoding import Recoding
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import PrivacyWarning
from shoal.io.source import Source, unique_values
from shoal.models import PrivacyModel
from shoal.release.arguments import (
    Hierarchies,
    Names,
    algorithm_of,
    check_class_column,
    check_model,
    check_order,
    check_recoding,
    check_suppressed,
    guides_of,
    meanings,
    population_of,
    style_of,
    texts_of,
    whole_rows,
)
from shoal.release.cautions import cautions
from shoal.release.class_records import Groups, class_numbers
from shoal.release.lattice_explorer import Solutions
from shoal.release.pseudonyms import pseudonyms
from shoal.release.release import (
    Release,
    apart,
    class_labels,
    input_of,
    one_per_label,
    released_frame,
    released_rows,
    report_of,
    unchanged_columns,
)
from shoal.release.request import Request
from shoal.release.solve import solve
from shoal.release.verification import Original, Promise, check_release


def anonymize(
    data: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    identifying: Names = (),
    hierarchies: Hierarchies | None = None,
    model: PrivacyModel,
    algorithm: Algorithm | str = "auto",
    max_suppression: float | int = 0,
    suppressed: Literal["keep", "drop"] = "keep",
    order: Literal["rows", "classes", "shuffled"] = "rows",
    class_column: str | None = None,
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
    check_model(model, roles)
    style = style_of(style, model)
    check_suppressed(suppressed, model, max_suppression)
    check_order(order)
    check_class_column(class_column, source, model)
    given = guides_of(hierarchies, roles, source.columns)
    missing = texts_of(missing_values)
    whole = whole_rows(source, roles, missing) if drop_missing else np.ones(len(source), np.bool_)
    kept = source if whole.all() else source.keep(whole)
    replaced = {name: pseudonyms(name, kept.arrow(name), key) for name in roles.pseudonymized}

    people = population_of(model, roles)

    def encoded(guides: Mapping[str, Guide]) -> Table:
        return encode(
            {name: kept.arrow(name) for name in (*roles.quasi, *roles.sensitive)},
            quasi=roles.quasi,
            sensitive=roles.sensitive,
            guides=guides,
            missing_values=missing,
            style=style,
            population={name: people.arrow(name) for name in roles.quasi} if people else None,
        )

    named = algorithm_of(algorithm)
    solved = solve(
        encoded,
        model,
        quasi=roles.quasi,
        given=given,
        algorithm=named,
        max_suppression=max_suppression,
        style=style,
        tell=tell,
    )
    table, chosen, budget = solved.table, solved.algorithm, solved.budget

    asked = Request(
        roles=roles,
        hierarchies=dict(hierarchies) if isinstance(hierarchies, Mapping) else hierarchies,
        model=model,
        algorithm=algorithm if chosen == named else chosen,
        max_suppression=max_suppression,
        suppressed=suppressed,
        order=order,
        class_column=class_column,
        missing_values=missing,
        drop_missing=drop_missing,
        style=style,
    )

    def release_of(recoding: Recoding) -> Release:
        """Label the rows, verify what the labels show, and report."""
        check_recoding(recoding, table, budget)
        own, shown = table, recoding
        if people:
            own, shown = table.without_population(), recoding.of_rows(len(kept))

        tell("labelling", 0)
        drop = suppressed == "drop"
        labels = class_labels(own, shown, style)
        tops = {name: domain.top(style) for name, domain in zip(own.quasi, own.domains, strict=True)}
        labels, ids = one_per_label(labels, shown.ids, {} if drop else tops)
        labels, ids = apart(labels, ids, table=own, recoding=shown, tops=tops, model=model, max_suppressed=budget)
        numbered = {class_column: class_numbers(ids, style)} if class_column is not None else {}
        rows = released_rows(ids, drop_suppressed=drop, order=order)
        same = set()
        if drop or (ids >= 0).all():
            same = unchanged_columns(own, labels, kept.types(roles.quasi), lambda name: unique_values(kept.arrow(name)))
        frame = released_frame(
            kept,
            tops,
            {name: shown for name, shown in labels.items() if name not in same},
            ids,
            other=replaced | numbered,
            identifying=roles.identifying,
            rows=rows,
            order=order,
        )

        tell("verifying", 0)
        original = Original(
            source,
            order=order,
            at=rows if len(kept) == len(source) else np.flatnonzero(whole)[slice(None) if rows is None else rows],
        )
        promise = Promise(
            roles=roles,
            model=model,
            tops=tops,
            max_suppressed=0 if drop else budget,
            max_dropped=budget if drop else 0,
            drop_missing=drop_missing,
            rows=len(kept) if rows is None else rows.size,
            hierarchies=meanings(own),
            style=style,
            missing_values=missing,
            class_column=class_column,
            original=original,
        )
        classes = check_release(frame, promise)

        solutions = Solutions.of(recoding, chosen, release_of) if isinstance(recoding, Explored) else None
        search = solutions.summary() if solutions else None
        report = report_of(
            solved,
            own,
            shown,
            ids,
            asked,
            data=input_of(source, own),
            dropped=len(source) - len(kept),
            search=search,
        )
        warned = cautions(
            kept,
            roles,
            own,
            own.classes(ids),
            model,
            style,
            order=order,
            losses=report.loss_by_attribute,
            suppressed=shown.suppressed | (ids < 0),
        )
        sentences = [caution.sentence for caution in warned]
        for sentence in sentences:
            warnings.warn(sentence, PrivacyWarning, stacklevel=3)
        return Release(
            frame,
            classes,
            replace(report, warnings=sentences),
            promise,
            source,
            solutions,
            groups=Groups(kept, np.flatnonzero(whole), ids, labels, roles.sensitive),
            request=asked,
            table=own,
            recoding=shown,
            cautions=warned,
        )

    return release_of(solved.recoding)
