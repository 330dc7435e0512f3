"""derived-column: columns that are released as they are tell the hidden values of a generalized quasi-identifier.

One half of the rows is held out at a time, and their hidden values are guessed from the other half: from the label
alone, as the most frequent value of its rows or of all rows; and from the column, as the most frequent value of the
rows with the same value or, if the column holds numbers, as that of the row whose number is nearest, once among the
rows of the label and once among all rows; the better way counts. Numbers count as told if they are right within a
hundredth of the different values, and all of them if the column rises wherever they do. Texts that consist of several
pieces are also taken piece by piece, and columns of few values that depend on the hidden values, such as one flag for
each value, are also taken together.

A sensitive column may depend on quasi-identifiers, but must not repeat one.

In small classes even a column of random values tells more than the label, so the column must also tell more than its
own values in another order do.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean

import numpy as np

from shoal.kernels.arrays import Flags, Floats, Ints, Longs
from shoal.release.review.evidence import Evidence, Hidden, Passed
from shoal.release.review.finding import Finding

MIN_GAIN = 0.2  # by how much more of the hidden values are told than from the label alone
MIN_ROWS = 5  # whose hidden value is told in addition
DEVIATIONS = 3  # of the number of values told by chance that one comparison hardly exceeds
FALSE_ALARMS = 0.01  # expected in a table of so many columns that these deviations do not suffice
MIN_REPEATED = 0.8  # of the hidden values that a sensitive column tells, if it repeats a quasi-identifier
MIN_RISES = 7  # of a column that follows hidden values, which chance hardly does
FEW_VALUES = 4  # different values of a column that is taken together with others of its kind
MIN_DEPENDENCE = 5  # standard deviations by which such a column depends on the hidden values
INDEX = "the index of the frame"
ORDERS = 8  # other orders of the column's values, in which it tells by chance


@dataclass(frozen=True)
class Told:
    """How many hidden values of a quasi-identifier a column tells, and how many its labels tell alone."""

    quasi: str
    hidden: int
    by_label: float
    by_column: float

    @property
    def gain(self) -> float:
        """The share of hidden values that are told in addition."""
        return self.by_column - self.by_label

    @property
    def is_much(self) -> bool:
        """Whether far more hidden values are told than from the label alone."""
        return self.gain >= MIN_GAIN and self.gain * self.hidden >= MIN_ROWS


def derived_columns(evidence: Evidence) -> list[Finding]:
    """Find the columns that tell hidden values."""
    found: list[Finding] = []
    named: set[tuple[str, ...]] = set()
    columns = [*_columns(evidence)]
    comparisons = max(1, len(columns) * len(evidence.quasi))
    deviations = max(DEVIATIONS, NormalDist().inv_cdf(1 - FALSE_ALARMS / comparisons))
    for names, column in columns:
        if any({*names} <= {*known} for known in named):  # by an earlier part of it, or more columns
            continue
        told = [_told(column, quasi, own) for own, quasi in evidence.quasi.items()]
        least = MIN_REPEATED if names[0] in evidence.sensitive else 0.0
        told = [one for one in told if one.is_much and one.by_column >= least]
        much = [one for one in told if _exceeds_chance(one, column, evidence, deviations)]
        if much:
            worst, *others = sorted(much, key=lambda one: -one.gain)
            whole = evidence.columns[names[0]] if len(names) == 1 else column
            found.append(_finding(names, whole, worst, [one.quasi for one in others], evidence))
            named.add(names)
    return found


def _columns(evidence: Evidence) -> Iterator[tuple[tuple[str, ...], Passed]]:
    """Yield each column, whole and in parts, then sets of columns that have few values and depend on hidden ones."""
    few = {}
    for name, column in evidence.columns.items():
        yield (name,), column
        for part in column.parts():
            yield (name,), part
        if name not in evidence.sensitive and np.unique(column.codes).size <= FEW_VALUES:
            few[name] = column.codes
    sets = dict.fromkeys(names for quasi in evidence.quasi.values() for names in _sets_of(few, quasi))
    for names in sorted(sets, key=len, reverse=True):
        together = np.column_stack([few[name] for name in names])
        yield names, Passed(np.unique(together, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64), None)


def _sets_of(few: Mapping[str, Longs], quasi: Hidden) -> Iterator[tuple[str, ...]]:
    """Yield the columns that depend on the values of a quasi-identifier, then the stronger half of them, and so on.

    Columns that do not depend on it would divide the rows into ever smaller parts, in which nothing can be measured.
    """
    strength = {name: _dependence(codes, quasi.values) for name, codes in few.items()}
    depending = sorted((name for name in few if strength[name] > MIN_DEPENDENCE), key=lambda name: -strength[name])
    while len(depending) > 1:
        yield tuple(name for name in few if name in {*depending})
        depending = depending[: len(depending) // 2]


def _dependence(codes: Longs, values: Longs) -> float:
    """Return by how many standard deviations Pearson's χ² of two columns exceeds that of independent ones."""
    one, other = np.unique(codes, return_inverse=True)[1], np.unique(values, return_inverse=True)[1]
    rows, columns = int(one.max(initial=0)) + 1, int(other.max(initial=0)) + 1
    freedom = (rows - 1) * (columns - 1)
    if not freedom:
        return 0.0
    found = np.bincount(one * columns + other, minlength=rows * columns).reshape(rows, columns)
    expected = found.sum(1, keepdims=True) * found.sum(0) / codes.size
    return (float(((found - expected) ** 2 / expected).sum()) - freedom) / sqrt(2 * freedom)


