"""anonymize_files(): a release of files as a folder of files, read, written and verified by Spark."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import PathLike
from typing import Literal, Unpack

from shoal.analysis.call_to_write import call_with_models, complete_call
from shoal.engines.finish import Written, finish
from shoal.engines.outputs import check_outputs, is_folder_of_files
from shoal.engines.scan import Scan, path_of, written_scan
from shoal.engines.spark.labellers import JoinLabeller
from shoal.engines.spark.parquet_parts import parts_of
from shoal.engines.spark.relabel import check_batches, relabel
from shoal.engines.spark.review import first_rows_of_csv, review_columns, review_release
from shoal.engines.spark.session import errors_in_one_sentence, session
from shoal.engines.spark.solve import solve
from shoal.engines.spark.tables import Files, check_characters, check_target, read, read_back, write
from shoal.engines.spark.verify import WrittenRows, observe, verify_written
from shoal.engines.spark.whole_table import IN_FILES, driver_memory
from shoal.engines.spark.written_parts import WrittenParts, write_parts
from shoal.engines.whole_table import read_whole, release_whole, request_in_parts
from shoal.errors import InputError
from shoal.io.compression import codec_of
from shoal.io.outputs import Reports, reports_of
from shoal.release.arguments import NEEDED, Arguments
from shoal.release.request import Request
from shoal.release.verification.release import readable
from shoal.system.atomic_files import folder_beside
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing


@answering_mistakes(
    "shoal.spark.anonymize_files",
    also=Arguments.__annotations__,
    needed=NEEDED,
    answer=call_with_models,
    write=complete_call,
)
def anonymize_files(
    data: str | PathLike[str],
    output: str | PathLike[str],
    *,
    master: str | None = None,
    block_rows: int | None = None,
    report: Reports = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    names: Literal[True] | None = None,
    progress: Progress | bool | None = None,
    describe: Callable[[Request], Request] = lambda request: request,
    **arguments: Unpack[Arguments],
) -> Written:
    """Release a file, or a folder of files, with Spark; the other arguments are those of shoal.anonymize().

    The release is a folder of files of the same kind. The written files are verified before they are put in place, all
    of them or none.

    data        a CSV or Parquet file, a folder of such files, or a pattern such as "visits-*.csv"
    output      the folder of the release
    master      the address of a cluster; without it, Spark runs on all cores of this machine
    block_rows  the maximum number of distinct rows to solve together on the driver; more are solved in blocks by the
                workers
    report      the path of the report, or several: .json, .html or .pdf
    separator   the field separator of CSV files; detected by default
    encoding    the encoding of CSV files
    names       True if the first line of a CSV file names the columns although it looks like a row
    progress    as in anonymize()
    describe    adds to the request what the report should say about the call
    """
    with showing(progress) as tell:
        source, target, reports = path_of(data), path_of(output), reports_of(report)
        if names not in (None, True):
            raise InputError(
                "Spark reads CSV files that name their columns in the first line: leave out the names and --engine "
                "(--memory reads files of any size without such a line), or write the table with that line first."
            )
        scan = Scan.of(source, separator=separator, encoding=encoding, names=names)
        packed = next((path for path in scan.paths if codec_of(path)), None)
        if packed is not None:
            raise InputError(
                f"{packed}: Spark does not read compressed CSV files, which cannot be split. Unpack it first, or leave "
                f"out --engine (--memory reads it part by part)."
            )
        request = request_in_parts(scan.columns, arguments, block_rows=block_rows)
        if not is_folder_of_files(target):
            raise InputError(f"{target}: Spark writes a folder of files; give a name without {target.suffix}.")
        check_target(target)
        check_outputs(target, reports, source, request)
        tell("reading", 0)
        options = {"output": str(output), "master": master, "block_rows": block_rows}
        options |= {"separator": separator, "encoding": encoding, "names": names}
        if request.all_at_once:  # on the driver, which needs no Spark for it
            return release_whole(
                scan,
                request,
                table=read_whole(scan, request, limit=driver_memory(), instead=IN_FILES, tell=None),
                target=target,
                kind=scan.kind,
                reports=reports,
                options=options,
                describe=describe,
                tell=tell,
            )
        files = Files.of(scan)
        with errors_in_one_sentence(), folder_beside(target) as staging:
            tell("starting Spark", 0)
            spark = session(master)
            check_characters(spark, [target])
            table = read(spark, files)
            first_rows = partial(first_rows_of_csv, scan) if scan.kind == "csv" else None
            request = review_columns(table, request, first_rows=first_rows)
            parts = parts_of(scan, request, parallelism=spark.sparkContext.defaultParallelism)
            answered = solve(table, request, block_rows, tell, parts=parts)
            answer, promise, counted = answered.answer, answered.promise, answered.counted
            files.check_rows(counted.rows)
            if answer.labelling is None and any(path.suffix.lower() != ".json" for path in reports):
                raise InputError("The different rows are worked on in blocks, so only a .json report can be made.")
            tell("writing", 0)
            folder = staging / "release"
            rows: WrittenRows | WrittenParts
            if parts is None or isinstance(answered.labeller, JoinLabeller):
                rows, frame = observe(relabel(table, promise, labeller=answered.labeller), text=scan.kind == "csv")
                write(frame, folder, scan.kind, scan.dialect)
            else:
                checked = check_batches(table.columns, promise, labeller=answered.labeller)
                rows = write_parts(spark, scan, parts, folder, checked=checked)
            tell("verifying", 0)
            with readable():
                written = read_back(spark, folder, scan.kind, scan.dialect)
            classes = verify_written(table, written, promise=promise, rows=rows, labeller=answered.labeller)
            for marker in [path for path in folder.iterdir() if path.name[0] in "._"]:
                marker.unlink()  # Spark's own checksums and the like
            release = finish(
                answer,
                scan,
                promise=promise,
                classes=classes,
                review=review_release(table, request, answered, classes, first_rows=first_rows),
                rows=counted.rows,
                dropped=counted.dropped,
                sha256=files.checksum(),
                release=written_scan(folder, scan.dialect),
                target=target,
                reports=reports,
                options=options,
                describe=describe,
            )
            if answered.persisted is not None:
                answered.persisted.unpersist()
        return release
