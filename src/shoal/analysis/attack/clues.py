"""Clues: columns of a release, or the order of its rows, that tell a generalized value more exactly than its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from shoal.analysis.attack.facet import Facet
from shoal.data.column import Column
from shoal.data.label_cover import Cover
from shoal.data.rows import blocks
from shoal.data.style import texts
from shoal.kernels.arrays import Flags, Floats, Ints, Longs
from shoal.release.review.text_parts import parts_of

SAMPLE = 2000  # rows that are looked at
MIN_PRESENT = 10  # rows in which a clue has a value
MIN_VALUES = 3  # different texts of a copy of a column that is hidden altogether
SURE, CHANCE = 0.99, 0.9  # a clue holds in this share of the rows, and in no more if its column is shuffled
MAX_CELLS = 2**26


def with_parts(extra: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns and, before them under further names, the parts of their texts, as of `34 y` and `34/77`."""
    found = {}
    for name, column in extra.items():
        for number, part in enumerate(parts_of(texts(column.values)), 1):
            found[f"{name}, part {number}"] = _renamed(column, f"{name}, part {number}", part)
    return found | dict(extra)


def copies(extra: Mapping[str, Column], facets: Mapping[str, Facet]) -> dict[str, tuple[str, Column]]:
    """Return columns under names of their own that repeat a generalized column, with the name of that column.

    Their values are written as those of the column; other values count as missing.
    """
    found = {}
    for name, facet in facets.items():
        if facet.plain.all():
            continue
        written = {_plain(value): value for value in facet.values}
        for column in extra.values():
            own = _renamed(column, column.name, [written.get(_plain(value)) for value in texts(column.values)])
            if column.name not in found and _is_copy(own, facet):
                found[column.name] = name, own
    return found


def _plain(text: str) -> str:
    """Write a value without blanks around it, in lower case, and whole numbers without decimals."""
    return text.strip().casefold().removesuffix(".0")


def _renamed(column: Column, name: str, values: Sequence[str | None]) -> Column:
    """Return a column with other values, given one for each of its values; None is missing."""
    different = list(dict.fromkeys(value for value in values if value is not None))
    number = {value: at for at, value in enumerate(different)}
    places = np.array([*(-1 if value is None else number[value] for value in values), -1], np.int32)[column.places]
    return Column(name, different, places, np.bincount(places[places >= 0], minlength=len(different)).astype(np.int64))


def _is_copy(column: Column, facet: Facet) -> bool:
    """Return whether enough rows have a value that the facet's label covers and that tells more than the label."""
    values, random = texts(column.values), np.random.RandomState(0)
    rows = random.permutation(column.places.size)[:SAMPLE]
    rows = rows[facet.shown[rows] < len(facet.labels)]
    there = column.places[rows] >= 0
    if there.sum() < min(MIN_PRESENT, rows.size) or not there.any():
        return False
    rows = rows[there]
    if (facet.breadth[facet.shown[rows]] == len(facet.values)).all():  # nothing but the values themselves can tell
        return len(values) >= MIN_VALUES and bool(np.isnan(facet.places[1]).all())
    labels, label_of = np.unique(facet.shown[rows], return_inverse=True)
    cells, cell_of = np.unique(column.places[rows], return_inverse=True)
    names = [facet.labels[label] for label in labels.tolist()]
    matrix = Cover(names, facet.tree, style=facet.style)([values[cell] for cell in cells.tolist()])
    pairs = np.unique(label_of * cells.size + cell_of).size
    if pairs == labels.size or matrix[label_of, cell_of].mean() < SURE:
        return False
    return bool(matrix[label_of, random.permutation(cell_of)].mean() < CHANCE)


def values_of_codes(facet: Facet, codes: Ints) -> Flags | None:
    """Return for each code the values that all labels beside it cover; None if the codes do not tell the value.

    Codes tell it if labels that differ beside the same code nearly always have a value in common, and would not if the
    codes were shuffled.
    """
    if (int(codes.max()) + 1) * len(facet.values) > MAX_CELLS or np.unique(codes).size == codes.size:
        return None
    possible, agree, several = _common_values(facet, codes)
    if not several or agree < SURE:
        return None
    shuffled = np.random.RandomState(0).permutation(codes)
    return possible if _common_values(facet, shuffled)[1] < CHANCE else None


