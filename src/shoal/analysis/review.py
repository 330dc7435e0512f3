"""review(): what a release, made by any tool, tells beyond its labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from shoal.analysis.attack.tightness import are_steps
from shoal.analysis.read_labels import read_release
from shoal.data.label_ranges import span_of
from shoal.data.recoding import Recoding
from shoal.data.roles import check_column
from shoal.data.style import Style, text
from shoal.data.table import Table
from shoal.engines.memory.review import column_of
from shoal.engines.repeated_values import repeated_people
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.kernels.arrays import Longs
from shoal.models import KAnonymity
from shoal.release.arguments import Hierarchies, Names
from shoal.release.request import Request
from shoal.release.review.classes import weak_classes
from shoal.release.review.derived_columns import derived_columns
from shoal.release.review.evidence import Evidence, Hidden, Passed, chosen_rows
from shoal.release.review.finding import Finding
from shoal.release.review.identifying_columns import columns_that_leave, identifying_columns
from shoal.release.review.range_ends import range_ends
from shoal.release.review.rare_values import rare_values
from shoal.release.review.repeated_people import columns_to_review
from shoal.release.review.review import Review
from shoal.release.review.sorted_rows import order_that_tells
from shoal.release.review.unique_combinations import unique_combinations
from shoal.system.mistaken_arguments import answering_mistakes

NEEDS_ORIGINAL = ("derived-column", "range-ends", "row-order")
NEEDS_RELEASE = ("linked-rows", "intersection", "similar-names", "ambiguous-label", "changing-table")


@answering_mistakes("shoal.review")
def review(
    released: Any,
    original: Any = None,
    *,
    quasi_identifiers: Names,
    sensitive: Names = (),
    keep: Names = (),
    accept: Names = (),
    rows_are_people: bool = False,
    hierarchies: Hierarchies | None = None,
    missing_values: Names = (),
) -> Review:
    """Review a release that any tool has made: what identifies people although the labels do not.

    released           the released table
    original           the original table, with the same rows in the same order: only with it can be measured what other
                       columns and the ends of ranges tell about hidden values
    quasi_identifiers  the generalized columns
    sensitive          the sensitive columns
    keep               other columns that were looked at and may leave as they are
    accept             codes of findings that are accepted
    rows_are_people    whether each row is a different person, although values of a column such as an id repeat
    hierarchies        the hierarchies or orders of the quasi-identifiers, as in `anonymize`
    missing_values     texts that count as missing, such as "?"

    >>> import pyarrow as pa, shoal
    >>> table = pa.table({"age": ["20-30", "20-30"] * 10, "mail": [f"p{i}@example.org" for i in range(20)]})
    >>> review = shoal.review(table, quasi_identifiers="age")
    >>> [(finding.code, finding.columns) for finding in review.open if finding.blocks]
    [('identifying-column', ('mail',))]
    """
    after = Source.of(released)
    before = None if original is None else Source.of(original)
    request = Request.of(
        after.columns,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        keep=keep,
        accept=accept,
        rows_are_people=rows_are_people,
        hierarchies=None if before is None else hierarchies,
        model=KAnonymity(2),
        missing_values=missing_values,
    )
    leaving = {name: column_of(after, name) for name in columns_that_leave(after.columns, request)}
    passed = {name: column for name, own in leaving.items() if (column := Passed.of(own)) is not None}
    labels = {name: Passed.of(column_of(after, name)) for name in request.roles.quasi}
    classes = np.unique(
        np.column_stack([label.codes for label in labels.values() if label is not None]), axis=0, return_inverse=True
    )[1]
    asked = {name: column_of(after, name) for name in columns_to_review(after.columns, request)}
    repeated = repeated_people(asked, request.roles, request.missing_values)
    table, recoding = _before(before, after, request)
    ids = classes.ravel().astype(np.int32)
    request = replace(request, model=KAnonymity(int(np.bincount(ids).min(initial=ids.size))))  # what it has
    rows = chosen_rows(ids)
    evidence = Evidence(
        rows=ids.size,
        classes=ids[rows],
        quasi={} if recoding is None else _hidden(table, recoding, rows),
        columns={name: own.some(rows) for name, own in passed.items()},
        sensitive=request.roles.sensitive,
    )
    found: list[Finding] = [
        *identifying_columns(leaving, request),
        *derived_columns(evidence),
        *([] if rows_are_people else [one.finding() for one in repeated]),
        *unique_combinations(evidence),
        *weak_classes(request, table, table.classes(ids)),
        *([] if recoding is None else range_ends(table, recoding, fixed=_fixed(after, table))),
        *rare_values({name: column.codes for name, column in passed.items()}),
        *([] if before is None else order_that_tells(before, request, table, generalized=table.quasi, inside=None)),
    ]
    answered = tuple(finding.answered(request) for finding in found)
    return Review(answered, NEEDS_RELEASE if before is not None else NEEDS_ORIGINAL + NEEDS_RELEASE)


def _before(before: Source | None, after: Source, request: Request) -> tuple[Table, Recoding | None]:
    """Return the original as codes with what the release shows of it; without one, the released labels as codes."""
    if before is None:
        return after.encode(request.roles, guides={}, missing_values=request.missing_values), None
    for name in (*request.roles.quasi, *request.roles.sensitive):
        check_column(name, before.columns, table="the original")
    if len(before) != len(after):
        raise InputError(
            f"The release has {len(after):,} rows and the original {len(before):,}: give a release with the same rows "
            f"in the same order, or review it without the original."
        )
    table = before.encode(request.roles, guides=request.guides, missing_values=request.missing_values)
    return table, read_release(table, {name: after.arrow(name) for name in request.roles.quasi})


def _fixed(after: Source, table: Table) -> list[str]:
    """Return the quasi-identifiers that show steps of one width, whose ends are nobody's values."""
    fixed = []
    for name in table.quasi:
        spans = [span_of(text(label), Style()) for label in after.read([name], ())[name].values]
        ends = np.array([(float(span[1][0]), float(span[2][0])) for span in spans if span is not None])
        if ends.size and are_steps(*ends.T):
            fixed.append(name)
    return fixed


def _hidden(table: Table, recoding: Recoding, rows: Longs) -> dict[str, Hidden]:
    """Return the quasi-identifiers of some rows beside what their classes show."""
    columns = zip(table.quasi, table.domains, table.codes.T, recoding.shown, strict=True)
    return {
        name: Hidden.shown(domain, codes[rows], recoding.ids[rows], domain.alike(shown), domain.loss(shown) > 0)
        for name, domain, codes, shown in columns
    }
