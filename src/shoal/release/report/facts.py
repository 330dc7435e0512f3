"""The facts of a report, gathered once. Nothing else in this package sees the original table.

The rule: the report names no original value that fewer than `floor` rows have, and gives no count of fewer than
`floor` original rows with a value in common; where people are counted, it is that many people. It says nothing about
the original values of suppressed rows, since a reader could subtract what the release shows of the others. It may say
whatever the release itself shows, and the numbers of classes and of unique rows in the whole table, which only reveal
whether suppressed rows resemble others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.algorithm import describe
from shoal.data.classes import PEOPLE, ROWS, Noun
from shoal.data.grouping import Grouping
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.release.arguments import algorithm_of
from shoal.release.report.class_sizes import sizes_before_and_after
from shoal.release.report.distribution import MAX_NAMED, Bar, distribution, most_frequent, spread
from shoal.release.report.phrases import clipped, people_in_words, ranges_in_words
from shoal.release.report.redaction import public_python
from shoal.release.report.script import python_lines
from shoal.release.report_basis import ReportBasis
from shoal.release.risk import Risk, risk_of

MIN_FLOOR = 5  # rows, whatever the model: the rule of thumb for cells of published tables
MAX_DRAWN = 24  # quasi-identifiers whose distribution is drawn
RISK_THRESHOLD = 0.2


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier: its loss, its numbers of values and labels, and their distributions if drawn.

    `spread` says whether the rows of a range are spread evenly over its width.
    """

    name: str
    loss: float
    values: int
    labels: int
    before: tuple[Bar, ...] = ()
    after: tuple[Bar, ...] = ()
    spread: bool = False


@dataclass(frozen=True)
class Side:
    """The table before or after: its classes and their risk, in rows or people. Counts below the floor are None."""

    rows: int
    classes: int
    smallest: int
    risk: Risk
    unique_rows: int | None
    rows_above: int | None
    sizes: tuple[Bar, ...]

    @property
    def average(self) -> float:
        """The mean number of rows in a class."""
        return self.rows / self.classes


@dataclass(frozen=True)
class Facts:
    """Everything that a report says."""

    input: str
    input_rows: int
    noun: Noun
    counted: dict[str, str]  # who was counted instead of rows, if anybody was
    floor: int
    roles: dict[str, tuple[str, ...]]
    guarantees: tuple[tuple[str, str], ...]
    people: int | None
    distinct_sensitive: dict[str, int]
    dropped_rows: int
    suppressed_rows: int
    suppressed_kept: bool
    suppressed_in_class: bool  # they have the labels of a class and are counted in it
    before: Side
    after: Side
    loss: float  # with the next two, by the values of rows that are not suppressed
    penalty: float
    discernibility: int
    attributes: tuple[Attribute, ...]
    algorithm: str
    choice: str | None
    certificate: dict[str, Any] | None
    search: dict[str, Any] | None
    shuffled: bool
    open_findings: tuple[str, ...]
    answered: tuple[tuple[str, str], ...]  # findings, and how each was answered
    clean: tuple[str, ...]  # the codes of what was looked for and not found
    unchecked: tuple[str, ...]  # the codes of what could not be looked for
    statements: tuple[str, ...]
    command: str | None
    python: str
    versions: dict[str, str]


def facts_of(basis: ReportBasis) -> Facts:
    """Gather the facts of a release."""
    report, table = basis.report, basis.table
    sizes = table.sizes(basis.ids)
    noun = ROWS if table.units is None else PEOPLE
    bare = replace(table, sensitive=(), sensitive_domains=(), sensitive_codes=table.sensitive_codes[:, :0])
    before, after = bare.classes(Grouping.of(bare).ids).sizes, bare.classes(basis.ids).sizes
    after = after[after > 0]
    floor = _floor(basis, int(after.min()))
    bars = sizes_before_and_after(before, after, floor, noun)
    roles = basis.request.roles
    by_role = {
        "quasi-identifiers": roles.quasi,
        "sensitive": roles.sensitive,
        "removed": roles.identifying,
        "pseudonymized": roles.pseudonymized,
        "kept as they are, as asked": roles.kept,
    }
    passed_on = tuple(name for name in basis.source.columns if name not in roles.named)
    people = basis.classes.people
    texts = {*basis.source.columns, *basis.request.missing_values, *vars(basis.request.style).values()}
    losses = report.published
    hidden = report.suppressed_rows
    outside = int(table.weights[basis.ids < 0].sum())
    return Facts(
        input=basis.source.name or "a table in memory",
        input_rows=len(basis.source),
        noun=noun,
        counted=people_in_words(report.people),
        floor=floor,
        roles=by_role | {"released unchanged": passed_on},
        guarantees=tuple((str(part), part.words(noun)) for part in basis.promise.model.parts),
        people=None if people is None else int(people[basis.classes.sizes > 0].min()),
        distinct_sensitive=report.distinct_sensitive,
        dropped_rows=report.dropped_rows,
        suppressed_rows=hidden,
        suppressed_kept=basis.request.suppressed == "keep",
        suppressed_in_class=outside < hidden,
        before=_side(before, bars[0], floor),
        after=_side(after, bars[1], 1),
        loss=losses["loss"],
        penalty=losses["certainty_penalty"],
        discernibility=sum(size * size for size in sizes.tolist()) + outside * table.rows,
        attributes=_attributes(basis, losses["loss_by_attribute"], sizes, floor),
        algorithm=describe(algorithm_of(basis.request.algorithm)),
        choice=report.choice,
        certificate=report.certificate,
        search=report.search,
        shuffled=basis.request.order == "shuffled",
        # A finding about single values may concern suppressed rows only.
        open_findings=tuple(one.public for one in basis.review.open if not (hidden and one.without_values)),
        answered=tuple(
            (one.public, one.answer) for one in basis.review.answered if not (hidden and one.without_values)
        ),
        clean=basis.review.clean,
        unchecked=basis.review.unchecked,
        statements=(
            *report.input.get("read", ()),
            *basis.request.statements,
            *ranges_in_words(report.parameters).values(),
        ),
        command=basis.request.command,
        python=public_python(python_lines(basis.request, basis.source), texts),
        versions=report.versions,
    )


