"""anonymize_files(): from files to the files of a verified release, in as much memory as is given."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from shoal import files
from shoal.algorithms import Algorithm
from shoal.arguments import Hierarchies, Names
from shoal.cautions import FEW_ROWS, UNIQUE_SHARE, Caution, different_values, passed_on, sorted_rows
from shoal.coding import Coding
from shoal.csv_files import Dialect
from shoal.errors import InputError
from shoal.labels import Style
from shoal.models import PrivacyModel
from shoal.plan import Outcome, Plan
from shoal.recoding import Recoding
from shoal.release import Promise, Report, Reports, reports_of
from shoal.request import Request
from shoal.solving import Tell
from shoal.streams.checking import check_written
from shoal.streams.counting import Counted, count
from shoal.streams.lookup import Lookup
from shoal.streams.memory import memory_of, rows_that_fit
from shoal.streams.outputs import check_outputs, is_folder_of_files, write_reports
from shoal.streams.places import put_in_place, workplace
from shoal.streams.relabelling import Relabelling
from shoal.streams.scan import Scan
from shoal.streams.sink import Sink
from shoal.table import Classes, Table


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
    missing_values: Names
    drop_missing: bool
    pseudonymize: Names
    key: bytes | str | None
    style: Style | None


class Shown(NamedTuple):
    """The class of each different row, and what each class shows."""

    ids: NDArray[np.int32]
    labels: Any


class Input(NamedTuple):
    """The table that was read."""

    path: Path
    columns: list[str]
    rows: int
    dialect: Dialect

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, eq=False)
class Written:
    """A verified release in files: where it is, its report, and the classes that its labels show."""

    path: Path
    report: Report
    classes: Classes
    _: KW_ONLY
    promise: Promise = field(repr=False)
    request: Request = field(repr=False)
    source: Input = field(repr=False)
    table: Table = field(repr=False)
    recoding: Recoding = field(repr=False)
    groups: Shown = field(repr=False)
    cautions: list[Caution] = field(repr=False)


def anonymize_files(
    data: str | PathLike[str],
    output: str | PathLike[str],
    *,
    memory: str | int = "4GB",
    report: Reports = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    progress: Callable[[str, float], None] | None = None,
    finish: Callable[[Request], Request] = lambda request: request,
    **asked: Unpack[Asked],
) -> Written:
    """Make a release of a file, or a folder of files, of any size; the other arguments are those of anonymize().

    The table is read twice: for its different rows, and to write the release, which is verified from the written files
    before it is put in place, whole or not at all. An output without a known ending is a folder of files.
    """
    tell = progress or (lambda stage, share: None)
    source, target, limit = Path(data), Path(output), memory_of(memory)
    reports = reports_of(report)
    scan = Scan.of(source, separator=separator, encoding=encoding)
    plan = Plan.of(scan.columns, **asked)
    check_outputs(target, reports, source, plan.request)
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
        most = rows_that_fit(limit, len(plan.names))
        if len(counted.distinct) > most:
            raise InputError("blocks are to come")
        outcome = plan.solve(counted.values, lambda coding: _rows(counted, coding), tell)
        lookup = _lookup(outcome)
        relabelling = Relabelling(plan, counted, outcome.coding, lookup, outcome.labels, outcome.tops)
        made = place / ("release" if is_folder_of_files(target) else f"release{target.suffix}")
        kind = scan.kind if is_folder_of_files(target) else files.format_of(target)
        schema = relabelling.schema(scan.schema)
        with Sink(made, schema, kind=kind, dialect=scan.dialect, parts=is_folder_of_files(target)) as sink:
            relabelling.run(scan, sink, pace("writing", tell))
        written = Scan.of(made, separator=scan.dialect.separator, encoding=scan.dialect.encoding)
        promise = outcome.promise()
        classes = check_written(written, promise, digests=sink.digests, tell=pace("verifying", tell))
        cautions = outcome.cautions() + cautions_by_rows(scan, plan, relabelling, counted)
        facts = {
            "file": source.name,
            "sha256": scan.checksum(),
            "sha256_of": "file" if source.is_file() else "the SHA-256 of all files",
            "rows": counted.distinct.rows,
        }
        told = outcome.report(facts, dropped=counted.dropped, cautions=cautions)
        chosen = outcome.solved.algorithm if outcome.solved.choice else plan.request.algorithm
        request = replace(plan.request, algorithm=chosen, files_to=str(output), memory=memory)
        found = Written(
            target,
            told,
            classes,
            promise=promise,
            request=finish(request),
            source=Input(source, scan.columns, counted.distinct.rows, scan.dialect),
            table=outcome.solved.table,
            recoding=outcome.recoding,
            groups=Shown(outcome.ids, outcome.labels),
            cautions=cautions,
        )
        put_in_place({target: made} | write_reports(found, reports, place))
    return found


def _lookup(outcome: Outcome) -> Lookup:
    table = outcome.solved.table
    codes = np.concatenate([table.codes, table.sensitive_codes], axis=1)
    return Lookup(lambda: [(codes, outcome.ids)], len(codes))


def _rows(counted: Counted, coding: Coding) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The codes of the different rows that stay, with their weights."""
    places, weights = counted.distinct.all()
    whole = counted.whole(places)
    return (coding.of_places(places), weights) if whole.all() else (coding.of_places(places[whole]), weights[whole])


def pace(stage: str, tell: Tell) -> Callable[[int, float], None]:
    """What tells of rows and rows per second while files are read."""
    start = time.monotonic()

    def reading(rows: int, share: float) -> None:
        speed = rows / max(1e-9, time.monotonic() - start)
        tell(f"{stage}: {rows:,} rows, {speed / 1e6:.1f} million per second", share)

    return reading


def cautions_by_rows(scan: Scan, plan: Plan, relabelling: Relabelling, counted: Counted) -> list[Caution]:
    """The weak points that the order of the rows and the columns without a role show."""
    roles = plan.request.roles
    named = {*roles.quasi, *roles.sensitive, *roles.identifying, *roles.pseudonymized}
    others = [name for name in scan.columns if name not in named]
    found = []
    if others and counted.distinct.rows >= FEW_ROWS:
        first = next(scan.batches(others))
        for name in others:
            distinct = different_values(first.column(name))
            if distinct > UNIQUE_SHARE * len(first):
                found.append(passed_on(name, distinct, f"the first {len(first)} rows"))
    if counted.distinct.rows >= FEW_ROWS:
        found += [sorted_rows(name) for name, order in relabelling.orders.items() if order.sorted]
    return found
