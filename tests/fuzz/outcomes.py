"""The outcomes of a case, and the form of a refusal."""

from __future__ import annotations

DONE, REFUSED, SKIPPED, BROKEN = "done", "refused", "not run", "BROKEN"
MAX_CHARACTERS = 1500  # of a message


class SkippedError(Exception):
    """The case would write outside of its folder, so it is not run."""


class WrongError(AssertionError):
    """The result is wrong."""


def check_sentence(sentence):
    """Check that a refusal is one meaningful line that a terminal prints unchanged."""
    if len(sentence) < 20 or sentence.rstrip()[-1] not in ".?…":
        raise WrongError(f"refused without a sentence: {sentence!r}")
    if len(sentence) > MAX_CHARACTERS:
        raise WrongError(f"a sentence of {len(sentence)} signs: {sentence[:200]!r}")
    if "Traceback" in sentence or not sentence.isprintable():
        raise WrongError(f"refused in more than a line, or with signs that are none: {sentence!r}")
