"""Coding: how the values of columns become codes, determined once for a table that is read part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.classes import Overall
from shoal.data.column import read_column
from shoal.data.domain import AnyDomain
from shoal.data.encoding import Guide, coding_of
from shoal.data.rows import in_order
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints, Longs


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of a column (without null), and how many rows have each."""

    name: str
    values: pa.Array
    counts: Longs


@dataclass(frozen=True, eq=False)
class Coding:
    """The values of each column with their codes and domains; the last of `codes` is that of null."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    domains: tuple[AnyDomain, ...]
    values: tuple[pa.Array, ...]
    counts: tuple[Longs, ...]
    codes: tuple[Ints, ...]
    overall: Mapping[str, Overall]

    @classmethod
    def of(
        cls,
        columns: Sequence[Values],
        *,
        quasi: tuple[str, ...],
        guides: Mapping[str, Guide],
        missing_values: Sequence[str],
        style: Style,
    ) -> Coding:
        """Build the coding of columns; those that are not quasi-identifiers come last and are sensitive."""
        domains, codes, overall = [], [], {}
        for distinct in columns:
            present = distinct.counts > 0
            values_present = pa.chunked_array([distinct.values.filter(pa.array(present))])
            column = read_column(distinct.name, values_present, missing_values, distinct.counts[present])
            domain, code_of = coding_of(column, guides.get(distinct.name), style, quasi=distinct.name in quasi)
            places = np.full(len(present), domain.missing, np.int32)
            places[present] = code_of[column.places]
            domains.append(domain)
            codes.append(np.append(places, np.int32(domain.missing)))
            if distinct.name not in quasi:
                rows = np.bincount(places[present], distinct.counts[present], len(domain)).astype(np.int64)
                overall[distinct.name] = Overall(domain.labels_or_none, rows)
        sensitive = tuple(distinct.name for distinct in columns if distinct.name not in quasi)
        values, counts = tuple(distinct.values for distinct in columns), tuple(distinct.counts for distinct in columns)
        return cls(quasi, sensitive, tuple(domains), values, counts, tuple(codes), overall)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, quasi-identifiers first."""
        return self.quasi + self.sensitive

    def places(self, columns: Mapping[str, pa.Array | pa.ChunkedArray]) -> Ints:
        """Return the place of each row's value among the values, rows × columns; −1 for null."""
        places = [places_in(columns[name], values, name) for name, values in zip(self.names, self.values, strict=True)]
        return np.stack(places, axis=1)

    def of_places(self, places: Ints) -> Ints:
        """Return the codes of values given by their places."""
        rows = np.empty(places.shape, np.int32)
        for at, codes in enumerate(self.codes):
            np.take(codes, places[:, at], out=rows[:, at], mode="wrap")
        return rows

    def table(self, codes: Ints, weights: Longs) -> Table:
        """Build the table of distinct rows with their weights, sorted by their codes."""
        order, starts = in_order(codes, [len(domain) for domain in self.domains])
        rows = codes[order[starts]]
        split = len(self.quasi)
        return Table(
            self.quasi,
            self.domains[:split],
            np.ascontiguousarray(rows[:, :split]),
            self.sensitive,
            self.domains[split:],
            np.ascontiguousarray(rows[:, split:]),
            np.add.reduceat(weights[order], starts),
            everything=dict(self.overall),
        )


def places_in(column: pa.Array | pa.ChunkedArray, values: pa.Array, name: str) -> Ints:
    """Return the place of each row's value among the values, −1 for null."""
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
        column = column.combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    known_places = pc.index_in(column.dictionary, value_set=values)
    used = pc.fill_null(column.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False)
    place_of = np.append(pc.fill_null(known_places, -2).to_numpy(zero_copy_only=False), np.int32(-1)).astype(np.int32)
    places: Ints = place_of[used]
    if (places == -2).any():
        raise InputError(f"Column {name!r} has a value that was not there before: the input changed while it was read.")
    return places
