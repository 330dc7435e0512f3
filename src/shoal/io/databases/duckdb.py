"""DuckDB through its own Arrow interface."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import InputError
from shoal.io.databases.address import Address, names_in
from shoal.io.databases.database import declared_as, first_line, no_such_type, quoted
from shoal.io.databases.files import FileDatabase
from shoal.system.optional_packages import extra

# Types that Arrow can represent; values of all others are read as text.
TYPES = re.compile(
    r"BOOLEAN|U?(TINY|SMALL|BIG)INT|U?INTEGER|HUGEINT|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|VARCHAR|BLOB|UUID|JSON|DATE|TIME"
    r"|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?|ENUM\(.*\)|.*\[\d*\]|(STRUCT|MAP)\(.*\)",
    re.DOTALL,
)
UNSUPPORTED = re.compile(r"\b(BIT|UHUGEINT|BIGNUM|TIME WITH TIME ZONE|UNION|VARIANT)\b")  # inside nested types
ORDINARY = re.compile(r"[A-Z_ ]+(\(\d+,\d+\))?(\[\d*\])*")  # a type without names or values of its own
PATTERNS = "*?[\\" if os.sep == "/" else "*?["
DAYS = (-719_162, 2_932_896)  # from the year 1 to the year 9999
MICROSECONDS = (-62_135_596_800_000_000, 253_402_300_799_999_999)


class DuckDB(FileDatabase):
    """A connection to a DuckDB file."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.duckdb = extra("duckdb", "databases", "DuckDB databases")
        self.errors = (self.duckdb.Error,)

    def connect(self, *, write: bool) -> None:
        """Open the file without access to others, which a query could name otherwise."""
        self.check_file(write=write)
        special = next((character for character in PATTERNS if character in str(self.path)), None)
        if special is not None:
            raise InputError(
                f"{self.address}: DuckDB takes {special} in a name for a pattern or a folder. Rename the file."
            )
        if self.path.exists():
            with self.path.open("rb") as file:
                if file.read(12)[8:] != b"DUCK":  # it would be opened in memory or with a fetched extension
                    raise InputError(f"{self.address}: {str(self.path)!r} is not a DuckDB database. Name another file.")
        alone = {} if write else {"enable_external_access": False}
        path = str(self.place.absolute())  # a relative path could name an extension, such as sqlite:x.db
        self.connection = self.duckdb.connect(path, read_only=not write, config=alone)
        self.run("SET python_enable_replacements = false")  # otherwise names could mean variables of the program
        self.run("SET TimeZone = 'UTC'")
        self.connection.begin()

    def find(self, table: Sequence[str]) -> str | None:
        """Identify a table or view; case does not matter."""
        schema = table[0] if len(table) == 2 else "main"
        rows = self.connection.execute(
            "SELECT 1 FROM information_schema.tables WHERE table_catalog = current_database() "
            "AND lower(table_schema) = lower(?) AND lower(table_name) = lower(?)",
            [schema, table[-1]],
        )
        return self._identity(schema, table[-1]) if rows.fetchall() else None

    def tables(self) -> list[str]:
        """List the tables and views."""
        rows = self.connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = current_database() "
            "ORDER BY 1, 2"
        ).fetchall()
        return [name if schema == "main" else f"{schema}.{name}" for schema, name in rows]

    def columns(self, query: str) -> list[str]:
        """Return the names of the columns."""
        return list(self._relation(query).columns)

    def read(self, query: str) -> pa.Table:
        """Read the values in their Arrow types; as text if Arrow or Python cannot hold them."""
        relation = self._relation(query)
        names, types = list(relation.columns), [str(kind) for kind in relation.types]
        if len(set(names)) < len(names):
            return pa.table([[]] * len(names), names=names)  # the caller reports the repeated column
        unsupported = {
            name
            for name, kind in zip(names, types, strict=True)
            if not TYPES.fullmatch(kind) or UNSUPPORTED.search(kind)
        }
        content = self._arrow(query, names, unsupported)
        endless = {name for name in names if _beyond_calendar(content[name])}
        if endless:
            content = self._arrow(query, names, unsupported | endless)
        fields = [
            declared_as(field.remove_metadata(), "duckdb", kind if ORDINARY.fullmatch(kind) else None)
            for field, kind in zip(content.schema, types, strict=True)
        ]
        return pa.table(content.columns, schema=pa.schema(fields))

    def seen(self, query: str) -> frozenset[str]:
        """Return the tables that the query and its views name."""
        parts = [names_in(name) for name in self.connection.get_table_names(query, qualified=True)]
        return frozenset(self._identity("main" if len(part) < 2 else part[-2], part[-1]) for part in parts)

    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table from an Arrow table."""
        for field in content.schema:
            if pa.types.is_duration(field.type):
                raise no_such_type(field, "DuckDB")
        kinds = {name: kind for name, kind in declared.items() if ORDINARY.fullmatch(kind)}
        view = "shoal_given_table"
        self.connection.register(view, content)
        self.run(f"CREATE TABLE {quoted(*table)} AS SELECT {_cast(content.column_names, kinds)} FROM {view}")  # noqa: S608
        self.connection.unregister(view)

    def interrupted(self, error: Exception) -> bool:
        """Return whether an error of DuckDB means Ctrl-C."""
        return isinstance(error, self.duckdb.InterruptException) or str(error) == "Query interrupted"

    def reason(self, error: Any) -> str:
        """Describe an error of DuckDB."""
        if isinstance(error, self.duckdb.PermissionException) or "install the required extension" in str(error):
            return "this reads more than the database, and shoal reads the database only. Load what it needs as a table"
        return re.sub(r"^[A-Z][\w ]*Error: ", "", first_line(error)).rstrip("!")

    def _identity(self, schema: str, table: str) -> str:
        return self.identity(quoted(schema, table))

    def _relation(self, query: str) -> Any:
        """Return the result of a query; raise InputError if it does anything but read."""
        kinds = [statement.type for statement in self.connection.extract_statements(query)]
        if kinds != [self.duckdb.StatementType.SELECT]:
            raise InputError(f"{self.address}: the query must be one SELECT, as shoal reads only.")
        return self.connection.sql(query)

    def _arrow(self, query: str, names: list[str], texts: set[str]) -> pa.Table:
        shown, inner = _cast(names, dict.fromkeys(texts, "VARCHAR")), query.strip().rstrip(";")
        return self.connection.sql(f"SELECT {shown} FROM (\n{inner}\n) AS given").to_arrow_table()  # noqa: S608


def _cast(names: list[str], kinds: Mapping[str, str]) -> str:
    """Select columns in SQL, some of them converted to another type."""
    return ", ".join(
        f"CAST({quoted(name)} AS {kinds[name]}) AS {quoted(name)}" if name in kinds else quoted(name) for name in names
    )


def _beyond_calendar(column: pa.ChunkedArray) -> bool:
    """Return whether a column holds days outside Python's calendar, such as infinity."""
    if pa.types.is_date32(column.type):
        numbers, (first, last) = column.cast(pa.int32()), DAYS
    elif pa.types.is_timestamp(column.type) and column.type.unit == "us":
        numbers, (first, last) = column.cast(pa.int64()), MICROSECONDS
    else:
        return False
    ends = pc.min_max(numbers).as_py()
    return ends["min"] is not None and (ends["min"] < first or ends["max"] > last)
