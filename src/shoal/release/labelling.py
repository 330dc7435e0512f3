"""Labelling: the class of each row, and the label that each class shows of each quasi-identifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text, is_text
from shoal.data.domain import NumericDomain
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.release.arguments import check_recoding
from shoal.release.request import Request
from shoal.release.solve import Solved


@dataclass(frozen=True, eq=False)
class Labelling:
    """The equivalence class of each row of a table (−1: suppressed), and the labels that each class is released with.

    Rows of a population are left out of `table` and `recoding`; `tops` are the labels of suppressed rows.
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
        """Check what the algorithm answered and label its classes; classes with the same labels become one."""
        table, recoding, style = solved.table, solved.recoding, request.style
        check_recoding(recoding, table, solved.budget)
        if table.population is not None:
            table, recoding = table.without_population(), recoding.of_rows(int((table.weights > 0).sum()))
        tops = {name: domain.top(style) for name, domain in zip(table.quasi, table.domains, strict=True)}
        labels, ids = one_per_label(
            class_labels(table, recoding, style), recoding.ids, {} if request.drops_suppressed else tops
        )
        labels, ids = apart(
            labels,
            ids,
            table=table,
            recoding=recoding,
            tops=tops,
            model=request.model,
            max_suppressed=solved.budget,
        )
        return cls(request, solved, table, recoding, labels, ids, tops)

    @property
    def rows(self) -> int:
        """The number of released rows."""
        dropped = int(self.table.weights[self.recoding.suppressed].sum()) if self.request.drops_suppressed else 0
        return self.table.rows - dropped

    @property
    def suppressed(self) -> NDArray[np.bool_]:
        """Which rows are released without anything that tells them from others."""
        return self.recoding.suppressed | (self.ids < 0)

    def changed(self, types: Mapping[str, pa.DataType], values: Callable[[str], pa.Array]) -> dict[str, list[str]]:
        """The labels of those columns that do not keep their type; `values` gives a column's different values."""
        same: set[str] = set()
        if self.request.drops_suppressed or (self.ids >= 0).all():
            same = unchanged_columns(self.table, self.labels, types, values)
        return {name: labels for name, labels in self.labels.items() if name not in same}


def class_labels(table: Table, recoding: Recoding, style: Style) -> dict[str, list[str]]:
    """What each class shows of each quasi-identifier, as text."""
    found = {}
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        found[name] = domain.write(shown, style)
        if not (style.means and isinstance(domain, NumericDomain) and domain.are_numbers):
            continue
        if (shown.high > shown.low).any():  # else every value is shown as it is
            means = domain.means(codes, table.weights, recoding.ids, recoding.sizes)
            shorts = [float(f"{mean:.8g}") for mean in means]
            found[name] = [
                label if isnan(mean) else repr(mean) for label, mean in zip(found[name], shorts, strict=True)
            ]
    return found


def one_per_label(
    labels: Mapping[str, list[str]], ids: NDArray[np.int32], tops: Mapping[str, str]
) -> tuple[dict[str, list[str]], NDArray[np.int32]]:
    """The labels and classes with those put together that show the same text, as they are one for the reader.

    Suppressed rows, which show the `tops`, are put to a class that shows them, too.
    """
    numbers: dict[tuple[str, ...], int] = {}
    place = [numbers.setdefault(shown, len(numbers)) for shown in zip(*labels.values(), strict=True)]
    if len(numbers) < len(place):
        ids = np.append(np.array(place, np.int32), np.int32(-1))[ids]
    ids = np.where(ids < 0, np.int32(numbers.get(tuple(tops.values()), -1)), ids)
    return dict(zip(labels, map(list, zip(*numbers, strict=True)), strict=True)) if numbers else dict(labels), ids


def apart(
    labels: dict[str, list[str]],
    ids: NDArray[np.int32],
    *,
    table: Table,
    recoding: Recoding,
    tops: Mapping[str, str],
    model: PrivacyModel,
    max_suppressed: int,
) -> tuple[dict[str, list[str]], NDArray[np.int32]]:
    """The labels and classes without one that shows what suppressed rows show and fails together with them.

    Its rows count as suppressed where so many may be, and are refused otherwise, as a reader cannot tell them apart.
    A population that a model asks about is looked at by the verification alone.
    """
    gone = recoding.suppressed
    place = int(ids[gone].max(initial=-1))
    if place < 0 or model.populations:
        return labels, ids
    classes = table.classes(ids)
    if model.satisfied(classes)[place]:
        return labels, ids
    size, hidden = int(classes.sizes[place]), int(table.weights[gone].sum())
    if size <= max_suppressed and len(classes) > 1:
        left = {name: [*shown[:place], *shown[place + 1 :]] for name, shown in labels.items()}
        return left, np.where(ids == place, -1, ids - (ids > place)).astype(np.int32)
    shown = ", ".join(f"{name}={top}" for name, top in tops.items())
    raise InputError(
        f"{size - hidden:,} row(s) show {shown}, as the {hidden:,} suppressed row(s) do, and together they fail "
        f"{model}: choose another top label (shoal.Style(top=…), another root of a hierarchy), leave suppressed rows "
        f"out (suppressed='drop', --suppressed drop), or let {size:,} be suppressed."
    )


def unchanged_columns(
    table: Table, labels: Mapping[str, list[str]], kinds: Mapping[str, pa.DataType], values: Callable[[str], pa.Array]
) -> set[str]:
    """The quasi-identifiers that keep their type, as every label of theirs is a value that was there.

    These are truth values, whole numbers, doubles, days and categories of text whose different `values` are written
    into a file as the labels are; of others, such as 1e-05 and -0.0, the labels are shown, as text.
    """
    found = set()
    for at, (name, domain) in enumerate(zip(table.quasi, table.domains, strict=True)):
        if domain.missing >= 0 or not _can_stay(kinds[name]) or not set(labels[name]) <= set(domain.labels):
            continue
        written = as_text(pa.chunked_array([values(name)])).to_pylist()
        if set(written) <= set(domain.labels) and len(written) == np.unique(table.codes[:, at]).size:
            found.add(name)
    return found


def _can_stay(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return any(of(kind) for of in (pa.types.is_boolean, pa.types.is_integer, pa.types.is_float64, pa.types.is_date32))
