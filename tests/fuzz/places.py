"""The folder in which cases run: its content before each case, and the files that a refusal left behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
ROWS = [("30", "f", "flu"), ("31", "m", "flu"), ("32", "f", "cold"), ("33", "m", "cold")]


class Place:
    """The working directory, with the tables, trees and databases that cases refer to."""

    def __init__(self, root):
        self.root = Path(root)
        self.folder = self.root / "a" / "b" / "c"  # so that ../ stays in the root
        self.folder.mkdir(parents=True)
        os.chdir(self.folder)
        shutil.copy(CORPUS / "tables" / "plain.csv", "table.csv")
        shutil.copy(CORPUS / "hierarchies" / "levels.csv", "levels.csv")
        Path("tree.txt").write_text("*\n\tyoung\n\t\t30\n\t\t31\n\told\n\t\t32\n\t\t33\n")
        Path("secret.key").write_text("a secret of enough bytes\n")
        Path("secret.key").chmod(0o600)
        with sqlite3.connect("clinic.db") as database:
            _fill(database, "?, ?, ?")
        database.close()
        import duckdb

        with duckdb.connect("clinic.duckdb") as database:
            _fill(database, "?, ?, ?")
        self.kept = {path: path.read_bytes() for path in self._files()}
        self.before = self._look()

    def _files(self):
        return [path for path in self.root.rglob("*") if path.is_file()]

    def _look(self):
        return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in self._files()}

    def put(self, name, content):
        """Write the file of a case."""
        path = self.folder / name
        path.write_bytes(content)
        self.before = self._look()
        return name

    def differences(self):
        """Return the names of files that were added, changed or removed since the case began."""
        now = self._look()
        return sorted(path.name for path in now.keys() | self.before.keys() if now.get(path) != self.before.get(path))

    def clean(self):
        """Restore the folder to its initial state."""
        for path in self._files():
            if path not in self.kept:
                path.unlink()
        for path, content in self.kept.items():
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
        for path in self.root.rglob("*"):
            if path.is_dir() and path not in (self.folder, *self.folder.parents):
                shutil.rmtree(path, ignore_errors=True)
        self.before = self._look()


def _fill(database, marks):
    database.execute("CREATE TABLE patients (age TEXT, sex TEXT, disease TEXT)")
    database.executemany(f"INSERT INTO patients VALUES ({marks})", ROWS)
