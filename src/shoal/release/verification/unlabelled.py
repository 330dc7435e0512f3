"""Columns without labels: each value has one pseudonym, or every cell and the type are as they were."""

from __future__ import annotations

import hmac

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import taken
from shoal.data.arrow_text import as_text
from shoal.errors import VerificationError
from shoal.io.source import Source
from shoal.release.promise import Original
from shoal.release.verification.cells import (
    Form,
    alike,
    as_in_parquet,
    first_difference,
    idle_categories,
    row_name,
    same_value,
)
from shoal.release.verification.columns import Numbered, different_pairs
from shoal.release.verification.scales import Values

PSEUDONYM = "^[0-9a-f]{32}$"


def check_unchanged(name: str, original: Original, released: Source, form: Form) -> None:
    """Refuse a released column that differs from the original one."""
    source, at = original.source, original.at
    if form == "frame" and not source.has_arrow(name):
        _check_objects(name, original, released)
        return
    column, before = released.arrow(name), source.arrow(name)
    expected = before if at is None else taken(before, pa.array(at))
    if form == "text":
        expected = as_text(expected)
    elif not _same_type(name, column.type, before.type, source, released, form):
        raise VerificationError(f"Column {name!r} is of type {column.type} and was of type {before.type}.")
    row = first_difference(column, expected)
    if row is not None:
        raise VerificationError(f"Column {name!r} is not as it was in {row_name(row, form)}.")
    if form != "batch" and len(expected) < len(before) and idle_categories(column, before):
        raise VerificationError(f"Column {name!r} names categories of rows that are not in the release.")


def _check_objects(name: str, original: Original, released: Source) -> None:
    """Refuse a column of Python objects that differs from the original one."""
    before, after = (table.frame[name].to_list() for table in (original.source, released))
    expected = before if original.at is None else [before[row] for row in original.at.tolist()]
    for row, (value, wanted) in enumerate(zip(after, expected, strict=True)):
        if value is not wanted and not same_value(value, wanted):
            raise VerificationError(f"Column {name!r} is not as it was in row {row + 1}.")


def _same_type(name: str, now: pa.DataType, before: pa.DataType, source: Source, released: Source, form: Form) -> bool:
    """Say whether a column has its original type, as far as the form can keep it."""
    if form == "database" and pa.types.is_dictionary(before):
        before = before.value_type
    if form == "file":
        before = as_in_parquet(before)
    same = alike(now, before, any_text=form in ("file", "database"))
    if not source.frame.implementation.is_pandas_like():
        return same
    pandas_type = source.frame.to_native()[name].dtype
    if form == "frame" and str(pandas_type) not in ("category", "object"):
        frame = released.frame
        return bool(frame.implementation.is_pandas_like() and frame.to_native()[name].dtype == pandas_type)
    return same or str(pandas_type) == "object"  # Arrow infers the type of objects from those that are left


def check_pseudonyms(
    name: str,
    before: Numbered,
    after: Numbered,
    form: Form,
    key: bytes | None,
    missing_values: frozenset[str] = frozenset(),
) -> None:
    """Refuse a column whose values are not replaced one to one by pseudonyms; missing values stay missing.

    With a key, the pseudonyms are computed again: one batch cannot show that they are one to one in all batches.
    """
    values = Values(name, before.values, missing_values)
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
