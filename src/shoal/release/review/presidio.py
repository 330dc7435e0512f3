"""Names and numbers of people as Presidio's analyzer finds them: an optional extra, for what no dictionary has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from shoal.errors import InputError
from shoal.release.review import codes
from shoal.system.optional_packages import extra

MODEL = "en_core_web_lg"  # which Presidio loads by default
MAX_TEXTS = 200  # that are analyzed: it takes milliseconds for each
MIN_SCORE, MIN_SHARE = 0.5, 0.5
KINDS = {
    "PERSON": "names of people",
    "EMAIL_ADDRESS": "e-mail addresses",
    "PHONE_NUMBER": "telephone numbers",
    "IBAN_CODE": "IBANs",
    "CREDIT_CARD": "payment card numbers",
    "IP_ADDRESS": "IP addresses",
    "URL": "URLs",
    "US_SSN": "social security numbers",
    "UK_NHS": "social security numbers",
    "ES_NIF": "social security numbers",
    "IT_FISCAL_CODE": "social security numbers",
    "US_PASSPORT": codes.KIND,
    "US_DRIVER_LICENSE": codes.KIND,
    "MEDICAL_LICENSE": codes.KIND,
}


class Analyzer(Protocol):
    """What is needed of Presidio's AnalyzerEngine."""

    def analyze(self, text: str, language: str) -> Sequence[Any]:
        """Return what was found in a text: objects with an entity_type and a score."""


def analyzer() -> Analyzer:
    """Return Presidio's analyzer; raise InputError if the package or its model is not installed.

    Presidio would download a missing model by itself; nothing is downloaded here.
    """
    engine = extra("presidio_analyzer", "presidio", "Presidio's names", verb="need")
    if not extra("spacy.util", "presidio", "Presidio's names", verb="need").is_package(MODEL):
        raise InputError(f"Presidio's names need the model {MODEL}: python -m spacy download {MODEL}.")
    found: Analyzer = engine.AnalyzerEngine()
    return found


def kind_of(texts: Sequence[str], analyzer: Analyzer) -> tuple[str, float] | None:
    """Return the kind that most texts have something of, with their share; None if there is no such kind."""
    looked_at = texts[:: max(1, len(texts) // MAX_TEXTS)]
    counts: Counter[str] = Counter()
    for text in looked_at:
        found = analyzer.analyze(text=text, language="en")
        counts.update({KINDS[one.entity_type] for one in found if one.entity_type in KINDS and one.score >= MIN_SCORE})
    for kind, count in counts.most_common(1):
        if count >= MIN_SHARE * len(looked_at):
            return kind, count / len(looked_at)
    return None
