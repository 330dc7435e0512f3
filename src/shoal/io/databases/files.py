"""The file of a SQLite or DuckDB database."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from shoal.errors import InputError
from shoal.io import files
from shoal.io.databases.address import Address
from shoal.system import atomic_files
from shoal.system.temporary_files import beside


class DatabaseFile:
    """A file that must be there to be read; a new one gets its name when all is committed, and no name if nothing is.

    `place` is where the database is opened: a new one lies in a hidden folder until then, so that of two runs that make
    one file neither sees, fills or removes that of the other.
    """

    def __init__(self, address: Address) -> None:
        self.address, self.path = address, address.file or Path()
        self.place = self.path
        self._kept = ExitStack()

    def check(self, *, write: bool) -> None:
        """Refuse a file that is not there to be read, or in no folder."""
        address = self.address
        if str(self.path).startswith(":memory:"):
            raise InputError(f"{address}: a database in memory is gone when shoal ends. Name a file in its place.")
        if write and len(address.table) == 2 and address.table[0].lower() == "temp":
            raise InputError(
                f"{address}: a temporary table is gone when shoal ends. Leave 'temp.' out: #{address.table[1]}."
            )
        atomic_files.check_ordinary(self.path)
        if self.path.exists():
            return
        if not write:
            raise InputError(f"{address}: there is no file {str(self.path)!r}.")
        if not files.is_folder(self.path.parent):
            raise InputError(f"{address}: there is no folder {str(self.path.parent)!r}. Make it first.")
        atomic_files.check_folder(self.path)
        folder = self._kept.enter_context(beside(self.path))
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise atomic_files.cannot_be_written(self.path, error) from error
        self.place = folder / self.path.name

    @property
    def is_new(self) -> bool:
        """Whether the file has no name yet."""
        return self.place != self.path

    def identity(self, table: str) -> str:
        """A name for a table that no table of another file has; capitals make no difference."""
        found = self.place.stat()
        return f"file:{found.st_dev}:{found.st_ino}:{table.lower()}"

    def finish(self) -> None:
        """Give a new file its name, where no other run has made one of that name meanwhile."""
        if self.is_new:
            try:
                atomic_files.name_new(self.place, self.path)
            except FileExistsError as error:
                raise InputError(
                    f"{self.address}: another run made this file meanwhile, which stays as it is. Run again."
                ) from error
            except OSError as error:
                raise atomic_files.cannot_be_written(self.path, error) from error
            self.place = self.path

    def clean(self) -> None:
        """Remove a file that was made in vain, and what its database wrote beside it."""
        self._kept.close()
