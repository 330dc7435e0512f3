"""The files of the COMP 430/530 assignment: a CSV file as text, and a folder with the DGHs of its columns."""

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
OTHER_KINDS = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".br", ".zip", ".parquet", ".pq")


@dataclass(frozen=True)
class Raw:
    """The raw table: the DGH of each quasi-identifier, in the order of the columns, and the sensitive attribute."""

    source: Source
    trees: dict[str, Hierarchy]
    sensitive: str

    @classmethod
    def read(cls, file: File, folder: File) -> Raw:
        """Read the table and its DGHs, which must know all of its values."""
        source = read_table(file)
        trees = _trees(folder, source.columns)
        for name, tree in trees.items():
            row = _first_false(pc.is_in(source.arrow(name), pa.array(tree.leaves, pa.string())))
            if row >= 0:
                raise HierarchyError(
                    f"{file}, row {row + 1}: column {name!r} holds {_cell(source, name, row)}, which is no leaf of "
                    f"its DGH. Add it to {Path(folder) / name}.txt, or mend the row."
                )
        return cls(source, trees, next(name for name in source.columns if name not in trees))

    def check_alike(self, shown: Source) -> None:
        """Refuse a table with other columns, another number of rows or another sensitive attribute than the raw one."""
        hint = "Give the same rows and columns in the same order."
        if shown.columns != self.source.columns:
            raise InputError(
                f"{shown.path}: the columns are {shown.columns}, and {self.source.columns} in the raw file. {hint}"
            )
        if len(shown) != len(self.source):
            raise InputError(f"{shown.path}: the table has {len(shown)} rows, the raw file {len(self.source)}. {hint}")
        name = self.sensitive
        row = _first_false(pc.equal(shown.arrow(name), self.source.arrow(name)))
        if row >= 0:
            raise InputError(
                f"{shown.path}, row {row + 1}: the sensitive attribute {name!r} is {_cell(shown, name, row)}, and "
                f"{_cell(self.source, name, row)} in the raw file. {hint}"
            )


def place_of(given: object) -> Path:
    """A path, checked."""
    if not isinstance(given, str | PathLike) or isinstance(fspath(given), bytes):
        raise InputError(f"{given!r} is no path: give the name of a file or folder as text.")
    return Path(given)


def check_output(target: Path, folder: File) -> None:
    """Refuse an output among the DGHs, or with an ending of what is not written."""
    if files.same(target.parent, Path(folder)):
        raise InputError(f"{target}: this is the folder of the DGHs. Choose another one for the output.")
    if target.suffix.lower() in OTHER_KINDS:
        raise InputError(f"{target}: the output is plain CSV. Choose an ending such as .csv.")


def read_table(file: File) -> Source:
    """A comma-separated file as text; whatever is made of it has CRLF line ends, as Python's csv module writes."""
    table, dialect = files.read(place_of(file), kind="csv", separator=",")
    return replace(Source.of(table), path=Path(file), origin=str(file), dialect=replace(dialect, line_end="\r\n"))


def dgh_files(folder: File) -> list[Path]:
    """The files of a folder that can be DGHs."""
    try:
        return sorted(path for path in place_of(folder).iterdir() if path.suffix == ".txt")
    except OSError as error:
        raise InputError(f"{folder}: this folder of DGHs cannot be read ({error.strerror}).") from error


def _trees(folder: File, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """The DGHs that are named for a column; files that are named for none are left alone."""
    found = {path.stem: path for path in dgh_files(folder)}
    bare = [name for name in columns if name not in found]
    if len(bare) == 1 < len(columns):
        return {name: Hierarchy.from_tab_tree(found[name]) for name in columns if name in found}
    here = ", ".join(path.name for path in found.values()) or "there is no .txt file"
    raise InputError(
        f"{folder}: {len(bare)} of the {len(columns)} columns have no DGH here, {', '.join(map(repr, bare))} ({here}). "
        f"Each column needs its file <column>.txt, except one: the sensitive attribute."
        if bare
        else f"{folder}: every column has a DGH here. Remove that of the sensitive attribute."
    )


def _first_false(flags: pa.ChunkedArray) -> int:
    """The first row that is false, −1 where none is."""
    return int(pc.index(flags, False).as_py())


def _cell(source: Source, name: str, row: int) -> str:
    return repr(source.arrow(name)[row].as_py())
