"""How columns are declared in a database: as they were, or by their Arrow types."""

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
    """Note in a field how a kind of database declares it."""
    return field.with_metadata({f"shoal.{kind}": declaration}) if declaration else field


def declarations(schema: pa.Schema, kind: str) -> dict[str, str]:
    """Return the noted declarations of a kind of database by column."""
    key = f"shoal.{kind}".encode()
    return {field.name: field.metadata[key].decode() for field in schema if key in (field.metadata or {})}


def sql_types(content: pa.Table, names: Mapping[str, str], declared: Mapping[str, str], what: str) -> dict[str, str]:
    """Return the SQL type of each column: as declared, otherwise by its Arrow type."""
    return {
        field.name: declared.get(field.name) or _named(field, names, what)  # a declaration may be empty in SQLite
        for field in content.schema
    }


def no_such_type(field: pa.Field, what: str) -> InputError:
    """Describe a column whose type a database does not have."""
    return InputError(
        f"Column {field.name!r} of type {field.type} has no equivalent in {what}: convert it to text, or write Parquet."
    )


def _named(field: pa.Field, names: Mapping[str, str], what: str) -> str:
    kind = field.type
    if pa.types.is_timestamp(kind):
        return names["timestamp with zone" if kind.tz else "timestamp"]
    group = next((group for is_kind, group in GROUPS if is_kind(kind)), str(kind))
    if group not in names:
        raise no_such_type(field, what)
    return names[group].format(kind.precision, kind.scale) if group == "decimal" else names[group]