def _common_values(facet: Facet, codes: Ints) -> tuple[Flags, float, bool]:
    """Return the values in common by code, the share of rows whose code has any, and whether labels differ at all."""
    width = len(facet.labels) + 1
    pairs = np.unique(codes.astype(np.int64) * width + facet.shown)
    code_of, label_of = pairs // width, pairs % width
    possible = np.ones((int(codes.max()) + 1, len(facet.values)), np.bool_)
    for block in blocks(pairs.size, len(facet.values)):
        labels, place = np.unique(label_of[block], return_inverse=True)
        np.logical_and.at(possible, code_of[block], facet.covered(labels)[place])
    several = np.bincount(code_of, minlength=len(possible))[codes] > 1
    return possible, float(np.asarray(possible.any(axis=1))[codes].mean()), bool(several.mean() > 0.05)


def values_in_order(facet: Facet, keys: Floats, at: Floats) -> Floats | None:
    """Return the place of each row's value if it grows, or falls, with the keys; None if it does not.

    keys  a number of each row, such as its position in the table; NaN if it has none
    at    the place of each value on its scale

    The smallest key beside a label belongs to the lower end of its range and the largest to the upper end; between
    these, values are interpolated.
    """
    there = ~np.isnan(keys)
    if np.isnan(at).any() or there.sum() < min(MIN_PRESENT, keys.size):
        return None
    lows, highs = _ends(facet, at)
    shown, keys, found = facet.shown[there], keys[there], np.full(keys.size, np.nan)
    low, high = lows[shown], highs[shown]
    for direction in (1.0, -1.0):
        least, most = _bounds(direction * keys, low, high)
        if np.mean(least <= most) < SURE:
            continue
        shuffled = np.random.RandomState(0).permutation(keys)
        if np.mean(np.less_equal(*_bounds(shuffled, low, high))) < CHANCE:
            between = _interpolated(shown, direction * keys, lows, highs)
            found[there] = np.clip(between, least, np.maximum(least, most))
            return found
    return None


def _ends(facet: Facet, at: Floats) -> tuple[Floats, Floats]:
    """Return the place of the first and the last value that each label covers, the missing label at the end."""
    lows, highs = np.full(len(facet.labels) + 1, at.min()), np.full(len(facet.labels) + 1, at.max())
    for block in blocks(len(facet.labels), len(facet.values)):
        labels = np.arange(len(facet.labels))[block]
        covered = facet.covered(labels)
        some = covered.any(axis=1)
        lows[labels[some]] = np.where(covered, at, np.inf).min(axis=1)[some]
        highs[labels[some]] = np.where(covered, at, -np.inf).max(axis=1)[some]
    return lows, highs


def _bounds(keys: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the highest lower end up to each key, and the lowest upper end from it on; equal keys share theirs."""
    order = np.argsort(keys, kind="stable")
    _, first, counts = np.unique(keys[order], return_index=True, return_counts=True)
    least = np.maximum.accumulate(np.maximum.reduceat(low[order], first))
    most = np.minimum.accumulate(np.minimum.reduceat(high[order], first)[::-1])[::-1]
    bounds = np.empty((2, keys.size))
    bounds[:, order] = np.repeat(least, counts), np.repeat(most, counts)
    return bounds[0], bounds[1]


def _interpolated(shown: Ints, keys: Floats, lows: Floats, highs: Floats) -> Floats:
    """Draw lines between the smallest and the largest key of each label, which have its lower and its upper end."""
    order: Longs = np.lexsort((keys, shown))
    first = np.flatnonzero(np.diff(shown[order], prepend=-1))
    last = np.append(first[1:], order.size) - 1
    labels = shown[order[first]]
    x = np.concatenate([keys[order[first]], keys[order[last]]])
    y = np.concatenate([lows[labels], highs[labels]])
    places = np.lexsort((y, x))
    return np.interp(keys, x[places], np.maximum.accumulate(y[places]))
