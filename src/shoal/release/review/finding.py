"""Finding: something that the review found, with a code that stays the same from version to version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from shoal.documents.html_page import Summary
from shoal.errors import ReviewError
from shoal.release.request import Request
from shoal.release.review.finding_codes import BY_COLUMN, CODES


@dataclass(frozen=True, repr=False)
class Finding(Summary):
    """Something that the review found: a weak point of a release, or what must not be released.

    code            what was found; see CODES
    sentence        the evidence in figures, and what to do
    columns         the columns it is about
    without_values  the sentence without single values of the original, if the sentence quotes any; it is not published
                    if rows are suppressed, as it may concern only those rows
    figures         the evidence, by name
    blocks          whether it stops the release unless it is answered
    answer          how it was answered: "kept" or "accepted"; empty if it is open
    """

    code: str
    sentence: str
    columns: tuple[str, ...] = ()
    without_values: str = ""
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    blocks: bool = False
    answer: str = ""

    def _figures(self) -> dict[str, object]:
        columns = {"columns": ", ".join(self.columns)} if self.columns else {}
        return {"code": self.code, **columns, "answer": self.answer or "open"}

    def _sentence(self) -> str:
        return CODES.get(self.code, "")

    @property
    def column(self) -> str:
        """The first of the columns it is about; empty if it is about none."""
        return self.columns[0] if self.columns else ""

    @property
    def public(self) -> str:
        """The sentence that may be published with the release."""
        return self.without_values or self.sentence

    def answered(self, request: Request) -> Finding:
        """Return the finding as a request answers it: its columns are kept, or its code is accepted."""
        if self.code in BY_COLUMN and self.columns and {*self.columns} <= {*request.roles.kept}:
            return replace(self, answer="kept", blocks=False)
        if self.code in request.accept and not self.blocks:
            return replace(self, answer="accepted")
        return self


def stop_at(findings: Iterable[Finding]) -> None:
    """Raise ReviewError if a finding stops the release."""
    blocking = [finding for finding in findings if finding.blocks]
    if blocking:
        raise ReviewError(*(finding.sentence for finding in blocking), findings=blocking)
