"""The record of a release for the next delivery: what its classes show, and nothing about its rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from numbers import Integral
from operator import and_
from os import PathLike
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.binned_domain import BinnedDomain, BinnedRanges
from shoal.data.column import read_column
from shoal.data.domain import AnyDomain, RangeDomain, Ranges, Sets, TreeDomain
from shoal.data.hierarchies import find
from shoal.data.hierarchies.numbers import HALF_OPEN, WHOLE
from shoal.data.hierarchies.spec import builds
from shoal.data.style import text
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.models.model import plain_tree
from shoal.models.people import LimitedContribution
from shoal.release.figures import Report
from shoal.release.json_report import JsonReport
from shoal.release.report_basis import ReportBasis
from shoal.release.request import Request
from shoal.release.reuse.columns import EVERYTHING, MISSING, KeptColumn
from shoal.release.reuse.generalization import OPTIONS, VERSION, Generalization, plain_model
from shoal.release.reuse.scales import scale_of


def report_with_generalization(basis: ReportBasis) -> JsonReport:
    """Return the .json report of a release, with what shoal.apply() needs, or the reason why that is impossible."""
    try:
        generalization = generalization_of(basis).to_dict()
    except InputError as error:
        generalization = {"version": VERSION, "refused": str(error)}
    return JsonReport(basis.report.to_dict(), {"generalization": generalization})


def generalization_of(basis: ReportBasis) -> Generalization:
    """Return the generalization of a release; refuse one that cannot be applied to other tables."""
    request = basis.request
    earlier: Generalization | None = getattr(request.algorithm, "generalization", None)
    if earlier is not None:
        return earlier  # all classes of the first release, even those that are empty in this one
    _check_can_be_kept(request)
    limit = request.max_suppression
    options = {name: getattr(request, name) for name in OPTIONS}
    options["max_suppression"] = int(limit) if isinstance(limit, Integral) else float(limit)
    used = np.bincount(basis.recoding.ids[basis.recoding.ids >= 0], minlength=basis.recoding.sizes.size) > 0
    columns, classes = [], []
    for name, domain, shown in zip(basis.table.quasi, basis.table.domains, basis.recoding.shown, strict=True):
        if basis.node is not None and isinstance(domain, TreeDomain):
            columns.append(_kept_tree(basis, name, domain, [], basis.node[name]))
            continue
        by_class = shown[used].tolist() if isinstance(domain, TreeDomain) else _shown(domain, shown, used)
        numbers: dict[Any, int] = {}
        keys = [tuple(value) if isinstance(value, list) else value for value in by_class]
        classes.append(tuple(numbers.setdefault(key, len(numbers)) for key in keys))
        distinct: list[Any] = [list(key) if isinstance(key, tuple) else key for key in numbers]
        columns.append(
            _kept_tree(basis, name, domain, distinct, None)
            if isinstance(domain, TreeDomain)
            else _kept_column(basis, name, domain, distinct)
        )
    return Generalization(
        roles=request.roles,
        model=_asked(request),
        style=request.style,
        options=options,
        columns=tuple(columns),
        classes=tuple(classes),
        unit=request.unit,
    )


def _asked(request: Request) -> PrivacyModel:
    """Return the model without what its unit adds to it, as it will again."""
    return reduce(and_, (part for part in request.model.parts if not isinstance(part, LimitedContribution)))


def _shown(domain: AnyDomain, shown: Any, used: NDArray[np.bool_]) -> list[Any]:
    """Return what each class in use shows of a column without a tree."""
    if isinstance(shown, BinnedRanges) and isinstance(domain, BinnedDomain):
        tight = _shown(domain, Ranges(shown.low, shown.high), used)
        moved = domain.ends(shown.some(used))
        return [one if ends is None else list(ends) for one, ends in zip(tight, moved, strict=True)]
    if isinstance(shown, Ranges):
        ends = zip(shown.low[used].tolist(), shown.high[used].tolist(), strict=True)
        return [_range(domain, low, high) for low, high in ends]
    if not isinstance(shown, Sets):
        raise TypeError(f"{shown!r} is shown without a tree")
    names = [None if code == domain.missing else label for code, label in enumerate(domain.labels)]
    members = [names[code] for code in shown.codes.tolist()]
    starts = shown.starts.tolist()
    return [members[starts[at] : starts[at + 1]] for at in np.flatnonzero(used).tolist()]


def _range(domain: AnyDomain, low: int, high: int) -> list[str] | None:
    """Return the ends of a range; a range that contains the missing value and others is shown as everything."""
    if low == domain.missing:
        return EVERYTHING if high > low else MISSING
    return [domain.labels[low], domain.labels[high]]


def next_delivery(report: Report, request: Request, file: str) -> str:
    """Tell the user how to release the next delivery with the report in this file, or why that is impossible."""
    earlier: Generalization | None = getattr(request.algorithm, "generalization", None)
    if report.blocks is not None:
        return f"{file} holds no classes, as the rows were processed in blocks: anonymize the next table itself."
    if earlier is None:
        try:
            _check_can_be_kept(request)
        except InputError as error:
            return f"shoal apply cannot give it these classes. {error}"
    if report.search is not None or (earlier is not None and not earlier.classes):
        return (
            f"shoal apply {file} gives it the same levels. Rows whose class is too small there are suppressed: "
            f"allow for them, such as --max-suppression 0.05."
        )
    return (
        f"shoal apply {file} gives it the same classes. Rows that fit none of them are suppressed: "
        f"allow for them, such as --max-suppression 0.1, or make both releases with --algorithm full-domain."
    )


def _check_can_be_kept(request: Request) -> None:
    """Refuse a request that a report cannot hold, or that does not determine the classes of other tables."""
    plain_model(_asked(request))
    if request.unit is not None and request.unit.linked:
        raise InputError(
            f"It promised {request.unit.promise}, sets of rows that are alike, which classes alone cannot keep: "
            f"anonymize the next table itself."
        )
    if request.shift_dates:
        raise InputError("Its dates were shifted, which the next table would not be: anonymize the next table itself.")
    if request.style.means:
        raise InputError("It shows the means of numbers, which do not say which numbers a class holds.")
    hierarchies = request.hierarchies if isinstance(request.hierarchies, Mapping) else {}
    for name in request.roles.quasi:
        tree = hierarchies.get(name)
        if isinstance(tree, str) and tree.startswith(("by-order", "by-frequency")) and builds(tree):
            raise InputError(
                f"The tree of column {name!r} ({tree}) depends on the values of the table: save it in a file with "
                f"shoal hierarchy build, and use that file."
            )


def _kept_tree(basis: ReportBasis, name: str, domain: TreeDomain, nodes: list[int], level: int | None) -> KeptColumn:
    """Keep a column with a tree: the caller's tree itself, or the spelling of a tree built from the values."""
    tree = domain.hierarchy
    spelling = _spelling(basis, name)
    leaf = int(tree.leaf_nodes[domain.missing]) if domain.missing >= 0 else -1
    if not spelling:
        kept = plain_tree(tree)
        if leaf == len(tree.labels) - 1 and leaf not in nodes and len(tree.labels) > 2 and tree.parents[leaf] == 0:
            kept = {part: values[:-1] for part, values in kept.items()}  # do not disclose that a value is missing
        return KeptColumn(name, "tree", **kept, shown=nodes, level=level)
    inner = np.setdiff1d(np.arange(1, len(tree.labels)), tree.leaf_nodes).tolist()
    first = next((label for node in inner if not (label := tree.labels[node]).startswith(("<", ">"))), None)
    whole = first is not None and not first.startswith("[")
    form = (WHOLE if whole else HALF_OPEN) if spelling.startswith(("intervals", "cuts")) else ""
    form = str(tree.height) if spelling.startswith("dates") else form
    shown = [EVERYTHING if node == 0 else MISSING if node == leaf else tree.labels[node] for node in nodes]
    root = tree.root if spelling == "flat" else "*"
    return KeptColumn(name, "spelled", spelling=spelling, form=form, root=root, shown=shown, level=level)


