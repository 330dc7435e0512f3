"""Ground: the tables of an experiment, and the released rows nearest to people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from shoal.analysis.attack.clues import copies, with_parts
from shoal.analysis.attack.facet import HELD_OUT, MEMBERS, Facet
from shoal.analysis.attack.linking import Trees
from shoal.data.column import Column, read_column
from shoal.data.rows import blocks, group_rows
from shoal.data.style import Style
from shoal.engines.memory.review import column_of
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.kernels.arrays import Flags, Floats, Ints, Longs
from shoal.kernels.nearest import nearest_rows
from shoal.system.progress import Progress, silent

MAX_CELLS = 2**23  # of distances, or of flags, in memory at a time
FIRST = 1e9  # a column that weighs so much comes before all others


def _read_any(released: Source, name: str, missing: Sequence[str]) -> Column:
    """Read a column of any type, as texts if its values cannot be compared."""
    try:
        return read_column(name, column_of(released, name), missing)
    except InputError:
        values = [None if value is None else str(value) for value in released.frame[name].to_list()]
        return read_column(name, pa.chunked_array([pa.array(values, pa.string())]), missing)


@dataclass(frozen=True, eq=False)
class Shown:
    """The distinct rows that a release shows in some columns: a label of each column, and how often."""

    facets: tuple[Facet, ...]
    ids: Ints
    labels: Ints  # columns × distinct rows
    counts: Longs

    @property
    def evidence(self) -> Floats:
        """How much a match tells: a row that covers few combinations of values is likelier the person's own."""
        breadths = [facet.breadth[labels] for facet, labels in zip(self.facets, self.labels, strict=True)]
        weights: Floats = np.prod([1.0 / breadth for breadth in breadths], axis=0)
        return weights

    @property
    def telling(self) -> Flags:
        """Whether each row tells anything: some label does not cover every value."""
        parts = zip(self.facets, self.labels, strict=True)
        some: Flags = np.any([facet.breadth[labels] < len(facet.values) for facet, labels in parts], axis=0)
        return some


