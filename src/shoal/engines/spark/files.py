"""anonymize_files(): from files to a folder of files, read, written and verified by Spark."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Unpack

from shoal.engines.spark.answers import Answered
from shoal.engines.spark.cautions import cautions_by_rows
from shoal.engines.spark.errors import told
from shoal.engines.spark.plan import make
from shoal.engines.spark.row_comparison import compared
from shoal.engines.spark.session import session
from shoal.engines.spark.tables import Files, check_signs, check_target, read, read_back, write
from shoal.engines.spark.verify import check_together, check_written, watched
from shoal.engines.streams.outputs import check_outputs, is_folder_of_files
from shoal.engines.streams.reports import Input, Told, report_writers
from shoal.engines.streams.run import Asked, Written
from shoal.engines.streams.scan import Scan, place_of
from shoal.engines.streams.staging import workplace
from shoal.errors import InputError, PrivacyWarning
from shoal.io.outputs import Reports, reports_of
from shoal.release.plan import Plan
from shoal.release.request import Request
from shoal.release.verification import readable
from shoal.system.atomic_files import replace_whole


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
    finish: Callable[[Request], Request] = lambda request: request,
    **asked: Unpack[Asked],
) -> Written:
    """Make a release of a file, or a folder of files, with Spark; the other arguments are those of shoal.anonymize().

    The release is a folder of files of the same kind, verified from what was written, put in place whole or not at all.
    `master` is the address of a cluster; without it, Spark runs on all cores of this machine.
    """
    tell = progress or (lambda stage, share: None)
    source, target, reports = place_of(data), place_of(output), reports_of(report)
    scan = Scan.of(source, separator=separator, encoding=encoding)
    plan = Plan.of(scan.columns, **asked)
    if not is_folder_of_files(target):
        raise InputError(f"{target}: Spark writes a folder of files: name one without {target.suffix}.")
    check_target(target)
    check_outputs(target, reports, source, plan.request)
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
        answered = make(table, plan, block_rows, tell)
        files.check_rows(answered.counted.rows)
        if answered.outcome is None and any(path.suffix.lower() != ".json" for path in reports):
            raise InputError("The different rows are worked on in blocks, so only a .json report can be made.")
        tell("writing", 0)
        folder = place / "release"
        rows = compared(table, answered.promise, making=answered.making)
        seen, frame = watched(rows, text=scan.kind == "csv")
        write(frame, folder, scan.kind, scan.dialect)
        tell("verifying", 0)
        with readable():
            written = read_back(spark, folder, scan.kind, scan.dialect)
        classes = check_written(table, written, promise=answered.promise, watched=seen)
        check_together(table, answered.promise, making=answered.making)
        for mark in [one for one in folder.iterdir() if one.name[0] in "._"]:
            mark.unlink()  # checksums and the like, which are Spark's own
        cautions = answered.cautions(classes) + cautions_by_rows(table, plan, answered)
        for caution in cautions:
            warnings.warn(caution.sentence, PrivacyWarning, stacklevel=2)
        facts = {
            "file": source.name,
            "sha256": files.checksum(),
            "sha256_of": "file" if source.is_file() else "the SHA-256 of all files",
            "rows": answered.counted.rows,
        }
        found = Written(
            target,
            answered.report(classes, facts, cautions),
            classes,
            finish(_request(plan, answered, given)),
        )
        values = dict(zip(plan.names, answered.coding.values, strict=True))
        origin = Input(source, scan.columns, answered.counted.rows, scan.dialect, values)
        outcome, promise = answered.outcome, answered.promise
        shown = Told.of(found, outcome, promise, origin, cautions) if outcome else None
        made = Scan.of(folder, separator=scan.dialect.separator, encoding=scan.dialect.encoding)
        replace_whole(report_writers(found.report, shown, reports, made), made={target: folder})
        if answered.held is not None:
            answered.held.unpersist()
    return found


def _request(plan: Plan, answered: Answered, given: Mapping[str, Any]) -> Request:
    """What was asked for, with the algorithm that was picked, and as far as it went."""
    chosen = plan.request.algorithm if answered.algorithm == plan.algorithm else answered.algorithm
    files = {name: value for name, value in given.items() if value not in (None, "utf-8") or name == "master"}
    return replace(plan.request, algorithm=chosen, files=files)
