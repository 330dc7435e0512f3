"""SQLite through Python's own sqlite3."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from shoal.data.python_values import column
from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.database import check_finite, declared_as, first_line, quoted, sql_types
from shoal.io.databases.files import FileDatabase

NAMES = {
    **dict.fromkeys(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "bool"), "INTEGER"),
    **dict.fromkeys(("halffloat", "float", "double"), "REAL"),
    **dict.fromkeys(("text", "date", "time", "timestamp", "timestamp with zone", "decimal", "uint64"), "TEXT"),
    "binary": "BLOB",
}
PLAIN_TYPE = re.compile(r"[\w ]*(\( *[0-9]+( *, *[0-9]+)? *\))?")  # SQLite allows any text as a declared type
READ_ACTIONS = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
TIMEOUT = 10.0  # seconds to wait while others write
CHUNK_ROWS = 1 << 16  # read or written together


class SQLite(FileDatabase):
    """A connection to a SQLite file."""

    errors = (sqlite3.Error,)

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.read_tables: set[str] = set()

    def connect(self, *, write: bool) -> None:
        """Open the file."""
        self.check_file(write=write)
        place = f"{self.place.resolve().as_uri()}?mode={'rwc' if write else 'ro'}"
        self.connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=TIMEOUT)
        if write:
            self.connection.execute("PRAGMA secure_delete = ON")  # a replaced table leaves nothing in the file
            self.connection.execute("BEGIN IMMEDIATE")

    def find(self, table: Sequence[str]) -> str | None:
        """Identify a table or view; case does not matter."""
        if len(table) == 2 and table[0].lower() != "main":
            return None
        rows = self.connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", (table[-1],)
        )
        return self.identity(table[-1]) if rows.fetchone() else None

    def tables(self) -> list[str]:
        """List the tables and views."""
        rows = self.connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        return [name for (name,) in rows]

    def columns(self, query: str) -> list[str]:
        """Return the names of the columns."""
        return [name for name, *_ in self._read(query).description or ()]

    def read(self, query: str) -> pa.Table:
        """Read the values, each column as one type; columns of a table keep their declarations."""
        declared = self._declared()
        cursor = self._read(query)
        names = [name for name, *_ in cursor.description or ()]
        chunks: list[list[Any]] = [[] for _ in names]
        while rows := cursor.fetchmany(CHUNK_ROWS):
            for values, more in zip(chunks, zip(*rows, strict=True), strict=True):
                values.extend(more)
        arrays = [self._column(name, values) for name, values in zip(names, chunks, strict=True)]
        fields = [
            declared_as(pa.field(name, array.type), "sqlite", declared.get(name))
            for name, array in zip(names, arrays, strict=True)
        ]
        return pa.table(arrays, schema=pa.schema(fields))

    def seen(self, query: str) -> frozenset[str]:
        """Return the tables that the authorizer saw being read."""
        return frozenset(map(self.identity, self.read_tables))

    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table and insert its rows."""
        for name in content.column_names:
            check_finite(self.address, name, content[name], "SQLite", infinity=True)
        plain = {name: kind for name, kind in declared.items() if PLAIN_TYPE.fullmatch(kind)}
        types = sql_types(content, NAMES, plain, "SQLite")
        lines = ", ".join(f"{quoted(name)} {kind}" for name, kind in types.items())
        self.run(f"CREATE TABLE {quoted(*table)} ({lines})")
        marks = ", ".join("?" * content.num_columns)
        for batch in content.to_batches(max_chunksize=CHUNK_ROWS):
            rows = zip(*map(_values, batch.columns), strict=True)
            self.connection.executemany(f"INSERT INTO {quoted(*table)} VALUES ({marks})", rows)  # noqa: S608

    def reason(self, error: Any) -> str:
        """Describe an error of SQLite."""
        if "prohibited" in str(error) or "not authorized" in str(error):
            return "the query does more than read, and shoal reads only"
        return first_line(error)

    def _declared(self) -> dict[str, str]:
        """Return the declared types of the columns of the address's own table."""
        rows = self.connection.execute(
            "SELECT name, type FROM pragma_table_info(?)", (self.address.table[-1] if self.address.table else "",)
        )
        return {name: kind for name, kind in rows if kind}

    def _read(self, query: str) -> Any:
        """Run a query that may only read, and note the tables that it reads."""

        def allow(action: int, table: str | None, name: str | None, *_: Any) -> int:
            if action == sqlite3.SQLITE_READ and table:
                self.read_tables.add(table)
            return sqlite3.SQLITE_OK if action in READ_ACTIONS else sqlite3.SQLITE_DENY

        self.connection.set_authorizer(allow)
        try:
            return self.connection.execute(query)
        except sqlite3.ProgrammingError as error:  # more than one statement
            raise InputError(f"{self.address}: {first_line(error)}.") from error
        finally:
            self.connection.set_authorizer(None)

    def _column(self, name: str, values: list[Any]) -> pa.Array:
        try:
            return column(values)
        except InputError as error:
            raise InputError(f"{self.address}, column {name!r}: {error}") from error


def _values(array: pa.Array) -> list[Any]:
    """Convert values to those of SQLite: dates, times and decimals to text, booleans to 0 and 1."""
    kind = array.type
    if pa.types.is_boolean(kind):
        return array.cast(pa.int8()).to_pylist()  # type: ignore[no-any-return]
    if NAMES.get(str(kind)) in ("INTEGER", "REAL") or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return array.to_pylist()  # type: ignore[no-any-return]
    return array.cast(pa.large_string()).to_pylist()  # type: ignore[no-any-return]
