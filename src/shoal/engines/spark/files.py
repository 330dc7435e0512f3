"""anonymize_files(): from files to a folder of files, read, written and verified by Spark."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Unpack

from shoal.engines.finish import Written, finish
from shoal.engines.spark.cautions import cautions_by_rows
from shoal.engines.spark.errors import told
from shoal.engines.spark.row_comparison import compared
from shoal.engines.spark.session import session
from shoal.engines.spark.solve import solve
from shoal.engines.spark.tables import Files, check_signs, check_target, read, read_back, write
from shoal.engines.spark.verify import check_together, check_written, watched
from shoal.engines.streams.outputs import check_outputs, is_folder_of_files
from shoal.engines.streams.scan import Scan, place_of
from shoal.engines.streams.staging import workplace
from shoal.errors import InputError
from shoal.io.outputs import Reports, reports_of
from shoal.release.arguments import Arguments
from shoal.release.report_basis import FileSource
from shoal.release.request import Request
from shoal.release.verification.release import readable


def anonymize_files(
    data: str | PathLike[str],
    output: str | PathLike[str],
    *,
    master: str | None = None,
    block_rows: int | None = None,
    report: Reports = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    progress: Callable[[str, float], None] | None = None,
    describe: Callable[[Request], Request] = lambda request: request,
    **arguments: Unpack[Arguments],
) -> Written:
    """Release a file, or a folder of files, with Spark; the other arguments are those of shoal.anonymize().

    The release is a folder of files of the same kind, verified from what was written, put in place whole or not at all.

    data        a CSV or Parquet file, or a folder of such files
    output      the folder of the release
    master      the address of a cluster; without it, Spark runs on all cores of this machine
    block_rows  the most different rows to solve together on the driver; more are solved in blocks by the workers
    report      a path, or several, for the report: .json, .html or .pdf
    separator   of the fields of CSV files; found out if not given
    encoding    of CSV files
    progress    called with the stage of the work and the share of it that is done
    describe    adds to the request what the report is to say of the call
    """
    tell = progress or (lambda stage, share: None)
    source, target, reports = place_of(data), place_of(output), reports_of(report)
    scan = Scan.of(source, separator=separator, encoding=encoding)
    request = Request.of(scan.columns, **arguments)
    request.check_rows_may_be_elsewhere()
    if not is_folder_of_files(target):
        raise InputError(f"{target}: Spark writes a folder of files: name one without {target.suffix}.")
    check_target(target)
    check_outputs(target, reports, source, request)
    tell("reading", 0)
    files = Files.of(scan)
    given = {
        "output": str(output),
        "master": master,
        "block_rows": block_rows,
        "separator": separator,
        "encoding": encoding,
    }
    with told(), workplace(target) as place:
        tell("starting Spark", 0)
        spark = session(master)
        check_signs(spark, [target])
        table = read(spark, files)
        answered = solve(table, request, block_rows, tell)
        answer, promise, counted = answered.answer, answered.promise, answered.counted
        files.check_rows(counted.rows)
        if answer.labelling is None and any(path.suffix.lower() != ".json" for path in reports):
            raise InputError("The different rows are worked on in blocks, so only a .json report can be made.")
        tell("writing", 0)
        folder = place / "release"
        rows = compared(table, promise, making=answered.making)
        seen, frame = watched(rows, text=scan.kind == "csv")
        write(frame, folder, scan.kind, scan.dialect)
        tell("verifying", 0)
        with readable():
            written = read_back(spark, folder, scan.kind, scan.dialect)
        classes = check_written(table, written, promise=promise, watched=seen)
        check_together(table, promise, making=answered.making)
        for mark in [path for path in folder.iterdir() if path.name[0] in "._"]:
            mark.unlink()  # checksums and the like, which are Spark's own
        values = dict(zip(request.names, answer.coding.values, strict=True))
        options = {name: value for name, value in given.items() if value not in (None, "utf-8") or name == "master"}
        made = finish(
            answer,
            promise=promise,
            classes=classes,
            cautions=answer.cautions(classes) + cautions_by_rows(table, request, answered),
            source=FileSource(source, scan.columns, counted.rows, scan.dialect, values),
            sha256=files.checksum(),
            dropped=counted.dropped,
            release=Scan.of(folder, separator=scan.dialect.separator, encoding=scan.dialect.encoding),
            target=target,
            reports=reports,
            request=describe(request.finished(answer.algorithm, files=options)),
        )
        if answered.held is not None:
            answered.held.unpersist()
    return made
