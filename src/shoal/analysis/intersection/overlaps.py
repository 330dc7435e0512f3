"""Overlaps of several releases: the rows that could be a person's and the sensitive values that are left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.attack.linking import Rows, Secrets, Trees, covers_of, link, value_sets
from shoal.data.column import Column
from shoal.data.rows import group_rows
from shoal.data.style import Style, text
from shoal.errors import InputError

Longs = NDArray[np.int64]
Columns = Mapping[str, Column]


@dataclass(frozen=True, eq=False)
class Overlap:
    """For each person, or several equal ones (`weights`), the rows left and by column the number of values left.

    `alone` is the smallest class of each release; `values_alone` has the numbers of values in each single release.
    """

    weights: Longs
    sizes: Longs
    alone: tuple[int, ...]
    values: dict[str, Longs]
    values_alone: dict[str, list[Longs]]


def _smallest(ids: NDArray[np.int32]) -> int:
    """Return the size of the smallest class; 0 if all rows are suppressed."""
    sizes = np.bincount(ids[ids >= 0])
    return int(sizes[sizes > 0].min()) if sizes.any() else 0


def by_linking(
    shown: Sequence[Columns], values: Sequence[Columns], keys: Sequence[Column | None], suppressed: set[str]
) -> Overlap:
    """Intersect releases in which the rows of a person are known; people with the same labels everywhere are equal."""
    classes = [classes_of(columns, suppressed) for columns in shown]
    alone = tuple(_smallest(ids) for ids in classes)
    rows = _same_rows(classes) if keys[0] is None else _joined([key for key in keys if key is not None])
    inside = np.all([ids[own] >= 0 for ids, own in zip(classes, rows, strict=True)], axis=0)
    rows = [own[inside] for own in rows]
    mine = [ids[own] for ids, own in zip(classes, rows, strict=True)]
    groups, _ = group_rows(mine, [int(ids.max(initial=0)) + 1 for ids in classes], rows[0].size)
    left: dict[str, Longs] = {}
    by_itself: dict[str, list[Longs]] = {}
    for name in values[0]:
        codes, width = unified([columns[name] for columns in values])
        together = [np.unique(groups * np.int64(width) + own[at]) for own, at in zip(codes, rows, strict=True)]
        common = together[0]
        for keys_ in together[1:]:
            common = np.intersect1d(common, keys_, assume_unique=True)
        left[name] = np.bincount(common // width, minlength=int(groups.max(initial=-1)) + 1)[groups]
        by_itself[name] = [
            different(ids, own, width)[ids[at]] for ids, own, at in zip(classes, codes, rows, strict=True)
        ]
    sizes = np.bincount(groups)[groups] if groups.size else np.zeros(0, np.int64)
    return Overlap(np.ones(groups.size, np.int64), sizes, alone, left, by_itself)


def by_covering(
    shown: Sequence[Columns],
    values: Sequence[Columns],
    people: Columns,
    trees: Trees,
    *,
    style: Style,
    whose: NDArray[np.int32] | None = None,
) -> Overlap:
    """Intersect releases in which they are not known: any row whose labels cover a person's values could be theirs.

    People whom no row of some release covers are left out. With `whose`, several rows of `people` are one person's.
    """
    sizes: list[Longs] = []
    alone: list[int] = []
    possible: dict[str, list[NDArray[np.bool_]]] = {name: [] for name in values[0]}
    columns_of = {name: unified([columns[name] for columns in values]) for name in values[0]}
    everyone = Rows.of(list(people.values()))
    for number, columns in enumerate(shown):
        rows = Rows.of(list(columns.values()))
        places = [list(people).index(name) for name in columns]
        texts = tuple(everyone.texts[place] for place in places)
        who = replace(everyone, texts=texts, places=everyone.places[:, places])
        covers = covers_of(columns, rows, trees, style)
        sizes.append(link(who, rows, covers, []).sizes)
        alone.append(int(rows.weights.min()))
        for name, (codes, width) in columns_of.items():
            secret = Secrets.of_codes(codes[number], width, rows)
            possible[name].append(value_sets(who, rows, covers, secret, width))
    covered = np.all([candidates > 0 for candidates in sizes], axis=0)
    overlap = Overlap(
        everyone.weights,
        np.min(sizes, axis=0),
        tuple(alone),
        {name: np.all(sets, axis=0).sum(axis=1) for name, sets in possible.items()},
        {name: [values.sum(axis=1) for values in sets] for name, sets in possible.items()},
    )
    if whose is None:
        return _of(overlap, lambda numbers: numbers[covered])
    pairs = np.unique(np.stack([whose, everyone.ids], axis=1)[covered[everyone.ids]], axis=0)
    starts = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
    return replace(_of(overlap, lambda numbers: _fewest(numbers[pairs[:, 1]], starts)), weights=np.ones_like(starts))


def _of(overlap: Overlap, choose: Callable[[Longs], Longs]) -> Overlap:
    """Return an overlap of other people, whose numbers `choose` returns."""
    return Overlap(
        choose(overlap.weights),
        choose(overlap.sizes),
        overlap.alone,
        {name: choose(numbers) for name, numbers in overlap.values.items()},
        {name: list(map(choose, numbers)) for name, numbers in overlap.values_alone.items()},
    )


def _fewest(numbers: Longs, starts: Longs) -> Longs:
    """Return the least number above 0 of each person's rows, or 0 if they have none."""
    if not starts.size:
        return np.zeros(0, np.int64)
    most = np.iinfo(np.int64).max
    least = np.minimum.reduceat(np.where(numbers > 0, numbers, most), starts)
    return np.where(least == most, 0, least)


