"""anonymize_files(): a verified release of files, made within the given memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from os import PathLike
from typing import Any, Unpack

import pyarrow as pa

from shoal.analysis.call_to_write import call_with_models, complete_call
from shoal.engines.finish import Written, finish
from shoal.engines.outputs import check_outputs, is_folder_of_files
from shoal.engines.scan import ReadProgress, Scan, path_of, written_scan
from shoal.engines.streams.count import count
from shoal.engines.streams.memory import BASE_BYTES, memory_of
from shoal.engines.streams.relabel import Relabeller, relabel
from shoal.engines.streams.review import review_first_rows, review_release, suspected_columns
from shoal.engines.streams.shuffle import Shuffle
from shoal.engines.streams.sink import Sink
from shoal.engines.streams.solve import solve
from shoal.engines.streams.verify import WrittenRows, verify
from shoal.engines.whole_table import read_whole, release_whole, request_in_parts
from shoal.errors import InputError
from shoal.io import files
from shoal.io.compression import full_suffix
from shoal.io.csv_layout import Names
from shoal.io.csv_output import check_csv_type
from shoal.io.outputs import Reports, reports_of
from shoal.release.arguments import NEEDED, Arguments
from shoal.release.request import Request
from shoal.release.review.repeated_people import repeated_in, stop_or_state
from shoal.release.solve import Tell
from shoal.system.atomic_files import folder_beside
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing

MORE_MEMORY = "Give as much if the machine has it: memory='{memory}', --memory {memory}."


@answering_mistakes(
    "shoal.anonymize_files",
    also=Arguments.__annotations__,
    needed=NEEDED,
    answer=call_with_models,
    write=complete_call,
)
def anonymize_files(
    data: str | PathLike[str],
    output: str | PathLike[str],
    *,
    memory: str | int = "4GB",
    block_rows: int | None = None,
    report: Reports = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    names: Names = None,
    progress: Progress | bool | None = None,
    describe: Callable[[Request], Request] = lambda request: request,
    **arguments: Unpack[Arguments],
) -> Written:
    """Release a file, or a folder of files, of any size; the other arguments are those of anonymize().

    The table is read twice: to count its distinct rows, and to write the release. If all rows are needed at once, as
    for promises to people whose rows can be linked, it is read whole if it fits, and refused otherwise. The written
    files are verified before they are put in place, all of them or none.

    data        a CSV or Parquet file, a folder of such files, or a pattern such as "visits-*.csv"
    output      the file of the release; a folder of files if the name has no known ending
    memory      how much memory the run may take, such as "4GB"
    block_rows  the maximum number of distinct rows to solve together; more are solved in blocks, also if they are too
                many for the memory or the algorithm
    report      the path of the report, or several: .json, .html or .pdf
    separator   the field separator of CSV files; detected by default
    encoding    the encoding of CSV files
    names       the names of the columns if the first line of a CSV file is a row, False if they have none, and True if
                that line has them although it looks like a row
    progress    as in anonymize()
    describe    adds to the request what the report should say about the call
    """
    with showing(progress) as tell:
        source, target, limit, reports = path_of(data), path_of(output), memory_of(memory), reports_of(report)
        scan = Scan.of(source, separator=separator, encoding=encoding, names=names)
        request = request_in_parts(scan.columns, arguments, block_rows=block_rows)
        check_outputs(target, reports, source, request)
        into_folder = is_folder_of_files(target)
        kind = scan.kind if into_folder else files.format_of(target)
        _check_types(scan, request, kind)
        options: dict[str, Any] = {"output": str(output), "memory": memory, "block_rows": block_rows}
        options |= {"separator": separator, "encoding": encoding, "names": names}
        if request.all_at_once:
            return release_whole(
                scan,
                request,
                table=read_whole(scan, request, limit=limit, instead=MORE_MEMORY, tell=_row_progress("reading", tell)),
                target=target,
                kind=kind,
                reports=reports,
                options=options,
                describe=describe,
                tell=tell,
            )
        with folder_beside(target) as staging:
            folder = staging / "rows"
            folder.mkdir()
            max_bytes = (limit - memory_of("1GB")) // 2 + 10**8 if request.unit is None else limit - BASE_BYTES
            review_first_rows(scan, request)
            repeats = suspected_columns(scan, request)
            reading = _row_progress("reading", tell)
            counted = count(scan, request, max_bytes=max_bytes, folder=folder, tell=reading, repeats=repeats)
            request = stop_or_state(request, repeated_in((values.suspect, values.tally()) for values in repeats))
            answered = solve(
                counted,
                request,
                schema=scan.schema,
                memory=limit,
                block_rows=block_rows,
                reports=reports,
                folder=folder,
                tell=tell,
            )
            answer = answered.answer
            promise = answer.promise()
            relabeller = Relabeller(scan.schema, request, counted, answered, rows=promise.rows)
            schema, orders = relabeller.schema, relabeller.orders
            unverified = staging / ("release" if into_folder else f"release{full_suffix(target)}")
            with Sink(unverified, schema, kind=kind, dialect=scan.dialect, parts=into_folder) as sink:
                rows = WrittenRows(promise, schema.names, text=kind == "csv", key=request.key)
                shuffle = None
                if request.order == "shuffled":
                    shuffle = Shuffle(promise.rows, max_bytes=(limit - BASE_BYTES) // 16, folder=folder)
                relabel(scan, relabeller, sink=sink, rows=rows, tell=_row_progress("writing", tell), shuffle=shuffle)
            sample = relabeller.sample
            del relabeller, answered  # frees the memory of the lookup
            written = written_scan(unverified, scan.dialect)
            classes = verify(written, schema, rows, tell=_row_progress("verifying", tell))
            return finish(
                answer,
                scan,
                promise=promise,
                classes=classes,
                review=review_release(
                    answer, classes, sample, scan=scan, request=request, orders=orders, people=counted.people
                ),
                rows=counted.distinct.rows,
                dropped=counted.dropped,
                sha256=scan.checksum(),
                release=written,
                target=target,
                reports=reports,
                options=options,
                describe=describe,
            )


def _check_types(scan: Scan, request: Request, kind: str) -> None:
    """Refuse columns that cannot be written, or cannot be pseudonymized batch by batch."""
    roles = request.roles
    for field in scan.schema if kind == "csv" else ():
        if field.name not in {*roles.identifying, *roles.pseudonymized}:
            check_csv_type(field.name, field.type)
    for name in roles.pseudonymized:
        if pa.types.is_timestamp(scan.schema.field(name).type):
            raise InputError(f"Column {name!r} holds times, whose text depends on all of them: make it text first.")


def _row_progress(stage: str, tell: Tell) -> ReadProgress:
    """Return a function that reports the rows read so far and the rows per second."""
    start = time.monotonic()

    def report(rows: int, share: float) -> None:
        speed = rows / max(1e-9, time.monotonic() - start)
        tell(f"{stage}: {rows:,} rows, {speed / 1e6:.1f} million per second", share)

    return report
