"""Whether a text of SQL may name a table."""

from __future__ import annotations

import re


def is_named(text: str, name: str, *, ignores_case: bool) -> bool:
    """Return whether a text may name something: as a word, or with other characters in it.

    >>> is_named("SELECT * FROM Patients", "patients", ignores_case=True)
    True
    >>> is_named("SELECT * FROM inpatients", "patients", ignores_case=True)
    False
    """
    if ignores_case:
        text, name = text.lower(), name.lower()
    if re.fullmatch(r"[\w$]+", name):
        return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None
    return any(spelled in text for spelled in (name, *(name.replace(mark, mark * 2) for mark in '`"]')))