def classes_of(columns: Columns, suppressed: set[str]) -> NDArray[np.int32]:
    """Number the class of each row; −1 if every label is that of suppressed rows."""
    rows = Rows.of(list(columns.values()))
    hidden = np.ones(len(rows), np.bool_)
    for texts, places in zip(rows.texts, rows.places.T, strict=True):
        hidden &= np.array([*(label in suppressed for label in texts), False])[places]
    return np.where(hidden[rows.ids], np.int32(-1), rows.ids)


def _same_rows(classes: Sequence[NDArray[np.int32]]) -> list[Longs]:
    if len({ids.size for ids in classes}) > 1:
        counts = ", ".join(f"{ids.size:,}" for ids in classes)
        raise InputError(
            f"The releases have {counts} rows: with the same people in the same order the numbers must be equal."
        )
    return [np.arange(ids.size) for ids in classes]


def _joined(keys: Sequence[Column]) -> list[Longs]:
    """Return the row of each person in each release, for people who are in all of them."""
    row_of = []
    for key in keys:
        rows = np.flatnonzero(key.places >= 0)
        row_of.append(dict(zip([text(key.values[place]) for place in key.places[rows]], rows.tolist(), strict=True)))
    common = common_keys(row_of)
    if not common:
        raise InputError(f"No value of column {keys[0].name!r} is in all releases: nobody is in all of them.")
    return [np.array([rows[name] for name in common], np.int64) for rows in row_of]


def common_keys(releases: Sequence[Mapping[str, int]]) -> list[str]:
    """Return the keys of the people who are in all releases."""
    return [name for name in releases[0] if all(name in others for others in releases[1:])]


def unified(columns: Sequence[Column]) -> tuple[list[Longs], int]:
    """Return the values of a column of each release as common codes, including the missing value, and their number."""
    numbers: dict[str, int] = {}
    codes = []
    for column in columns:
        code_of = [numbers.setdefault(text(value), len(numbers) + 1) for value in column.values]
        codes.append(np.array([*code_of, 0], np.int64)[column.places])
    return codes, len(numbers) + 1


def different(ids: NDArray[np.integer], codes: Longs, width: int) -> Longs:
    """Count the distinct values of each class."""
    pairs = np.unique(ids[ids >= 0].astype(np.int64) * width + codes[ids >= 0])
    return np.bincount(pairs // width)
