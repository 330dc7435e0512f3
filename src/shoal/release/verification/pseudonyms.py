"""Pseudonyms: each value has one pseudonym, which no other value has."""

from __future__ import annotations

import hmac

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import VerificationError
from shoal.release.verification.columns import Numbered, different_pairs
from shoal.release.verification.form import Form
from shoal.release.verification.scales import Values

PSEUDONYM = "^[0-9a-f]{32}$"


def check_pseudonyms(name: str, before: Numbered, after: Numbered, form: Form, key: bytes | None) -> None:
    """Refuse a column whose values are not replaced one to one by pseudonyms; missing values stay missing.

    With a key, the pseudonyms are computed again: one batch cannot show that they are one to one in all batches.
    """
    values = Values(name, before.values, frozenset(), "")
    texts, shown = np.array(values.texts, object), after.values.to_pylist()
    blank = "" if form == "text" else None
    pairs = set()
    for new, old in zip(*(numbers.tolist() for numbers in different_pairs(after, before)), strict=True):
        if values.missing[old] != (shown[new] == blank or shown[new] is None):
            raise VerificationError(f"Column {name!r} shows a pseudonym for a missing value, or none for a value.")
        if not values.missing[old]:
            pairs.add((shown[new], texts[old]))
    pseudonyms, originals = [pseudonym for pseudonym, _ in pairs], [original for _, original in pairs]
    is_hash = pc.match_substring_regex(pa.array(pseudonyms, pa.string()), PSEUDONYM)
    hashed = pc.all(is_hash, min_count=0).as_py()
    if key is not None:
        hashed &= all(_pseudonym(key, name, original) == pseudonym for pseudonym, original in pairs)
    one_to_one = len(set(pseudonyms)) == len(pseudonyms) and len(set(originals)) == len(originals)
    if not hashed or not one_to_one or set(pseudonyms) & set(texts.tolist()):
        raise VerificationError(f"Column {name!r} is not replaced, value by value, by pseudonyms.")


def _pseudonym(key: bytes, name: str, text: str) -> str:
    return hmac.digest(key, f"{name}\0{text}".encode(), "sha256").hex()[:32]
