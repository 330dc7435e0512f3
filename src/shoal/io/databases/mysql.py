"""MySQL and MariaDB through PyMySQL; values are read and written in the server's own form.

mysql_login.py says how the server is reached, mysql_session.py holds the connection, mysql_tables.py tells the tables
of a server apart, mysql_reading.py and mysql_values.py convert values, and mysql_swap.py puts a table in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.database import ALREADY_EXISTS, Database, check_finite, first_line, sql_types
from shoal.io.databases.mysql_login import login
from shoal.io.databases.mysql_reading import columns, read
from shoal.io.databases.mysql_session import Session
from shoal.io.databases.mysql_swap import Swap, quoted
from shoal.io.databases.mysql_tables import SYSTEM, Tables, hides_one, is_one_of
from shoal.io.databases.mysql_values import inserts
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
NOT_EVERYWHERE = ("uuid", "inet4", "inet6")  # types of MariaDB
READING = (
    "SET SESSION TRANSACTION READ ONLY",  # START TRANSACTION READ ONLY alone lets MariaDB drop tables
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
)
# Nothing is cut off or converted silently; dates such as 0000-00-00, if a column has them, are values like others.
WRITING = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION'"
PADDING = "PAD_CHAR_TO_FULL_LENGTH"  # the mode in which a CHAR is read with blanks that nobody wrote
SERVER = (
    "SHOW VARIABLES WHERE Variable_name IN ('server_uuid', 'hostname', 'port', 'datadir', "
    "'group_replication_group_name', 'lower_case_table_names', 'max_allowed_packet', 'sql_mode')"
)
NO_SUCH_TABLE, TABLE_EXISTS, IN_USE, TOO_WIDE = 1146, 1050, 1205, 1118
MAX_NAME = 64  # characters
CHUNK_ROWS = 1 << 16  # converted together
STATEMENT_BYTES = 1 << 20  # sent together


class MySQL(Database):
    """A connection to a MySQL or MariaDB server."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.session = Session(extra("pymysql", "databases", "MySQL and MariaDB databases"), address, login(address))
        self.errors = self.session.errors
        for name in address.table:
            _check_name(name, f"{address}: the name")

    def connect(self, *, write: bool) -> None:
        """Connect to the server and set how values are converted."""
        self.session.connect()
        self.server: dict[str, str] = dict(self.session.rows(SERVER))
        self.known = Tables(self.session, self.server)
        modes = ",".join(mode for mode in self.server["sql_mode"].split(",") if mode != PADDING)
        for statement in (WRITING,) if write else (f"SET SESSION sql_mode = '{modes}'", *READING):
            self.run(statement)

    def find(self, table: Sequence[str]) -> str | None:
        """Identify a table or view by its server, its database and its name there."""
        found = self.known.find(self._database(table), table[-1])
        return None if found is None else self.known.identity(*found[:2])

    def is_input(self, table: str | None, inputs: frozenset[str]) -> bool:
        """Return whether a table is an input, under this address or another one; raise InputError if it may be."""
        if table is None or is_one_of(table, inputs):
            return table is not None
        if hides_one(table, inputs):
            raise InputError(
                f"{self.address}: a view or function that was read hides from you what it reads, and it may be this "
                "table. Choose the name of a new table, or ask for the right to see the definition (SHOW VIEW)."
            )
        return False

    def check_output(self, table: Sequence[str]) -> None:
        """Raise InputError for a view, for a table that others refer to, and without the rights to write one."""
        database = self._database(table)
        if database.lower() in SYSTEM:
            raise InputError(f"{self.address}: {database!r} is the server's own database. Name another one.")
        if not self.session.rows("SELECT 1 FROM information_schema.SCHEMATA WHERE schema_name = %s", database):
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
        for statement in self.swap.rights:
            try:
                self.run(statement)
            except self.errors as error:
                if error.args[0] != NO_SUCH_TABLE:
                    raise

    def check_rights(self, table: Sequence[str]) -> None:
        """Do nothing, as `check_output` has asked for the rights: a table that is made here could not be undone."""

    def tables(self) -> list[str]:
        """List the tables and views that are not the server's own."""
        own = self.session.login["database"]
        return [name if schema == own else f"{schema}.{name}" for schema, name, _ in self.known.all()]

    def columns(self, query: str) -> list[str]:
        """Return the names of the columns."""
        return [field.name for field in columns(self.session, query, own=bool(self.address.table))]

    def read(self, query: str) -> pa.Table:
        """Read every value as the server writes it."""
        return read(self.session, query, own=bool(self.address.table))

    def seen(self, query: str) -> frozenset[str]:
        """Return the tables and views that a query names, and those behind views and functions."""
        return self.known.named_in(query, self.session.login["database"])

    @cached_property
    def swap(self) -> Swap:
        """The table that is written, until it is in its place."""
        return Swap(self.session, self._database(self.address.table), self.address.table[-1])

    @property
    def unfinished(self) -> Sequence[str]:
        """The name of the table that is being written, until it is committed."""
        return self.swap.unfinished

    def drop(self, table: Sequence[str]) -> None:
        """Note that the table is replaced when another takes its name."""
        self.swap.replaces = True

    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table under a name of its own; declared types that the server lacks are replaced by others."""
        for name in content.column_names:
            _check_name(name, "Column")
            check_finite(self.address, name, content[name], "MySQL")
        types = sql_types(content, NAMES, {name: kind for name, kind in declared.items() if self._has(kind)}, "MySQL")
        self.swap.begin()
        lines = ", ".join(f"{quoted(name)} {kind} NULL" for name, kind in types.items())
        place = quoted(*self.unfinished)
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
        self.session.run(statement)

    def commit(self) -> None:
        """Commit the rows and give the table its name; drop the one that it replaces."""
        self.swap.finish()

    def close(self) -> None:
        """Drop a table that is unfinished, then close the connection."""
        try:
            if "swap" in self.__dict__:
                with held():
                    self.swap.abandon()
        finally:
            self.session.close()

    def reason(self, error: Any) -> str:
        """Describe an error of the server, or why it cannot be reached."""
        number, message = error.args if len(error.args) == 2 else (None, error)
        if number == TABLE_EXISTS:  # another run has created it meanwhile
            return ALREADY_EXISTS
        if number == IN_USE:
            return "others have been using the table for a minute, so it was left as it is. Run again later"
        if number == TOO_WIDE:
            return "a table of InnoDB cannot hold so many columns of text. Leave some out, or write a Parquet file"
        if self.session.was_lost(error):
            return "the connection to the server was lost"
        return first_line(message)

    @staticmethod
    def quoted(*names: str) -> str:
        """Quote names for MySQL, whatever characters they hold."""
        return quoted(*names)

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
        except self.errors:
            return False
        return True

    def _database(self, table: Sequence[str]) -> str:
        """Return the database of a table; raise InputError if none is named."""
        schema = table[0] if len(table) == 2 else self.session.login["database"]
        if not schema:
            raise InputError(f"{self.address}: name the database, as in mysql://user@host/database#table.")
        return str(schema)


def _check_name(name: str, what: str) -> None:
    if len(name) > MAX_NAME:
        raise InputError(f"{what} {name!r} is longer than the {MAX_NAME} characters of MySQL: choose a shorter one.")
    strange = next((character for character in name if ord(character) > 0xFFFF), None)
    if strange is not None:
        raise InputError(f"{what} {name!r} has {strange!r}, which no name in MySQL can hold: choose another one.")
    if name.endswith(" "):
        raise InputError(f"{what} {name!r} ends with a blank, which no name in MySQL does: choose another one.")
