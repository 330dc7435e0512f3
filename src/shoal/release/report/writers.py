"""Writers of reports on a release: HTML, PDF and JSON.

facts.py gathers what may be disclosed and alone sees the original; sections.py puts it into words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from shoal.documents.html import html
from shoal.release.report.facts import facts_of
from shoal.release.report.sections import document
from shoal.release.report_basis import ReportBasis
from shoal.release.reuse.record import report_with_generalization
from shoal.system import atomic_files


def page(basis: ReportBasis) -> str:
    """Write the report as HTML in one file."""
    return html(document(facts_of(basis)))


def writers(
    basis: ReportBasis, paths: list[Path], digest: Callable[[], str] | None = None
) -> dict[Path, Callable[[Path], None]]:
    """Return the writer of each report, according to the suffix of its path; facts are gathered at most once.

    The .json report names the digest of the release that it belongs to.
    """
    as_json, as_document = cache(report_with_generalization), cache(lambda basis: document(facts_of(basis)))

    def writer(path: Path) -> Callable[[Path], None]:
        ending = path.suffix.lower()
        if ending == ".json":
            return as_json(basis).writer(digest)
        content = as_document(basis)
        if ending == ".pdf":
            from shoal.documents import pdf  # matplotlib is slow to import

            return lambda file: pdf.write(content, file)
        return lambda file: atomic_files.write_text(html(content), file)

    return {path: writer(path) for path in paths}
