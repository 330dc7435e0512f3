"""Tables in databases, read and written by their address.

address.py says where a table is; database.py what every database can do; postgresql.py, sqlite.py and duckdb.py do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module

import pyarrow as pa

from shoal.errors import InputError
from shoal.io.databases.address import FORMS, Address
from shoal.io.databases.database import THERE, Database, quoted
from shoal.io.databases.types import declarations
from shoal.io.databases.written import as_given, typed

__all__ = [
    "Address",
    "as_given",
    "check_output",
    "column_names",
    "create",
    "identities",
    "opened",
    "read_back",
    "read_database",
    "typed",
    "without_origin",
]
CLASSES = {"postgresql": "PostgreSQL", "sqlite": "SQLite", "duckdb": "DuckDB"}
SEEN = b"shoal.tables"  # in the metadata of a table that was read: the tables that it came from


def read_database(url: str | Address, *, query: str | None = None) -> pa.Table:
    """The table at an address such as `sqlite:///clinic.db#patients`, or what a query gives; nothing is ever changed.

    >>> read_database("sqlite:///nowhere.db", query="SELECT 1")
    Traceback (most recent call last):
    shoal.errors.InputError: sqlite:///nowhere.db: there is no file 'nowhere.db'.
    """
    address = _address(url, query)
    with opened(address) as database:
        select = query or f"SELECT * FROM {quoted(*_found(database))}"  # noqa: S608  the name is quoted
        content = database.read(select)
        seen = "\n".join(sorted(database.seen(select)))
    names = content.column_names
    if not names:
        raise InputError(f"{address}: there are no columns to read.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{address}: the column name {twice!r} stands twice. Rename one of the two with AS.")
    if not content.num_rows:
        raise InputError(f"{address}: {'the query gives' if query else 'the table has'} no rows.")
    return content.replace_schema_metadata({SEEN: seen})


def without_origin(content: pa.Table) -> tuple[pa.Table, frozenset[str]]:
    """A table, and the tables of a database that it was read from, of which it says nothing any more."""
    about = dict(content.schema.metadata or {})
    seen = about.pop(SEEN, b"").decode()
    return (content.replace_schema_metadata(about), frozenset(seen.split("\n"))) if seen else (content, frozenset())


def column_names(address: Address) -> list[str]:
    """The names of the columns of a table, without reading it."""
    with opened(address) as database:
        return database.columns(f"SELECT * FROM {quoted(*_found(database))}")  # noqa: S608


def check_output(address: Address, *, replace: bool, inputs: frozenset[str]) -> None:
    """Refuse a table that is there already, or that could not be made, before any work is done."""
    with opened(address, write=True) as database:
        if not _taken(database, replace=replace, inputs=inputs):
            database.run(f"CREATE TABLE {quoted(*address.table)} (shoal integer)")  # rolled back: nobody sees it


def create(database: Database, content: pa.Table, *, replace: bool, inputs: frozenset[str]) -> None:
    """Make the table of the database's address and fill it; it is there for others once that is committed."""
    table = database.address.table
    if _taken(database, replace=replace, inputs=inputs):
        database.run(f"DROP TABLE {quoted(*table)}")
    database.create(table, content, declarations(content.schema, database.address.kind))


def read_back(database: Database) -> pa.Table:
    """The table that was made, by a query of its own."""
    return database.read(f"SELECT * FROM {quoted(*database.address.table)}")  # noqa: S608  the name is quoted


def identities(addresses: Iterable[Address]) -> frozenset[str]:
    """Tables as their databases know them, to tell whether two addresses lead to one table."""
    found = set()
    for address in addresses:
        if address.table:
            with opened(address) as database:
                found.add(database.find(address.table))
    return frozenset(one for one in found if one is not None)


@contextmanager
def opened(address: Address, *, write: bool = False) -> Iterator[Database]:
    """A connection in a transaction that is rolled back unless it is committed; what the driver says is a sentence."""
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
        raise InputError(f"{url!r} is no address of a database: write {FORMS}.")
    if query is not None and not query.strip():
        raise InputError(f"{address}: the query is empty.")
    if query is not None and address.table:
        raise InputError(f"{address}: a table after # and a query are two inputs. Leave one of them out.")
    if query is None and not address.table:
        raise InputError(f"{address}: name the table after #, such as {address}#patients, or give a query.")
    return address


def _found(database: Database) -> tuple[str, ...]:
    """The table of the database's address, which is there."""
    table = database.address.table
    if database.find(table) is None:
        known = database.tables()
        close = get_close_matches(".".join(table).lower(), known, n=1)
        meant = f"Did you mean {close[0]!r}?" if close else f"There are {', '.join(known[:10]) or 'none at all'}."
        raise InputError(f"{database.address}: there is no table {'.'.join(table)!r}. {meant}")
    return table


def _taken(database: Database, *, replace: bool, inputs: frozenset[str]) -> bool:
    """Whether there is a table of the name, which may be replaced."""
    address = database.address
    if not address.table:
        raise InputError(f"{address}: name the table to write after #, such as {address}#safe.")
    found = database.find(address.table)
    if found in inputs:
        raise InputError(f"{address}: this is the input, which shoal never overwrites. Choose another table.")
    if found is not None and not replace:
        raise InputError(f"{address}: {THERE}.")
    database.check_output(address.table)
    return found is not None
