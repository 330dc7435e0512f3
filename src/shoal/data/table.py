"""Table: the columns of a frame as integer codes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.data.classes import Classes, Counts, Overall
from shoal.data.domain import AnyDomain
from shoal.data.people import classes_of_people, overall_of_people
from shoal.data.rows import group_rows
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.groups import group_weights


@dataclass(frozen=True, eq=False)
class Table:
    """The quasi-identifiers and sensitive attributes of a frame as codes, each row with its weight."""

    quasi: tuple[str, ...]
    domains: tuple[AnyDomain, ...]
    codes: Ints
    sensitive: tuple[str, ...]
    sensitive_domains: tuple[AnyDomain, ...]
    sensitive_codes: Ints
    weights: Longs
    population: Longs | None = None  # people for each row; rows of people come last, with weight 0
    everything: dict[str, Overall] | None = None  # the sensitive attributes of the whole table, if this is a part of it
    units: Ints | None = None  # the number of each row's person, if people are counted
    owners: Ints | None = None  # the number of the person or household whose rows can be linked, if they can

    @cached_property
    def rows(self) -> int:
        """The number of rows, counted with their weights."""
        return int(self.weights.sum())

    def without_population(self) -> Table:
        """Return the rows of the table itself."""
        return replace(self.some(self.weights > 0), population=None)

    @cached_property
    def people(self) -> int:
        """The number of people; each row is one if no units are known."""
        return self.rows if self.units is None else np.unique(self.units).size

    def sizes(self, ids: Ints) -> Longs:
        """Count the rows of each class."""
        groups = int(ids.max(initial=-1)) + 1
        return group_weights(self.weights, ids, groups)

    def classes(self, ids: Ints) -> Classes:
        """Return the classes of a grouping of the rows (−1: in no class), in people if units are known."""
        if self.units is not None:
            return classes_of_people(
                ids,
                self.units,
                weights=self.weights,
                classes=int(ids.max(initial=-1)) + 1,
                column=self.sensitive_column,
                overall=self.overall,
            )
        sizes = self.sizes(ids)

        def counts(name: str) -> Counts:
            codes, values = self.sensitive_column(name)
            return Counts.of(codes, ids, weights=self.weights, classes=sizes.size, values=values)

        people = None if self.population is None else group_weights(self.population, ids, sizes.size)
        return Classes(sizes, self.overall, counts, people)

    def sensitive_column(self, name: str) -> tuple[Ints, int]:
        """Return the codes of a sensitive attribute, and how many different ones there can be."""
        place = self.sensitive.index(name)
        return self.sensitive_codes[:, place], len(self.sensitive_domains[place])

    @cached_property
    def overall(self) -> dict[str, Overall]:
        """Each sensitive attribute in the whole table."""
        if self.everything is not None:
            return self.everything
        overall = {}
        for name, domain, codes in zip(self.sensitive, self.sensitive_domains, self.sensitive_codes.T, strict=True):
            column = np.ascontiguousarray(codes)
            if self.units is not None:
                overall[name] = overall_of_people(name, domain.labels_or_none, column, self.units)
                continue
            overall[name] = Overall(domain.labels_or_none, group_weights(self.weights, column, len(domain)))
        return overall

    def whole(self) -> Classes:
        """Return the whole table as one class."""
        return self.classes(np.zeros(len(self.weights), np.int32))

    def checksum(self) -> str:
        """Return a SHA-256 of the codes and their labels."""
        digest = hashlib.sha256()
        for name, domain in zip(self.quasi + self.sensitive, self.domains + self.sensitive_domains, strict=True):
            digest.update(repr((name, domain.labels)).encode())
        digest.update(self.codes.tobytes())
        digest.update(self.sensitive_codes.tobytes())
        return digest.hexdigest()

    def some(self, rows: Longs | Flags) -> Table:
        """Return some of the rows."""
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(
            self,
            codes=self.codes.take(rows, axis=0),
            sensitive_codes=self.sensitive_codes.take(rows, axis=0),
            weights=self.weights[rows],
            population=None if self.population is None else self.population[rows],
            units=None if self.units is None else self.units[rows],
            owners=None if self.owners is None else self.owners[rows],
        )

    def distinct(self, *, sensitive: bool = True, within: Ints | None = None) -> tuple[Table, Ints]:
        """Return the distinct rows with their weights, and for each row of this table its place among them.

        Rows of different people, and of different classes if `within` has their numbers, are never equal.
        """
        columns, sizes = list(self.codes.T), [len(domain) for domain in self.domains]
        if sensitive:
            columns += list(self.sensitive_codes.T)
            sizes += [len(domain) for domain in self.sensitive_domains]
        if self.units is not None:
            columns, sizes = [self.units, *columns], [int(self.units.max(initial=0)) + 1, *sizes]
        if within is not None:
            columns, sizes = [within, *columns], [int(within.max(initial=0)) + 1, *sizes]
        ids, firsts = group_rows(columns, sizes, len(self.weights))
        table = self
        if firsts.size < ids.size:
            weights = group_weights(self.weights, ids, firsts.size)
            people = None if self.population is None else group_weights(self.population, ids, firsts.size)
            table = replace(self.some(firsts), weights=weights, population=people)
        if sensitive:
            return table, ids
        empty = table.sensitive_codes[:, :0]
        return replace(table, sensitive=(), sensitive_domains=(), sensitive_codes=empty), ids
