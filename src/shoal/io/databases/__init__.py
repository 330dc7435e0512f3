"""Tables in databases, read and written by their address.

address.py says where a table is; database.py what every database can do; sqlite.py, duckdb.py, postgresql.py, mysql.py
and mssql.py do it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.errors import InputError, VerificationError
from shoal.io.database_kinds import FORMS
from shoal.io.databases.address import Address as Address
from shoal.io.databases.database import ALREADY_EXISTS, Database, declarations

CLASSES = {
    "postgresql": "PostgreSQL",
    "mysql": "MySQL",
    "mssql": "SQLServer",
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
}
TABLES_KEY = b"shoal.tables"  # in the metadata of a table that was read: the tables that it came from


def read_database(url: str | Address, *, query: str | None = None) -> pa.Table:
    """Read a table, or the result of a query, from a database; nothing is ever changed there.

    url    the address, such as `sqlite:///clinic.db#patients`, `duckdb:///clinic.duckdb#patients`,
           `postgresql://user@host/database#schema.table`, `mysql://user@host/database#table` or
           `mssql://user@host/database#schema.table`; without `#table` if a query is given
    query  one SELECT statement, in place of the table

    >>> import shoal
    >>> shoal.read_database("sqlite:///nowhere.db", query="SELECT 1")
    Traceback (most recent call last):
    shoal.errors.InputError: sqlite:///nowhere.db: there is no file 'nowhere.db'.
    """
    address = _address(url, query)
    with opened(address) as database:
        select = query or f"SELECT * FROM {database.quoted(*_found(database))}"  # noqa: S608  the name is quoted
        content = database.read(select)
        seen = "\n".join(sorted(database.seen(select)))
    names = content.column_names
    if not names:
        raise InputError(f"{address}: there are no columns to read.")
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{address}: the column name {repeated!r} appears twice. Rename one of the two with AS.")
    if not content.num_rows:
        raise InputError(f"{address}: {'the query returns' if query else 'the table has'} no rows.")
    return content.replace_schema_metadata({TABLES_KEY: seen})


def without_origin(content: pa.Table) -> tuple[pa.Table, frozenset[str]]:
    """Remove the note of the database tables that a table was read from, and return them."""
    metadata = dict(content.schema.metadata or {})
    seen = metadata.pop(TABLES_KEY, b"").decode()
    return (content.replace_schema_metadata(metadata), frozenset(seen.split("\n"))) if seen else (content, frozenset())


def column_names(address: Address) -> list[str]:
    """Return the names of the columns of a table, without reading it."""
    with opened(address) as database:
        return database.columns(f"SELECT * FROM {database.quoted(*_found(database))}")  # noqa: S608


def check_output(address: Address, *, replace: bool, inputs: frozenset[str]) -> None:
    """Raise InputError, before any work is done, if a table exists already or could not be created."""
    with opened(address, write=True) as database:
        if not _taken(database, replace=replace, inputs=inputs):
            database.check_rights(address.table)


def create(database: Database, content: pa.Table, *, replace: bool, inputs: frozenset[str]) -> None:
    """Create and fill the table of the database's address; others see it once it is committed."""
    table = database.address.table
    if _taken(database, replace=replace, inputs=inputs):
        database.drop(table)
    database.create(table, content, declarations(content.schema, database.address.kind))


def read_back(database: Database) -> pa.Table:
    """Read the table that was created, by a query of its own."""
    return database.read(f"SELECT * FROM {database.quoted(*database.unfinished)}")  # noqa: S608  the name is quoted


def identities(addresses: Iterable[Address]) -> frozenset[str]:
    """Return the identity of each table in its database, to recognize two addresses of one table."""
    identities = set()
    for address in addresses:
        if address.table:
            with opened(address) as database:
                identities.add(database.find(address.table))
    return frozenset(filter(None, identities))


