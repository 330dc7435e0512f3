"""Labelling: the class of each row, and the label of each class in each quasi-identifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isnan

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text, is_text
from shoal.data.classes import ROWS
from shoal.data.domain import NumericDomain
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.release.arguments import check_recoding, meanings
from shoal.release.promise import Original, Promise, Whole
from shoal.release.request import Request
from shoal.release.solve import Solved


@dataclass(frozen=True, eq=False)
class Labelling:
    """The equivalence class of each row of a table (−1: suppressed), and the released labels of each class.

    `table` and `recoding` exclude the rows of a population; `tops` has the labels of suppressed rows.
    """

    request: Request
    solved: Solved
    table: Table
    recoding: Recoding
    labels: dict[str, list[str]]
    ids: NDArray[np.int32]
    tops: dict[str, str]

    @classmethod
    def of(cls, solved: Solved, request: Request) -> Labelling:
        """Check the algorithm's recoding and label its classes; classes with the same labels become one."""
        table, recoding, style = solved.table, solved.recoding, request.style
        if solved.moved is None:
            request = replace(request, ranges="tight")
        check_recoding(recoding, table, solved.budget)
        if table.units is not None:  # the nodes of a lattice of people count these
            recoding = replace(recoding, sizes=table.sizes(recoding.ids))
        if table.population is not None:
            table, recoding = table.without_population(), recoding.of_rows(int((table.weights > 0).sum()))
        tops = {name: domain.top(style) for name, domain in zip(table.quasi, table.domains, strict=True)}
        shown = {} if request.drops_suppressed else tops
        labels, ids = one_per_label(class_labels(table, recoding, style), recoding.ids, shown)
        return cls(request, solved, table, recoding, labels, ids, tops)._apart()

    def _apart(self) -> Labelling:
        """Dissolve the class that has the labels of suppressed rows, if it fails the model together with them.

        A reader cannot tell its rows from suppressed ones. They count as suppressed, too, if so many are allowed;
        otherwise the release is refused. Models with a population are left to the verification.
        """
        ids, model, suppressed = self.ids, self.request.model, self.recoding.suppressed
        joined = int(ids[suppressed].max(initial=-1))
        if joined < 0 or model.populations:
            return self
        classes = self.table.classes(ids)
        if model.satisfied(classes)[joined]:
            return self
        size, hidden = int(classes.rows[joined]), int(self.table.weights[suppressed].sum())
        if size <= self.solved.budget and len(classes) > 1:
            labels = {name: [*shown[:joined], *shown[joined + 1 :]] for name, shown in self.labels.items()}
            return replace(self, labels=labels, ids=np.where(ids == joined, -1, ids - (ids > joined)).astype(np.int32))
        top_labels = ", ".join(f"{name}={top}" for name, top in self.tops.items())
        raise InputError(
            f"{ROWS.of(size - hidden)} and the {hidden:,} suppressed show {top_labels}, and together they "
            f"fail {model}: choose another top label (shoal.Style(top=…), another root of a hierarchy), leave "
            f"suppressed rows out (suppressed='drop', --suppressed drop), or let {size:,} be suppressed."
        )

    def promise(self, original: Original | None = None, whole: Whole | None = None) -> Promise:
        """State what must hold for the release; see Promise.of()."""
        return Promise.of(
            self.request,
            tops=self.tops,
            budget=self.solved.budget,
            rows=self.rows,
            hierarchies=meanings(self.table),
            original=original,
            whole=whole,
        )

    @property
    def rows(self) -> int:
        """The number of released rows."""
        dropped = int(self.table.weights[self.recoding.suppressed].sum()) if self.request.drops_suppressed else 0
        return self.table.rows - dropped

    @property
    def generalized(self) -> tuple[str, ...]:
        """The quasi-identifiers that hide a value of some row."""
        hides = self.suppressed.any()
        columns = zip(self.table.quasi, self.table.domains, self.recoding.shown, strict=True)
        return tuple(name for name, domain, shown in columns if hides or (domain.loss(shown) > 0).any())

    @property
    def suppressed(self) -> NDArray[np.bool_]:
        """Flags of the rows that are released with nothing to distinguish them."""
        return self.recoding.suppressed | (self.ids < 0)

    def changed(self, types: Mapping[str, pa.DataType], values: Callable[[str], pa.Array]) -> dict[str, list[str]]:
        """Return the labels of the columns that do not keep their type; `values` returns a column's distinct values."""
        if not self.request.drops_suppressed and (self.ids < 0).any():
            return self.labels
        unchanged = _unchanged_columns(self.table, self.labels, self.ids, types, values)
        return {name: labels for name, labels in self.labels.items() if name not in unchanged}


def class_labels(table: Table, recoding: Recoding, style: Style) -> dict[str, list[str]]:
    """Write the label of each class, by quasi-identifier."""
    by_column = {}
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        labels = domain.write(shown, style)
        if style.means and isinstance(domain, NumericDomain) and domain.are_numbers and (shown.high > shown.low).any():
            means = domain.means(codes, table.weights, recoding.ids, recoding.sizes)
            rounded = [float(f"{mean:.8g}") for mean in means]
            labels = [label if isnan(mean) else repr(mean) for label, mean in zip(labels, rounded, strict=True)]
        by_column[name] = labels
    return by_column


def one_per_label(
    labels: Mapping[str, list[str]], ids: NDArray[np.int32], tops: Mapping[str, str]
) -> tuple[dict[str, list[str]], NDArray[np.int32]]:
    """Merge classes with the same labels, since a reader cannot distinguish them; return labels and classes of rows.

    Suppressed rows, which show the `tops`, join a class with the same labels, if any.
    """
    numbers: dict[tuple[str, ...], int] = {}
    merged = [numbers.setdefault(shown, len(numbers)) for shown in zip(*labels.values(), strict=True)]
    if len(numbers) < len(merged):
        ids = np.append(np.array(merged, np.int32), np.int32(-1))[ids]
    ids = np.where(ids < 0, np.int32(numbers.get(tuple(tops.values()), -1)), ids)
    return dict(zip(labels, map(list, zip(*numbers, strict=True)), strict=True)) if numbers else dict(labels), ids


def _unchanged_columns(
    table: Table,
    labels: Mapping[str, list[str]],
    ids: NDArray[np.int32],
    kinds: Mapping[str, pa.DataType],
    values: Callable[[str], pa.Array],
) -> set[str]:
    """Return the quasi-identifiers that keep their type, because each row shows its original value.

    These can be booleans, integers, doubles, dates and categories of text whose distinct `values` look the same in a
    file as the labels; otherwise (such as 1e-05 or -0.0) the labels are released, as text.
    """
    unchanged = set()
    for at, (name, domain) in enumerate(zip(table.quasi, table.domains, strict=True)):
        if domain.missing >= 0 or not _can_stay(kinds[name]) or not set(labels[name]) <= set(domain.labels):
            continue
        place = {label: code for code, label in enumerate(domain.labels)}
        shown = np.array([place[label] for label in labels[name]], np.int64)
        if (shown[ids[ids >= 0]] != table.codes[ids >= 0, at]).any():  # a node can have the name of a value
            continue
        written = as_text(pa.chunked_array([values(name)])).to_pylist()
        if set(written) <= set(domain.labels) and len(written) == np.unique(table.codes[:, at]).size:
            unchanged.add(name)
    return unchanged


def _can_stay(kind: pa.DataType) -> bool:
    """Say whether a column of this type may keep it."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return any(of(kind) for of in (pa.types.is_boolean, pa.types.is_integer, pa.types.is_float64, pa.types.is_date32))
