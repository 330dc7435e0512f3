"""People of a release, counted from its labels: in classes and, where rows can be linked, in profiles.

Whose row a released row is, is taken from the original at the row that it claims to be, or from its pseudonym.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text, plain
from shoal.data.classes import ByPerson, Classes, Counts, Overall
from shoal.data.style import text
from shoal.errors import VerificationError
from shoal.release.promise import Original, Promise

IntArray = NDArray[np.int64]
Numbers = NDArray[np.int64] | NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class People:
    """The person of each released row and of each row of the whole table; `owners` can link released rows, if any.

    If a released row represents several, there are several people of it: `at` has the row of each, and `weights` how
    many rows the person has there; `whole_at` is the same for the whole table.
    """

    released: Numbers
    whole: Numbers
    owners: IntArray | None = None
    at: Numbers | None = None
    weights: Numbers | None = None
    whole_at: Numbers | None = None


def people_of(promise: Promise, original: Original, stays: NDArray[np.bool_]) -> People | None:
    """Return whose rows they are; None if each row is taken for itself."""
    unit = promise.unit
    if unit is None:
        return None
    rows = np.arange(len(original.source)) if original.at is None else original.at

    def numbers(name: str | None) -> IntArray:
        if name is None:
            return np.arange(len(original.source))
        return _numbered(original.source.arrow(name), promise.missing_values)

    whole = numbers(unit.column)
    owners = numbers(unit.owner)[rows] if unit.linked else None
    return People(whole[rows], whole[stays], owners)


def people_in(column: pa.ChunkedArray, missing_values: tuple[str, ...], *, linked: bool) -> People:
    """Return whose rows they are by a column of the release itself, which links them."""
    numbers = _numbered(column, missing_values)
    return People(numbers, numbers, numbers if linked else None)


def _numbered(column: pa.ChunkedArray, missing: tuple[str, ...]) -> IntArray:
    """Number the values of a column; each missing one gets a number of its own."""
    encoded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode")
    if pa.types.is_dictionary(column.type):
        encoded = column.combine_chunks()
    values = encoded.dictionary.to_pylist()
    numbers: IntArray = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False).astype(np.int64)
    # Categories can repeat a value.
    place: dict[object, int] = {}
    same = np.array([place.setdefault(value, number) for number, value in enumerate(values)] + [len(values)], np.int64)
    absent = np.array([v is None or v != v or text(v) in missing or _is_empty(v) for v in values] + [True], np.bool_)
    alone = absent[numbers]
    numbers = same[numbers]
    numbers[alone] = len(values) + 1 + np.arange(int(alone.sum()))
    return numbers


def _is_empty(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


def names_nobody(values: pa.Array, missing: Sequence[str]) -> NDArray[np.bool_]:
    """Tell which values name nobody: null, NaN, blank texts and those that mean a missing value."""
    nobody: NDArray[np.bool_] = pc.is_null(values, nan_is_null=True).to_numpy(zero_copy_only=False).copy()
    if is_text(values.type):
        blank = pc.or_(pc.equal(pc.utf8_length(values), 0), pc.utf8_is_space(values))
        marked = pc.is_in(values, value_set=pa.array(list(missing), values.type))
        nobody |= pc.or_(blank, marked).fill_null(True).to_numpy(zero_copy_only=False)
    return nobody


def people_of_counts(
    names: pa.ChunkedArray, weights: IntArray, missing: tuple[str, ...]
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the people of rows that represent several each: the number, the row, and the rows of each person there.

    Of rows that name nobody, each that is represented is a person of its own.
    """
    column = plain(names).combine_chunks()
    alone = names_nobody(column, missing)
    at = np.repeat(np.arange(weights.size), np.where(alone, weights, 1))
    numbers = _numbered(pa.chunked_array([column.take(pa.array(at))]), missing)
    return numbers, at, np.where(alone, 1, weights)[at]


