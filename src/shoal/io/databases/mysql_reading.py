"""Queries of MySQL: what they may be, their columns, and their values in the server's own form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from shoal.errors import InputError
from shoal.io.databases.database import declared_as, first_line
from shoal.io.databases.mysql_session import Session
from shoal.io.databases.mysql_swap import quoted
from shoal.io.databases.mysql_values import FLOAT, Field, split, typed

# Declarations that another table may have: those without values of their own, and no geometries.
PLAIN_TYPE = re.compile(
    r"((tiny|small|medium|big)?int(\(\d+\))?|decimal\(\d+,\d+\)|(float|double)(\(\d+,\d+\))?)( unsigned)?( zerofill)?"
    r"|(bit|(var)?char|(var)?binary)\(\d+\)|(tiny|medium|long)?(text|blob)|date|year(\(4\))?"
    r"|(time|datetime|timestamp)(\(\d\))?|json|uuid|inet[46]"
)
COLUMNS = """SELECT column_name, column_type, character_set_name, collation_name FROM information_schema.COLUMNS
WHERE table_schema = %s AND table_name = %s"""
REPEATED_NAME = 1060
CHUNK_ROWS, CHUNK_BYTES = 1 << 16, 1 << 26  # read together


def read(session: Session, query: str, *, own: bool) -> pa.Table:
    """Read every value as the server writes it and convert columns to Arrow types that can hold all their values.

    Six digits are all that the server writes of a FLOAT, so it is asked for a DOUBLE in its place.
    """
    described, inner = columns(session, query, own=own), _inner(query)
    names = [field.name for field in described]
    if len(set(names)) < len(names):
        return pa.table([[]] * len(names), names=names)  # the caller reports the repeated column
    has_floats = any(field.code == FLOAT for field in described)
    if has_floats:
        shown = ", ".join(
            f"{quoted(field.name)} * 1e0 AS {quoted(field.name)}" if field.code == FLOAT else quoted(field.name)
            for field in described
        )
        inner = f"SELECT {shown} FROM (\n{inner}\n) AS given"  # noqa: S608  the caller's own query
    fields, values = _values(session, inner)
    fields = described if has_floats else fields
    try:
        values = [typed(column, field) for column, field in zip(values, fields, strict=True)]
    except pa.ArrowInvalid as error:
        raise InputError(f"{session.address}: the values cannot be read as text ({first_line(error)}).") from error
    declared = _declared(session, fields)
    return pa.table(
        values,
        schema=pa.schema(
            declared_as(pa.field(name, column.type), "mysql", declared.get(field.origin))
            for name, column, field in zip(names, values, fields, strict=True)
        ),
    )


def columns(session: Session, query: str, *, own: bool) -> list[Field]:
    """Return the columns of a query without its rows; raise an error of the server if it is not one SELECT.

    A query that is not shoal's own must be a statement by itself, and one in parentheses, too: there the server takes
    nothing but a SELECT.
    """
    inner = _inner(query)
    if not own:
        session.rows("PREPARE given FROM %s", inner)
    with session.cursor() as cursor:
        try:
            cursor.execute(f"{inner} LIMIT 0" if own else f"SELECT * FROM (\n{inner}\n) AS given LIMIT 0")  # noqa: S608
        except session.errors as error:
            if error.args[0] != REPEATED_NAME:
                raise
            name = re.search("'(.*)'", str(error.args[1]), re.DOTALL)
            return [Field(name[1] if name else "", FLOAT, 0, 0, 0, False, ("", "", ""))] * 2
        return list(map(Field.of, cursor._result.fields))


def _values(session: Session, query: str) -> tuple[list[Field], list[pa.ChunkedArray]]:
    """Run a query; return its columns as bytes. The driver would make Python objects of every value."""
    with session.cursor(session.pymysql.cursors.SSCursor) as cursor:
        cursor.execute(query)
        result = cursor._result
        result._read_row_from_packet = lambda packet: packet.get_all_data()
        fields = list(map(Field.of, result.fields))
        none = pa.array([], pa.large_binary())
        chunks = [[none] for _ in fields]
        try:
            for rows in _chunks(cursor):
                for chunk, more in zip(chunks, split(rows, len(fields)), strict=True):
                    chunk.append(more)
        except BaseException:
            result.unbuffered_active = False  # otherwise the driver would wait for the other rows
            raise
    return fields, [pa.chunked_array(chunk) for chunk in chunks]


def _declared(session: Session, fields: Sequence[Field]) -> dict[tuple[str, str, str], str]:
    """Return the declared types of columns by their origin; none of those that list their values."""
    declared = {}
    for schema, table in dict.fromkeys(field.origin[:2] for field in fields if field.origin[1]):
        for name, kind, characters, collation in session.rows(COLUMNS, schema, table):
            if PLAIN_TYPE.fullmatch(kind):
                how = f" CHARACTER SET {characters} COLLATE {collation}" if characters else ""
                declared[schema, table, name] = kind + how
    return declared


def _inner(query: str) -> str:
    return query.strip().rstrip(";")


def _chunks(cursor: Any) -> Iterator[list[bytes]]:
    """Yield rows by the thousands, fewer if they are long."""
    rows: list[bytes] = []
    size = 0
    while more := cursor.fetchmany(1024):
        rows += more
        size += sum(map(len, more))
        if len(rows) >= CHUNK_ROWS or size >= CHUNK_BYTES:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows
