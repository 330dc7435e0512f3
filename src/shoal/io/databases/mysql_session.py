"""A connection to a MySQL server, which can be made anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from shoal.errors import InputError
from shoal.io.databases.address import Address
from shoal.io.databases.database import first_line

# The same for every statement: UTC, English messages, every row, and time to compute between two statements.
SETTINGS = """SET SESSION time_zone = '+00:00', lc_messages = 'en_US', sql_select_limit = 18446744073709551615,
wait_timeout = 28800, net_write_timeout = 3600, lock_wait_timeout = 60"""
LOST = (0, 1053, 1927, 2006, 2013, 4031)  # numbers of errors: the connection, the session or the server has ended
WAIT = 300  # seconds, while the server takes back the rows of a session that has ended


class Session:
    """A connection, and whether all its statements came to their ends.

    pymysql  the driver
    address  for messages
    login    the driver's parameters
    """

    def __init__(self, pymysql: Any, address: Address, login: Mapping[str, Any]) -> None:
        self.pymysql, self.address, self.login = pymysql, address, login
        self.errors: tuple[type[Exception], ...] = (pymysql.Error,)
        self.connection: Any = None
        self.idle = True  # no statement was interrupted

    def connect(self) -> None:
        """Connect; raise InputError if PyMySQL needs another package for the account's way to log in."""
        try:
            self.connection = self.pymysql.connect(**self.login)
        except RuntimeError as error:
            raise InputError(f"{self.address}: {first_line(error)}. Install it, or connect with TLS.") from error
        self.idle = True
        self.run(SETTINGS)

    def close(self) -> None:
        """Close the connection."""
        if self.connection is not None and self.connection.open:
            self.connection.close()

    @staticmethod
    def was_lost(error: Exception) -> bool:
        """Return whether an error means that the connection was lost."""
        return bool(error.args) and error.args[0] in LOST

    def restore(self, lock: str) -> None:
        """Connect anew if the connection is lost or in the middle of a statement.

        The lock tells which session of the server was ours: its number alone may be another's after a restart.
        """
        if self.idle and self.connection.open:
            return
        self.close()
        self.connect()
        self.run(f"SET SESSION lock_wait_timeout = {WAIT}")
        for (number,) in self.rows("SELECT IS_USED_LOCK(%s)", lock):
            if number is not None:
                with suppress(*self.errors):  # it has ended meanwhile
                    self.run(f"KILL {number}")
        self.rows("SELECT GET_LOCK(%s, %s)", lock, WAIT)

    def run(self, statement: str | bytes) -> None:
        """Run a statement that returns nothing."""
        with self.cursor() as cursor:
            cursor.execute(statement)

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        with self.cursor() as cursor:
            cursor.execute(query, parameters or None)
            return list(cursor.fetchall())

    @contextmanager
    def cursor(self, kind: Any = None) -> Iterator[Any]:
        """Yield a cursor, and note whether its statement came to its end."""
        self.idle = False
        with self.connection.cursor(kind) as cursor:
            yield cursor
        self.idle = True
