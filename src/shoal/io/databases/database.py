"""Database: one connection with one transaction, whatever the database is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from shoal.io.databases.address import Address

THERE = "this table is there already. Choose another one, or say --replace (replace=True)"


class Database(ABC):
    """A connection to the database of an address; what is not committed is rolled back when it is closed."""

    errors: tuple[type[Exception], ...]  # of the driver

    def __init__(self, address: Address) -> None:
        self.address = address
        self.connection: Any = None

    @abstractmethod
    def connect(self, *, write: bool) -> None:
        """Reach the database and begin the transaction."""

    @abstractmethod
    def find(self, table: Sequence[str]) -> str | None:
        """A name for a table that no other table of any database has; None where there is no such table."""

    @abstractmethod
    def tables(self) -> list[str]:
        """The names of the tables, for a hint."""

    @abstractmethod
    def columns(self, query: str) -> list[str]:
        """The names of the columns that a query gives."""

    @abstractmethod
    def read(self, query: str) -> pa.Table:
        """What a query gives; each field knows how the database declares it, where that can be told to another."""

    @abstractmethod
    def seen(self, query: str) -> frozenset[str]:
        """The tables that a query has read, by their names of `find`."""

    @abstractmethod
    def create(self, table: Sequence[str], content: pa.Table, declared: Mapping[str, str]) -> None:
        """Make a table and fill it."""

    def check_output(self, table: Sequence[str]) -> None:  # noqa: B027  most databases need no check of their own
        """Refuse a table that would be gone with the connection, or that cannot be replaced alone."""

    def run(self, statement: str) -> None:
        """Run a statement that gives nothing back."""
        self.connection.execute(statement)

    def commit(self) -> None:
        """Make what was done last."""
        self.connection.commit()

    def close(self) -> None:
        """Leave the database."""
        if self.connection is not None:
            self.connection.close()

    def interrupted(self, error: Exception) -> bool:
        """Whether an error is what the driver makes of Ctrl-C."""
        return False

    @abstractmethod
    def reason(self, error: Any) -> str:
        """What an error of the driver says, in one line."""


def quoted(*names: str) -> str:
    """Names as SQL reads them, whatever signs they hold."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def first_line(error: object) -> str:
    """The first line of an error without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(error).__name__
