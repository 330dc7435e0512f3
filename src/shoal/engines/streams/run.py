"""anonymize_files(): from files to the files of a verified release, in as much memory as is given."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pyarrow as pa

from shoal.algorithms import Algorithm
from shoal.data.style import Style
from shoal.data.table import Classes
from shoal.documents.html_page import Summary
from shoal.engines.streams.answers import all_at_once, block_by_block
from shoal.engines.streams.count import Counted, count
from shoal.engines.streams.lookup import Lookup
from shoal.engines.streams.memory import BASE, memory_of, rows_that_fit
from shoal.engines.streams.outputs import check_outputs, is_folder_of_files
from shoal.engines.streams.relabel import Order, Relabelling
from shoal.engines.streams.reports import Input, Told, report_writers
from shoal.engines.streams.scan import Scan, place_of
from shoal.engines.streams.sink import Sink
from shoal.engines.streams.staging import workplace
from shoal.engines.streams.verify import Seen, check_written
from shoal.errors import InputError, PrivacyWarning
from shoal.io import files
from shoal.io.csv_output import check_csv_type
from shoal.io.outputs import Reports, reports_of
from shoal.models import PrivacyModel
from shoal.release.arguments import Hierarchies, Names
from shoal.release.blocks import rows_per_block
from shoal.release.cautions import FEW_ROWS, FIRST_SHUFFLE, Caution, cautions_of_first, sorted_rows
from shoal.release.plan import Plan
from shoal.release.release import Report
from shoal.release.request import Request
from shoal.release.solve import Tell
from shoal.system.atomic_files import replace_whole


class Asked(TypedDict, total=False):
    """What anonymize() takes, of a table that is not in memory."""

    quasi_identifiers: Names
    sensitive: Names
    identifying: Names
    hierarchies: Hierarchies | None
    model: PrivacyModel
    algorithm: Algorithm | str
    max_suppression: float | int
    suppressed: Any
    order: str
    missing_values: Names
    drop_missing: bool
    pseudonymize: Names
    key: bytes | str | None
    style: Style | None


@dataclass(frozen=True, eq=False, repr=False)
class Written(Summary):
    """A verified release in files: where it is, its report, the classes that its labels show, and what was asked."""

    path: Path
    report: Report
    classes: Classes
    request: Request

    def _figures(self) -> dict[str, object]:
        return {"path": self.path, **self.report._figures()}


def anonymize_files(
    data: str | PathLike[str],
    output: str | PathLike[str],
    *,
    memory: str | int = "4GB",
    block_rows: int | None = None,
    report: Reports = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    progress: Callable[[str, float], None] | None = None,
    finish: Callable[[Request], Request] = lambda request: request,
    **asked: Unpack[Asked],
) -> Written:
    """Make a release of a file, or a folder of files, of any size; the other arguments are those of anonymize().

    The table is read twice: for its different rows, and to write the release, which is verified from the written files
    before it is put in place, whole or not at all. An output without a known ending is a folder of files. Different
    rows that are too many for the memory or the algorithm, or more than `block_rows`, are worked on in blocks.
    """
    tell = progress or (lambda stage, share: None)
    source, target, limit = place_of(data), place_of(output), memory_of(memory)
    reports = reports_of(report)
    scan = Scan.of(source, separator=separator, encoding=encoding)
    plan = Plan.of(scan.columns, **asked)
    check_outputs(target, reports, source, plan.request)
    kind = scan.kind if is_folder_of_files(target) else files.format_of(target)
    roles = plan.request.roles
    for field in scan.schema if kind == "csv" else ():
        if field.name not in {*roles.identifying, *roles.pseudonymized}:
            check_csv_type(field.name, field.type)
    for name in roles.pseudonymized:
        if pa.types.is_timestamp(scan.schema.field(name).type):
            raise InputError(f"Column {name!r} holds times, whose text depends on all of them: make it text first.")
    with workplace(target) as place:
        (place / "rows").mkdir()
        counted = count(
            scan,
            plan.names,
            missing_values=plan.request.missing_values,
            drop_missing=plan.request.drop_missing,
            limit=(limit - memory_of("1GB")) // 2 + 10**8,
            folder=place / "rows",
            tell=pace("reading", tell),
        )
        most = _most(plan, counted, limit, block_rows)
        if len(counted.distinct) <= most:
            answered = all_at_once(plan, counted, tell)
        else:
            _check_for_blocks(reports, limit, len(counted.distinct))
            answered = block_by_block(plan, counted, most, place / "rows", tell)
        outcome = answered.outcome
        labels = outcome.changed_labels(scan.schema) if outcome else answered.labels
        relabelling = Relabelling(plan, counted, answered.coding, answered.lookup, labels, answered.tops)
        made = place / ("release" if is_folder_of_files(target) else f"release{target.suffix}")
        schema = relabelling.schema(scan.schema)
        with Sink(made, schema, kind=kind, dialect=scan.dialect, parts=is_folder_of_files(target)) as sink:
            seen = Seen(answered.promise, schema.names, text=sink.kind == "csv", key=plan.key)
            relabelling.run(scan, sink, seen, pace("writing", tell))
        orders = relabelling.orders
        answered = replace(answered, lookup=None, labels={})  # to give their memory back
        del relabelling
        written = Scan.of(made, separator=scan.dialect.separator, encoding=scan.dialect.encoding)
        classes = check_written(written, schema, seen, tell=pace("verifying", tell))
        cautions = answered.cautions(classes) + cautions_by_rows(scan, plan, orders, counted)
        facts = {
            "file": source.name,
            "sha256": scan.checksum(),
            "sha256_of": "file" if source.is_file() else "the SHA-256 of all files",
            "rows": counted.distinct.rows,
        }
        for caution in cautions:
            warnings.warn(caution.sentence, PrivacyWarning, stacklevel=2)
        request = replace(
            plan.request,
            algorithm=plan.request.algorithm if answered.algorithm == plan.algorithm else answered.algorithm,
            files=_given(str(output), memory, block_rows, separator, encoding),
        )
        told = answered.report(classes, facts, cautions)
        found = Written(target, told, classes, finish(request))
        values = dict(zip(plan.names, answered.coding.values, strict=True))
        read = Input(source, scan.columns, counted.distinct.rows, scan.dialect, values)
        shown = Told.of(found, outcome, answered.promise, read, cautions) if outcome else None
        replace_whole(report_writers(told, shown, reports, written), made={target: made})
    return found


def _given(
    output: str, memory: str | int, block_rows: int | None, separator: str | None, encoding: str
) -> dict[str, Any]:
    """The arguments that are needed to make the same files again."""
    given = {"output": output, "memory": memory, "block_rows": block_rows, "separator": separator, "encoding": encoding}
    usual = {"block_rows": None, "separator": None, "encoding": "utf-8"}
    return {name: value for name, value in given.items() if name not in usual or value != usual[name]}


def _most(plan: Plan, counted: Counted, memory: int, block_rows: int | None) -> int:
    """The different rows that are worked on at once, beside the different sensitive values."""
    if block_rows is not None and (isinstance(block_rows, bool) or not isinstance(block_rows, int) or block_rows < 1):
        raise InputError(f"block_rows = {block_rows!r} must be a whole number of different rows, from 1.")
    values = sum(len(column.values) for column in counted.values[len(plan.request.roles.quasi) :])
    fit = rows_that_fit(memory, len(plan.names), values)
    if not fit:
        raise InputError(
            f"The {values:,} different sensitive values need more than the memory of {memory:,} bytes: give more."
        )
    quick = rows_per_block(plan.algorithm, plan.request.model, len(plan.request.roles.quasi))
    return min(fit, block_rows or quick or fit)


def _check_for_blocks(reports: list[Path], memory: int, rows: int) -> None:
    if any(path.suffix.lower() != ".json" for path in reports):
        raise InputError(
            f"The {rows:,} different rows are too many to be worked on at once, so only a .json report can be made: "
            f"name one, or give more memory."
        )
    if Lookup.size(rows) > memory - BASE:
        raise InputError(f"The {rows:,} different rows need more than the memory of {memory:,} bytes: give more.")


def pace(stage: str, tell: Tell) -> Callable[[int, float], None]:
    """What tells of rows and rows per second while files are read."""
    start = time.monotonic()

    def reading(rows: int, share: float) -> None:
        speed = rows / max(1e-9, time.monotonic() - start)
        tell(f"{stage}: {rows:,} rows, {speed / 1e6:.1f} million per second", share)

    return reading


def cautions_by_rows(scan: Scan, plan: Plan, orders: Mapping[str, Order], counted: Counted) -> list[Caution]:
    """The weak points that the order of the rows and the columns without a role show."""
    if counted.distinct.rows < FEW_ROWS:
        return []
    roles = plan.request.roles
    gone = [*roles.identifying, *roles.pseudonymized]
    others = [name for name in scan.columns if name not in {*roles.quasi, *roles.sensitive, *gone}]
    found = []
    if others or gone:
        with closing(scan.batches([*others, *gone])) as batches:
            found = cautions_of_first(next(batches), others, gone)
    return found + [sorted_rows(name, instead=FIRST_SHUFFLE) for name, order in orders.items() if order.sorted]