@contextmanager
def opened(address: Address, *, write: bool = False) -> Iterator[Database]:
    """Open a connection whose transaction is rolled back unless it is committed; driver errors become InputError."""
    database: Database = getattr(import_module(f"shoal.io.databases.{address.kind}"), CLASSES[address.kind])(address)
    failures: tuple[type[Exception], ...] = (*database.errors, RuntimeError)
    try:
        database.connect(write=write)
        yield database
    except failures as error:
        if database.interrupted(error):
            raise KeyboardInterrupt from error
        if not isinstance(error, database.errors):
            raise
        raise InputError(f"{address}: {database.reason(error)}.") from error
    finally:
        database.close()


def _address(url: str | Address, query: str | None) -> Address:
    address = Address.of(url)
    if address is None:
        raise InputError(f"{url!r} is not the address of a database; write {FORMS}.")
    if query is not None and not query.strip():
        raise InputError(f"{address}: the query is empty.")
    if query is not None and address.table:
        raise InputError(f"{address}: a table after # and a query are two inputs. Leave one of them out.")
    if query is None and not address.table:
        raise InputError(f"{address}: name the table after #, such as {address}#patients, or give a query.")
    return address


def _found(database: Database) -> tuple[str, ...]:
    """Return the table of the database's address; raise InputError if it does not exist."""
    table = database.address.table
    if database.find(table) is None:
        tables = database.tables()
        close = get_close_matches(".".join(table).lower(), tables, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"There are {', '.join(tables[:10]) or 'none at all'}."
        raise InputError(f"{database.address}: there is no table {'.'.join(table)!r}. {hint}")
    return table


def _taken(database: Database, *, replace: bool, inputs: frozenset[str]) -> bool:
    """Return whether the table exists; raise InputError if it must not be replaced."""
    address = database.address
    if not address.table:
        raise InputError(f"{address}: name the table to write after #, such as {address}#safe.")
    existing = database.find(address.table)
    if database.is_input(existing, inputs):
        raise InputError(f"{address}: this is the input, which shoal never overwrites. Choose another table.")
    if existing is not None and not replace:
        raise InputError(f"{address}: {ALREADY_EXISTS}.")
    database.check_output(address.table)
    return existing is not None


def typed(content: pa.Table, frame: Any, *, new: Container[str]) -> pa.Table:
    """Decode the columns; those that are not new get their declarations from the frame that was read."""
    fields = frame.schema if isinstance(frame, pa.Table) else []
    metadata = {field.name: field.metadata for field in fields if field.name not in new}
    schema = pa.schema(
        pa.field(
            field.name,
            field.type.value_type if pa.types.is_dictionary(field.type) else field.type,
            metadata=metadata.get(field.name),
        )
        for field in content.schema
    )
    return content.replace_schema_metadata().cast(schema)


def as_given(written: pa.Table, given: pa.Table) -> pa.Table:
    """Convert a written table to the given types; raise VerificationError if it differs from the given one."""
    if written.column_names != given.column_names:
        raise VerificationError("The columns were not written unchanged.")
    columns = [_as_given(name, written[name], given[name]) for name in given.column_names]
    return pa.table(columns, names=given.column_names)


def _as_given(name: str, written: pa.ChunkedArray, given: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_string(written.type) and not pa.types.is_string(given.type):
        if not written.equals(given.cast(pa.string())):  # the text that a database holds in place of another type
            raise _changed(name)
        return given
    try:
        same = written.cast(given.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise _changed(name) from error
    if not same.equals(given) and not _same_cells(same, given):
        raise _changed(name)
    return same


def _same_cells(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Return whether cells are the same where Arrow says no, because to Arrow NaN never equals NaN."""
    if pa.types.is_nested(one.type):
        return repr(one.to_pylist()) == repr(other.to_pylist())
    same_nulls = pa.types.is_floating(one.type) and one.is_null().equals(other.is_null())
    return same_nulls and np.array_equal(one.to_numpy(), other.to_numpy(), equal_nan=True)


def _changed(name: str) -> VerificationError:
    return VerificationError(f"Column {name!r} was not written unchanged.")
