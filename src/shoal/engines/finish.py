"""finish(): the last step of every engine that writes files: warn of weak points, report, put the files in place."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.algorithms.full_domain.lattice import Explored
from shoal.data.table import Classes
from shoal.documents.html_page import Summary
from shoal.engines.scan import Scan
from shoal.errors import PrivacyWarning
from shoal.release.blocks import Answer
from shoal.release.cautions import Caution
from shoal.release.figures import Report
from shoal.release.json_report import JsonReport
from shoal.release.promise import Promise
from shoal.release.report_basis import FileSource, ReportBasis
from shoal.release.request import Request
from shoal.system.atomic_files import Writers, replace_whole

DEFAULT_OPTIONS = {"block_rows": None, "separator": None, "encoding": "utf-8"}


@dataclass(frozen=True, eq=False, repr=False)
class Written(Summary):
    """A verified release in files: its path, its report, the classes of its labels, and the request."""

    path: Path
    report: Report
    classes: Classes
    request: Request

    def _figures(self) -> dict[str, object]:
        return {"path": self.path, **self.report._figures()}


def file_options(**options: Any) -> dict[str, Any]:
    """Return the options of a run that are needed to make the same files again."""
    return {
        name: value for name, value in options.items() if name not in DEFAULT_OPTIONS or value != DEFAULT_OPTIONS[name]
    }


def warn_of(cautions: Sequence[Caution], *, stacklevel: int) -> list[str]:
    """Warn of each weak point at the caller's stack level; return the sentences."""
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
    """Warn, report, and move a verified release from its staging folder to its target, together with its reports.

    release  the verified files
    target   the path they are moved to
    request  the request, with everything needed to repeat it
    """
    facts = {
        "file": source.name,
        "sha256": sha256,
        "sha256_of": "file" if source.path.is_file() else "the SHA-256 of all files",
        "rows": len(source),
    }
    sentences = warn_of(cautions, stacklevel=stacklevel)
    report = answer.report(classes, data=facts, dropped=dropped, warned=sentences)
    basis = _basis(answer, report, promise, classes, cautions, source, request)
    replace_whole(_report_writers(report, basis, reports, release.checksum), made={target: release.path})
    return Written(target, report, classes, request)


def _basis(
    answer: Answer,
    report: Report,
    promise: Promise,
    classes: Classes,
    cautions: list[Caution],
    source: FileSource,
    request: Request,
) -> ReportBasis | None:
    """Gather the content of reports; return None for a release in blocks, of which only the figures are known."""
    labelling = answer.labelling
    if labelling is None:
        return None
    table, recoding = labelling.table, labelling.recoding
    node = dict(zip(table.quasi, recoding.node, strict=True)) if isinstance(recoding, Explored) else None
    return ReportBasis(
        report, classes, promise, request, source, table, recoding, labelling.ids, labelling.labels, cautions, node
    )


def _report_writers(report: Report, basis: ReportBasis | None, paths: list[Path], digest: Callable[[], str]) -> Writers:
    """Return the writer of each report about a release with this digest."""
    if basis is None:
        return {path: JsonReport(report.to_dict()).writer(digest) for path in paths}
    if not paths:
        return {}
    from shoal.release.report.writers import writers  # slow to import

    return writers(basis, paths, digest)
