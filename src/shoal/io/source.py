"""Source: the caller's table, read from a data frame, a file or a database."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_categories import named_once, values_named_once
from shoal.data.arrow_types import check_type
from shoal.data.column import Column, read_column
from shoal.data.encoding import Guide, encode
from shoal.data.frames import arrow_type, polars_type, with_rows, without_notes
from shoal.data.parameters import MAX_SEED, whole_number
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.io import files
from shoal.io.csv_dialect import Dialect
from shoal.io.csv_layout import Names, check_names
from shoal.io.databases import Address, read_database, without_origin
from shoal.io.spreadsheets import sheet_of
from shoal.system.atomic_files import check_name


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """A data frame behind narwhals, with the file or the database tables that it was read from, if any.

    `origin` is the given path or address, without a password; `options` says how it was read.
    """

    frame: nw.DataFrame[Any]
    path: Path | None = None
    dialect: Dialect = field(default_factory=Dialect)
    origin: str | None = None
    tables: frozenset[str] = frozenset()
    options: Mapping[str, Any] = field(default_factory=dict)
    state: files.State = ()  # of the file when it was read

    @classmethod
    def of(
        cls,
        data: Any,
        *,
        separator: str | None = None,
        encoding: str = "utf-8",
        query: str | None = None,
        names: Names = None,
    ) -> Source:
        """Take a pandas, polars or pyarrow data frame, a polars LazyFrame, a DuckDB relation, a path or an address.

        A query takes the place of the table in an address; `names` are those of the columns of a CSV without them.
        """
        if not isinstance(data, str | PathLike) and check_names(names) not in (None, True):
            raise InputError(
                "Only a CSV file may be without names of its columns, and this is a data frame. Leave names out, and "
                "rename the columns of the frame."
            )
        if isinstance(data, Source):
            return data
        address = Address.of(data)
        if address is None and query is not None:
            raise InputError(
                f"A query needs a database, and {data!r} is not one; write an address such as sqlite:///clinic.db."
            )
        if address is not None:
            if check_names(names) not in (None, True):
                raise InputError(
                    f"{address}: the columns of a database table have names. Leave them out (--names, --no-header; "
                    f"names=…), and rename columns in a query."
                )
            read = cls.of(read_database(address, query=query))
            return replace(read, origin=str(address), options={} if query is None else {"query": query})
        if isinstance(data, str | PathLike):
            path = sheet_of(Path(data))[0]
            if files.is_pattern(path):
                raise InputError(
                    f"{path}: there is no such file. Several files are read as one table by shoal anonymize, assess, "
                    f"attack and review, and by shoal.anonymize_files(); here, name one of them or, in Python, pass a "
                    f"frame of all."
                )
            check_name(path)
            state = files.state_of(path) if os.path.exists(path) else ()  # exists() accepts a name that is too long
            with files.unchanged(path, state, lambda: files.state_of(path)) if state else nullcontext():
                table, dialect = files.read(Path(data), separator=separator, encoding=encoding, names=names)
            options: dict[str, Any] = {} if separator is None else {"separator": separator}
            options |= {} if encoding == "utf-8" else {"encoding": encoding}
            options |= {} if names is None else {"names": names}
            frame = nw.from_native(values_named_once(table), eager_only=True)
            return cls(frame, path, dialect, str(data), options=options, state=state)
        data = _as_table(data)
        data, tables = without_origin(data) if isinstance(data, pa.Table) else (data, frozenset())
        for column in data.schema if isinstance(data, pa.Table) else ():
            check_type(column.name, column.type)
        try:
            frame = nw.from_native(values_named_once(data) if isinstance(data, pa.Table) else data, eager_only=True)
            _check(frame)
        except TypeError as error:
            hint = "call .collect() first" if hasattr(data, "collect") else "give a pandas, polars or pyarrow table"
            kind = type(data).__name__
            article = "An" if kind[0] in "AEIOaeio" else "A"
            raise InputError(f"{article} {kind} is not a table that shoal can read; {hint}.") from error
        except nw.exceptions.DuplicateError as error:
            raise InputError(named_twice(data)) from error
        return cls(frame, tables=tables)

    def __repr__(self) -> str:
        named = "" if self.name is None else f"{self.name}, "
        return f"<Source: {named}rows {len(self):,}, columns {', '.join(self.columns)}>"

    @property
    def name(self) -> str | None:
        """The name of the file or database table, if any."""
        address = Address.of(self.origin)
        return address.name if address else Path(self.origin).name if self.origin else None

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.frame.columns

    @property
    def notes(self) -> list[str]:
        """How the table was read, where that needs to be said: as sentences for reports."""
        notes = [self.dialect.layout.note] if self.dialect.layout else []
        if "rows" in self.options:
            notes.append(f"Only the first {len(self):,} rows of the table were taken.")
        if "sample" in self.options:
            notes.append(f"Only {len(self):,} rows of the table were taken, drawn at random.")
        return notes

    def __len__(self) -> int:
        return len(self.frame)

    def arrow(self, name: str) -> pa.ChunkedArray:
        """Return a column as an Arrow array."""
        try:
            if self.frame.implementation.is_polars() and self.frame.schema[name] == nw.Object:
                raise TypeError("polars exports Python objects as memory addresses")
            if self.frame.implementation.is_pyarrow():
                return self.frame.to_native()[name]  # in chunks, as one array may not hold all
            array = _intervals_as_text(self.frame[name].to_native())
            array = self.frame[name].to_arrow() if array is None else array
        except (pa.ArrowException, TypeError, OverflowError, UnicodeError) as error:
            raise InputError(f"Column {name!r} {_held(self.frame[name].to_native())}: convert it to text.") from error
        return named_once(array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array]))

    def types(self, names: Iterable[str]) -> dict[str, pa.DataType]:
        """Return the Arrow types of some columns."""
        return {name: self.arrow(name).type for name in names}

    def has_arrow(self, name: str) -> bool:
        """Return whether Arrow can hold a column."""
        try:
            self.arrow(name)
        except InputError:
            return False
        return True

    def read(self, names: Iterable[str], missing_values: Sequence[str]) -> dict[str, Column]:
        """Read the distinct values of some columns."""
        return {name: read_column(name, self.arrow(name), missing_values) for name in names}

    def encode(
        self,
        roles: Roles,
        *,
        guides: Mapping[str, Guide],
        missing_values: Sequence[str],
        style: Style | None = None,
        ranges: bool = True,
        population: Source | None = None,
    ) -> Table:
        """Encode the quasi-identifiers and sensitive columns as `encode` does."""
        return encode(
            {name: self.arrow(name) for name in (*roles.quasi, *roles.sensitive)},
            quasi=roles.quasi,
            sensitive=roles.sensitive,
            guides=guides,
            missing_values=missing_values,
            style=style or Style(),
            ranges=ranges,
            population={name: population.arrow(name) for name in roles.quasi} if population else None,
        )

    @property
    def index(self) -> list[tuple[str, pa.Array]]:
        """The name and values of each level of a pandas index: numbers and moments as they are, others as texts."""
        if not self.frame.implementation.is_pandas():
            return []
        index = self.frame.to_native().index
        levels = [index.get_level_values(level) for level in range(index.nlevels)]
        values = [
            pa.array(level, from_pandas=True)
            if level.dtype.kind in "iufbmM"
            else pa.array(list(map(str, level)), pa.string())
            for level in levels
        ]
        return [("" if name is None else str(name), level) for name, level in zip(index.names, values, strict=True)]

    def to_arrow(self) -> pa.Table:
        """Return the columns as an Arrow table, without the index of a pandas frame."""
        return pa.table({name: self.arrow(name) for name in self.columns})

    def keep(self, rows: NDArray[np.bool_]) -> Source:
        """Return the source with some of its rows and no trace of the others."""
        return replace(self, frame=with_rows(self.frame, rows))

    def some(self, *, rows: int | None = None, sample: int | None = None, seed: int = 0) -> Source:
        """Return the source with its first rows, or with a sample of its rows in their order."""
        if rows is None and sample is None:
            return self
        if rows is not None and sample is not None:
            raise InputError(f"rows = {rows} and sample = {sample} both choose rows: give one of the two.")
        name, wanted = ("rows", rows) if sample is None else ("sample", sample)
        number = whole_number(name, wanted, at_least=1)
        if number > len(self):
            raise InputError(f"{name} = {number:,} is more than the table has, which is {len(self):,} rows: lower it.")
        options = {name: number} | ({"seed": seed} if sample is not None and seed else {})
        chosen = np.zeros(len(self), np.bool_)
        chosen[slice(number) if sample is None else _drawn(len(self), number, seed)] = True
        return replace(self.keep(chosen), options={**self.options, **options})

    def changed(self, columns: Mapping[str, pa.Array], *, drop: tuple[str, ...]) -> nw.DataFrame[Any]:
        """Return the frame with some columns replaced, some left out and the others untouched."""
        names = [name for name in dict.fromkeys([*self.columns, *columns]) if name not in drop]
        if self.frame.implementation.is_pyarrow():
            table = pa.table({name: columns[name] if name in columns else self.arrow(name) for name in names})
            return without_notes(nw.from_native(table, eager_only=True))
        numbers = list(map(str, range(len(columns))))  # polars would rename a column with an empty name
        arrays = nw.from_arrow(pa.table([*columns.values()], numbers), backend=self.frame.implementation)
        new = {name: arrays[number].alias(name) for name, number in zip(columns, numbers, strict=True)}
        if self.frame.implementation.is_polars():  # it takes names such as ^a.*$ and * for patterns
            parts = {name: (new[name] if name in new else self.frame[name]).to_native() for name in names}
            return nw.from_native(type(self.frame.to_native())(parts), eager_only=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pandas warns of fragmented frames, which the caller cannot help
            frame = self.frame.with_columns(*new.values()).drop(*drop)
        return without_notes(frame)

    def checksum(self) -> str | None:
        """Return the SHA-256 of the file; raise InputError if it has changed since it was read."""
        path = self.path
        if path is None:
            return None
        with files.unchanged(path, self.state, lambda: files.state_of(path)):
            return files.checksum(path)


def read(
    path: str | PathLike[str],
    *,
    separator: str | None = None,
    encoding: str = "utf-8",
    query: str | None = None,
    names: Names = None,
    rows: int | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> Source:
    """Read a table from a file or a database; every function that takes a table accepts the result.

    path       a CSV, Parquet, Excel, OpenDocument, SPSS, Stata or SAS file, or the address of a table in a database,
               such as `sqlite:///clinic.db#patients`
    separator  the character between the values of a CSV file; by default inferred from its first rows
    encoding   the encoding of a CSV file
    query      one SELECT statement, in place of the table in an address
    names      the names of the columns if the first line of a CSV file is a row; False for column1, column2, …; True
               if that line has the names although it looks like a row, which is refused otherwise
    rows       take only the first rows, this many
    sample     take only this many rows, drawn at random, in their order
    seed       the seed of the sample

    >>> import shoal
    >>> shoal.read("nowhere.csv", separator=";", encoding="latin-1")
    Traceback (most recent call last):
    shoal.errors.InputError: nowhere.csv: cannot be read (No such file or directory).
    """
    source = Source.of(path, separator=separator, encoding=encoding, query=query, names=names)
    return source.some(rows=rows, sample=sample, seed=seed)


def _drawn(rows: int, number: int, seed: int) -> NDArray[np.int64]:
    """Draw rows without replacement, the same on every machine."""
    seed = whole_number("seed", seed, at_least=0, at_most=MAX_SEED)
    return np.random.RandomState(seed).permutation(rows)[:number]


def unique_values(column: pa.ChunkedArray) -> pa.Array:
    """Return the distinct values of a column; 0.0 and -0.0 are two."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not pa.types.is_float64(column.type):
        return pc.unique(column)
    bits = pa.chunked_array([chunk.view(pa.int64()) for chunk in column.chunks], pa.int64())
    return pc.unique(bits).view(pa.float64())