def _floor(basis: ReportBasis, smallest: int) -> int:
    """Return the smallest count of original rows that may be given: the size of the smallest class, or as promised."""
    model = basis.promise.model
    return int(max(MIN_FLOOR, smallest, model.smallest, *(part.min_people or 0 for part in model.parts)))


def _side(sizes: NDArray[np.int64], bars: tuple[Bar, ...], floor: int) -> Side:
    risk = risk_of(sizes, sizes, RISK_THRESHOLD)

    def unless_few(rows: int) -> int | None:
        return None if 0 < rows < floor else rows

    return Side(
        rows=int(sizes.sum()),
        classes=int(sizes.size),
        smallest=int(sizes.min()),
        risk=replace(risk, rows_above=0, share_above=0.0),
        unique_rows=unless_few(int((sizes == 1).sum())),
        rows_above=unless_few(risk.rows_above),
        sizes=bars,
    )


def _attributes(
    basis: ReportBasis, lost: Mapping[str, float], sizes: NDArray[np.int64], floor: int
) -> tuple[Attribute, ...]:
    """Describe the quasi-identifiers in their order; if they are many, only those that lost most are drawn."""
    table = basis.table
    drawn = set(sorted(lost, key=lambda name: -lost[name])[:MAX_DRAWN])
    inside = ~basis.recoding.suppressed
    hidden = int(table.weights[basis.ids < 0].sum()) if basis.request.suppressed == "keep" else 0
    attributes = []
    for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True):
        counts = _counted(table, codes, inside, len(domain))
        labels = Counter(dict.fromkeys(basis.labels[name], 0))
        if name in drawn:
            for label, rows in zip(basis.labels[name], _by_label(basis, name, sizes).tolist(), strict=True):
                labels[label] += rows
            if hidden:
                labels[basis.promise.tops[name]] += hidden
        attribute = Attribute(name, lost[name], int((counts > 0).sum()), len(labels))
        if name in drawn:
            before, scale = distribution(domain, counts, floor)
            even = scale is not None and len(labels) > MAX_NAMED + 1
            after = spread(labels, scale, basis.promise.style) if scale and even else most_frequent(labels)
            attribute = replace(attribute, before=_clipped(before), after=_clipped(after), spread=even)
        attributes.append(attribute)
    return tuple(attributes)


def _counted(table: Table, codes: Ints, inside: Flags, values: int) -> Longs:
    """Count the rows with each value, or the people who have it."""
    if table.units is None:
        return np.bincount(codes[inside], table.weights[inside], values).astype(np.int64)
    units, own = table.units[inside], codes[inside]
    firsts = group_rows([units, own], [int(units.max(initial=0)) + 1, values], own.size)[1]
    return np.bincount(own[firsts], minlength=values)


def _by_label(basis: ReportBasis, name: str, sizes: Longs) -> Longs:
    """Count the rows of each class or, for the first class with a label, all people who show this label."""
    if basis.table.units is None:
        return sizes
    first: dict[str, int] = {}
    number = np.array([first.setdefault(label, at) for at, label in enumerate(basis.labels[name])], np.int32)
    return _counted(basis.table, np.append(number, 0).astype(np.int32)[basis.ids], basis.ids >= 0, number.size)


def _clipped(bars: tuple[Bar, ...]) -> tuple[Bar, ...]:
    return tuple(replace(bar, name=clipped(bar.name)) for bar in bars)
