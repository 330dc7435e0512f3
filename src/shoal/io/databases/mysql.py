"""MySQL and MariaDB through PyMySQL; values are read and written in the server's own form.

A statement that creates or drops a table commits at once. So a table is written under a name of its own, verified, and
renamed by one statement, which also moves the table that it replaces out of the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import Any

import pyarrow as pa

from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.database import ALREADY_EXISTS, Database, check_finite, declared_as, first_line, sql_types
from shoal.io.databases.mysql_login import login
from shoal.io.databases.mysql_tables import Tables, is_one_of
from shoal.io.databases.mysql_values import FLOAT, Field, inserts, split, typed
from shoal.system.interrupts import held
from shoal.system.optional_packages import extra

NAMES = {
    **{f"int{bits}": name for bits, name in ((8, "tinyint"), (16, "smallint"), (32, "int"), (64, "bigint"))},
    **{f"uint{bits}": f"{name} unsigned" for bits, name in ((8, "tinyint"), (16, "smallint"), (32, "int"))},
    **dict.fromkeys(("halffloat", "float"), "float"),
    **dict.fromkeys(("timestamp", "timestamp with zone"), "datetime(6)"),
    **{name: name for name in ("double", "date")},
    "uint64": "bigint unsigned",
    "bool": "tinyint(1)",
    "time": "time(6)",
    "decimal": "decimal({},{})",
    "text": "longtext",
    "binary": "longblob",
}
# Declarations that another table may have: those without values of their own, and no geometries.
PLAIN_TYPE = re.compile(
    r"((tiny|small|medium|big)?int(\(\d+\))?|decimal\(\d+,\d+\)|(float|double)(\(\d+,\d+\))?)( unsigned)?( zerofill)?"
    r"|(bit|(var)?char|(var)?binary)\(\d+\)|(tiny|medium|long)?(text|blob)|date|year(\(4\))?"
    r"|(time|datetime|timestamp)(\(\d\))?|json|uuid|inet[46]"
)
NOT_EVERYWHERE = ("uuid", "inet4", "inet6")  # types of MariaDB
# The same for every statement: UTC, English messages, every row, and time to compute between two statements.
SETTINGS = """SET SESSION time_zone = '+00:00', lc_messages = 'en_US', sql_select_limit = 18446744073709551615,
wait_timeout = 28800, net_write_timeout = 3600, lock_wait_timeout = 60"""
READING = (
    "SET SESSION TRANSACTION READ ONLY",  # START TRANSACTION READ ONLY alone lets MariaDB drop tables
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
)
# Nothing is cut off or converted silently; dates such as 0000-00-00, if a column has them, are values like others.
WRITING = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION'"
PADDING = "PAD_CHAR_TO_FULL_LENGTH"  # the mode in which a CHAR is read with blanks that nobody wrote
SERVER = (
    "SHOW VARIABLES WHERE Variable_name IN ('server_uuid', 'server_uid', 'hostname', 'port', 'datadir', "
    "'group_replication_group_name', 'lower_case_table_names', 'max_allowed_packet', 'sql_mode')"
)
CLUSTER = "SHOW STATUS LIKE 'wsrep_cluster_state_uuid'"  # of Galera
COLUMNS = """SELECT column_name, column_type, character_set_name, collation_name FROM information_schema.COLUMNS
WHERE table_schema = %s AND table_name = %s"""
NO_SUCH_TABLE, TABLE_EXISTS, REPEATED_NAME, LOST = 1146, 1050, 1060, (0, 2006, 2013)
OWN_NAME = re.compile(r"shoal_(unfinished|replaced)_[0-9a-f]{16}")
MAX_NAME = 64  # characters
CHUNK_ROWS, CHUNK_BYTES = 1 << 16, 1 << 26  # read together
STATEMENT_BYTES = 1 << 20  # sent together


class MySQL(Database):
    """A connection to a MySQL or MariaDB server."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.pymysql = extra("pymysql", "databases", "MySQL and MariaDB databases")
        self.errors = (self.pymysql.Error,)
        self.login = login(address)
        self.token = token_hex(8)  # in the names of this run
        self.has_unfinished = self.replaces = False
        self.idle = True  # no statement was interrupted
        for name in address.table:
            _check_name(name, f"{address}: the name")

    def connect(self, *, write: bool) -> None:
        """Connect to the server and set the form of values."""
        self.connection = self._connected()
        self.run(SETTINGS)
        self.server: dict[str, str] = dict(self._rows(SERVER))
        cluster = self._rows(CLUSTER)
        self.server |= {name: value for name, value in cluster if value.strip("0-")}
        place = self.login.get("unix_socket") or f"{self.login['host']}:{self.login['port']}"
        self.known = Tables(self._rows, self.server, place)
        modes = ",".join(mode for mode in self.server["sql_mode"].split(",") if mode != PADDING)
        for statement in (WRITING,) if write else (f"SET SESSION sql_mode = '{modes}'", *READING):
            self.run(statement)

    def find(self, table: Sequence[str]) -> str | None:
        """Identify a table or view by its server, its database and its name there."""
        found = self.known.find(self._database(table), table[-1])
        return None if found is None else self.known.identity(*found[:2])

    def is_input(self, table: str | None, inputs: frozenset[str]) -> bool:
        """Return whether a table is an input, under this address or another one."""
        return table is not None and is_one_of(table, inputs)

    def check_output(self, table: Sequence[str]) -> None:
        """Raise InputError for a view, for a table that others refer to, and without the rights to write one."""
        database = self._database(table)
        if not self._rows("SELECT 1 FROM information_schema.SCHEMATA WHERE schema_name = %s", database):
            raise InputError(f"{self.address}: there is no database {database!r}. Name another one.")
        found = self.known.find(database, table[-1])
        if found is not None and found[2] not in ("BASE TABLE", "SYSTEM VERSIONED"):
            raise InputError(f"{self.address}: this is no table but a {found[2].lower()}. Choose another name.")
        referring = self.known.referring(*found[:2]) if found else None
        if referring:
            raise InputError(
                f"{self.address}: foreign keys of {'.'.join(referring)!r} refer to this table, so it is not replaced. "
                "Choose another table."
            )
        names = [self.quoted(database, self._own_name(what)) for what in ("unfinished", "replaced")]
        for statement in (f"SELECT 1 FROM {names[0]}", f"RENAME TABLE {names[0]} TO {names[1]}"):  # noqa: S608
            try:
                self.run(statement)
            except self.pymysql.Error as error:
                if error.args[0] != NO_SUCH_TABLE:  # rights are checked before the table is sought
                    raise

    def check_rights(self, table: Sequence[str]) -> None:
        """Do nothing, as `check_output` has asked for the rights: a table that is made here could not be undone."""

    def tables(self) -> list[str]:
        """List the tables and views that are not the server's own."""
        own = self.login["database"]
        return [name if schema == own else f"{schema}.{name}" for schema, name, _ in self.known.all()]

    def columns(self, query: str) -> list[str]:
        """Return the names of the columns."""
        return [field.name for field in self._described(query)]

    def read(self, query: str) -> pa.Table:
        """Read every value as the server writes it and convert columns to Arrow types that can hold all their values.

        Six digits are all that the server writes of a FLOAT, so it is asked for a DOUBLE in its place.
        """
        described, inner = self._described(query), _inner(query)
        names = [field.name for field in described]
        if len(set(names)) < len(names):
            return pa.table([[]] * len(names), names=names)  # the caller reports the repeated column
        has_floats = any(field.code == FLOAT for field in described)
        if has_floats:
            shown = ", ".join(
                f"{self.quoted(field.name)} * 1e0 AS {self.quoted(field.name)}"
                if field.code == FLOAT
                else self.quoted(field.name)
                for field in described
            )
            inner = f"SELECT {shown} FROM (\n{inner}\n) AS given"  # noqa: S608  the caller's own query
        fields, columns = self._read(inner)
        fields = described if has_floats else fields
        try:
            columns = [typed(column, field) for column, field in zip(columns, fields, strict=True)]
        except pa.ArrowInvalid as error:
            raise InputError(f"{self.address}: the values cannot be read as text ({first_line(error)}).") from error
        declared = self._declared(fields)
        return pa.table(
            columns,
            schema=pa.schema(
                declared_as(pa.field(name, column.type), "mysql", declared.get(field.origin))
                for name, column, field in zip(names, columns, fields, strict=True)
            ),
        )

    def seen(self, query: str) -> frozenset[str]:
        """Return the tables and views that a query names, and those behind the views."""
        return self.known.named_in(query, self.login["database"])

    @property
    def unfinished(self) -> Sequence[str]:
        """The name of the table that is being written, until it is committed."""
        return self._database(self.address.table), self._own_name("unfinished")

    def drop(self, table: Sequence[str]) -> None:
        """Note that the table is replaced when another takes its name."""
        self.replaces = True

    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table under a name of its own; declared types that the server lacks are replaced by others."""
        for name in content.column_names:
            _check_name(name, "Column")
            check_finite(self.address, name, content[name], "MySQL")
        types = sql_types(content, NAMES, {name: kind for name, kind in declared.items() if self._has(kind)}, "MySQL")
        self._remove_left_over(self._database(table))
        self._rows("SELECT GET_LOCK(%s, 0)", _lock(self._own_name("unfinished")))  # held until the connection ends
        self.has_unfinished = True
        lines = ", ".join(f"{self.quoted(name)} {kind} NULL" for name, kind in types.items())
        place = self.quoted(*self.unfinished)
        self.run(f"CREATE TABLE {place} ({lines}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin")
        packet = int(self.server["max_allowed_packet"])
        for batch in content.to_batches(max_chunksize=CHUNK_ROWS):
            head = f"INSERT INTO {place} VALUES ".encode()  # noqa: S608  the name is quoted
            for statement in inserts(batch, head, min(STATEMENT_BYTES, packet - 1)):
                if len(statement) >= packet:
                    raise InputError(
                        f"{self.address}: a row of {len(statement):,} bytes is more than the server takes at once. Set "
                        f"its max_allowed_packet, which is {packet:,}, higher."
                    )
                self.run(statement)

    def run(self, statement: str | bytes) -> None:
        """Run a statement that returns nothing."""
        with self._cursor() as cursor:
            cursor.execute(statement)

    def commit(self) -> None:
        """Commit the rows and give the table its name; drop the one that it replaces."""
        schema = self._database(self.address.table)
        table, unfinished, old = (
            self.quoted(schema, name)
            for name in (self.address.table[-1], self._own_name("unfinished"), self._own_name("replaced"))
        )
        if self.replaces:
            self.run(f"RENAME TABLE {table} TO {old}, {unfinished} TO {table}")
            try:
                self.run(f"DROP TABLE {old}")
            except self.pymysql.Error:
                self.run(f"RENAME TABLE {table} TO {unfinished}, {old} TO {table}")
                raise
        else:
            self.run(f"RENAME TABLE {unfinished} TO {table}")
        self.has_unfinished = False

    def close(self) -> None:
        """Drop a table that is unfinished, then close the connection."""
        try:
            if self.has_unfinished:
                with held():
                    self._abandon()
        finally:
            super().close()

    def reason(self, error: Any) -> str:
        """Describe an error of the server, or why it cannot be reached."""
        number, message = error.args if len(error.args) == 2 else (None, error)
        if number == TABLE_EXISTS:  # another run has created it meanwhile
            return ALREADY_EXISTS
        if number in LOST:
            return "the connection to the server was lost"
        return first_line(message)

    @staticmethod
    def quoted(*names: str) -> str:
        """Quote names for MySQL, whatever characters they hold."""
        return ".".join("`" + name.replace("`", "``") + "`" for name in names)

    def _connected(self) -> Any:
        """Connect; raise InputError if PyMySQL needs another package for the account's way to log in."""
        try:
            return self.pymysql.connect(**self.login)
        except RuntimeError as error:
            raise InputError(f"{self.address}: {first_line(error)}. Install it, or connect with TLS.") from error

    def _own_name(self, what: str) -> str:
        return f"shoal_{what}_{self.token}"

    def _abandon(self) -> None:
        """Drop what this run has made; through a new connection if this one is lost or in the middle of a statement.

        The next run drops what cannot be dropped now.
        """
        schema = self._database(self.address.table)
        names = ", ".join(self.quoted(schema, self._own_name(what)) for what in ("unfinished", "replaced"))
        number = self.connection.thread_id()
        with suppress(self.pymysql.Error):
            if not (self.idle and self.connection.open):
                super().close()
                self.connection = self._connected()
                self.run("SET SESSION lock_wait_timeout = 300")  # while the server takes back the rows
                with suppress(self.pymysql.Error):  # it has ended
                    self.run(f"KILL {number}")
            self.run(f"DROP TABLE IF EXISTS {names}")
        self.has_unfinished = False

    def _rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with self._cursor() as cursor:
            cursor.execute(query, parameters or None)
            return list(cursor.fetchall())

    @contextmanager
    def _cursor(self, kind: Any = None) -> Iterator[Any]:
        """Yield a cursor, and note whether its statement came to its end."""
        self.idle = False
        with self.connection.cursor(kind) as cursor:
            yield cursor
        self.idle = True

    def _read(self, query: str) -> tuple[list[Field], list[pa.ChunkedArray]]:
        """Run a query; return its columns as bytes. The driver would make Python objects of every value."""
        with self._cursor(self.pymysql.cursors.SSCursor) as cursor:
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

    def _described(self, query: str) -> list[Field]:
        """Return the columns of a query without its rows; raise an error of the server if it is not one SELECT.

        In parentheses the server takes nothing but a SELECT, and the driver asks for one statement at a time.
        """
        alone = bool(self.address.table)  # a statement of shoal's own
        inner = _inner(query)
        with self._cursor() as cursor:
            try:
                cursor.execute(f"{inner} LIMIT 0" if alone else f"SELECT * FROM (\n{inner}\n) AS given LIMIT 0")  # noqa: S608
            except self.pymysql.Error as error:
                if error.args[0] != REPEATED_NAME:
                    raise
                name = re.search("'(.*)'", str(error.args[1]), re.DOTALL)
                return [Field(name[1] if name else "", FLOAT, 0, 0, 0, False, ("", "", ""))] * 2
            return list(map(Field.of, cursor._result.fields))

    def _declared(self, fields: Sequence[Field]) -> dict[tuple[str, str, str], str]:
        """Return the declared types of columns by their origin; none of those that list their values."""
        declared = {}
        for schema, table in dict.fromkeys(field.origin[:2] for field in fields if field.origin[1]):
            for name, kind, characters, collation in self._rows(COLUMNS, schema, table):
                if PLAIN_TYPE.fullmatch(kind):
                    how = f" CHARACTER SET {characters} COLLATE {collation}" if characters else ""
                    declared[schema, table, name] = kind + how
        return declared

    def _has(self, kind: str) -> bool:
        """Return whether the server has a declared type and its collation, which may come from another server."""
        words = kind.split()
        test = "SELECT 1"
        if "COLLATE" in words:
            test = f"SELECT CONVERT('' USING {words[-3]}) COLLATE {words[-1]}"
        elif kind in NOT_EVERYWHERE:
            test = f"SELECT CAST(NULL AS {kind})"
        try:
            self.run(test)
        except self.pymysql.Error:
            return False
        return True

    def _database(self, table: Sequence[str]) -> str:
        """Return the database of a table; raise InputError if none is named."""
        schema = table[0] if len(table) == 2 else self.login["database"]
        if not schema:
            raise InputError(f"{self.address}: name the database, as in mysql://user@host/database#table.")
        return str(schema)

    def _remove_left_over(self, schema: str) -> None:
        """Drop what runs that were killed have left; a run that goes on holds its lock."""
        if "wsrep_cluster_state_uuid" in self.server:  # locks hold on one server only
            return
        names = self._rows("SELECT table_name FROM information_schema.TABLES WHERE table_schema = %s", schema)
        for name in (name for (name,) in names if OWN_NAME.fullmatch(name)):
            with suppress(self.pymysql.Error):  # it harms nobody
                if self._rows("SELECT IS_FREE_LOCK(%s)", _lock(name)) == [(1,)]:
                    self.run(f"DROP TABLE IF EXISTS {self.quoted(schema, name)}")


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


def _lock(name: str) -> str:
    """Return the lock of a table that shoal is writing or replacing."""
    return f"shoal_{name.rpartition('_')[2]}"


def _check_name(name: str, what: str) -> None:
    if len(name) > MAX_NAME:
        raise InputError(f"{what} {name!r} is longer than the {MAX_NAME} characters of MySQL: choose a shorter one.")
    strange = next((character for character in name if ord(character) > 0xFFFF), None)
    if strange is not None:
        raise InputError(f"{what} {name!r} has {strange!r}, which no name in MySQL can hold: choose another one.")
