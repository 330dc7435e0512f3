"""Database: one connection with one transaction to any database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from shoal.io.databases.address import Address

ALREADY_EXISTS = "this table already exists. Choose another one, or say --replace (replace=True)"


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
