"""Releases that need all rows in memory at once, for engines that otherwise read a table in parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.engines.finish import Written, changed_options, facts_of, put_in_place
from shoal.engines.memory.run import run
from shoal.engines.outputs import is_folder_of_files
from shoal.engines.scan import ReadProgress, Scan, written_scan
from shoal.engines.streams.memory import memory_for_whole
from shoal.errors import InputError
from shoal.io.compression import full_suffix
from shoal.io.source import Source, unique_values
from shoal.release.arguments import Arguments
from shoal.release.release import writable, write_verified
from shoal.release.report_basis import FileSource, ReportBasis
from shoal.release.request import Request
from shoal.release.solve import Tell
from shoal.system.atomic_files import folder_beside


def request_in_parts(columns: Sequence[str], arguments: Arguments, *, block_rows: int | None) -> Request:
    """Check the arguments of a table that is read in parts, unless all rows are needed at once."""
    request = Request.of(columns, **arguments)
    if not request.all_at_once:
        request.check_rows_may_be_elsewhere()
    elif block_rows is not None:
        raise InputError(f"{request.all_at_once}, so that they cannot be solved in blocks: leave out block_rows.")
    return request


def check_room(request: Request, rows: int, size: int, *, limit: int, instead: str) -> None:
    """Refuse a table that does not fit into this memory, given its rows and the bytes of their values.

    instead  what to do, with {memory} for the memory that it needs
    """
    needed = memory_for_whole(rows, size, len(request.names))
    if needed > limit:
        memory = f"{ceil(needed / 1e9)}GB"
        raise InputError(
            f"{request.all_at_once}, which needs the whole table in memory: about {needed / 1e9:,.1f} GB for "
            f"{rows:,} rows, and {limit / 1e9:,.1f} GB may be used. {instead.format(memory=memory)}"
        )


def read_whole(scan: Scan, request: Request, *, limit: int, instead: str, tell: ReadProgress | None) -> pa.Table:
    """Read all rows of a table if they fit into this memory; otherwise count on to say what they need, and refuse."""
    kept: list[pa.Table] = []
    rows = size = 0
    for batch in scan.batches(scan.columns, tell):
        part = pa.Table.from_batches([batch]).cast(scan.schema)
        rows, size = rows + part.num_rows, size + part.nbytes
        if memory_for_whole(rows, size, len(request.names)) <= limit:
            kept.append(part)
        else:
            kept.clear()
    check_room(request, rows, size, limit=limit, instead=instead)
    if not rows:
        raise InputError(f"{scan.path}: the table has column names but no rows.")
    return pa.concat_tables(kept).unify_dictionaries()


def release_whole(
    scan: Scan,
    request: Request,
    *,
    table: pa.Table,
    target: Path,
    kind: str,
    reports: list[Path],
    options: Mapping[str, Any],
    describe: Callable[[Request], Request],
    tell: Tell,
) -> Written:
    """Release a table that was read, and put the verified file or folder in place with its reports."""
    release = run(Source.of(table), request, tell, stacklevel=5)
    into_folder = is_folder_of_files(target)
    with folder_beside(target) as staging:
        made = staging / ("release" if into_folder else f"release{full_suffix(target)}")
        if into_folder:
            made.mkdir()
        file = made / f"part-00000.{kind}" if into_folder else made
        tell("writing", 0)
        write_verified(writable(release, kind), file, promise=release.promise, kind=kind, dialect=scan.dialect)
        values = {name: unique_values(release.source.arrow(name)) for name in request.names}
        source = FileSource(scan.path, scan.columns, len(release.source), scan.dialect, values)
        basis = ReportBasis(
            report=replace(release.report, input=facts_of(source, scan.checksum())),
            classes=release.classes,
            promise=release.promise,
            request=describe(replace(release.request, files=changed_options(options))),
            source=source,
            table=release.table,
            recoding=release.recoding,
            ids=release.ids,
            labels=release.labels,
            review=release.review,
            node=release.node,
        )
        written = written_scan(made, scan.dialect)
        return put_in_place(basis, written, target=target, reports=reports)
