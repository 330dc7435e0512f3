"""The file of a SQLite or DuckDB database."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from shoal.errors import InputError
from shoal.io import files
from shoal.io.databases.address import Address
from shoal.io.databases.database import Database
from shoal.system import atomic_files


class FileDatabase(Database):
    """A connection to a database in a file: one to read must exist; a new one gets its name when it is committed.

    `place` is where the database is opened: a new one is in a hidden folder until it is committed, so that two runs
    that create the same file do not interfere.
    """

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self.path = self.place = address.file or Path()
        self._temporary = ExitStack()

    def check_file(self, *, write: bool) -> None:
        """Raise InputError if the file cannot be read or created; prepare a hidden folder for a new one."""
        address = self.address
        if str(self.path).startswith(":memory:"):
            raise InputError(f"{address}: a database in memory is lost when shoal ends. Name a file instead.")
        if write and len(address.table) == 2 and address.table[0].lower() == "temp":
            raise InputError(
                f"{address}: a temporary table is lost when shoal ends. Leave 'temp.' out: #{address.table[1]}."
            )
        atomic_files.check_ordinary(self.path)
        if self.path.exists():
            return
        if not write:
            raise InputError(f"{address}: there is no file {str(self.path)!r}.")
        if not files.is_folder(self.path.parent):
            raise InputError(f"{address}: there is no folder {str(self.path.parent)!r}. Make it first.")
        atomic_files.check_folder(self.path)
        self.place = self._temporary.enter_context(atomic_files.folder_beside(self.path)) / self.path.name

    def identity(self, table: str) -> str:
        """Return a name for a table that no table of another file has; case does not matter."""
        status = self.place.stat()
        return f"file:{status.st_dev}:{status.st_ino}:{table.lower()}"

    def commit(self) -> None:
        """Commit the transaction; give a new file its name, unless another run has created one meanwhile."""
        super().commit()
        if self.place == self.path:
            return
        self.connection.close()
        try:
            atomic_files.name_new(self.place, self.path)
        except FileExistsError as error:
            raise InputError(
                f"{self.address}: another run created this file meanwhile; it was left unchanged. Run again."
            ) from error
        except OSError as error:
            raise atomic_files.cannot_be_written(self.path, error) from error
        self.place = self.path

    def close(self) -> None:
        """Close the connection, which rolls back what was not committed, and remove an unfinished file."""
        super().close()
        self._temporary.close()
