"""Evidence: rows of a release beside their originals, all rows of some classes, as integer codes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_text import is_text, plain
from shoal.data.domain import AnyDomain, NumericDomain
from shoal.kernels.arrays import Flags, Floats, Ints, Longs
from shoal.release.labelling import Labelling
from shoal.release.review.text_parts import parts_of
from shoal.release.row_order import storage

MAX_ROWS = 50_000
MIN_NUMBERS = 10  # different ones of a column in which others stand for a missing one
FILLED = 0.2  # of the rows that have the same number
STEPS = 100  # of equally many different numbers, within which two count as the same


@dataclass(frozen=True, eq=False)
class Hidden:
    """A quasi-identifier of the rows: the number of each row's label and value, and whether the label hides it.

    Numbers that are close to each other are one value; `codes` tells them apart.
    """

    labels: Longs
    values: Longs
    hidden: Flags
    codes: Ints

    @classmethod
    def of(cls, domain: AnyDomain, codes: Ints, classes: Ints, shown: Sequence[str]) -> Hidden:
        """Number the labels and values of rows, given the labels of all classes and, last, that of suppressed rows."""
        numbers: dict[str, int] = {}
        by_class = np.array([numbers.setdefault(label, len(numbers)) for label in shown], np.int64)
        labels, texts = by_class[classes], np.array([numbers.get(label, -1) for label in domain.labels], np.int64)
        return cls(labels, _in_steps(domain)[codes], texts[codes] != labels, codes)

    @classmethod
    def shown(cls, domain: AnyDomain, codes: Ints, classes: Ints, meanings: Longs, hiding: Flags) -> Hidden:
        """Number the labels and values of rows, given the meaning of each class's label and whether it hides any."""
        by_class = np.append(meanings, meanings.max(initial=0) + 1)
        return cls(by_class[classes], _in_steps(domain)[codes], np.append(hiding, True)[classes], codes)


@dataclass(frozen=True, eq=False)
class Passed:
    """A column that is released as it is: the number of each row's value (−1: missing), and the value as a number.

    `values` has the different values, by their numbers, if they can be written as texts.
    """

    codes: Longs
    numbers: Floats | None
    values: pa.Array | None = None

    @classmethod
    def of(cls, column: pa.ChunkedArray | pa.Array) -> Passed | None:
        """Number the values of a column, those of nested types as they are written; None if that is impossible."""
        try:
            values = plain(storage(column))
            encoded = (values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values).dictionary_encode()
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            try:
                written = [None if value is None else repr(value) for value in column.to_pylist()]
            except (pa.ArrowException, ValueError, NotImplementedError):
                return None
            encoded = pa.array(written, pa.string()).dictionary_encode()
        codes = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        numbers = _numbers(encoded.dictionary)
        counts = np.bincount(codes[codes >= 0])
        if numbers is not None and counts.size >= MIN_NUMBERS and counts.max() >= FILLED * codes.size:
            numbers[counts.argmax()] = np.nan  # 0 or 999 where there is none
        kind = encoded.dictionary.type
        different = encoded.dictionary if _has_parts(kind) else None
        return cls(codes, None if numbers is None else np.append(numbers, np.nan)[codes], different)

    def some(self, rows: Longs) -> Passed:
        """Return some of the rows."""
        return Passed(self.codes[rows], None if self.numbers is None else self.numbers[rows], self.values)

    def parts(self) -> Iterator[Passed]:
        """Yield the parts of its values, as they are written, as columns."""
        used = np.unique(self.codes[self.codes >= 0])
        if self.values is None or not used.size:
            return
        for part in parts_of(self.values.take(pa.array(used)).cast(pa.string()).to_pylist()):
            column = Passed.of(pa.array(part, pa.string()))
            if column is not None:
                place = np.where(self.codes >= 0, np.searchsorted(used, self.codes), used.size)
                numbers = None if column.numbers is None else np.append(column.numbers, np.nan)[place]
                yield Passed(np.append(column.codes, -1)[place], numbers)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Some rows of a release beside their originals; if classes are chosen, then with all their rows.

    rows       how many rows the release has
    classes    the class of each of these rows, −1 if it is suppressed
    quasi      the labels and values of the quasi-identifiers, by name
    columns    the columns that are released as they are, by name
    sensitive  which of these are sensitive
    """

    rows: int
    classes: Ints
    quasi: Mapping[str, Hidden]
    columns: Mapping[str, Passed]
    sensitive: Collection[str] = ()

    @property
    def passed(self) -> dict[str, Passed]:
        """The columns that have no role, or are named to be kept."""
        return {name: column for name, column in self.columns.items() if name not in self.sensitive}

    @property
    def share(self) -> float:
        """The share of the rows of the release."""
        return self.classes.size / max(1, self.rows)


def hidden_values(labelling: Labelling, rows: Longs) -> dict[str, Hidden]:
    """Return the quasi-identifiers of some rows of a labelled table."""
    table, tops = labelling.table, labelling.tops
    return {
        name: Hidden.of(domain, codes[rows], labelling.ids[rows], [*labelling.labels[name], tops[name]])
        for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True)
    }


def chosen_rows(classes: Ints, most: int = MAX_ROWS) -> Longs:
    """Choose rows: all if they are few, else all rows of classes drawn by their numbers."""
    if classes.size <= most:
        return np.arange(classes.size)
    number = int(classes.max(initial=-1)) + 2
    sizes = np.bincount(classes + 1, minlength=number)
    order = np.random.RandomState(0).permutation(number)
    upto = np.cumsum(sizes[order])
    drawn = order[: max(1, int(np.searchsorted(upto, most, side="right")))]
    rows = np.flatnonzero(np.isin(classes + 1, drawn))
    return rows[:: -(-rows.size // most)]  # a single class can be larger


def _in_steps(domain: AnyDomain) -> Longs:
    """Number the values of a domain by code; numbers that are close to each other get the same number."""
    if not isinstance(domain, NumericDomain) or len(domain) <= STEPS:
        return np.arange(len(domain))
    before = domain.missing + 1
    return np.append(np.full(before, -1), np.arange(len(domain) - before) * STEPS // (len(domain) - before))


def _has_parts(kind: pa.DataType) -> bool:
    """Return whether values of a type are written as texts that may have parts."""
    numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    moments = pa.types.is_time(kind) or pa.types.is_timestamp(kind)
    return bool(is_text(kind) or numbers or moments)


def _numbers(values: pa.Array) -> Floats | None:
    """Return values as numbers, also dates and numbers that are written as text; None if they are not numbers."""
    if pa.types.is_boolean(values.type) or pa.types.is_binary(values.type):
        return None
    try:
        if pa.types.is_temporal(values.type):
            values = values.cast(pa.int32() if values.type.bit_width == 32 else pa.int64())
        if is_text(values.type):
            values = pc.utf8_trim_whitespace(values)
            written = pc.match_substring_regex(values, r"^[-+]?[0-9]+([.][0-9]+)?$")
            if len(values) >= MIN_NUMBERS and pc.sum(written).as_py() >= 0.9 * len(values):
                values = pc.if_else(written, values, pa.scalar(None, values.type))
        numbers = values.cast(pa.float64(), safe=False)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None
    return np.array(numbers.to_numpy(zero_copy_only=False), np.float64)
