"""Comparison: a released table beside its original, column by column, row by row and cell by cell (SPEC §8 a to d)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_categories import taken
from shoal.data.arrow_text import as_text, is_text
from shoal.errors import VerificationError
from shoal.io.source import Source
from shoal.release.promise import Original, Promise
from shoal.release.verification.cells import alike, as_in_parquet, first_difference, idle_categories, same_value
from shoal.release.verification.classes import grouped
from shoal.release.verification.columns import Numbered, Remembered, different_pairs, first_row
from shoal.release.verification.cover import Cover
from shoal.release.verification.means import Means
from shoal.release.verification.scales import Values

Ints = NDArray[np.int64]
Form = Literal["frame", "batch", "file", "database", "text"]
PSEUDONYM = "^[0-9a-f]{32}$"


@dataclass(eq=False)
class Comparison:
    """A released table beside the original: `before` and `after` have the columns of the two as numbers."""

    promise: Promise
    original: Original
    released: Source
    form: Form
    after: Remembered
    covers: dict[str, Cover] = field(default_factory=dict)  # these two stay for the next part, where there are parts
    means: Means = field(default_factory=Means)
    key: bytes | None = field(
        default=None, repr=False
    )  # pseudonyms are computed again with it, where a batch cannot show that they are one to one

    @property
    def before(self) -> Remembered:
        """The columns of the original as numbers."""
        return self.original.columns

    def run(self) -> None:
        """Refuse a release whose columns, rows or cells are not the promised ones."""
        roles = self.promise.roles
        self._columns()
        self._rows()
        if not len(self.released):
            return
        self.after.prepare(self.promise.quasi, len(self.released))
        self.before.prepare(self.promise.roles.quasi, len(self.released))
        for name in roles.quasi:
            self._labels(name)
        for name in roles.pseudonymized:
            self._pseudonyms(name)
        for name in self.original.source.columns:
            if name not in {*roles.quasi, *roles.pseudonymized, *roles.identifying}:
                self._cells(name)
        self._class_numbers()
        self._order()
        if self.promise.style.means:
            self._add_means()

    def _columns(self) -> None:
        roles, new = self.promise.roles, self.promise.class_column
        wanted = [name for name in self.original.source.columns if name not in roles.identifying]
        wanted += [new] if new is not None else []
        if self.released.columns != wanted:
            _refuse(f"The release has the columns {self.released.columns} and should have {wanted}.")

    def _rows(self) -> None:
        """The rows are as many as promised, and each is said to be another row of the original that may stay."""
        rows, kept, at, may_stay = len(self.released), self._kept, self.original.at, self.may_stay
        if rows != self.promise.rows or not may_stay - self.promise.max_dropped <= rows <= may_stay:
            _refuse(f"The release has {rows} rows and should have {self.promise.rows} of {may_stay}.")
        if at is None:
            if rows != len(self.original.source):
                _refuse(f"The release has {rows} rows of {len(self.original.source)}, and nothing tells which.")
            return
        if at.shape != (rows,) or at.min(initial=0) < 0 or at.max(initial=0) >= len(self.original.source):
            _refuse("The rows of the release are not said to be rows of the original.")
        times = np.bincount(at, minlength=len(self.original.source))
        if times.max(initial=0) > 1:
            _refuse(f"Row {int(times.argmax()) + 1} of the original is said to be in the release {times.max()} times.")
        if kept is not None and not kept[at].all():
            _refuse("A row that misses a value is in the release, though such rows are to be dropped.")

    @property
    def may_stay(self) -> int:
        """The rows of the original that are not to be dropped for a missing value."""
        return len(self.original.source) if self._kept is None else int(self._kept.sum())

    @property
    def stays(self) -> NDArray[np.bool_]:
        """For each row of the original whether it is one of these."""
        return np.ones(len(self.original.source), np.bool_) if self._kept is None else self._kept

    @cached_property
    def _kept(self) -> NDArray[np.bool_] | None:
        """The rows of the original that miss no value, where others are to be dropped."""
        if not self.promise.drop_missing:
            return None
        kept = np.ones(len(self.original.source), np.bool_)
        for name in (*self.promise.roles.quasi, *self.promise.roles.sensitive):
            column = self.before[name]
            kept &= ~self._values_of(name, column.values).missing[column.numbers]
        return kept

    @property
    def whole(self) -> dict[str, pa.ChunkedArray]:
        """The sensitive columns of the original, without rows that are to be dropped."""
        columns = {name: self.original.source.arrow(name) for name in self.promise.sensitive}
        if self._kept is None or self._kept.all():
            return columns
        return {name: taken(column, pa.array(np.flatnonzero(self._kept))) for name, column in columns.items()}

    def _values(self, name: str) -> Values:
        """The values of a column, those of rows that are to be dropped being none."""
        column = self.before[name]
        if self._kept is None or self._kept.all():
            return self._values_of(name, column.values)
        there = np.zeros(len(column), np.bool_)
        there[column.numbers[self._kept]] = True
        return self._values_of(name, pc.if_else(pa.array(there), column.values, pa.scalar(None, column.values.type)))

    def _values_of(self, name: str, values: pa.Array) -> Values:
        return Values(name, values, frozenset(self.promise.missing_values), self.promise.style.missing)

    def _labels(self, name: str) -> None:
        """Every label covers the value of its row."""
        promise, before, after = self.promise, self.before[name].at(self.original.at), self.after[name]
        labels = self._shown(name, after)
        if name not in self.covers:
            top = promise.tops.get(name, promise.style.top)
            self.covers[name] = Cover(promise.hierarchies.get(name), promise.style, top)
        cover = self.covers[name]
        values = self._values(name)
        shown, held = different_pairs(after, before)
        good = cover(labels, values, shown=shown, held=held)
        if not good.all():
            bad = np.flatnonzero(~good)
            rows = [first_row(after, before, pair=(int(shown[at]), int(held[at]))) for at in bad[:1000]]
            label = labels[int(shown[bad[int(np.argmin(rows))]])]
            _refuse(
                f"Column {name!r} shows {label!r} in {self._row(min(rows))}, which does not cover that row's value."
            )

    def _row(self, row: int) -> str:
        """The number of a row as sentences name it; a batch does not know which rows come before it."""
        return f"row {row + 1} of a batch" if self.form == "batch" else f"row {row + 1}"

    def _shown(self, name: str, after: Numbered) -> list[str]:
        """The different labels of a column as text; one whose values are all as they were may keep its type."""
        kind, original = self.released.arrow(name).type, self.original.source.arrow(name).type
        if not is_text(after.values.type) and not alike(kind, original):
            _refuse(f"Column {name!r} has labels of type {kind}, which is neither text nor {original}.")
        if after.values.null_count:
            row = int(np.flatnonzero(after.numbers == _null(after.values))[0])
            _refuse(f"Column {name!r} shows no label in {self._row(row)}.")
        return self._texts(name)

    def _texts(self, name: str) -> list[str]:
        return Values(name, self.after[name].values, frozenset(), self.promise.style.missing).texts

    def _add_means(self) -> None:
        """Let the means that classes show be looked at."""
        names = self.promise.quasi
        numbers = {}
        for name in self.promise.roles.quasi:
            scale = self._values(name).scale
            if name not in self.promise.hierarchies and scale is not None:
                numbers[name] = scale.places.astype(np.float64)[self.before[name].at(self.original.at).numbers]
        firsts = np.unique(self._classes, return_index=True)[1]
        columns = [np.array(self._texts(name), object)[self.after[name].numbers[firsts]] for name in names]
        self.means.add(list(zip(*columns, strict=True)), self._classes, numbers)

    @cached_property
    def _classes(self) -> Ints:
        """The class of each row, told by its labels."""
        return grouped([self.after[name].numbers for name in self.promise.quasi])[0]

    def _pseudonyms(self, name: str) -> None:
        """Each value has one pseudonym, which no other value has and which is no value; missing ones stay missing."""
        before, after = self.before[name].at(self.original.at), self.after[name]
        values = Values(name, before.values, frozenset(), "")
        texts, shown = np.array(values.texts, object), after.values.to_pylist()
        blank = "" if self.form == "text" else None
        pairs = set()
        for new, old in zip(*(part.tolist() for part in different_pairs(after, before)), strict=True):
            if values.missing[old] != (shown[new] == blank or shown[new] is None):
                _refuse(f"Column {name!r} shows a pseudonym for a missing value, or none for a value.")
            if not values.missing[old]:
                pairs.add((shown[new], texts[old]))
        new, old = [one for one, _ in pairs], [one for _, one in pairs]
        hashed = pc.all(pc.match_substring_regex(pa.array(new, pa.string()), PSEUDONYM), min_count=0).as_py()
        if self.key is not None:
            hashed &= all(
                hmac.digest(self.key, f"{name}\0{one}".encode(), "sha256").hex()[:32] == to for to, one in pairs
            )
        if not hashed or len(set(new)) < len(new) or len(set(old)) < len(old) or set(new) & set(texts.tolist()):
            _refuse(f"Column {name!r} is not replaced, value by value, by pseudonyms.")

    def _cells(self, name: str) -> None:
        """A column without labels is as it was."""
        source, at = self.original.source, self.original.at
        if self.form == "frame" and not source.has_arrow(name):
            self._objects(name)
            return
        shown, before = self.released.arrow(name), source.arrow(name)
        was = before if at is None else taken(before, pa.array(at))
        if self.form == "text":
            was = as_text(was)
        elif not self._same_type(name, shown.type, before.type):
            _refuse(f"Column {name!r} is of type {shown.type} and was of type {before.type}.")
        row = first_difference(shown, was)
        if row is not None:
            _refuse(f"Column {name!r} is not as it was in {self._row(row)}.")
        if self.form != "batch" and len(was) < len(before) and idle_categories(shown, before):
            _refuse(f"Column {name!r} names categories of rows that are not in the release.")

    def _objects(self, name: str) -> None:
        """A column of objects that only Python knows is as it was."""
        was, shown = (table.frame[name].to_list() for table in (self.original.source, self.released))
        was = was if self.original.at is None else [was[row] for row in self.original.at.tolist()]
        for row, (value, before) in enumerate(zip(shown, was, strict=True)):
            if value is not before and not same_value(value, before):
                _refuse(f"Column {name!r} is not as it was in row {row + 1}.")

    def _same_type(self, name: str, now: pa.DataType, before: pa.DataType) -> bool:
        frame, source = self.released.frame, self.original.source.frame
        if self.form == "database" and pa.types.is_dictionary(before):
            before = before.value_type
        if self.form == "file":
            before = as_in_parquet(before)
        same = alike(now, before, any_text=self.form in ("file", "database"))
        if not source.implementation.is_pandas_like():
            return same
        was = source.to_native()[name].dtype
        if self.form == "frame" and str(was) not in ("category", "object"):
            return bool(frame.implementation.is_pandas_like() and frame.to_native()[name].dtype == was)
        return same or str(was) == "object"  # Arrow tells the type of objects from those that are left

    def _class_numbers(self) -> None:
        """Class numbers count the classes from 1, and say nothing that the labels do not."""
        name, top = self.promise.class_column, self.promise.style.top
        if name is None:
            return
        labels = grouped([self.after[column].numbers for column in self.promise.roles.quasi])[0]
        shown = self.after[name].values.to_pylist()
        classes = int(labels.max()) + 1
        if len(different_pairs(Numbered(labels.astype(np.int32), pa.nulls(classes)), self.after[name])[0]) != classes:
            _refuse(f"Column {name!r} has several numbers for rows that show the same.")
        counted = {number for number in shown if number != top}
        if len(shown) != classes or counted != {str(number) for number in range(1, len(counted) + 1)}:
            _refuse(f"Column {name!r} does not count the classes from 1.")

    def _order(self) -> None:
        """Rows are in the order that was asked for."""
        at, order = self.original.at, self.original.order
        if order == "rows" and at is not None and (np.diff(at) <= 0).any():
            _refuse("The rows are not in the order of the original.")
        if order == "classes":
            ids = self._classes
            starts = np.flatnonzero(np.diff(ids, prepend=-1))
            if starts.size > int(ids.max()) + 1:
                _refuse("The rows of a class are not in one piece, as the order of classes asks.")
            if at is not None and ((np.diff(at) <= 0) & (np.diff(ids) == 0)).any():
                _refuse("The rows of a class are not in the order of the original.")


def _null(values: pa.Array) -> int:
    return int(pc.index_in(pa.nulls(1, values.type), value_set=values)[0].as_py())


def _refuse(sentence: str) -> None:
    raise VerificationError(sentence)