@dataclass(frozen=True, eq=False)
class Ground:
    """A release, the people in it and, if some were held out, those who are not.

    facets   the columns that the attacker knows, by name; copies under other names are among them
    secrets  the columns that the attacker wants to learn
    extra    columns of the release that people's tables do not have
    attacks  the number of guesses
    """

    facets: dict[str, Facet]
    secrets: dict[str, Facet]
    extra: dict[str, Column]
    rows: int
    attacks: int
    seed: int
    held_out: bool
    progress: Progress = field(default=silent)

    @classmethod
    def of(
        cls,
        released: Source,
        people: Sequence[Source],
        *,
        known: Sequence[str],
        secrets: Sequence[str],
        trees: Trees,
        style: Style,
        missing: Sequence[str],
        attacks: int,
        seed: int,
        progress: Progress,
    ) -> Ground:
        """Read the tables; `people` are the original and, if there is one, the control group."""
        progress("reading labels", 0)
        shared = {}
        for name in (*known, *secrets):
            groups = [source.read([name], (*missing, ""))[name] for source in people]
            shared[name] = Facet.of(released.read([name], missing)[name], groups, trees.get(name), style)
        others = [name for name in released.columns if name not in people[0].columns]
        extra = with_parts({name: _read_any(released, name, missing) for name in others})
        facets = {name: shared[name] for name in known}
        for column, (name, own) in copies(extra, facets).items():
            shown = np.where(own.places < 0, len(own.values), own.places).astype(np.int32)
            facets[column] = replace(facets[name], name=column, labels=own.values, shown=shown, tree=None)
        held_out = len(people) > 1
        secret = {name: shared[name] for name in secrets}
        return cls(facets, secret, extra, len(released), attacks, seed, held_out, progress)

    @property
    def groups(self) -> tuple[int, ...]:
        """The groups of people that are attacked."""
        return (MEMBERS, HELD_OUT) if self.held_out else (MEMBERS,)

    def size(self, group: int) -> int:
        """Return the number of people in a group."""
        return int(next(iter(self.facets.values())).people[group].size)

    def own_facets(self) -> list[Facet]:
        """Return the known columns without copies under other names."""
        return [facet for facet in self.facets.values() if facet.name not in self.extra]

    def copies_of(self, facet: Facet) -> list[Facet]:
        """Return the copies of a column under other names."""
        return [other for other in self.facets.values() if other.name in self.extra and other.people is facet.people]

    def classes(self) -> Shown:
        """Return the classes: rows that show the same in all generalized columns."""
        coarse = [facet.name for facet in self.own_facets() if not facet.plain.all()]
        return self.shown(coarse or [facet.name for facet in self.own_facets()])

    def drawn(self, group: int) -> Longs:
        """Draw the people of a group who are attacked: all of them, if there are no more than attacks."""
        return self.some(self.size(group))

    def some(self, number: int) -> Longs:
        """Draw `attacks` of some things, in their order."""
        if number <= self.attacks:
            return np.arange(number)
        return np.sort(np.random.RandomState(self.seed).permutation(number)[: self.attacks])

    def shown(self, names: Sequence[str]) -> Shown:
        """Find the distinct rows that the release shows in some columns."""
        facets = tuple(self.facets[name] for name in names)
        columns = [facet.shown for facet in facets]
        ids, firsts = group_rows(columns, [len(facet.labels) + 1 for facet in facets], self.rows)
        labels = np.ascontiguousarray(np.stack(columns)[:, firsts])
        return Shown(facets, ids, labels, np.bincount(ids, minlength=firsts.size).astype(np.int64))

    def nearest(self, shown: Shown, people: Longs, group: int) -> Iterator[tuple[slice, Floats, Flags]]:
        """Yield for each block of people the distance of the nearest rows, and which these are."""
        places = np.stack([facet.people[group][people] for facet in shown.facets], axis=1)
        widths = np.array([len(facet.labels) + 1 for facet in shown.facets], np.int64)
        for block in blocks(people.size, max(int(widths.sum()), shown.counts.size), MAX_CELLS):
            tables, local = [], []
            for column, facet in enumerate(shown.facets):
                values, numbers = np.unique(places[block, column], return_inverse=True)
                tables.append(facet.distances(values, group).ravel())
                local.append(numbers)
            starts = np.cumsum([0, *(table.size for table in tables[:-1])]).astype(np.int64)
            own = np.stack(local, axis=1).astype(np.int32)
            yield block, *nearest_rows(np.concatenate(tables), starts, widths, own, shown.labels)
            self.progress("attacking", min(1.0, block.stop / max(1, people.size)))

    def nearest_people(
        self, shown: Shown, rows: Longs, group: int, *, first: str | None = None
    ) -> Iterator[tuple[slice, Floats, Flags]]:
        """Yield for each block of distinct rows the distance of the nearest people of a group, and which these are.

        first  a column that comes before all others: nobody is near whom its label does not cover
        """
        own, values = [], []
        for facet in shown.facets:
            there, numbers = np.unique(facet.people[group], return_inverse=True)
            own.append(numbers)
            values.append(there)
        people = np.ascontiguousarray(np.stack(own).astype(np.int32))
        widths = np.array([there.size for there in values], np.int64)
        for block in blocks(rows.size, max(int(widths.sum()), people.shape[1]), MAX_CELLS):
            tables, local = [], []
            for facet, there, labels in zip(shown.facets, values, shown.labels[:, rows[block]], strict=True):
                some, numbers = np.unique(labels, return_inverse=True)
                names = [facet.labels[place] for place in some.tolist() if place < len(facet.labels)]
                table = replace(facet, labels=names).distances(there, group)
                tables.append((table * (FIRST if facet.name == first else 1.0)).T.ravel())
                local.append(numbers)
            starts = np.cumsum([0, *(table.size for table in tables[:-1])]).astype(np.int64)
            labels_of = np.stack(local, axis=1).astype(np.int32)
            yield block, *nearest_rows(np.concatenate(tables), starts, widths, labels_of, people)
            self.progress("attacking", min(1.0, block.stop / max(1, rows.size)))

    def made_up(self) -> Ground:
        """Return the same release with people who were made up: each column is drawn on its own."""
        random = np.random.RandomState(self.seed)
        number = self.size(MEMBERS)
        drawn: dict[int, Longs] = {}

        def mixed(facet: Facet) -> Facet:
            # A copy of a column shares its people with the column.
            rows = drawn.setdefault(id(facet.people), random.randint(0, number, number))
            return replace(facet, people=(facet.people[MEMBERS][rows],))

        return replace(self, facets={name: mixed(facet) for name, facet in self.facets.items()}, held_out=False)
