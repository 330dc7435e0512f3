"""anonymize() and assess(): the straight line from a table to a verified release, in full view."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from shoal.algorithms import Algorithm
from shoal.algorithms.full_domain.lattice import Explored
from shoal.analysis.assessment import Assessment, ColumnSet, Verdict, assessment_of
from shoal.analysis.assessment.assessment import check_population
from shoal.analysis.assessment.classes import Grouping
from shoal.analysis.assessment.columns import column_sets
from shoal.analysis.assessment.kinds import Kinds
from shoal.analysis.assessment.requirements import Required, parse_requirements
from shoal.analysis.assessment.verdicts import verdicts
from shoal.data.encoding import Guide, encode
from shoal.data.recoding import Recoding
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError, PrivacyWarning
from shoal.io.source import Source, unique_values
from shoal.models import ModelContext, PrivacyModel
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


def assess(
    data: Any,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    sensitive_hierarchies: Hierarchies | None = None,
    population: Any = None,
    sampling_fraction: float | None = None,
    threshold: float = 0.2,
    require: Required = (),
    suppressed: Names = (),
    missing_values: Names = (),
) -> Assessment:
    """How safe a table is as it stands: what each privacy model reaches, and the risk that a row is traced to a person.

    population  a table that the data is a part of: the journalist's and marketer's risks are those among its rows
    sampling_fraction  the share of its population that the data is: how many people are unique there is estimated
    require     what must hold, as text ("k>=5, t<=0.2") or models: `requirements` has the verdicts
    suppressed  the labels of suppressed rows: rows that show one for every quasi-identifier are in no class

    >>> import shoal
    >>> found = shoal.assess(shoal.datasets.adult(), quasi_identifiers=["age", "sex"], sensitive="occupation")
    >>> found.k, found.sensitive["occupation"].distinct_l
    (1, 1)
    """
    table, context = _assessed(data, quasi_identifiers, sensitive, sensitive_hierarchies, missing_values, population)
    requirements = parse_requirements(require, context)
    for requirement in requirements:
        check_population(requirement.text, requirement.model, population)
    return assessment_of(
        table,
        context,
        population=None if population is None else _people(Source.of(population), table.quasi, missing_values),
        given=population,
        sampling_fraction=sampling_fraction,
        threshold=threshold,
        suppressed=texts_of(suppressed),
        requirements=requirements,
    )


def check(
    data: Any,
    require: Required,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    sensitive_hierarchies: Hierarchies | None = None,
    suppressed: Names = (),
    missing_values: Names = (),
) -> tuple[Verdict, ...]:
    """For each requirement on a table whether it holds, and which class fails it where it does not.

    >>> import shoal
    >>> adult = shoal.datasets.adult()
    >>> [verdict.holds for verdict in check(adult, "k>=2, risk<=1", quasi_identifiers=["age", "sex"])]
    [False, True]
    """
    table, context = _assessed(data, quasi_identifiers, sensitive, sensitive_hierarchies, missing_values)
    requirements = parse_requirements(require, context)
    return verdicts(Kinds.of(Grouping.of(table, suppressed=texts_of(suppressed))), requirements)


def assess_columns(
    data: Any,
    *,
    columns: Names | None = None,
    size: int = 3,
    missing_values: Names = (),
    progress: Callable[[str, float], None] | None = None,
) -> list[ColumnSet]:
    """How well each set of up to `size` columns tells rows apart, to find the quasi-identifiers of a table.

    >>> import shoal
    >>> assess_columns(shoal.datasets.adult(), columns=["age", "sex", "race"], size=1)[0].columns
    ('age',)
    """
    source = Source.of(data)
    names = source.columns if columns is None else Roles.of(source.columns, quasi_identifiers=columns).quasi
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise InputError(f"size = {size!r} is no number of columns: give a whole number from 1.")
    return column_sets(source, names, texts_of(missing_values), size=size, progress=progress)


def _assessed(
    data: Any,
    quasi_identifiers: Names,
    sensitive: Names,
    hierarchies: Hierarchies | None,
    missing_values: Names,
    population: Any = None,
) -> tuple[Table, ModelContext]:
    """Encode the table to assess; return it with what requirements on it may refer to."""
    source = Source.of(data)
    roles = Roles.of(source.columns, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    table = _table(source, roles.quasi, roles.sensitive, missing_values)
    guides = guides_of(hierarchies, Roles(roles.sensitive), source.columns)
    return table, ModelContext.of(table, guides, population)


def _people(population: Source, quasi: Sequence[str], missing_values: Names) -> Table:
    for name in quasi:
        if name not in population.columns:
            raise InputError(f"The population has no column {name!r}, which is a quasi-identifier.")
    return _table(population, quasi, (), missing_values)


def _table(source: Source, quasi: Sequence[str], sensitive: Sequence[str], missing_values: Names) -> Table:
    return encode(
        {name: source.arrow(name) for name in (*quasi, *sensitive)},
        quasi=quasi,
        sensitive=sensitive,
        guides={},
        missing_values=texts_of(missing_values),
        style=Style(missing="(missing)"),
        ranges=False,
    )