def _spelling(basis: ReportBasis, name: str) -> str:
    """Return the spelling of a column's tree; empty if the caller gave the tree itself or a file."""
    hierarchies = basis.request.hierarchies
    if isinstance(hierarchies, str | PathLike):
        return "" if find(hierarchies, name, basis.source.columns) else "flat"
    tree = hierarchies.get(name, "flat") if isinstance(hierarchies, Mapping) else "flat"
    return tree if isinstance(tree, str) and builds(tree) else ""


def _kept_column(basis: ReportBasis, name: str, domain: AnyDomain, shown: list[Any]) -> KeptColumn:
    """Keep a column without a tree: the caller's order, if any, and the released labels."""
    column = basis.source.arrow(name)
    if not isinstance(domain, RangeDomain):
        return KeptColumn(name, "set", shown=shown)
    hierarchies = basis.request.hierarchies
    if isinstance(hierarchies, Mapping) and hierarchies.get(name) is not None:
        return KeptColumn(name, "order", values=list(domain.labels[domain.missing + 1 :]), shown=shown)
    if pa.types.is_dictionary(column.type) and column.type.ordered:
        names = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
        return KeptColumn(name, "order", values=list(map(text, names)), shown=shown)
    values = read_column(name, column, basis.request.missing_values).values
    return KeptColumn(name, scale_of(values), shown=shown)
