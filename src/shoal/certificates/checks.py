"""The checks of the columns, rows and cells of a written release, by code that has no part in making one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.labels import Labels, pairs_of
from shoal.certificates.matching import BY_COLUMN, is_sure, match_rows
from shoal.certificates.rows import Rows, alike
from shoal.certificates.tables import Tables
from shoal.data.domain import NumericDomain
from shoal.errors import InputError
from shoal.release.verification.classes import grouped

MEAN = 1e-7  # the part by which a mean that is shown may differ, as it has eight digits


@dataclass(frozen=True)
class Check:
    """One thing that was checked: what is required and what was found, as plain values and in a sentence."""

    name: str
    required: Any
    measured: Any
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """The check as plain values."""
        return {"check": self.name, "required": self.required, "measured": self.measured, "sentence": self.sentence}


@dataclass(eq=False)
class Checks:
    """What has been found so far: the checks that hold, what is wrong, and the figures of the release."""

    tables: Tables
    passed: list[Check] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    by: str = ""  # how the rows were matched, and by which column
    column: str | None = None
    suppressed: int = 0

    def __post_init__(self) -> None:
        table, style = self.tables.table, self.tables.request.style
        named = zip(table.quasi, table.domains, strict=True)
        self.readers = {name: Labels(domain, style) for name, domain in named}

    def run(self) -> Checks:
        """All checks; those after one without which they mean nothing are left out."""
        if self._columns() and self._count():
            self.rows = Rows.of(self.tables)
            if self._rows() and self._cells():
                self._pseudonyms()
                self._numbers()
        return self

    def holds(self, name: str, required: Any, measured: Any, sentence: str) -> None:
        """Note a check that holds."""
        self.passed.append(Check(name, required, measured, sentence))

    def _columns(self) -> bool:
        tables, roles = self.tables, self.tables.request.roles
        new = [tables.request.class_column] if tables.request.class_column else []
        wanted = [name for name in tables.original.columns if name not in roles.identifying] + new
        if tables.released.columns != wanted:
            self.wrong.append(f"The release has the columns {tables.released.columns} and should have {wanted}.")
            return False
        gone = f"{len(roles.identifying)} identifying column{'s' * (len(roles.identifying) != 1)}"
        self.holds("columns", wanted, wanted, f"The {len(wanted)} columns stand in their order; {gone} gone.")
        return True

    def _count(self) -> bool:
        tables, lost = self.tables, self.tables.lost
        allowed = tables.budget if tables.request.suppressed == "drop" else 0
        if not 0 <= lost <= allowed:
            self.wrong.append(
                f"The release has {len(tables.released):,} rows of {len(tables.kept):,}, and {allowed:,} may be gone."
            )
            return False
        return True

    def _rows(self) -> bool:
        tables = self.tables
        found, self.by, self.column = match_rows(tables, self.rows, self.readers)
        if found is None:
            self.wrong.append(f"The rows of the release are not rows of the original, matched {self._how()}.")
            return False
        self.at, self.sure = found, is_sure(tables, self.rows, self.by)
        changed = np.flatnonzero(self.rows.before[found] != self.rows.after)
        for name in tables.exact if changed.size else ():
            numbers = alike(tables.kept.arrow(name), tables.released.arrow(name))
            rows = np.flatnonzero(numbers[: len(tables.kept)][found] != numbers[len(tables.kept) :])
            if rows.size:
                where = f"{rows.size:,} row{'s' * (rows.size != 1)}, first in row {rows[0] + 1}"
                self.wrong.append(f"Column {name!r} is not as it was in {where}.")
        self._order()
        if self.classes().max() > grouped(list(self.rows.shown.values()))[0].max():
            self.wrong.append("Rows that show the same have different class numbers.")
        if self.wrong:
            return False
        each = f"Each of the {len(tables.released):,} rows is one row of the original, matched {self._how()}"
        self.holds("rows", len(tables.kept), len(tables.released), f"{each}; columns without a role are as they were.")
        return True

    def _how(self) -> str:
        return f"by column {self.column!r}" if self.by == BY_COLUMN else self.by

    def _order(self) -> None:
        """Where rows are sorted by class, each class is in one piece, and its rows are in their old order."""
        if self.tables.request.order != "classes":
            return
        ids = self.classes()
        starts = np.flatnonzero(np.diff(ids, prepend=-1))
        if starts.size > np.unique(ids).size:
            self.wrong.append("The rows of a class are not in one piece, as the order of classes asks.")
        elif self.by == BY_COLUMN and ((np.diff(self.at) < 0) & (np.diff(ids) == 0)).any():
            self.wrong.append("The rows of a class are not in their old order.")

    def classes(self) -> NDArray[np.int64]:
        """The class of each released row, told by its labels and its class number; the first row's class is 0."""
        columns: list[NDArray[np.int32]] = list(self.rows.shown.values())
        if name := self.tables.request.class_column:
            own = self.tables.released.arrow(name)
            columns.append(alike(own, own)[: len(own)])
        return grouped(columns)[0]

    def _numbers(self) -> None:
        """Class numbers count the classes from 1, and say nothing else."""
        if name := self.tables.request.class_column:
            numbers = set(zip(self.tables.released.arrow(name).to_pylist(), self.classes().tolist(), strict=True))
            shown = {number for number, _ in numbers if number != self.tables.request.style.top}
            tops = sum(number == self.tables.request.style.top for number, _ in numbers)
            if shown != {str(number) for number in range(1, len(numbers) - tops + 1)}:
                self.wrong.append(f"Column {name!r} does not count the classes from 1.")

    def _cells(self) -> bool:
        tables, width = self.tables, [len(domain) for domain in self.tables.table.domains]
        self.losses: dict[str, NDArray[np.float64]] = {}  # of each cell, the least and the most
        for at, name in enumerate(tables.table.quasi):
            labels, reader = self.rows.labels[name], self.readers[name]
            pairs, firsts, back = pairs_of(self.rows.shown[name], tables.table.codes[self.at, at], width[at])
            found = [reader.losses(labels[label], code, sure=self.sure) for label, code in pairs]
            bad = [int(row) for row, one in zip(firsts, found, strict=True) if one is None]
            if bad:
                label = labels[int(self.rows.shown[name][min(bad)])]
                self.wrong.append(
                    f"Column {name!r} shows {label!r} in row {min(bad) + 1}, which does not cover the original value."
                )
            elif reader.means:
                self._means(at, name)
            self.losses[name] = np.array([one or (0.0, 1.0) for one in found])[back]
        if self.wrong:
            return False
        cells = len(self.at) * len(width)
        self.holds("cells", cells, cells, f"Each of the {cells:,} labels covers the original value of its row.")
        return True

    def _means(self, at: int, name: str) -> None:
        """The mean that a class shows is that of its values."""
        if not self.sure:
            raise InputError(
                f"Column {name!r} shows means, and no column tells which row is which in a release whose rows are in "
                f"another order or were dropped: this cannot be certified. Show ranges, or keep all rows in order."
            )
        domain, ids = self.tables.table.domains[at], self.classes()
        assert isinstance(domain, NumericDomain)  # noqa: S101
        values = domain.values[self.tables.table.codes[self.at, at]]
        sums, sizes = np.bincount(ids, np.nan_to_num(values)), np.bincount(ids)
        for number, row in zip(*np.unique(ids, return_index=True), strict=True):
            label = self.rows.labels[name][int(self.rows.shown[name][row])]
            if label in (self.readers[name].top, self.tables.request.style.missing):
                continue
            mean, shown = sums[number] / sizes[number], float(label)
            if abs(mean - shown) > MEAN * max(abs(mean), abs(shown)):
                self.wrong.append(f"Column {name!r} shows {label!r} in row {row + 1}, which is not the mean there.")
                return

    def _pseudonyms(self) -> None:
        tables = self.tables
        for name in tables.request.roles.pseudonymized:
            numbers = alike(tables.kept.arrow(name), tables.released.arrow(name))
            before, after = numbers[: len(tables.kept)], numbers[len(tables.kept) :]
            kept = tables.kept.arrow(name).to_pylist()
            blank = [number for number, one in zip(before.tolist(), kept, strict=True) if one in (None, "")][:1]
            shared = np.setdiff1d(np.intersect1d(before, after), blank)
            if not self.sure:
                good = bool(tables.lost) or self._dealt(before, self.rows.before) == self._dealt(after, self.rows.after)
            else:
                pairs = set(zip(before[self.at].tolist(), after.tolist(), strict=True))
                good = len(pairs) == len({one for one, _ in pairs}) == len({one for _, one in pairs})
            if shared.size or not good:
                self.wrong.append(f"Column {name!r} is not replaced value by value by pseudonyms.")
            else:
                sentence = f"Column {name!r} has a pseudonym of its own for each value, and none is a value."
                if not self.sure:
                    sentence = f"Column {name!r} shows pseudonyms that are no values; equal rows cannot be told apart."
                self.holds("pseudonyms", name, int(np.unique(after).size), sentence)

    @staticmethod
    def _dealt(values: NDArray[np.int32], numbers: NDArray[np.int64]) -> Counter[Any]:
        """How often each way occurs in which a value is spread over the contents of the other columns."""
        spread: dict[int, list[int]] = {}
        for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
            spread.setdefault(value, []).append(number)
        return Counter(tuple(sorted(one)) for one in spread.values())
