"""The files of the COMP 430/530 assignment: a CSV file read as text, and a folder with the DGHs of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.hierarchy import Hierarchy
from shoal.errors import HierarchyError, InputError
from shoal.io import files
from shoal.io.source import Source

File = str | PathLike[str]
OTHER_FORMATS = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".br", ".zip", ".parquet", ".pq")


@dataclass(frozen=True)
class Raw:
    """The raw table, the DGH of each quasi-identifier in the order of the columns, and the sensitive attribute."""

    source: Source
    trees: dict[str, Hierarchy]
    sensitive: str

    @classmethod
    def read(cls, file: File, folder: File) -> Raw:
        """Read the table and its DGHs, which must contain all of its values."""
        source = read_table(file)
        trees = _trees(folder, source.columns)
        for name, tree in trees.items():
            row = _first_false(pc.is_in(source.arrow(name), pa.array(tree.leaves, pa.string())))
            if row >= 0:
                raise HierarchyError(
                    f"{file}, row {row + 1}: column {name!r} holds {_cell(source, name, row)}, which is not a leaf of "
                    f"its DGH. Add it to {Path(folder) / name}.txt, or fix the row."
                )
        return cls(source, trees, next(name for name in source.columns if name not in trees))

    def check_alike(self, anonymized: Source) -> None:
        """Refuse a table whose columns, number of rows or sensitive values are not those of the raw table."""
        hint = "Give the same rows and columns in the same order."
        path, columns = anonymized.path, anonymized.columns
        if columns != self.source.columns:
            raise InputError(f"{path}: the columns are {columns}, and {self.source.columns} in the raw file. {hint}")
        if len(anonymized) != len(self.source):
            raise InputError(f"{path}: the table has {len(anonymized)} rows, the raw file {len(self.source)}. {hint}")
        name = self.sensitive
        row = _first_false(pc.equal(anonymized.arrow(name), self.source.arrow(name)))
        if row >= 0:
            raise InputError(
                f"{path}, row {row + 1}: the sensitive attribute {name!r} is {_cell(anonymized, name, row)}, and "
                f"{_cell(self.source, name, row)} in the raw file. {hint}"
            )


def path_of(path: object) -> Path:
    """Check that an argument is a path, and return it."""
    if not isinstance(path, str | PathLike) or isinstance(fspath(path), bytes):
        raise InputError(f"{path!r} is not a path; give the name of a file or folder as text.")
    return Path(path)


def check_output(target: Path, folder: File) -> None:
    """Refuse an output in the folder of the DGHs, or one whose ending is not that of a CSV file."""
    if files.same(target.parent, Path(folder)):
        raise InputError(f"{target}: this is the folder of the DGHs. Choose another one for the output.")
    if target.suffix.lower() in OTHER_FORMATS:
        raise InputError(f"{target}: the output is plain CSV. Choose an ending such as .csv.")


def read_table(file: File) -> Source:
    """Read a comma-separated file as text; outputs get CRLF line ends, as Python's csv module writes them."""
    table, dialect = files.read(path_of(file), kind="csv", separator=",", names=True)
    return replace(Source.of(table), path=Path(file), origin=str(file), dialect=replace(dialect, line_end="\r\n"))


def dgh_files(folder: File) -> list[Path]:
    """List the .txt files of a folder, which can be DGHs."""
    try:
        return sorted(path for path in path_of(folder).iterdir() if path.suffix == ".txt")
    except OSError as error:
        raise InputError(f"{folder}: this folder of DGHs cannot be read ({error.strerror}).") from error


def _trees(folder: File, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """Read the DGHs that are named after a column; ignore other files."""
    paths = {path.stem: path for path in dgh_files(folder)}
    without = [name for name in columns if name not in paths]
    if len(without) == 1 < len(columns):
        return {name: Hierarchy.from_tab_tree(paths[name]) for name in columns if name in paths}
    names = ", ".join(path.name for path in paths.values()) or "there is no .txt file"
    raise InputError(
        f"{folder}: {len(without)} of the {len(columns)} columns have no DGH here, "
        f"{', '.join(map(repr, without))} ({names}). "
        f"Each column needs its file <column>.txt, except one: the sensitive attribute."
        if without
        else f"{folder}: every column has a DGH here. Remove that of the sensitive attribute."
    )


def _first_false(flags: pa.ChunkedArray) -> int:
    """Return the first row that is false, or −1."""
    return int(pc.index(flags, False).as_py())


def _cell(source: Source, name: str, row: int) -> str:
    return repr(source.arrow(name)[row].as_py())
