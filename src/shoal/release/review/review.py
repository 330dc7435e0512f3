"""Review: what was looked for in a release, what was found, and how it was answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from shoal.documents.html_page import Lines, Summary
from shoal.release.request import Request
from shoal.release.review.finding import Finding, stop_at
from shoal.release.review.finding_codes import CODES


@dataclass(frozen=True, repr=False)
class Review(Summary):
    """The findings about a release, and the codes of what could not be looked for; none that is open stops it."""

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()

    @classmethod
    def of(cls, findings: Iterable[Finding], request: Request, *, unchecked: Collection[str] = ()) -> Review:
        """Answer findings as requested; raise ReviewError if an open one stops the release."""
        answered = tuple(finding.answered(request) for finding in findings)
        stop_at(answered)
        return cls(answered, tuple(code for code in CODES if code in unchecked))

    def _figures(self) -> dict[str, object]:
        return {
            "open": len(self.open),
            "answered": len(self.answered),
            "clean": len(self.clean),
            "unchecked": len(self.unchecked),
        }

    def _rows_shown(self) -> Lines:
        rows = [[one.code, ", ".join(one.columns), one.answer or "open"] for one in self.findings]
        return (["code", "columns", "answer"], rows) if rows else ([], [])

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that nobody has answered."""
        return tuple(finding for finding in self.findings if not finding.answer)

    @property
    def answered(self) -> tuple[Finding, ...]:
        """The findings that were answered: their columns are kept, or their code is accepted."""
        return tuple(finding for finding in self.findings if finding.answer)

    @property
    def clean(self) -> tuple[str, ...]:
        """The codes of what was looked for and not found."""
        others = {*self.unchecked, *(finding.code for finding in self.findings)}
        return tuple(code for code in CODES if code not in others)

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain values."""
        return {
            "open": [_plain(finding) for finding in self.open],
            "answered": [_plain(finding) for finding in self.answered],
            "clean": list(self.clean),
            "unchecked": list(self.unchecked),
        }


def _plain(finding: Finding) -> dict[str, Any]:
    values = asdict(finding)
    kept = {name: values[name] for name in ("code", "sentence", "figures")}
    return kept | {"columns": list(finding.columns)} | ({"answer": finding.answer} if finding.answer else {})