def _exceeds_chance(told: Told, column: Passed, evidence: Evidence, deviations: float) -> bool:
    """Tell whether a column tells more than its own values in another order, by so many standard deviations."""
    random, rows = np.random.RandomState(0), column.codes.size
    orders = [column.some(random.permutation(rows)) for _ in range(ORDERS)]
    by_chance = fmean(_told(other, evidence.quasi[told.quasi], told.quasi).by_column for other in orders)
    deviation = sqrt(told.hidden * by_chance * (1 - by_chance) + 1)
    return (told.by_column - by_chance) * told.hidden >= deviations * deviation


def _told(column: Passed, quasi: Hidden, name: str) -> Told:
    """Measure how many hidden values a column tells."""
    rows = np.flatnonzero(quasi.hidden & (column.codes >= 0))
    if rows.size < MIN_ROWS:
        return Told(name, 0, 0.0, 0.0)
    labels, values, codes = quasi.labels[rows], quasi.values[rows], column.codes[rows]
    numbers = None if column.numbers is None else column.numbers[rows]
    by_label, anyhow, within, alone = (np.zeros(rows.size, np.bool_) for _ in range(4))
    everybody = np.zeros_like(labels)
    order = np.random.RandomState(0).permutation(rows.size)
    halves = order[: rows.size // 2], order[rows.size // 2 :]
    for known, asked in (halves, halves[::-1]):
        for right, groups in ((by_label, labels), (anyhow, everybody)):
            right[asked] = _most_frequent(groups[known], values[known], groups[asked]) == values[asked]
        for right, groups in ((within, labels), (alone, everybody)):
            right[asked] = _guessed(groups, codes, numbers, values, known, asked, otherwise=by_label[asked])
    there = np.zeros(rows.size, np.bool_) if numbers is None else ~np.isnan(numbers)
    if numbers is not None and _follows(numbers[there], quasi.codes[rows][there]):
        alone |= there
    base, told = max(by_label.mean(), anyhow.mean()), max(within.mean(), alone.mean())
    return Told(name, rows.size, float(base), float(told))


def _follows(numbers: Floats, codes: Ints) -> bool:
    """Tell whether numbers rise, or fall, wherever the codes rise, and are equal where these are."""
    order = np.argsort(codes, kind="stable")
    steps, rises = np.diff(numbers[order]), np.diff(codes[order]) > 0
    same = bool((steps[~rises] == 0).all()) and int(rises.sum()) >= MIN_RISES
    return same and bool((steps[rises] > 0).all() or (steps[rises] < 0).all())


def _guessed(
    groups: Longs, codes: Longs, numbers: Floats | None, values: Longs, known: Longs, asked: Longs, *, otherwise: Flags
) -> Flags:
    """Tell whose value is guessed right from the known rows of the same group with the same code or nearest number."""
    both = _pairs(groups, codes)
    guess = _most_frequent(both[known], values[known], both[asked])
    if numbers is not None:
        near = _nearest((groups[known], numbers[known]), values[known], (groups[asked], numbers[asked]))
        otherwise = np.equal(near, values[asked])
    return np.where(guess < 0, otherwise, guess == values[asked])


def _most_frequent(groups: Longs, values: Longs, asked: Longs) -> Longs:
    """Return the most frequent value of each group that is asked for, the lowest of several; −1 if it is unknown."""
    width = int(values.max(initial=0)) + 2
    cells, counts = np.unique(groups * width + values + 1, return_counts=True)
    of, value = np.divmod(cells, width)
    order = np.lexsort((value, -counts, of))
    known, first = np.unique(of[order], return_index=True)
    place = np.minimum(np.searchsorted(known, asked), known.size - 1)
    return np.where(known[place] == asked, value[order[first]][place] - 1, -1)


def _nearest(known: tuple[Longs, Floats], values: Longs, asked: tuple[Longs, Floats]) -> Longs:
    """Return the value of the row with the same label and the nearest number, for each row that is asked for."""
    labels, numbers = known
    order = np.lexsort((numbers, labels))
    labels, numbers, values = labels[order], numbers[order], values[order]
    # The place of each asked row in the merged order of both, among the known ones.
    merged = np.lexsort((np.append(numbers, asked[1]), np.append(labels, asked[0])))
    is_asked = merged >= order.size
    place = np.empty(asked[0].size, np.int64)
    place[merged[is_asked] - order.size] = np.cumsum(~is_asked)[is_asked]
    best, gap = np.full(place.size, -1, np.int64), np.full(place.size, np.inf)
    for side in (place - 1, place):
        at = np.clip(side, 0, order.size - 1)
        distance = np.where((at == side) & (labels[at] == asked[0]), np.abs(numbers[at] - asked[1]), np.inf)
        nearer = distance < gap
        best[nearer], gap[nearer] = values[at][nearer], distance[nearer]
    return best


def _pairs(one: Longs, other: Longs) -> Longs:
    """Combine two numbers, which are −1 or more, into one."""
    return (one + 1) * (int(other.max(initial=0)) + 2) + other + 1


def alone_with(evidence: Evidence, *columns: Passed) -> tuple[int, int]:
    """Return the smallest class if these columns are known, too, and how many rows are alone in theirs."""
    groups = evidence.classes.astype(np.int64)
    for column in columns:
        groups = np.unique(_pairs(groups, column.codes), return_inverse=True)[1]
    sizes = np.unique(groups[evidence.classes >= 0], return_counts=True)[1]
    return int(sizes.min()) if sizes.size else 0, int((sizes == 1).sum())


def _finding(names: tuple[str, ...], column: Passed, told: Told, others: list[str], evidence: Evidence) -> Finding:
    smallest, unique = alone_with(evidence, column)
    also = f" (and {', '.join(map(repr, others))})" if others else ""
    sample = "" if evidence.share == 1 else f" In {evidence.classes.size:,} of {evidence.rows:,} rows:"
    are_unique = f"{unique:,} row{'s are' if unique != 1 else ' is'} unique"
    subject, it, way = _words(names, sensitive=names[0] in evidence.sensitive)
    return Finding(
        "derived-column",
        f"{subject} the hidden values of {told.quasi!r}{also}.{sample} {told.by_column:.0%} of the {told.hidden:,} "
        f"generalized values can be read with {it}, {told.by_label:.0%} from the label alone; with {it}, the smallest "
        f"class has {smallest:,} row{'s' * (smallest != 1)}, and {are_unique}. {way}",
        names,
        figures={
            "told": round(told.by_column, 4),
            "told_by_label": round(told.by_label, 4),
            "hidden": told.hidden,
            "smallest_class": smallest,
            "unique_rows": unique,
        },
        blocks=names[0] not in evidence.sensitive,
    )


def _words(names: tuple[str, ...], *, sensitive: bool) -> tuple[str, str, str]:
    """Return the beginning of a sentence about columns, their pronoun, and the sentence on what to do."""
    option = shlex.quote(",".join(names))
    if names[0].startswith(INDEX):
        return (
            "The index of the frame is released as it is and tells",
            "it",
            "Drop it (frame.reset_index(drop=True)), or make it a column and give it a role.",
        )
    if sensitive:
        return (
            f"The sensitive column {names[0]!r} is released as it is and tells",
            "it",
            "Make it a quasi-identifier instead, or leave it out.",
        )
    if len(names) == 1:
        given, it = repr(names[0]), "it"
        subject = f"Column {given} is released as it is and tells"
        quasi, may = "a quasi-identifier", "it may leave as it is"
    else:
        given, it = repr(list(names)), "them"
        subject = f"Columns {', '.join(map(repr, names))} are released as they are and together tell"
        quasi, may = "quasi-identifiers", "they may leave as they are"
    way = (
        f"Remove {it} (identifying={given}, --identifying {option}), make {it} {quasi}, or, if you have looked and "
        f"{may}, keep {it} (keep={given}, --keep {option})."
    )
    return subject, it, way
