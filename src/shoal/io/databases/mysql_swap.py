"""How a table of MySQL is written beside the old one and takes its place, as creating and dropping commit at once."""

from __future__ import annotations

import re
from contextlib import suppress
from secrets import token_hex

from shoal.errors import InputError
from shoal.io.databases.mysql_session import Session

OWN_NAME = re.compile(r"shoal_(unfinished|replaced)_[0-9a-f]{16}")
OWN_TABLES = "SELECT table_name FROM information_schema.TABLES WHERE table_schema = %s"
CLUSTER = "SHOW STATUS LIKE 'wsrep_cluster_state_uuid'"  # of Galera


class Swap:
    """A table under a name of its own until it is verified; then one RENAME gives it its name.

    session  the connection
    schema   the database
    name     what the table is called in the end
    """

    def __init__(self, session: Session, schema: str, name: str) -> None:
        self.session, self.schema = session, schema
        self.token = token_hex(8)
        self.table = (schema, name)
        self.unfinished, self.replaced = ((schema, f"shoal_{what}_{self.token}") for what in ("unfinished", "replaced"))
        self.begun = self.replaces = False

    @property
    def rights(self) -> tuple[str, str]:
        """Statements that fail because there is no such table, unless a right is missing: that is checked before."""
        unfinished, replaced = quoted(*self.unfinished), quoted(*self.replaced)
        return f"SELECT 1 FROM {unfinished}", f"RENAME TABLE {unfinished} TO {replaced}"  # noqa: S608

    def begin(self) -> None:
        """Drop what runs that were killed have left, and take the lock that shows that this one goes on."""
        if not self._in_cluster():
            self._remove_left_over()
            self.session.rows("SELECT GET_LOCK(%s, 0)", _lock(self.token))  # held until the connection ends
        self.begun = True

    def finish(self) -> None:
        """Give the table its name and drop the one that it replaces."""
        table, unfinished, replaced = (quoted(*names) for names in (self.table, self.unfinished, self.replaced))
        try:
            if self.replaces:
                self.session.run(f"RENAME TABLE {table} TO {replaced}, {unfinished} TO {table}")
                self.session.run(f"DROP TABLE {replaced}")
            else:
                self.session.run(f"RENAME TABLE {unfinished} TO {table}")
        except self.session.errors as error:
            self._settle(error)
        self.begun = False

    def abandon(self) -> None:
        """Drop what this run has made; the next run drops what cannot be dropped now."""
        if self.begun:
            self.begun = False
            with suppress(*self.session.errors):
                self._left()
                self.session.run(f"DROP TABLE IF EXISTS {quoted(*self.unfinished)}, {quoted(*self.replaced)}")

    def _settle(self, error: Exception) -> None:
        """Finish what an error has stopped if both tables have their new names, otherwise leave the old one."""
        table, unfinished, replaced = (quoted(*names) for names in (self.table, self.unfinished, self.replaced))
        try:
            left = self._left()
        except self.session.errors:  # the server is gone
            left = set()
        if not left and self.session.was_lost(error):
            raise InputError(
                f"{self.session.address}: the connection to the server was lost while the table got its name. Look "
                "whether it is there: if it is, it is whole and verified."
            ) from error
        if left != {self.replaced[1]}:
            raise error
        try:
            self.session.run(f"DROP TABLE {replaced}")
        except self.session.errors:
            self.session.run(f"RENAME TABLE {table} TO {unfinished}, {replaced} TO {table}")
            raise

    def _left(self) -> set[str]:
        """Return the names of this run's own that are in use; through a new connection if need be."""
        self.session.restore(_lock(self.token))
        names = {name for (name,) in self.session.rows(OWN_TABLES, self.schema)}
        return names & {self.unfinished[1], self.replaced[1]}

    def _remove_left_over(self) -> None:
        """Drop the tables of runs that were killed; a run that goes on holds its lock."""
        names = [name for (name,) in self.session.rows(OWN_TABLES, self.schema) if OWN_NAME.fullmatch(name)]
        for name in names:
            with suppress(*self.session.errors):  # it harms nobody
                if self.session.rows("SELECT IS_FREE_LOCK(%s)", _lock(name)) == [(1,)]:
                    self.session.run(f"DROP TABLE IF EXISTS {quoted(self.schema, name)}")

    def _in_cluster(self) -> bool:
        """Return whether several servers hold the table: a lock holds on one of them only."""
        return any(value.strip("0-") for _, value in self.session.rows(CLUSTER))


def quoted(*names: str) -> str:
    """Quote names for MySQL, whatever characters they hold."""
    return ".".join("`" + name.replace("`", "``") + "`" for name in names)


def _lock(name: str) -> str:
    """Return the lock of a table that shoal is writing or replacing, by its name or its token."""
    return f"shoal_{name.rpartition('_')[2]}"