def _intervals_as_text(series: Any) -> pa.Array | None:
    """Return the intervals of pandas, which Arrow cannot compare, as text; None for any other column."""
    kind = getattr(series, "dtype", None)
    kind = getattr(getattr(kind, "categories", None), "dtype", kind)
    if not str(kind).startswith("interval["):
        return None
    return pa.array([None if missing else str(value) for value, missing in zip(series, series.isna(), strict=True)])


def _as_table(data: Any) -> Any:
    """Run a query that has not run yet: a LazyFrame becomes a DataFrame, a DuckDB relation an Arrow table."""
    if isinstance(data, nw.DataFrame):
        return data
    lazy = isinstance(data, nw.LazyFrame) or nw.dependencies.is_polars_lazyframe(data)
    if not lazy and not nw.dependencies.is_duckdb_relation(data):
        return data
    try:
        return data.collect() if lazy else data.to_arrow_table()
    except Exception as error:  # of a library that need not be installed, or of a function in the query
        raise InputError(f"The {type(data).__name__} cannot be computed: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def named_twice(table: Any) -> str:
    """Say which column name a pandas, pyarrow or Spark table has twice."""
    names = list(getattr(table, "column_names", table.columns))
    name = next(name for at, name in enumerate(names) if name in names[:at])
    return f"The column name {name!r} appears twice in the table: rename one of the two."


def _held(values: Any) -> str:
    """Say what a column holds that Arrow cannot."""
    if str(values.dtype).lower() != "object":
        return f"has the type {values.dtype}, which Arrow does not hold"
    kinds = dict.fromkeys(type(value).__name__ for value in values.to_list() if not _is_missing(value))
    if len(kinds) > 1:
        return f"mixes values of different types ({', '.join(kinds)})"
    limits = {"int": "whole numbers of more than 64 bits", "str": "text with half of a character"}
    kind = next(iter(kinds), "object")
    return f"holds {limits.get(kind, f'values of the type {kind}')}, which Arrow does not hold"


def _is_missing(value: object) -> bool:
    return type(value).__name__ in ("NoneType", "NAType", "NaTType") or (isinstance(value, float) and value != value)


def _check(frame: nw.DataFrame[Any]) -> None:
    """Raise InputError for a table without rows or columns, and for types that the libraries below cannot handle."""
    for name in frame.columns:
        kind = arrow_type(frame, name)
        if frame.implementation.is_polars() and frame.schema[name] != nw.Object:
            kind = polars_type(frame.to_native()[name])
        if kind is not None:
            check_type(name, kind)
    frame.schema  # noqa: B018  raises if a name appears twice
    not_text = [name for name in frame.columns if not isinstance(name, str)]
    if not_text:
        line, texts = "df.columns.map(str)", [str(name) for name in frame.columns]
        if isinstance(not_text[0], tuple):
            line, texts = (
                "['_'.join(map(str, name)) for name in df.columns]",
                ["_".join(map(str, name)) for name in frame.columns],
            )
        if len({*texts}) < len(texts):
            line = "[f'{name}_{at}' for at, name in enumerate(df.columns)]"  # as two would be the same
        raise InputError(
            f"The column name {not_text[0]!r} is not text: rename the column. For all columns of a pandas frame: "
            f"df.columns = {line}"
        )
    for name in frame.columns:
        if name != name.encode(errors="replace").decode():
            raise InputError(f"The column name {name!r} has half of a character, which no file can hold: rename it.")
    if not frame.columns:
        raise InputError("The table has no columns.")
    if len(frame) == 0:
        raise InputError("The table has no rows.")
