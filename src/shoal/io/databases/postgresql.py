"""PostgreSQL through psycopg and COPY, so that values of every type are read and written in the server's own form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.database import ALREADY_EXISTS, Database, declared_as, first_line, quoted, sql_types
from shoal.system.optional_packages import extra

# Types in pg_catalog with an Arrow equivalent; values of all others stay text.
TYPES = {
    "bool": pa.bool_(),
    "int2": pa.int16(),
    "int4": pa.int32(),
    "int8": pa.int64(),
    "float4": pa.float32(),
    "float8": pa.float64(),
    "date": pa.date32(),
    "time": pa.time64("us"),
    "timestamp": pa.timestamp("us"),
    "timestamptz": pa.timestamp("us", "UTC"),
}
NAMES = {
    **dict.fromkeys(("int8", "int16", "uint8"), "smallint"),
    **dict.fromkeys(("int32", "uint16"), "integer"),
    **dict.fromkeys(("int64", "uint32"), "bigint"),
    **dict.fromkeys(("halffloat", "float"), "real"),
    **{name: name for name in ("text", "date", "time", "timestamp")},
    "uint64": "numeric(20,0)",
    "double": "double precision",
    "bool": "boolean",
    "timestamp with zone": "timestamptz",
    "decimal": "numeric({},{})",
    "binary": "bytea",
}
# Values in one form, whatever the server's settings; scans begin at the first row, so that rows keep their order.
SETTINGS = """SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex';
SET extra_float_digits = 1; SET client_encoding = 'UTF8'; SET synchronize_seqscans = off"""
TYPE_NAMES = """
SELECT pg_catalog.format_type(t.oid, c.mod), t.typname, n.nspname, 'e' IN (t.typtype, e.typtype)
FROM unnest(%s::oid[], %s::int[]) WITH ORDINALITY AS c(oid, mod, at)
JOIN pg_catalog.pg_type t USING (oid) JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem ORDER BY c.at"""
DATABASE = "SELECT system_identifier, d.oid FROM pg_control_system(), pg_database d WHERE datname = current_database()"
FAMILY = """SELECT min(c.relname) FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.{}
WHERE i.{} = %s"""
MAX_NAME_BYTES = 63  # the server would silently cut off the rest of a longer name
BLOCK_BYTES = 1 << 24  # parsed together
CHUNK_ROWS = 1 << 16  # sent together


class PostgreSQL(Database):
    """A connection to a PostgreSQL server."""

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.psycopg = extra("psycopg", "databases", "PostgreSQL databases")
        self.errors = (self.psycopg.Error,)
        valid = {option.keyword.decode() for option in self.psycopg.pq.Conninfo.get_defaults()}
        if not address.options.keys() <= valid:
            raise InputError(
                f"{address}: an option after ? is not one of PostgreSQL's; it is not shown. "
                "Leave it out, or check its spelling."
            )
        for name in address.table:
            _check_name(name, f"{address}: the name")

    def connect(self, *, write: bool) -> None:
        """Connect to the server and set the form of values."""
        self.connection = self.psycopg.connect(**self.address.options)
        self.connection.read_only = not write
        self.connection.execute(SETTINGS)
        self.database = ":".join(map(str, self.connection.execute(DATABASE).fetchone()))

    def find(self, table: Sequence[str]) -> str | None:
        """Identify the table, view or other relation of a name by its number."""
        oid = self._oid(table)
        return None if oid is None else self._identity(oid)

    def check_output(self, table: Sequence[str]) -> None:
        """Raise InputError for a temporary table, a table with partitions or children, and for one of these."""
        schema = table[0] if len(table) == 2 else self._value("SELECT pg_catalog.current_schema()")
        if str(schema).startswith("pg_temp"):
            raise InputError(
                f"{self.address}: a table in {schema} is lost when the connection ends. Name another schema, such as "
                f"#public.{table[-1]}."
            )
        oid = self._oid(table)
        child = self._value(FAMILY.format("inhrelid", "inhparent"), oid)
        parent = self._value(FAMILY.format("inhparent", "inhrelid"), oid)
        if child or parent:
            relation = f"has {child!r} as a partition or child" if child else f"is a partition or child of {parent!r}"
            raise InputError(f"{self.address}: this table {relation}, so it is not replaced. Choose another table.")

    def tables(self) -> list[str]:
        """List the tables and views that are not the server's own."""
        rows = self.connection.execute(
            "SELECT n.nspname, c.relname, pg_catalog.pg_table_is_visible(c.oid) FROM pg_catalog.pg_class c "
            "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = ANY('{r,p,v,m,f}') "
            "AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"
        ).fetchall()
        return [name if visible else f"{schema}.{name}" for schema, name, visible in rows]

    def columns(self, query: str) -> list[str]:
        """Return the names of the columns."""
        return [name for name, *_ in self._described(query)]

    def read(self, query: str) -> pa.Table:
        """Read every value as text and convert columns to Arrow types that can hold all their values."""
        described = self._described(query)
        if not described:
            return pa.table({})
        texts = self._texts(_inner(query), len(described))
        columns, fields = [], []
        for column, (name, declaration, kind) in zip(texts.columns, described, strict=True):
            columns.append(_typed(column, kind, declaration))
            fields.append(declared_as(pa.field(name, columns[-1].type), "postgresql", declaration))
        return pa.table(columns, schema=pa.schema(fields))

    def seen(self, query: str) -> frozenset[str]:
        """Return the tables and views that the transaction has locked, which are those that it has read."""
        rows = self.connection.execute(
            "SELECT relation FROM pg_catalog.pg_locks WHERE locktype = 'relation' AND pid = pg_backend_pid()"
        ).fetchall()
        return frozenset(self._identity(row[0]) for row in rows)

    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table with COPY; declared types that the server lacks are replaced by those of the Arrow columns."""
        for name in content.column_names:
            _check_name(name, "Column")
        exists = "SELECT pg_catalog.to_regtype(%s) IS NOT NULL"
        available = {name: kind for name, kind in declared.items() if self._value(exists, kind)}
        types = sql_types(content, NAMES, available, "PostgreSQL")
        lines = ", ".join(f"{quoted(name)} {kind}" for name, kind in types.items())
        self.run(f"CREATE TABLE {quoted(*table)} ({lines})")
        with self.connection.cursor().copy(f"COPY {quoted(*table)} FROM STDIN (FORMAT csv)") as copy:
            for start in range(0, content.num_rows, CHUNK_ROWS):
                copy.write(_csv(content.slice(start, CHUNK_ROWS)))

    def reason(self, error: Any) -> str:
        """Describe an error of the server, or why it cannot be reached."""
        if error.sqlstate in ("23505", "42P07"):  # another run has created it meanwhile
            return ALREADY_EXISTS
        # A failed connection has no diagnostics, only a text.
        message = error.diag.message_primary or str(error).partition("FATAL:")[2] or error
        hint = error.diag.message_hint if error.sqlstate == "2BP01" else None  # other things depend on the table
        return first_line(message) + (f"; {first_line(hint)}" if hint else "")

    def _identity(self, oid: int) -> str:
        return f"postgresql:{self.database}:{oid}"

    def _oid(self, table: Sequence[str]) -> int | None:
        place = "n.nspname = %s" if len(table) == 2 else "pg_catalog.pg_table_is_visible(c.oid)"
        oid: int | None = self._value(
            f"SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "  # noqa: S608
            f"WHERE {place} AND c.relname = %s",
            *table,
        )
        return oid

    def _value(self, query: str, *parameters: Any) -> Any:
        """Return the single value of a query; None if it has no rows."""
        row = self.connection.execute(query, parameters).fetchone()
        return row[0] if row else None

    def _described(self, query: str) -> list[tuple[str, str | None, str]]:
        """Return the name, the declared type and the plain type of each column.

        A prepared query must be one statement, so that it cannot end the transaction and begin another. Types that list
        their values are not passed on, as a list may hold values that no released row has.
        """
        cursor = self.connection.execute(f"{_inner(query)} LIMIT 0", prepare=True)
        result = cursor.pgresult
        numbers = range(result.nfields)
        kinds = self.connection.execute(
            TYPE_NAMES, ([result.ftype(number) for number in numbers], [result.fmod(number) for number in numbers])
        ).fetchall()
        names = [column.name for column in cursor.description or ()]
        return [
            (name, None if lists else declaration, kind if schema == "pg_catalog" else "")
            for name, (declaration, kind, schema, lists) in zip(names, kinds, strict=True)
        ]

    def _texts(self, query: str, width: int) -> pa.Table:
        names = [str(number) for number in range(width)]
        parts, rows = [pa.table({name: pa.array([], pa.string()) for name in names})], BytesIO()
        with self.connection.cursor().copy(f"COPY ({query}) TO STDOUT (FORMAT csv)") as copy:
            for row in copy:
                if rows.write(row) and rows.tell() >= BLOCK_BYTES:
                    parts.append(self._parsed(rows.getvalue(), names))
                    rows = BytesIO()
        parts += [self._parsed(rows.getvalue(), names)] if rows.tell() else []
        return pa.concat_tables(parts)

    def _parsed(self, rows: bytes, names: list[str]) -> pa.Table:
        """Parse complete rows as one block, as Arrow loses line feeds within quotes at the ends of its blocks."""
        try:
            return pyarrow.csv.read_csv(
                pa.BufferReader(rows),
                read_options=pyarrow.csv.ReadOptions(column_names=names, block_size=len(rows) + 1),
                parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
        except pa.ArrowInvalid as error:
            raise InputError(f"{self.address}: the values cannot be read as text ({first_line(error)}).") from error


def _inner(query: str) -> str:
    return f"SELECT * FROM (\n{query.strip().rstrip(';')}\n) AS given"  # noqa: S608  the caller's own query


def _check_name(name: str, what: str) -> None:
    if len(name.encode()) > MAX_NAME_BYTES:
        raise InputError(
            f"{what} {name!r} is longer than the {MAX_NAME_BYTES} bytes of PostgreSQL: choose a shorter one."
        )


def _typed(column: pa.ChunkedArray, kind: str, declaration: str | None) -> pa.ChunkedArray:
    """Convert a column to its Arrow type; leave it as text if Arrow cannot hold a value, such as the date infinity."""
    if kind == "bpchar":
        return pc.utf8_rtrim(column, " ")  # blanks only pad to the width
    if kind == "bool":
        return pc.equal(column, "t")
    if kind == "bytea":
        values = [None if value is None else bytes.fromhex(value[2:]) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(values, pa.large_binary())])
    wanted = _decimal(column, declaration) if kind == "numeric" else TYPES.get(kind)
    try:
        if kind == "time":  # Arrow parses a time only with its day
            return pc.binary_join_element_wise("1970-01-01", column, " ").cast(pa.timestamp("us")).cast(wanted)
        return column.cast(wanted) if wanted is not None else column
    except pa.ArrowInvalid:
        return column


def _decimal(column: pa.ChunkedArray, declaration: str | None) -> pa.DataType | None:
    """Return the declared decimal type, or one with enough digits for the values."""
    sizes = (declaration or "").partition("(")[2].rstrip(")").split(",")
    if sizes != [""] and int(sizes[0]) <= 38 and 0 <= int(sizes[1]) <= int(sizes[0]):
        return pa.decimal128(int(sizes[0]), int(sizes[1]))
    if len(column) == column.null_count:
        return None
    digits = pc.split_pattern(column, ".", max_splits=1)
    after = pc.max(pc.subtract(pc.utf8_length(column), pc.utf8_length(pc.list_element(digits, 0)))).as_py()
    scale = max(after - 1, 0)
    return pa.decimal128(38, scale) if scale <= 38 else None


def _csv(content: pa.Table) -> pa.Buffer:
    """Write rows for COPY, every value in quotes, so that an empty text is not taken as missing."""
    sink = pa.BufferOutputStream()
    texts = pa.table([_text(column) for column in content.columns], names=content.column_names)
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="all_valid")
    pyarrow.csv.write_csv(texts, sink, options)
    return sink.getvalue()


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return pa.chunked_array(
            [pa.array([None if value is None else f"\\x{value.hex()}" for value in column.to_pylist()], pa.string())]
        )
    return column.cast(pa.large_string())
