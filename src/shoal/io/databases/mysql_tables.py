"""The tables of a MySQL server: which there are, which a query names, and how each is told from other servers'."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

# The marks of a server, also of one that several machines make together.
MARKS = ("server_uuid", "group_replication_group_name", "wsrep_cluster_state_uuid")
ALL = """SELECT table_schema, table_name, table_type FROM information_schema.TABLES
WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY 1, 2"""
VIEW = "SELECT view_definition FROM information_schema.VIEWS WHERE table_schema = %s AND table_name = %s"
REFERENCES = """SELECT constraint_schema, table_name FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE unique_constraint_schema = %s AND referenced_table_name = %s
AND NOT (constraint_schema = unique_constraint_schema AND table_name = referenced_table_name)"""
ANY = "*"
Rows = Callable[..., list[tuple[Any, ...]]]


class Tables:
    """The tables of a server.

    rows    runs a query and returns its rows
    server  the server's variables
    place   how the server was reached
    """

    def __init__(self, rows: Rows, server: Mapping[str, str], place: str) -> None:
        self.rows = rows
        self.ignores_case = server["lower_case_table_names"] != "0"
        here = ":".join(server[name] for name in ("hostname", "port", "datadir"))
        marks = [server[name] for name in MARKS if server.get(name)]
        marks += [place] if "server_uuid" in server else [place, here]
        self.marks = ",".join(quote(mark, safe="") for mark in marks)

    def find(self, schema: str, name: str) -> tuple[str, str, str] | None:
        """Return the database, the name and the kind of a table; the server itself compares names more loosely."""
        same = "lower({0}) = lower(%s)" if self.ignores_case else "{0} = %s"
        found = self.rows(
            "SELECT table_schema, table_name, table_type FROM information_schema.TABLES "  # noqa: S608
            f"WHERE {same.format('table_schema')} AND {same.format('table_name')}",
            schema,
            name,
        )
        wanted = self._plain(schema, name)
        return next(((row[0], row[1], row[2]) for row in found if self._plain(row[0], row[1]) == wanted), None)

    def all(self) -> list[tuple[str, str, str]]:
        """Return the database, the name and the kind of every table and view that is not the server's own."""
        return [(schema, name, kind) for schema, name, kind in self.rows(ALL)]

    def referring(self, schema: str, name: str) -> Sequence[str] | None:
        """Return a table with a foreign key to another."""
        found = self.rows(REFERENCES, schema, name)
        return found[0] if found else None

    def identity(self, schema: str, name: str) -> str:
        """Name a table: by the marks of its server, and by its database and its name there."""
        return ":".join(["mysql", self.marks, *(quote(part, safe=ANY) for part in self._plain(schema, name))])

    def named_in(self, query: str, current: str | None) -> frozenset[str]:
        """Return the tables and views whose names are in a query, or in the definition of a view that is named there.

        That may be more than are read, never less. Of a view that hides its definition, any table may be meant.
        """
        found: set[str] = set()
        existing, texts = self.all(), [(query, current)]
        while texts:
            text, current = texts.pop()
            for schema, name, kind in existing:
                identity = self.identity(schema, name)
                if identity in found or not _names(text, name) or not (schema == current or _names(text, schema)):
                    continue
                found.add(identity)
                if kind == "VIEW":
                    definition = self.rows(VIEW, schema, name)
                    if definition and definition[0][0]:
                        texts.append((definition[0][0], schema))
                    else:
                        found.add(self.identity(schema, ANY))
        return frozenset(found)

    def _plain(self, *names: str) -> list[str]:
        return [name.lower() if self.ignores_case else name for name in names]


def is_one_of(table: str, others: frozenset[str]) -> bool:
    """Return whether others have the names of a table, on a server that has a mark in common with its server."""
    _, marks, schema, name = table.split(":")
    for other in others:
        kind, other_marks, *names = other.split(":")
        if (
            kind == "mysql"
            and names in ([schema, name], [schema, ANY])
            and {*marks.split(",")} & {*other_marks.split(",")}
        ):
            return True
    return False


def _names(text: str, name: str) -> bool:
    """Return whether a text may name a table or a database: as a word, or with other characters in it."""
    text, name = text.lower(), name.lower()
    if re.fullmatch(r"[\w$]+", name):
        return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None
    return name in text or name.replace("`", "``") in text or name.replace('"', '""') in text
