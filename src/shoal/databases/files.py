"""The file of a SQLite or DuckDB database."""

from __future__ import annotations

from pathlib import Path

from shoal import files, writing
from shoal.databases.address import Address
from shoal.errors import InputError


class DatabaseFile:
    """A file that must be there to be read, and that goes again where it was made in vain."""

    def __init__(self, address: Address) -> None:
        self.address, self.path = address, address.file or Path()
        self.made = False

    def check(self, *, write: bool) -> None:
        """Refuse a file that is not there to be read, or in no folder."""
        address = self.address
        if str(self.path).startswith(":memory:"):
            raise InputError(f"{address}: a database in memory is gone when shoal ends. Name a file in its place.")
        if write and len(address.table) == 2 and address.table[0].lower() == "temp":
            raise InputError(
                f"{address}: a temporary table is gone when shoal ends. Leave 'temp.' out: #{address.table[1]}."
            )
        writing.check_ordinary(self.path)
        self.made = write and not self.path.exists()
        if not write and not self.path.exists():
            raise InputError(f"{address}: there is no file {str(self.path)!r}.")
        if self.made and not files.is_folder(self.path.parent):
            raise InputError(f"{address}: there is no folder {str(self.path.parent)!r}. Make it first.")

    def identity(self, table: str) -> str:
        """A name for a table that no table of another file has; capitals make no difference."""
        found = self.path.stat()
        return f"file:{found.st_dev}:{found.st_ino}:{table.lower()}"

    def clean(self) -> None:
        """Remove the file, and what its database wrote beside it, where nothing was committed to it."""
        if self.made:
            for ending in ("", "-journal", "-wal", "-shm", ".wal"):
                Path(f"{self.path}{ending}").unlink(missing_ok=True)
