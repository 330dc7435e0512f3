"""SQL Server through python-tds, in one transaction as with PostgreSQL.

mssql_login.py says how the server is reached, mssql_wire.py encrypts the connection, mssql_tables.py tells the tables
of a database apart, mssql_query.py says what a query may be, and mssql_values.py converts values.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pyarrow as pa

from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.database import (
    ALREADY_EXISTS,
    Database,
    check_finite,
    declared_as,
    first_line,
    sql_types,
)
from shoal.io.databases.mssql_login import Login
from shoal.io.databases.mssql_query import inner
from shoal.io.databases.mssql_tables import ANYWHERE, SYNONYM, TABLE, VIEW, Tables
from shoal.io.databases.mssql_values import DECLARATION, KNOWN, Field, inserts, literal, quoted, typed
from shoal.io.databases.mssql_wire import Wire
from shoal.system.optional_packages import extra

NAMES = {
    "uint8": "tinyint",
    **dict.fromkeys(("int8", "int16"), "smallint"),
    **dict.fromkeys(("int32", "uint16"), "int"),
    **dict.fromkeys(("int64", "uint32"), "bigint"),
    **dict.fromkeys(("halffloat", "float"), "real"),
    "uint64": "decimal(20,0)",
    "double": "float",
    "bool": "bit",
    "text": "nvarchar(max)",
    "binary": "varbinary(max)",
    "date": "date",
    "time": "time(7)",
    "timestamp": "datetime2(7)",
    "timestamp with zone": "datetimeoffset(7)",
    "decimal": "decimal({},{})",
}
# The same for every session: nothing is cut off or converted silently, and no lock is waited for without an end.
SETTINGS = (
    *(f"SET {name} ON" for name in ("ANSI_NULLS", "ANSI_PADDING", "ANSI_WARNINGS", "ARITHABORT", "QUOTED_IDENTIFIER")),
    "SET CONCAT_NULL_YIELDS_NULL ON",
    "SET NUMERIC_ROUNDABORT OFF",
    "SET IMPLICIT_TRANSACTIONS OFF",
    "SET XACT_ABORT ON",
    "SET ROWCOUNT 0",
    "SET TEXTSIZE -1",
    "SET LANGUAGE us_english",
    "SET LOCK_TIMEOUT 60000",
)
HAS_SNAPSHOTS = "SELECT snapshot_isolation_state FROM sys.databases WHERE database_id = DB_ID()"
COLUMNS = """SELECT name, system_type_name, collation_name, error_message
FROM sys.dm_exec_describe_first_result_set({}, NULL, 0) ORDER BY column_ordinal"""
REPEATED_NAME, TABLE_EXISTS, NAME_IN_USE, LOCKED = 8156, 2714, 15335, 1222
MAX_NAME = 128  # characters
CHUNK_ROWS = 1 << 16  # read or converted together
STATEMENT_CHARACTERS = 1 << 20  # sent together


class SQLServer(Database):
    """A connection to a database of SQL Server.

    `unfinished` is the table that is written beside the one that it may replace; nobody else sees it.
    """

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.pytds = extra("pytds", "databases", "SQL Server databases")
        self.errors = (self.pytds.Error,)
        self.login = Login.of(address)
        self.replaced: str | None = None
        self.written = f"shoal_unfinished_{secrets.token_hex(8)}"
        self.idle = True  # no statement was interrupted
        for name in address.table:
            _check_name(name, f"{address}: the name")

    def connect(self, *, write: bool) -> None:
        """Connect and begin a transaction, in which nothing that is read changes meanwhile."""
        try:
            self._connect()
        except (OSError, ValueError) as error:
            raise InputError(f"{self.address}: {_why(error)}.") from error
        self.run("; ".join(SETTINGS))
        if not write:
            level = "SNAPSHOT" if self._value(HAS_SNAPSHOTS) == 1 else "SERIALIZABLE"
            self.run(f"SET TRANSACTION ISOLATION LEVEL {level}")
        self.run("BEGIN TRANSACTION")
        self.known = Tables(self.rows)

    def find(self, table: Sequence[str]) -> str | None:
        """Identify a table, view or synonym by its number."""
        found = self.known.find(self._place(table))
        return self.known.identity(found[0]) if found and found[1] in (TABLE, VIEW, SYNONYM) else None

    def is_input(self, table: str | None, inputs: frozenset[str]) -> bool:
        """Return whether a table is an input, under this address or another one; raise InputError if it may be."""
        if table is not None and table not in inputs and ANYWHERE in inputs:
            raise InputError(
                f"{self.address}: what was read leads to another database, or hides from you what it reads, and that "
                "may be this table. Choose the name of a new table."
            )
        return table in inputs

    def check_output(self, table: Sequence[str]) -> None:
        """Raise InputError for a temporary table, for what is no table, and for a table that others refer to."""
        if table[-1].startswith("#"):
            raise InputError(f"{self.address}: a table whose name begins with # is lost at once. Choose another name.")
        found = self.known.find(self._place(table))
        if found is None:
            return
        if found[1] != TABLE:
            kind = {VIEW: "a view", SYNONYM: "a synonym"}.get(found[1], "something else")
            raise InputError(f"{self.address}: this is no table but {kind}. Choose another name.")
        referring = self.known.referring(found[0])
        if referring:
            raise InputError(
                f"{self.address}: foreign keys of {'.'.join(referring)!r} refer to this table, so it is not replaced. "
                "Choose another table."
            )

    def tables(self) -> list[str]:
        """List the tables and views."""
        own = self._value("SELECT SCHEMA_NAME()")
        found = [thing for thing in self.known.all() if thing.kind in (TABLE, VIEW, SYNONYM)]
        return [thing.name if thing.schema == own else f"{thing.schema}.{thing.name}" for thing in found]

    def columns(self, query: str) -> list[str]:
        """Return the names of the columns."""
        return [field.name for field in self._described(self._inner(query))]

    def read(self, query: str) -> pa.Table:
        """Read every value in the form that its type loses nothing in, and convert columns to Arrow types."""
        asked = self._inner(query)
        described = self._described(asked)
        names = [field.name for field in described]
        if len(set(names)) < len(names):
            return pa.table([[]] * len(names), names=names)  # the caller reports the repeated column
        wanted = ", ".join(field.selected for field in described)
        values: list[list[Any]] = [[] for _ in described]
        try:
            with self.connection.cursor() as cursor:
                self.idle = False
                cursor.execute(f"SELECT {wanted} FROM (\n{asked}\n) AS given")  # noqa: S608  the caller's own query
                while rows := cursor.fetchmany(CHUNK_ROWS):
                    for column, more in zip(values, zip(*rows, strict=True), strict=True):
                        column.extend(more)
                self.idle = True
        except (OSError, self.pytds.ClosedConnectionError) as error:
            raise self._lost(error) from error
        columns = [typed(column, field) for column, field in zip(values, described, strict=True)]
        return pa.table(
            [column for column, _ in columns],
            schema=pa.schema(
                declared_as(pa.field(field.name, column.type), "mssql", declaration)
                for field, (column, declaration) in zip(described, columns, strict=True)
            ),
        )

    def seen(self, query: str) -> frozenset[str]:
        """Return the tables and views that a query names, and those behind views, functions and synonyms."""
        return self.known.named_in(query)

    @property
    def unfinished(self) -> Sequence[str]:
        """The name of the table that is being written, until it is committed."""
        return self._names(self.address.table)[0], self.written

    def drop(self, table: Sequence[str]) -> None:
        """Note that the table is replaced when another takes its name."""
        self.replaced = self.find(table)

    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table under a name of its own; declared types that the server lacks are replaced by others."""
        for name in content.column_names:
            _check_name(name, "Column")
            check_finite(self.address, name, content[name], "SQL Server")
        available = {name: kind for name, kind in declared.items() if self._has(kind)}
        types = sql_types(content, NAMES, available, "SQL Server")
        place = self.quoted(*self.unfinished)
        lines = ", ".join(f"{self.quoted(name)} {kind} NULL" for name, kind in types.items())
        self.run(f"CREATE TABLE {place} ({lines})")
        for batch in content.to_batches(max_chunksize=CHUNK_ROWS):
            for statement in inserts(batch, place, [*types.values()], STATEMENT_CHARACTERS):
                self.run(statement)

    def commit(self) -> None:
        """Give the table its name in place of the one that it replaces, if that is still the same, and commit."""
        table = self.address.table
        if self.find(table) != self.replaced:
            raise InputError(f"{self.address}: another run wrote this table meanwhile; it was left alone. Run again.")
        written = self.find(self.unfinished)
        if self.replaced is not None:
            self.run(f"DROP TABLE {self._place(table)}")
        place, name = literal(self.quoted(*self.unfinished)), literal(table[-1])
        self.run(f"EXEC sp_rename @objname = {place}, @newname = {name}, @objtype = N'OBJECT'")
        if self.find(table) != written:  # an error within a procedure does not end the transaction
            raise InputError(f"{self.address}: the server did not give the new table its name, so all is as it was.")
        try:
            self.run("COMMIT TRANSACTION")
        except InputError as error:
            raise InputError(
                f"{self.address}: the connection was lost in the moment in which the release was put in place. See "
                "whether the table is there: if it is, it is whole and verified; otherwise run again."
            ) from error

    def close(self) -> None:
        """Take back what was not committed and close the connection."""
        if self.connection is None:
            return
        if self.idle:  # otherwise the server takes it back when the connection ends
            with suppress(InputError, *self.errors):
                self.run("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION")
        self.connection.close()
        self.connection = None

    def run(self, statement: str) -> None:
        """Run a statement that returns nothing."""
        self.rows(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        try:
            with self.connection.cursor() as cursor:
                self.idle = False
                cursor.execute(query)
                found = list(cursor.fetchall()) if cursor.description else []
                while cursor.nextset():
                    pass
                self.idle = True
        except (OSError, self.pytds.ClosedConnectionError) as error:
            raise self._lost(error) from error
        except self.errors:
            self.idle = True
            raise
        return found

    def reason(self, error: Any) -> str:
        """Describe an error of the server, or why it cannot be reached."""
        number = getattr(error, "number", 0)
        if number in (TABLE_EXISTS, NAME_IN_USE):  # another run has created it meanwhile
            return ALREADY_EXISTS
        if number == LOCKED:
            return "others have been using the table for a minute, so it was left as it is. Run again later"
        return first_line(getattr(error, "text", "") or error)

    @staticmethod
    def quoted(*names: str) -> str:
        """Quote names for SQL Server, whatever characters they hold."""
        return quoted(*names)

    def _connect(self) -> None:
        login = self.login
        wire = Wire(self.address, login)
        try:
            self.connection = self.pytds.connect(
                dsn=login.host, port=login.port, database=login.database or None, user=login.user,
                password=login.password, autocommit=True, appname="shoal", sock=wire,
                login_timeout=0,  # the driver tries once; the connection has its own time limit
            )  # fmt: skip
        except TimeoutError as error:  # in which the driver wraps what went wrong
            if isinstance(error.__cause__, self.errors):
                raise error.__cause__ from None
            raise (error.__cause__ or error) from None
        wire.ready()

    def _inner(self, query: str) -> str:
        return inner(self.address, query, own=bool(self.address.table))

    def _described(self, asked: str) -> list[Field]:
        """Return the columns of a query; raise an error of the server if it is not one SELECT."""
        try:
            self.rows(f"SELECT TOP (0) * FROM (\n{asked}\n) AS given")  # noqa: S608  the caller's own query
        except self.errors as error:
            if getattr(error, "number", 0) != REPEATED_NAME:
                raise
            name = str(getattr(error, "text", "")).split("'")[1:2]
            return [Field("".join(name), "int", None)] * 2
        found = self.rows(COLUMNS.format(literal(f"SELECT * FROM (\n{asked}\n) AS given")))  # noqa: S608
        for name, kind, _, problem in found:
            if problem:
                raise InputError(f"{self.address}: {first_line(problem)}.")
            if (kind or "").partition("(")[0] not in KNOWN:
                raise InputError(
                    f"{self.address}: column {name!r} is of type {kind or 'of a program'}, which shoal does not read. "
                    "Leave it out, or convert it in a query, such as CAST(… AS nvarchar(100))."
                )
        return [Field(name, kind, collation) for name, kind, collation, _ in found]

    def _has(self, kind: str) -> bool:
        """Return whether the server has a declared type and its collation, which may come from another server."""
        if not DECLARATION.fullmatch(kind):
            return False
        _, _, collation = kind.partition(" COLLATE ")
        return not collation or self._value(f"SELECT COLLATIONPROPERTY({literal(collation)}, 'CodePage')") is not None

    def _names(self, table: Sequence[str]) -> tuple[str, str]:
        """Return the schema and the name of a table."""
        if len(table) == 2:
            return table[0], table[1]
        if not hasattr(self, "schema"):
            self.schema = str(self._value("SELECT SCHEMA_NAME()"))
        return self.schema, table[-1]

    def _place(self, table: Sequence[str]) -> str:
        return self.quoted(*self._names(table))

    def _value(self, query: str) -> Any:
        """Return the single value of a query; None if it has no rows."""
        found = self.rows(query)
        return found[0][0] if found else None

    def _lost(self, error: Exception) -> InputError:
        return InputError(f"{self.address}: the connection to the server was lost ({first_line(error)}).")


def _why(error: Exception) -> str:
    """Describe why there is no connection."""
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        detail = getattr(error, "verify_message", "") or "it is not one of a known authority"
        return (
            f"the server's certificate was not accepted: {first_line(detail)}. Name the file of its authority "
            "(?ca_file=authority.pem), or accept any certificate (?trust_server_certificate=yes)"
        )
    return first_line(getattr(error, "strerror", None) or error)


def _check_name(name: str, what: str) -> None:
    if len(name.encode("utf-16-le")) > 2 * MAX_NAME:
        raise InputError(
            f"{what} {name!r} is longer than the {MAX_NAME} characters of SQL Server: choose a shorter one."
        )
