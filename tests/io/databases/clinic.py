"""A database with a table of patients, reached past shoal."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import shoal

PASSWORD = "p@ss:w/ö #r?d%"
PATIENTS = [
    (f"Person {row}", 20 + row % 30, f"{13050 + row % 4}", ("flu", "cold", "mumps")[row % 3], row * 1.5)
    for row in range(60)
]


class Standard:
    """A connection to MySQL that takes SQL as the other databases do, where \\ is no escape and "a" a name."""

    def __init__(self, place: Any) -> None:
        import pymysql

        mode = "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES"
        self.connection = pymysql.connect(**place, charset="utf8mb4", sql_mode=mode)
        self.commit, self.close = self.connection.commit, self.connection.close

    def execute(self, statement: str) -> Any:
        cursor = self.connection.cursor()
        cursor.execute(statement)
        return self if cursor.description is None else Fetched(cursor)


class Fetched:
    """What a query gave, as a list."""

    def __init__(self, cursor: Any) -> None:
        self.found = list(cursor.fetchall())

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.found

    def fetchone(self) -> tuple[Any, ...] | None:
        return self.found[0] if self.found else None


@dataclass(frozen=True)
class Clinic:
    """A kind of database, and how its driver reaches it."""

    kind: str
    place: Any

    def url(self, table: str = "", *, password: str = PASSWORD, user: str = "admin") -> str:
        """The address of a table, as a user writes it."""
        mark = f"#{table}" if table else ""
        if self.kind in ("sqlite", "duckdb"):
            return f"{self.kind}:///{self.place}{mark}"
        name = self.place["dbname" if self.kind == "postgresql" else "database"]
        where = f"{self.place['host']}:{self.place['port']}/{name}"
        return f"{self.kind}://{user}:{quote(password, safe='')}@{where}{mark}"

    def shown(self, table: str = "", *, user: str = "admin") -> str:
        """The address as shoal shows it."""
        return self.url(table, user=user).replace(f":{quote(PASSWORD, safe='')}@", "@")

    def connect(self) -> Any:
        """A connection of the driver's own."""
        if self.kind == "sqlite":
            return sqlite3.connect(self.place)
        if self.kind == "duckdb":
            import duckdb

            return duckdb.connect(self.place)
        if self.kind == "mysql":
            return Standard(self.place)
        import psycopg

        return psycopg.connect(**self.place)

    def run(self, *statements: str) -> None:
        """Run statements and commit them."""
        with closing(self.connect()) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query gives."""
        with closing(self.connect()) as connection:
            return connection.execute(query).fetchall()

    def has(self, table: str) -> bool:
        """Whether there is such a table."""
        query = "SELECT table_name FROM information_schema.tables"
        return (table,) in self.rows("SELECT name FROM sqlite_master" if self.kind == "sqlite" else query)


def fill(clinic: Clinic) -> None:
    """Make the table of patients."""
    values = ", ".join(map(str, PATIENTS))  # a tuple of Python is a row of SQL
    clinic.run(
        "CREATE TABLE patients (name varchar(20), age integer, zip text, disease text, cost numeric(10,2))",
        f"INSERT INTO patients VALUES {values}",
    )


def released(data: Any, **more: Any) -> shoal.Release:
    """A release of the patients with their names, or of another table."""
    given = {"quasi_identifiers": ["age", "zip"], "model": shoal.KAnonymity(5), "algorithm": "mondrian"}
    if not {"quasi_identifiers", "identifying"} & {*more}:
        given["keep"] = "name"
    return shoal.anonymize(data, **(given | more))
