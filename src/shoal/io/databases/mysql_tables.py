"""The tables of a MySQL server: which there are, which a query names, and how each is told from other servers'."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from shoal.io.databases.mysql_session import Session
from shoal.io.databases.mysql_swap import quoted
from shoal.io.databases.names import is_named

# The marks of a server, also of one that several machines make together.
MARKS = ("server_uuid", "group_replication_group_name")
CLUSTER = "SHOW STATUS LIKE 'wsrep_cluster_state_uuid'"  # of Galera
SYSTEM = ("information_schema", "mysql", "performance_schema", "sys")
LINKED = "table of others"  # made of other tables, which its definition names
ALL = f"""SELECT table_schema, table_name,
IF(engine IN ('MRG_MyISAM', 'FEDERATED', 'CONNECT', 'SPIDER'), '{LINKED}', table_type) FROM information_schema.TABLES
WHERE table_schema NOT IN {SYSTEM} ORDER BY 1, 2"""  # noqa: S608
ROUTINES = f"""SELECT routine_schema, routine_name, routine_type FROM information_schema.ROUTINES
WHERE routine_schema NOT IN {SYSTEM}"""  # noqa: S608
BODY = """SELECT routine_definition FROM information_schema.ROUTINES
WHERE routine_schema = %s AND routine_name = %s AND routine_type = '{}'"""
DEFINITIONS = {
    "VIEW": "SELECT view_definition FROM information_schema.VIEWS WHERE table_schema = %s AND table_name = %s",
    **{kind: BODY.format(kind) for kind in ("FUNCTION", "PROCEDURE")},
}
REFERENCES = """SELECT constraint_schema, table_name FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE unique_constraint_schema = %s AND referenced_table_name = %s
AND NOT (constraint_schema = unique_constraint_schema AND table_name = referenced_table_name)"""
# In the definition of a view: every table has its database before it, also one that the account itself cannot see.
PAIR = re.compile(r"""`((?:[^`]|``)+)`\.`((?:[^`]|``)+)`|"((?:[^"]|"")+)"\."((?:[^"]|"")+)\"""")
HIDDEN = ["*", "*"]  # in place of a database and a table


class Tables:
    """The tables of a server.

    session  the connection
    server   the server's variables
    """

    def __init__(self, session: Session, server: Mapping[str, str]) -> None:
        self.rows, login = session.rows, session.login
        place = login.get("unix_socket") or f"{login['host']}:{login['port']}"
        self.ignores_case = server["lower_case_table_names"] != "0"
        here = ":".join(server[name] for name in ("hostname", "port", "datadir"))
        marks = [server[name] for name in MARKS if server.get(name)]
        marks += [value for _, value in self.rows(CLUSTER) if value.strip("0-")]
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
        return self._marked(*(quote(part, safe="") for part in self._plain(schema, name)))

    def named_in(self, query: str, current: str | None) -> frozenset[str]:
        """Return the tables and views whose names are in a query, or in the definition of what is named there.

        That may be more than are read, never less. Of what hides its definition, any table may be meant.
        """
        found: set[str] = set()
        unseen, texts = {*self.all(), *self.rows(ROUTINES)}, [(query, current)]
        while texts:
            text, current = texts.pop()
            named = {one for one in unseen if self._is_in(text, one, current)}
            unseen -= named
            for schema, name, kind in named:
                found |= {self.identity(schema, name)} if kind not in ("FUNCTION", "PROCEDURE") else set()
                if kind in (*DEFINITIONS, LINKED):
                    definition = self._definition(schema, name, kind)
                    texts += [(definition, schema)] if definition else []
                    found |= self._told(definition) if kind == "VIEW" else set()
                    found |= set() if definition else {self._marked(*HIDDEN)}
        return frozenset(found)

    def _definition(self, schema: str, name: str, kind: str) -> str:
        """Return the SQL of a view, a routine or a table of others; an empty text if it is hidden."""
        if kind == LINKED:
            return str(self.rows(f"SHOW CREATE TABLE {quoted(schema, name)}")[0][1])
        found = self.rows(DEFINITIONS[kind], schema, name)
        return found[0][0] or "" if found else ""

    def _told(self, definition: str) -> set[str]:
        """Return the tables that the definition of a view may name; a column after its table does no harm."""
        pairs = [[part for part in pair if part] for pair in PAIR.findall(definition)]
        return {self.identity(*(part.replace('""', '"').replace("``", "`") for part in pair)) for pair in pairs}

    def _is_in(self, text: str, thing: tuple[str, str, str], current: str | None) -> bool:
        schema, name, kind = thing
        ignores_case = self.ignores_case or kind in ("FUNCTION", "PROCEDURE")
        return is_named(text, name, ignores_case=ignores_case) and (
            self._plain(schema) == self._plain(current or "") or is_named(text, schema, ignores_case=self.ignores_case)
        )

    def _marked(self, schema: str, name: str) -> str:
        return f"mysql:{self.marks}:{schema}:{name}"

    def _plain(self, *names: str) -> list[str]:
        return [name.lower() if self.ignores_case else name for name in names]


def is_one_of(table: str, others: frozenset[str]) -> bool:
    """Return whether others have the names of a table, on a server that has a mark in common with its server."""
    return any(names == table.split(":")[2:] for names in _on_its_server(table, others))


def hides_one(table: str, others: frozenset[str]) -> bool:
    """Return whether something that hides its definition was read on a table's server."""
    return HIDDEN in _on_its_server(table, others)


def _on_its_server(table: str, others: frozenset[str]) -> list[list[str]]:
    """Return the databases and names of those tables that are on a table's server."""
    marks = {*table.split(":")[1].split(",")}
    parts = [other.split(":") for other in others if other.startswith("mysql:")]
    return [names for _, other_marks, *names in parts if marks & {*other_marks.split(",")}]
