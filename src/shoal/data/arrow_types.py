"""Arrow types, at any depth, that the libraries below shoal cannot work with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pyarrow as pa

from shoal.data.arrow_categories import VIEWS, holds_categories
from shoal.errors import InputError


def check_type(name: str, kind: pa.DataType) -> None:
    """Raise InputError if a column has an unsupported type, itself or in a list, struct or map."""
    reason = _reason(kind)
    if reason is not None:
        raise InputError(
            f"Column {name!r} is of type {kind}, which shoal cannot work with ({reason}): convert it to text."
        )


@cache
def _reason(kind: pa.DataType) -> str | None:
    """Return why a type is not supported, or None."""
    return next(_reasons(kind), None)


def _reasons(kind: pa.DataType) -> Iterator[str]:
    if pa.types.is_union(kind):
        yield "a union"
    elif pa.types.is_run_end_encoded(kind):
        yield "runs of values"
    elif isinstance(kind, pa.BaseExtensionType):
        if holds_categories(kind.storage_type):
            yield "an extension of categories"
        yield from _reasons(kind.storage_type)
    elif pa.types.is_dictionary(kind):
        values = kind.value_type
        if values in VIEWS or pa.types.is_nested(values) or isinstance(values, pa.BaseExtensionType):
            yield f"categories of type {values}"
        yield from _reasons(values)
    elif pa.types.is_decimal(kind) and kind.scale < 0:
        yield "a negative scale"
    elif pa.types.is_timestamp(kind) and kind.tz is not None and not _is_valid_zone(kind.tz):
        yield f"the time zone {kind.tz!r} is not known here"
    elif pa.types.is_fixed_size_list(kind) and not kind.list_size:
        yield "lists without room for a value"
    if pa.types.is_struct(kind) and len({field.name for field in kind}) < kind.num_fields:
        yield "a struct with two fields of one name"
    if pa.types.is_nested(kind) and not pa.types.is_union(kind) and not pa.types.is_run_end_encoded(kind):
        for at in range(kind.num_fields):
            yield from _reasons(kind.field(at).type)


def _is_valid_zone(zone: str) -> bool:
    """Return whether Arrow and Python have a time zone."""
    moment = pa.array([0], pa.timestamp("s", zone))
    try:
        moment.cast(pa.string())
        moment.to_pylist()
    except (pa.ArrowInvalid, ValueError, LookupError):
        return False
    return True
