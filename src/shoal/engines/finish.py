"""finish(): the last step of every engine that writes files: warn of weak points, report, put the files in place."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.algorithms.full_domain.lattice import Explored
from shoal.data.classes import Classes
from shoal.documents.html_page import Summary
from shoal.engines.scan import Scan
from shoal.errors import PrivacyWarning
from shoal.release.blocks import Answer
from shoal.release.figures import Report
from shoal.release.json_report import JsonReport
from shoal.release.promise import Promise
from shoal.release.report_basis import FileSource, ReportBasis
from shoal.release.request import Request
from shoal.release.review.review import Review
from shoal.system.atomic_files import Writers, replace_whole

DEFAULT_OPTIONS = {"block_rows": None, "separator": None, "encoding": "utf-8", "names": None}


@dataclass(frozen=True, eq=False, repr=False)
class Written(Summary):
    """A verified release in files: its path, its report, the classes of its labels, and the request."""

    path: Path
    report: Report
    classes: Classes
    request: Request

    def _figures(self) -> dict[str, object]:
        return {"path": self.path, **self.report._figures()}


def warn_of(review: Review, *, stacklevel: int) -> list[str]:
    """Warn of each open finding at the caller's stack level; return the sentences."""
    for finding in review.open:
        warnings.warn(finding.sentence, PrivacyWarning, stacklevel=stacklevel + 1)
    return [finding.sentence for finding in review.open]


def finish(
    answer: Answer,
    scan: Scan,
    *,
    promise: Promise,
    classes: Classes,
    review: Review,
    rows: int,
    dropped: int,
    sha256: str,
    release: Scan,
    target: Path,
    reports: list[Path],
    options: dict[str, Any],
    describe: Callable[[Request], Request],
) -> Written:
    """Warn, report, and move a verified release from its staging folder to its target, together with its reports.

    rows, dropped  the number of rows of the input, and of those left out because a value is missing
    release        the verified files
    target         the path they are moved to
    options        the options of the run, to make the same files again
    describe       adds to the request what the report should say about the call
    """
    request = describe(answer.request.finished(answer.algorithm, files=changed_options(options)))
    values = dict(zip(request.names, answer.coding.values, strict=True))
    source = FileSource(scan.path, scan.columns, rows, scan.dialect, values)
    sentences = warn_of(review, stacklevel=4)
    report = answer.report(classes, data=facts_of(source, sha256), dropped=dropped, warned=sentences, review=review)
    labelling = answer.labelling
    if labelling is None:  # of a release in blocks only the figures are known
        written = {path: JsonReport(report.to_dict()).writer(release.checksum) for path in reports}
        replace_whole(written, made={target: release.path})
        return Written(target, report, classes, request)
    table, recoding, ids, labels = labelling.table, labelling.recoding, labelling.ids, labelling.labels
    node = dict(zip(table.quasi, recoding.node, strict=True)) if isinstance(recoding, Explored) else None
    basis = ReportBasis(report, classes, promise, request, source, table, recoding, ids, labels, review, node)
    return put_in_place(basis, release, target=target, reports=reports)


def put_in_place(basis: ReportBasis, release: Scan, *, target: Path, reports: list[Path]) -> Written:
    """Write the reports, and move the verified files to their target together with them."""
    written: Writers = {}
    if reports:
        from shoal.release.report.writers import writers  # slow to import

        written = writers(basis, reports, release.checksum)
    replace_whole(written, made={target: release.path})
    return Written(target, basis.report, basis.classes, basis.request)


def changed_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not the default ones."""
    return {name: value for name, value in options.items() if (name, value) not in DEFAULT_OPTIONS.items()}


def facts_of(source: FileSource, sha256: str) -> dict[str, Any]:
    """Describe the input files for a report."""
    kind = "file" if source.path.is_file() else "the SHA-256 of all files"
    note = {"read": [source.dialect.layout.note]} if source.dialect.layout else {}
    return {"file": source.name, "sha256": sha256, "sha256_of": kind, "rows": source.rows, **note}
