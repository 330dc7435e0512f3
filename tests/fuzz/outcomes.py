"""What may come of a case, and what a refusal has to look like."""

from __future__ import annotations

DONE, REFUSED, SKIPPED, BROKEN = "done", "refused", "not run", "BROKEN"
LONGEST = 1500  # signs of a sentence


class SkippedError(Exception):
    """The case would write outside of its place, and is not run."""


class WrongError(AssertionError):
    """What shoal gave is not right."""


def check_sentence(sentence):
    """A refusal is one line that says something, and that a terminal shows as it is."""
    if len(sentence) < 20 or sentence.rstrip()[-1] not in ".?…":
        raise WrongError(f"refused without a sentence: {sentence!r}")
    if len(sentence) > LONGEST:
        raise WrongError(f"a sentence of {len(sentence)} signs: {sentence[:200]!r}")
    if "Traceback" in sentence or not sentence.isprintable():
        raise WrongError(f"refused in more than a line, or with signs that are none: {sentence!r}")
