"""Database: one connection with one transaction to any database, and how columns are declared in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import InputError
from shoal.io.databases.address import Address

ALREADY_EXISTS = "this table already exists. Choose another one, or say --replace (replace=True)"
GROUPS = {
    "text": (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null),
    "binary": (pa.types.is_binary, pa.types.is_large_binary),
    "date": (pa.types.is_date,),
    "time": (pa.types.is_time,),
    "decimal": (pa.types.is_decimal,),
}


class Database(ABC):
    """A connection to the database of an address; closing it rolls back what was not committed."""

    errors: tuple[type[Exception], ...]  # of the driver

    def __init__(self, address: Address) -> None:
        self.address = address
        self.connection: Any = None

    @abstractmethod
    def connect(self, *, write: bool) -> None:
        """Open the database and begin the transaction."""

    @abstractmethod
    def find(self, table: Sequence[str]) -> str | None:
        """Return a name that identifies a table among all databases; None if the table does not exist."""

    @abstractmethod
    def tables(self) -> list[str]:
        """List the names of the tables, for a hint."""

    @abstractmethod
    def columns(self, query: str) -> list[str]:
        """Return the names of the columns of a query."""

    @abstractmethod
    def read(self, query: str) -> pa.Table:
        """Run a query; each field keeps its declaration in the database, if another table may use it."""

    @abstractmethod
    def seen(self, query: str) -> frozenset[str]:
        """Return the tables that a query has read, as `find` names them."""

    @abstractmethod
    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Create a table and fill it."""

    @staticmethod
    def quoted(*names: str) -> str:
        """Quote names for SQL, whatever characters they hold."""
        return quoted(*names)

    @property
    def unfinished(self) -> Sequence[str]:
        """The name of the table that is being written, until it is committed."""
        return self.address.table

    def is_input(self, table: str | None, inputs: frozenset[str]) -> bool:
        """Return whether a table, as `find` names it, is one of the inputs."""
        return table in inputs

    def drop(self, table: Sequence[str]) -> None:
        """Drop a table that is to be replaced."""
        self.run(f"DROP TABLE {self.quoted(*table)}")

    def check_rights(self, table: Sequence[str]) -> None:
        """Raise an error of the driver if the table could not be created."""
        self.run(f"CREATE TABLE {self.quoted(*table)} (shoal integer)")  # rolled back, so nobody sees it

    def check_output(self, table: Sequence[str]) -> None:  # noqa: B027  most databases need no check of their own
        """Raise InputError for a table that would be lost with the connection, or that cannot be replaced alone."""

    def run(self, statement: str) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(statement)

    def commit(self) -> None:
        """Commit the transaction."""
        self.connection.commit()

    def close(self) -> None:
        """Close the connection."""
        if self.connection is not None:
            self.connection.close()

    def interrupted(self, error: Exception) -> bool:
        """Return whether an error of the driver means Ctrl-C."""
        return False

    @abstractmethod
    def reason(self, error: Any) -> str:
        """Describe an error of the driver in one line."""


def quoted(*names: str) -> str:
    """Quote names for SQL, whatever characters they hold."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def first_line(error: object) -> str:
    """Return the first line of an error without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(error).__name__


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


def check_finite(address: Address, name: str, column: pa.ChunkedArray, what: str, *, infinity: bool = False) -> None:
    """Raise InputError if a column holds NaN, which a database does not have; infinity, too, unless it has that."""
    if not pa.types.is_floating(column.type):
        return
    for value, holds in (("NaN", pc.is_nan), *(() if infinity else (("infinity", pc.is_inf),))):
        if pc.any(holds(column)).as_py():
            raise InputError(
                f"{address}: column {name!r} holds {value}, which {what} does not have. Make it missing, or write "
                "another kind of file."
            )


def no_such_type(field: pa.Field, what: str) -> InputError:
    """Describe a column whose type a database does not have."""
    return InputError(
        f"Column {field.name!r} of type {field.type} has no equivalent in {what}: convert it to text, or write Parquet."
    )


def _named(field: pa.Field, names: Mapping[str, str], what: str) -> str:
    kind = field.type
    if pa.types.is_timestamp(kind):
        return names["timestamp with zone" if kind.tz else "timestamp"]
    group = next((group for group, checks in GROUPS.items() if any(check(kind) for check in checks)), str(kind))
    if group not in names:
        raise no_such_type(field, what)
    return names[group].format(kind.precision, kind.scale) if group == "decimal" else names[group]
