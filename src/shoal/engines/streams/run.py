"""anonymize_files(): from files to the files of a verified release, in as much memory as is given."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa

from shoal.data.coding import Coding
from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.engines.finish import Written, finish
from shoal.engines.streams.blocks import block_by_block
from shoal.engines.streams.count import Counted, count
from shoal.engines.streams.lookup import Lookup
from shoal.engines.streams.memory import BASE, memory_of, rows_that_fit
from shoal.engines.streams.outputs import check_outputs, is_folder_of_files
from shoal.engines.streams.relabel import Order, Relabelling
from shoal.engines.streams.scan import Scan, place_of
from shoal.engines.streams.sink import Sink
from shoal.engines.streams.staging import workplace
from shoal.engines.streams.verify import Seen, check_written
from shoal.errors import InputError
from shoal.io import files
from shoal.io.csv_output import check_csv_type
from shoal.io.outputs import Reports, reports_of
from shoal.release.answer import Answer, WholeAnswer, coding_of
from shoal.release.arguments import Arguments, algorithm_of
from shoal.release.cautions import FEW_ROWS, FIRST_SHUFFLE, Caution, cautions_of_first, sorted_rows
from shoal.release.report_basis import FileSource
from shoal.release.request import Request
from shoal.release.solve import Tell

Labels = Mapping[str, list[str]]


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
    describe: Callable[[Request], Request] = lambda request: request,
    **arguments: Unpack[Arguments],
) -> Written:
    """Release a file, or a folder of files, of any size; the other arguments are those of anonymize().

    The table is read twice: for its different rows, and to write the release, which is verified from the written files
    before it is put in place, whole or not at all.

    data        a CSV or Parquet file, or a folder of such files
    output      the file of the release; without a known ending, a folder of files
    memory      how much memory the run may take, such as "4GB"
    block_rows  the most different rows to solve together; more are solved in blocks, as are those that are too many
                for the memory or the algorithm
    report      a path, or several, for the report: .json, .html or .pdf
    separator   of the fields of CSV files; found out if not given
    encoding    of CSV files
    progress    called with the stage of the work and the share of it that is done
    describe    adds to the request what the report is to say of the call
    """
    tell = progress or (lambda stage, share: None)
    source, target, limit, reports = place_of(data), place_of(output), memory_of(memory), reports_of(report)
    scan = Scan.of(source, separator=separator, encoding=encoding)
    request = Request.of(scan.columns, **arguments)
    request.check_rows_may_be_elsewhere()
    check_outputs(target, reports, source, request)
    into_folder = is_folder_of_files(target)
    kind = scan.kind if into_folder else files.format_of(target)
    _check_types(scan, request, kind)
    with workplace(target) as place:
        (place / "rows").mkdir()
        counted = count(
            scan,
            request.names,
            missing_values=request.missing_values,
            drop_missing=request.drop_missing,
            limit=(limit - memory_of("1GB")) // 2 + 10**8,
            folder=place / "rows",
            tell=pace("reading", tell),
        )
        most = _most(request, counted, limit, block_rows)
        answer, lookup, labels = _answered(request, counted, scan, most, limit, reports, place / "rows", tell)
        promise = answer.promise()
        relabelling = Relabelling(request, counted, answer.coding, lookup, labels, _tops(answer))
        made = place / ("release" if into_folder else f"release{target.suffix}")
        schema = relabelling.schema(scan.schema)
        with Sink(made, schema, kind=kind, dialect=scan.dialect, parts=into_folder) as sink:
            seen = Seen(promise, schema.names, text=sink.kind == "csv", key=request.key)
            relabelling.run(scan, sink, seen, pace("writing", tell))
        orders = relabelling.orders
        del relabelling, lookup, labels  # to give their memory back
        written = Scan.of(made, separator=scan.dialect.separator, encoding=scan.dialect.encoding)
        classes = check_written(written, schema, seen, tell=pace("verifying", tell))
        values = dict(zip(request.names, answer.coding.values, strict=True))
        arguments_of_files = _given(str(output), memory, block_rows, separator, encoding)
        return finish(
            answer,
            promise=promise,
            classes=classes,
            cautions=answer.cautions(classes) + cautions_by_rows(scan, request, orders, counted),
            source=FileSource(source, scan.columns, counted.distinct.rows, scan.dialect, values),
            sha256=scan.checksum(),
            dropped=counted.dropped,
            release=written,
            target=target,
            reports=reports,
            request=describe(request.finished(answer.algorithm, files=arguments_of_files)),
        )


def _check_types(scan: Scan, request: Request, kind: str) -> None:
    """Refuse columns that cannot be written, or pseudonymized part by part."""
    roles = request.roles
    for field in scan.schema if kind == "csv" else ():
        if field.name not in {*roles.identifying, *roles.pseudonymized}:
            check_csv_type(field.name, field.type)
    for name in roles.pseudonymized:
        if pa.types.is_timestamp(scan.schema.field(name).type):
            raise InputError(f"Column {name!r} holds times, whose text depends on all of them: make it text first.")


def _answered(
    request: Request,
    counted: Counted,
    scan: Scan,
    most: int,
    memory: int,
    reports: list[Path],
    folder: Path,
    tell: Tell,
) -> tuple[Answer, Lookup, Labels]:
    """Solve the different rows: all together, or in blocks if they are more than `most`."""
    if len(counted.distinct) > most:
        _check_for_blocks(reports, memory, len(counted.distinct))
        return block_by_block(request, counted, most, folder, tell)
    answer = WholeAnswer.of(partial(_encoded, counted, request), request, tell)
    counted.distinct.forget()
    codes, ids = answer.classes_of_rows
    return answer, Lookup(lambda: [(codes, ids)], len(codes)), answer.changed_labels(scan.schema)


def _encoded(counted: Counted, request: Request, guides: Mapping[str, Guide]) -> tuple[Table, Coding]:
    """Encode the different rows that miss no value."""
    coding = coding_of(request, counted.values, guides)
    places, weights = counted.distinct.all()
    whole = counted.whole(places)
    if not whole.all():
        places, weights = places[whole], weights[whole]
    return coding.table(coding.of_places(places), weights), coding


def _tops(answer: Answer) -> Mapping[str, str]:
    """The labels of suppressed rows."""
    if answer.labelling is not None:
        return answer.labelling.tops
    return dict.fromkeys(answer.coding.quasi, answer.request.style.top)


def _given(
    output: str, memory: str | int, block_rows: int | None, separator: str | None, encoding: str
) -> dict[str, Any]:
    """The arguments that are needed to make the same files again."""
    given = {"output": output, "memory": memory, "block_rows": block_rows, "separator": separator, "encoding": encoding}
    usual = {"block_rows": None, "separator": None, "encoding": "utf-8"}
    return {name: value for name, value in given.items() if name not in usual or value != usual[name]}


def check_block_rows(block_rows: int | None) -> None:
    """Refuse what is not a number of different rows."""
    if block_rows is not None and (isinstance(block_rows, bool) or not isinstance(block_rows, int) or block_rows < 1):
        raise InputError(f"block_rows = {block_rows!r} must be a whole number of different rows, from 1.")


def _most(request: Request, counted: Counted, memory: int, block_rows: int | None) -> int:
    """The different rows that are solved together, beside the different sensitive values."""
    check_block_rows(block_rows)
    values = sum(len(column.values) for column in counted.values[len(request.roles.quasi) :])
    fit = rows_that_fit(memory, len(request.names), values)
    if not fit:
        raise InputError(
            f"The {values:,} different sensitive values need more than the memory of {memory:,} bytes: give more."
        )
    quick = algorithm_of(request.algorithm).rows_per_block(request.model, len(request.roles.quasi))
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


def cautions_by_rows(scan: Scan, request: Request, orders: Mapping[str, Order], counted: Counted) -> list[Caution]:
    """The weak points that the order of the rows and the columns without a role show."""
    if counted.distinct.rows < FEW_ROWS:
        return []
    roles = request.roles
    gone = [*roles.identifying, *roles.pseudonymized]
    others = [name for name in scan.columns if name not in {*roles.quasi, *roles.sensitive, *gone}]
    found = []
    if others or gone:
        with closing(scan.batches([*others, *gone])) as batches:
            found = cautions_of_first(next(batches), others, gone)
    return found + [sorted_rows(name, instead=FIRST_SHUFFLE) for name, order in orders.items() if order.sorted]
