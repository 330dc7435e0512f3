"""finish(): the last step of every engine: warn of weak points, report, and put files in place."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.algorithms.full_domain.lattice import Explored
from shoal.data.table import Classes
from shoal.documents.html_page import Summary
from shoal.engines.streams.scan import Scan
from shoal.errors import PrivacyWarning
from shoal.release.answer import Answer
from shoal.release.cautions import Caution
from shoal.release.figures import Report
from shoal.release.json_report import JsonReport
from shoal.release.promise import Promise
from shoal.release.report_basis import FileSource, ReportBasis
from shoal.release.request import Request
from shoal.system.atomic_files import Writers, replace_whole


@dataclass(frozen=True, eq=False, repr=False)
class Written(Summary):
    """A verified release in files: its path, its report, the classes that its labels form, and what was asked."""

    path: Path
    report: Report
    classes: Classes
    request: Request

    def _figures(self) -> dict[str, object]:
        return {"path": self.path, **self.report._figures()}


def warn_of(cautions: Sequence[Caution], *, stacklevel: int) -> list[str]:
    """Warn of each weak point, as if the caller's caller did; return the sentences."""
    for caution in cautions:
        warnings.warn(caution.sentence, PrivacyWarning, stacklevel=stacklevel + 1)
    return [caution.sentence for caution in cautions]


def finish(
    answer: Answer,
    *,
    promise: Promise,
    classes: Classes,
    cautions: list[Caution],
    source: FileSource,
    sha256: str,
    dropped: int,
    release: Scan,
    target: Path,
    reports: list[Path],
    request: Request,
    stacklevel: int = 3,
) -> Written:
    """Warn and report, and put a release that was verified in a temporary place where it belongs, with its reports.

    release  the files that were written and verified
    target   where they go
    request  what was asked, with all that is needed to ask it again
    """
    facts = {
        "file": source.name,
        "sha256": sha256,
        "sha256_of": "file" if source.path.is_file() else "the SHA-256 of all files",
        "rows": len(source),
    }
    sentences = warn_of(cautions, stacklevel=stacklevel)
    report = answer.report(classes, data=facts, dropped=dropped, warned=sentences)
    basis = basis_of(answer, report, promise, classes, cautions, source, request)
    replace_whole(report_writers(report, basis, reports, release.checksum), made={target: release.path})
    return Written(target, report, classes, request)


def basis_of(
    answer: Answer,
    report: Report,
    promise: Promise,
    classes: Classes,
    cautions: list[Caution],
    source: FileSource,
    request: Request,
) -> ReportBasis | None:
    """Gather what reports are made from; None for a release by blocks, of which only the figures are known."""
    labelling = answer.labelling
    if labelling is None:
        return None
    table, recoding = labelling.table, labelling.recoding
    node = dict(zip(table.quasi, recoding.node, strict=True)) if isinstance(recoding, Explored) else None
    return ReportBasis(
        report, classes, promise, request, source, table, recoding, labelling.ids, labelling.labels, cautions, node
    )


def report_writers(report: Report, basis: ReportBasis | None, paths: list[Path], digest: Callable[[], str]) -> Writers:
    """Return what writes each report on a release with this digest."""
    if basis is None:
        return {path: JsonReport(report.to_dict()).writer(digest) for path in paths}
    if not paths:
        return {}
    from shoal.release.report.writers import writers  # slow to import

    return writers(basis, paths, digest)
