"""Finding: something that the review found, with a code that stays the same from version to version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.errors import ReviewError

REPEATED_PEOPLE = "repeated-people"
BLOCKING = (REPEATED_PEOPLE,)  # codes that stop a release


@dataclass(frozen=True)
class Finding:
    """A finding about a column: its code, and a sentence that says what is wrong and what to do."""

    code: str
    column: str
    sentence: str


def stop_at(findings: Sequence[Finding]) -> None:
    """Raise ReviewError if a finding stops the release."""
    blocking = [finding for finding in findings if finding.code in BLOCKING]
    if blocking:
        raise ReviewError(*(finding.sentence for finding in blocking), findings=blocking)
