"""Comparison: a released table beside its original, column by column, row by row and cell by cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_categories import taken
from shoal.data.arrow_text import is_text
from shoal.errors import VerificationError
from shoal.io.source import Source
from shoal.release.promise import Original, Promise
from shoal.release.verification.cells import Form, alike, row_name
from shoal.release.verification.classes import grouped
from shoal.release.verification.columns import Numbered, Remembered, different_pairs, first_row
from shoal.release.verification.cover import Cover
from shoal.release.verification.means import Means
from shoal.release.verification.scales import Values
from shoal.release.verification.unlabelled import check_pseudonyms, check_unchanged

MAX_LOCATED = 1000  # wrong labels among which the first row is sought for a message


@dataclass(eq=False)
class Comparison:
    """A released table beside the original; `after` and `before` have the columns of the two as numbers.

    covers, means  shared by all batches of a release that is made in batches
    key            the key of the pseudonyms, for batches
    """

    promise: Promise
    original: Original
    released: Source
    form: Form
    after: Remembered
    covers: dict[str, Cover] = field(default_factory=dict)
    means: Means = field(default_factory=Means)
    key: bytes | None = field(default=None, repr=False)

    @property
    def before(self) -> Remembered:
        """The columns of the original as numbers."""
        return self.original.columns

    def run(self) -> None:
        """Refuse a release whose columns, rows or cells are not as promised."""
        roles = self.promise.roles
        self._check_columns()
        self._check_rows()
        if not len(self.released):
            return
        self.after.prepare(self.promise.quasi, len(self.released))
        self.before.prepare(self.promise.roles.quasi, len(self.released))
        for name in roles.quasi:
            self._check_labels(name)
        for name in roles.pseudonymized:
            before = self.before[name].at(self.original.at)
            check_pseudonyms(name, before, self.after[name], self.form, self.key, self._nameless(name, before))
        for name in self.original.source.columns:
            if name not in {*roles.quasi, *roles.pseudonymized, *roles.identifying}:
                check_unchanged(name, self.original, self.released, self.form)
        self._check_class_numbers()
        self._check_order()
        if self.promise.style.means:
            self._add_means()

    def _nameless(self, name: str, before: Numbered) -> frozenset[str]:
        """Return the texts of the column of people that name nobody, so that they have no pseudonym."""
        if self.promise.unit is None or name not in self.promise.unit.columns:
            return frozenset()
        texts = Values(name, before.values).texts
        return frozenset(self.promise.missing_values) | {text for text in texts if not text.strip()}

    def _check_columns(self) -> None:
        roles, class_column = self.promise.roles, self.promise.class_column
        wanted = [name for name in self.original.source.columns if name not in roles.identifying]
        wanted += [class_column] if class_column is not None else []
        if self.released.columns != wanted:
            raise VerificationError(f"The release has the columns {self.released.columns} and should have {wanted}.")

    def _check_rows(self) -> None:
        """Refuse a wrong number of rows, or rows that do not each claim to be another row of the original."""
        rows, original_rows, at = len(self.released), len(self.original.source), self.original.at
        may_stay = int(self.stays.sum())
        if rows != self.promise.rows or not may_stay - self.promise.max_dropped <= rows <= may_stay:
            raise VerificationError(f"The release has {rows} rows and should have {self.promise.rows} of {may_stay}.")
        if at is None:
            if rows != original_rows:
                raise VerificationError(f"The release has {rows} rows of {original_rows}, and nothing tells which.")
            return
        if at.shape != (rows,) or at.min(initial=0) < 0 or at.max(initial=0) >= original_rows:
            raise VerificationError("The rows of the release do not all claim to be rows of the original.")
        times = np.bincount(at, minlength=original_rows)
        if times.max(initial=0) > 1:
            row = int(times.argmax()) + 1
            raise VerificationError(f"Row {row} of the original is claimed to be in the release {times.max()} times.")
        if not self.stays[at].all():
            raise VerificationError("A row with a missing value is in the release, though such rows are to be dropped.")

    @cached_property
    def stays(self) -> NDArray[np.bool_]:
        """Flags of the original rows that are not to be dropped for a missing value."""
        complete = np.ones(len(self.original.source), np.bool_)
        roles, columns = self.promise.roles, self.original.source.columns
        looked_at = columns if self.promise.drop_missing == "all" else (*roles.quasi, *roles.sensitive)
        for name in looked_at if self.promise.drop_missing else ():
            column = self.before[name]
            complete &= ~self._values_of(name, column.values).missing[column.numbers]
        return complete

    @property
    def whole(self) -> dict[str, pa.ChunkedArray]:
        """The sensitive columns of the original, without rows that are to be dropped."""
        columns = {name: self.original.source.arrow(name) for name in self.promise.sensitive}
        if self.stays.all():
            return columns
        return {name: taken(column, pa.array(np.flatnonzero(self.stays))) for name, column in columns.items()}

    def _values(self, name: str) -> Values:
        """Return the values of a column, with null for those that only rows to be dropped have."""
        column = self.before[name]
        if self.stays.all():
            return self._values_of(name, column.values)
        present = np.zeros(len(column), np.bool_)
        present[column.numbers[self.stays]] = True
        return self._values_of(name, pc.if_else(pa.array(present), column.values, pa.scalar(None, column.values.type)))

    def _values_of(self, name: str, values: pa.Array) -> Values:
        return Values(name, values, frozenset(self.promise.missing_values), self.promise.style.missing)

    def _check_labels(self, name: str) -> None:
        """Refuse a label that does not cover the original value of its row."""
        promise, before, after = self.promise, self.before[name].at(self.original.at), self.after[name]
        labels = self._labels(name, after)
        if name not in self.covers:
            top = promise.tops.get(name, promise.style.top)
            self.covers[name] = Cover(promise.hierarchies.get(name), promise.style, top)
        shown, held = different_pairs(after, before)
        covered = self.covers[name](labels, self._values(name), shown=shown, held=held)
        if not covered.all():
            wrong = np.flatnonzero(~covered)[:MAX_LOCATED]
            rows = [first_row(after, before, pair=(int(shown[at]), int(held[at]))) for at in wrong]
            label, row = labels[int(shown[wrong[int(np.argmin(rows))]])], row_name(min(rows), self.form)
            raise VerificationError(f"Column {name!r} shows {label!r} in {row}, which does not cover that row's value.")

    def _labels(self, name: str, after: Numbered) -> list[str]:
        """Return the distinct labels of a column as text; refuse a type that is neither text nor the original one."""
        kind, original = self.released.arrow(name).type, self.original.source.arrow(name).type
        if not is_text(after.values.type) and not alike(kind, original):
            raise VerificationError(f"Column {name!r} has labels of type {kind}, which is neither text nor {original}.")
        if after.values.null_count:
            null = pc.index_in(pa.nulls(1, after.values.type), value_set=after.values)[0].as_py()
            row = int(np.flatnonzero(after.numbers == null)[0])
            raise VerificationError(f"Column {name!r} shows no label in {row_name(row, self.form)}.")
        return self._texts(name)

    def _texts(self, name: str) -> list[str]:
        return Values(name, self.after[name].values, missing_label=self.promise.style.missing).texts

    def _add_means(self) -> None:
        """Add up the numbers of each class, so that the means it shows can be checked."""
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
    def _classes(self) -> NDArray[np.int64]:
        """The class of each row, determined by its labels."""
        return grouped([self.after[name].numbers for name in self.promise.quasi])[0]

    def _check_class_numbers(self) -> None:
        """Refuse class numbers that do not count the classes from 1, or that reveal more than the labels."""
        name, top = self.promise.class_column, self.promise.style.top
        if name is None:
            return
        labels = grouped([self.after[column].numbers for column in self.promise.roles.quasi])[0]
        numbers = self.after[name].values.to_pylist()
        classes = int(labels.max()) + 1
        if len(different_pairs(Numbered(labels.astype(np.int32), pa.nulls(classes)), self.after[name])[0]) != classes:
            raise VerificationError(f"Column {name!r} has several numbers for rows with the same labels.")
        counted = {number for number in numbers if number != top}
        if len(numbers) != classes or counted != {str(number) for number in range(1, len(counted) + 1)}:
            raise VerificationError(f"Column {name!r} does not count the classes from 1.")

    def _check_order(self) -> None:
        """Refuse rows that are not in the requested order."""
        at, order = self.original.at, self.original.order
        if order == "rows" and at is not None and (np.diff(at) <= 0).any():
            raise VerificationError("The rows are not in the order of the original.")
        if order == "classes":
            ids = self._classes
            starts = np.flatnonzero(np.diff(ids, prepend=-1))
            if starts.size > int(ids.max()) + 1:
                raise VerificationError("The rows of a class are not in one piece, as the order of classes requires.")
            if at is not None and ((np.diff(at) <= 0) & (np.diff(ids) == 0)).any():
                raise VerificationError("The rows of a class are not in the order of the original.")
