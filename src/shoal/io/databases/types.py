"""How a column is declared in a database, and what it is declared as where nothing is known."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from shoal.errors import InputError

GROUPS = (
    (pa.types.is_string, "text"),
    (pa.types.is_large_string, "text"),
    (pa.types.is_string_view, "text"),
    (pa.types.is_null, "text"),
    (pa.types.is_binary, "binary"),
    (pa.types.is_large_binary, "binary"),
    (pa.types.is_date, "date"),
    (pa.types.is_time, "time"),
    (pa.types.is_decimal, "decimal"),
)


def declared_as(field: pa.Field, kind: str, declaration: str | None) -> pa.Field:
    """A field that knows how a kind of database declares it."""
    return field.with_metadata({f"shoal.{kind}": declaration}) if declaration else field


def declarations(schema: pa.Schema, kind: str) -> dict[str, str]:
    """How a kind of database declares the fields that come from one."""
    key = f"shoal.{kind}".encode()
    return {field.name: field.metadata[key].decode() for field in schema if key in (field.metadata or {})}


def sql_types(content: pa.Table, names: Mapping[str, str], declared: Mapping[str, str], what: str) -> dict[str, str]:
    """The SQL type of each column: as it is declared, else by its Arrow type."""
    return {
        field.name: declared.get(field.name) or _named(field, names, what)  # a declaration may be empty in SQLite
        for field in content.schema
    }


def _named(field: pa.Field, names: Mapping[str, str], what: str) -> str:
    kind = field.type
    if pa.types.is_timestamp(kind):
        return names["timestamp with zone" if kind.tz else "timestamp"]
    group = next((group for holds, group in GROUPS if holds(kind)), str(kind))
    if group not in names:
        raise InputError(
            f"Column {field.name!r} of type {kind} has no like in {what}: convert it to text, or write Parquet."
        )
    return names[group].format(kind.precision, kind.scale) if group == "decimal" else names[group]
