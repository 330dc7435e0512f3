"""A database with a table of patients, reached past shoal."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import shoal
from shoal.io.databases.mssql_login import OPTIONS

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


class Transact:
    """A connection to SQL Server that takes SQL as the other databases do; each statement counts at once."""

    def __init__(self, place: Any) -> None:
        import pytds

        from shoal.io.databases import Address
        from shoal.io.databases.mssql_login import Login
        from shoal.io.databases.mssql_wire import Wire

        address = Address("mssql", "mssql://test", (), None, place)
        wire = Wire(address, Login.of(address))
        self.connection = pytds.connect(
            place["host"], place["dbname"], place["user"], place["password"], port=int(place["port"]), sock=wire,
            autocommit=True, login_timeout=0,
        )  # fmt: skip
        wire.ready()
        self.close = self.connection.close

    def commit(self) -> None:
        pass

    def execute(self, statement: str) -> Any:
        cursor = self.connection.cursor()
        cursor.execute(transact_sql(statement))
        return self if cursor.description is None else Fetched(cursor)


def transact_sql(statement: str) -> str:
    """Write plain SQL for SQL Server: every text in Unicode."""
    import sqlglot
    from sqlglot import exp

    def changed(node: Any) -> Any:
        if isinstance(node, exp.Literal) and node.is_string:
            return exp.National(this=node.this)
        if isinstance(node, exp.DataType) and node.this in (exp.DType.TEXT, exp.DType.VARCHAR):
            sizes = node.expressions or [exp.DataTypeParam(this=exp.var("max"))]
            return exp.DataType(this=exp.DType.NVARCHAR, expressions=sizes)
        return node

    if "[" in statement or statement.startswith("CREATE SYNONYM"):
        return statement  # T-SQL already
    return "\n".join(one.transform(changed).sql("tsql") for one in sqlglot.parse(statement, read="postgres"))


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
        name = self.place["database" if self.kind == "mysql" else "dbname"]
        where = f"{self.place['host']}:{self.place['port']}/{name}"
        if self.kind == "mssql":
            more = [f"{name}={quote(value)}" for name, value in self.place.items() if name in OPTIONS]
            where += f"?{'&'.join(more)}" if more else ""
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
        if self.kind == "mssql":
            return Transact(self.place)
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
        queries = {
            "sqlite": "SELECT name FROM sqlite_master",
            "mssql": "SELECT name FROM sys.objects WITH (NOLOCK) WHERE type IN ('U', 'V') -- [T-SQL]",
        }
        return (table,) in self.rows(queries.get(self.kind, "SELECT table_name FROM information_schema.tables"))


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
