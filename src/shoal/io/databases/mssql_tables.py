"""The tables of a database of SQL Server: how each is told from others, and which a query may read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.io.databases.mssql_values import literal
from shoal.io.databases.names import is_named

TABLE, VIEW, SYNONYM = "U", "V", "SN"
MODULES = (VIEW, "IF", "TF", "FN")  # views and functions: their definitions are SQL
FUNCTIONS_OF_CODE = ("FS", "FT")  # not SQL, so nobody sees what they read
ALL = """SELECT s.name, o.name, o.object_id, o.type, m.definition, y.base_object_name
FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
LEFT JOIN sys.sql_modules AS m ON m.object_id = o.object_id
LEFT JOIN sys.synonyms AS y ON y.object_id = o.object_id
WHERE o.type IN ('U', 'V', 'SN', 'IF', 'TF', 'FN', 'FS', 'FT') ORDER BY s.name, o.name"""
# The mark of a database is the same in all its replicas, and in every copy that was restored from it.
MARK = "SELECT service_broker_guid FROM sys.databases WHERE database_id = DB_ID()"
REFERRING = """SELECT s.name, o.name FROM sys.foreign_keys AS f
JOIN sys.objects AS o ON o.object_id = f.parent_object_id JOIN sys.schemas AS s ON s.schema_id = o.schema_id
WHERE f.referenced_object_id = {0} AND f.parent_object_id <> {0}"""
# A table of another database or server, which only its place in front of its schema tells: clinic.dbo.patients.
NAME = r"""(?:\[(?:[^\]]|\]\])+\]|"(?:[^"]|"")+"|[\w@#$]+)"""
ELSEWHERE = re.compile(rf"({NAME})\s*\.\s*{NAME}?\s*\.\s*{NAME}")
ANYWHERE = "mssql:*"  # in place of a table that nobody can name


@dataclass(frozen=True)
class Thing:
    """Something in a database that a query may name."""

    schema: str
    name: str
    number: int
    kind: str
    definition: str | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> Thing:
        """Take over a row of the list of everything."""
        schema, name, number, kind, definition, target = row
        return cls(schema, name, number, kind.strip(), target or definition)


class Tables:
    """The tables of a database; `rows` runs a query."""

    def __init__(self, rows: Callable[[str], list[tuple[Any, ...]]]) -> None:
        self.rows = rows
        self.mark = str(rows(MARK)[0][0])

    def all(self) -> list[Thing]:
        """List the tables, views, synonyms and functions."""
        return [Thing.of(row) for row in self.rows(ALL)]

    def find(self, place: str) -> tuple[int, str] | None:
        """Return the number and the kind of what has a quoted name."""
        found = self.rows(f"SELECT object_id, type FROM sys.objects WHERE object_id = OBJECT_ID({literal(place)})")  # noqa: S608
        return next(((number, kind.strip()) for number, kind in found), None)

    def referring(self, number: int) -> Sequence[str] | None:
        """Return a table with a foreign key to another."""
        found = self.rows(REFERRING.format(number))
        return found[0] if found else None

    def identity(self, number: int) -> str:
        """Name a table: by its database, and by its number there."""
        return f"mssql:{self.mark}:{number}"

    def named_in(self, query: str) -> frozenset[str]:
        """Return the tables and views whose names are in a query, or in the definition of what is named there.

        That may be more than are read, never less. Where a definition is hidden or leads out of the database, any table
        may be meant.
        """
        unseen, texts, found = {*self.all()}, [query], set()
        schemas = {thing.schema.lower() for thing in unseen}
        while texts:
            text = texts.pop()
            named = {thing for thing in unseen if is_named(text, thing.name, ignores_case=True)}
            unseen -= named
            found |= {self.identity(thing.number) for thing in named}
            found |= {ANYWHERE} if any(_plain(name) not in schemas for name in ELSEWHERE.findall(text)) else set()
            for thing in named:
                if thing.kind in (*MODULES, SYNONYM) and thing.definition:
                    texts.append(thing.definition)
                elif thing.kind != TABLE:
                    found.add(ANYWHERE)
        return frozenset(found)


def _plain(name: str) -> str:
    """Return a name without its quotes, in lower case."""
    return name.strip('[]"').lower()