def classes_of_people(
    ids: IntArray, people: People, values: Mapping[str, tuple[IntArray, IntArray, Overall]], rows: IntArray
) -> Classes:
    """Return classes in which a person counts once, and once for each of their values.

    values  by sensitive column the codes of the released rows, those of the whole table, and its values
    rows    the rows of each class
    """
    classes = rows.size
    if people.at is not None:
        ids = ids[people.at]
    number, person_of = _distinct(_joined(ids, people.released))
    class_of = np.zeros(number, np.int32)
    class_of[person_of] = ids
    whole = {name: _taken(codes, people.whole_at) for name, (_, codes, _) in values.items()}
    overall = {name: _overall(whole[name], people.whole, table) for name, (_, _, table) in values.items()}

    def held(name: str) -> tuple[Numbers, IntArray, IntArray]:
        return _held(class_of, person_of, _taken(values[name][0], people.at))

    def counts(name: str) -> Counts:
        own, codes, _ = held(name)
        return _counts(own, codes, np.ones(own.size, np.int64), classes)

    def shares(name: str) -> tuple[Counts, int]:
        own, codes, many = held(name)
        one = lcm(1, *np.unique(many).tolist())
        return _counts(own, codes, one // many, classes), one

    def most() -> IntArray:
        largest = np.zeros(classes, np.int64)
        np.maximum.at(largest, class_of, np.bincount(person_of, people.weights).astype(np.int64))
        return largest

    sizes = np.bincount(class_of, minlength=classes)
    return Classes(sizes, overall, counts, by_person=ByPerson(rows, most, shares))


def _distinct(keys: IntArray) -> tuple[int, Numbers]:
    """Return how many different keys there are, and the number of each row's key."""
    different, number_of = np.unique(keys, return_inverse=True)
    return different.size, number_of.astype(np.int32)


def _taken(codes: IntArray, at: Numbers | None) -> IntArray:
    return codes if at is None else codes[at]


def profiles(ids: IntArray, owners: IntArray) -> IntArray:
    """Number the owners' sets of released rows: for each row, the number of its owner's; equal sets have one number."""
    order = np.lexsort((ids, owners))
    whose = owners[order]
    starts = np.flatnonzero(np.diff(whose, prepend=whose[0] - 1))
    texts = ids[order].astype(np.int64)
    numbers: dict[bytes, int] = {}
    profile = np.empty(ids.size, np.int64)
    for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), ids.size], strict=True):
        profile[order[begin:end]] = numbers.setdefault(texts[begin:end].tobytes(), len(numbers))
    return profile


def check_pseudonyms(released: pa.ChunkedArray, owners: IntArray) -> None:
    """Refuse pseudonyms that link other rows than those of one owner."""
    shown = _numbered(released, ())
    if not np.unique(shown).size == np.unique(owners).size == np.unique(_joined(shown, owners)).size:
        raise VerificationError("The pseudonyms of the release do not link the rows of each person, and no others.")


def _overall(codes: IntArray, people: Numbers, table: Overall) -> Overall:
    number, person_of = _distinct(people.astype(np.int64, copy=False))
    _, held, many = _held(np.zeros(number, np.int32), person_of, codes)
    width = len(table.labels)

    def divided() -> Overall:
        one = lcm(1, *np.unique(many).tolist())
        counts = np.zeros(width, np.int64)
        np.add.at(counts, held, one // many)
        return Overall(table.labels, counts, number * one)

    return Overall(table.labels, np.bincount(held, minlength=width), number, divided)


def _held(class_of: Numbers, person_of: Numbers, codes: IntArray) -> tuple[Numbers, IntArray, IntArray]:
    """Return class and code of each value that a person has in a class, and how many of them the person has there.

    class_of   the class of each person; whoever is in several classes is several people here
    person_of  the person of each row
    """
    width = int(codes.max(initial=0)) + 1
    person, code = np.divmod(np.unique(person_of.astype(np.int64) * width + codes), width)
    return class_of[person], code, np.bincount(person)[person]


def _counts(own: Numbers, codes: IntArray, weights: IntArray, classes: int) -> Counts:
    keys = _joined(own, codes)
    order = np.argsort(keys, kind="stable")
    firsts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    at = order[firsts]
    starts = np.searchsorted(own[at], np.arange(classes + 1))
    sums = np.add.reduceat(weights[order], firsts) if firsts.size else weights[:0]
    return Counts(starts, codes[at].astype(np.int32), sums)


def _joined(left: Numbers, right: Numbers) -> IntArray:
    """Return one number for each pair of numbers from 0, in the order of the first."""
    width = int(right.max(initial=0)) + 1
    if (int(left.max(initial=0)) + 1) * width >= 2**62:
        right = np.unique(right, return_inverse=True)[1]
        width = int(right.max(initial=0)) + 1
    return left.astype(np.int64) * width + right
