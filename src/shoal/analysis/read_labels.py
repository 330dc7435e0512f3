"""Labels of a release, made by any tool, read back into a recoding of the original table."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.column import read_column
from shoal.data.domain import AnyDomain, NumericDomain, RangeDomain, Ranges, SetDomain, Sets, TreeDomain
from shoal.data.label_ranges import Number, place_of, places_of
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.style import text
from shoal.data.table import Table
from shoal.errors import InputError

TOP = "*"
HIDDEN = ("", "?", "NA")  # how tools write a value that they removed, or that was missing before
RANGE_SEPARATORS = (" - ", " to ", "..", ",", ";", "–", "-")
SET_SEPARATORS = (" | ", "|", ";", ",")

Meaning = tuple[int, ...]  # a node, a low and a high code, or the codes of a set
Reader = Callable[[str, int], Meaning | None]  # takes a label and the raw code of its row


def read_release(table: Table, released: Mapping[str, pa.ChunkedArray]) -> Recoding:
    """Read the recoding that a release shows; row i of the release is row i of the table.

    A label of a hierarchy is looked up among the ancestors of the raw value, lowest first; nodes with equal labels are
    different. A range of numbers means the values of the table in it. A row is suppressed if every quasi-identifier
    shows the top value.
    """
    read = [
        _read_column(name, domain, codes, released[name])
        for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True)
    ]
    numbers, meanings, tops = zip(*read, strict=True)
    inside = np.flatnonzero(~np.all(tops, axis=0))
    columns = [number[inside] for number in numbers]
    ids = np.full(len(table.weights), -1, np.int32)
    ids[inside], firsts = group_rows(columns, [len(meaning) for meaning in meanings], inside.size)
    shown = tuple(
        _shown(domain, [meaning[place] for place in column[firsts].tolist()])
        for domain, meaning, column in zip(table.domains, meanings, columns, strict=True)
    )
    return Recoding(ids, table.sizes(ids), shown)


def _read_column(
    name: str, domain: AnyDomain, codes: NDArray[np.int32], released: pa.ChunkedArray
) -> tuple[NDArray[np.int32], list[Meaning], NDArray[np.bool_]]:
    """Return for each row the number of its meaning, the meanings, and for each row whether it shows the top."""
    if len(released) != codes.size:
        raise InputError(
            f"The release has {len(released):,} rows and the original {codes.size:,}: "
            f"give a release with the same rows in the same order, suppressed ones included."
        )
    column = read_column(name, released)
    labels = [*map(text, column.values), ""]  # place −1 is the last: null
    places = np.where(column.places < 0, len(labels) - 1, column.places)
    pairs, firsts, back = np.unique(
        codes.astype(np.int64) * len(labels) + places, return_index=True, return_inverse=True
    )
    read, everything = _reader(domain), _everything(domain)
    by_pair: list[Meaning] = []
    tops: list[bool] = []
    for pair, row in zip(pairs.tolist(), firsts.tolist(), strict=True):
        code, label = pair // len(labels), labels[pair % len(labels)]
        meaning = read(label, code) or read(label.strip(), code) or _hidden(label.strip(), code, domain, everything)
        if meaning is None:
            raise _uncovered(name, row, label, domain, code)
        by_pair.append(meaning)
        tops.append(meaning == everything and _is_top(label.strip(), code, domain))
    _hide_alike(pairs % len(labels), labels, by_pair, tops, everything)
    numbered = {meaning: number for number, meaning in enumerate(dict.fromkeys(by_pair))}
    number = np.array([numbered[meaning] for meaning in by_pair], np.int32)
    return number[back], list(numbered), np.array(tops)[back]


def _is_top(label: str, code: int, domain: AnyDomain) -> bool:
    """Return whether a label that covers everything is the top, not a value or range that happens to cover all."""
    if isinstance(domain, TreeDomain) and len(domain.hierarchy.labels) > 1:
        return True
    return label in (TOP, *HIDDEN) and label != domain.labels[code]


def _everything(domain: AnyDomain) -> Meaning:
    if isinstance(domain, TreeDomain):
        return (0,)
    return (0, len(domain) - 1) if isinstance(domain, RangeDomain) else tuple(range(len(domain)))


def _hidden(label: str, code: int, domain: AnyDomain, everything: Meaning) -> Meaning | None:
    """Return the meaning of a cell without a value: the missing value if it was missing before, otherwise the top."""
    if label not in HIDDEN:
        return None
    if code != domain.missing:
        return everything
    if isinstance(domain, TreeDomain):
        return (int(domain.hierarchy.leaf_nodes[code]),)
    return (code, code) if isinstance(domain, RangeDomain) else (code,)


def _hide_alike(
    places: NDArray[np.int64], labels: list[str], meanings: list[Meaning], tops: list[bool], everything: Meaning
) -> None:
    """Let a label such as `?` mean the top in every row if it hides a value in one, as these rows look the same."""
    hiding = {
        place for place, top in zip(places.tolist(), tops, strict=True) if top and labels[place].strip() in HIDDEN
    }
    for pair, place in enumerate(places.tolist()):
        if place in hiding:
            meanings[pair], tops[pair] = everything, True


def _reader(domain: AnyDomain) -> Reader:
    if isinstance(domain, TreeDomain):
        return _node_reader(domain)
    read = cache(_label_reader(domain))

    def around(label: str, code: int) -> Meaning | None:
        meaning = read(label)
        if meaning is None:
            return None
        inside = code in meaning if isinstance(domain, SetDomain) else meaning[0] <= code <= meaning[1]
        return meaning if inside else None

    return around


def _label_reader(domain: AnyDomain) -> Callable[[str], Meaning | None]:
    """Return a reader of labels of a column without a tree; it returns None for a label that it cannot read."""
    return _range_reader(domain) if isinstance(domain, RangeDomain) else _set_reader(domain)


def _node_reader(domain: TreeDomain) -> Reader:
    """Return a reader that finds the lowest ancestor of the raw value with the label; `*` is always the root."""
    tree = domain.hierarchy
    parents, leaves = tree.parents.tolist(), tree.leaf_nodes.tolist()

    def read(label: str, code: int) -> Meaning | None:
        node = leaves[code]
        while node >= 0 and tree.labels[node] != label:
            node = parents[node]
        return (node,) if node >= 0 else (0,) if label == TOP else None

    return read


def _range_reader(domain: AnyDomain) -> Callable[[str], Meaning | None]:
    """Return a reader of `39`, `20-29`, `-5 - -1`, `[20, 29]`, `[20,30)`, `[20, 30[`, `>=65`, `2*` and the like.

    Ordered values can be ends, too.
    """
    codes = {label: code for code, label in enumerate(domain.labels)}
    start = domain.missing + 1
    kind, values = places_of(domain.labels[start:]) if isinstance(domain, NumericDomain) else ("", [*range(len(codes))])

    def value_of(end: str) -> Number | None:
        return values[codes[end] - start] if codes.get(end, -1) >= start else _on_scale(kind, end)

    def read(label: str) -> Meaning | None:
        if label in codes:
            return codes[label], codes[label]
        if label == TOP:
            return 0, len(domain) - 1
        inside = _inside(label, value_of, values)
        if inside is not None:
            return inside[0] + start, inside[1] + start - 1
        masked = _masked(label, codes)
        return (masked[0], masked[-1]) if masked and masked[-1] - masked[0] == len(masked) - 1 else None

    return read


def _on_scale(kind: str, text: str) -> Number | None:
    """Return the place of a text on a kind of scale; None if it is not on it."""
    place = place_of(text) if kind else None
    return place[1] if place is not None and place[0] == kind else None


def _inside(label: str, value_of: Callable[[str], Number | None], values: Sequence[Number]) -> tuple[int, int] | None:
    """Return the first of the sorted values in a range and the first one after it; None if a label is not a range."""
    comparison = re.match(r"(<=|>=|[<>≤≥])\s*(.*)", label)
    end = value_of(comparison[2]) if comparison else None
    if comparison is not None and end is not None:
        place = (bisect_left if comparison[1] in ("<", ">=", "≥") else bisect_right)(values, end)
        return (0, place) if comparison[1] in ("<", "<=", "≤") else (place, len(values))
    for low, high, after, before in _ends(label):
        first, last = value_of(low), value_of(high)
        if first is not None and last is not None:
            begin = (bisect_right if after else bisect_left)(values, first)
            return begin, (bisect_left if before else bisect_right)(values, last)
    return None


def _ends(label: str) -> Iterator[tuple[str, str, bool, bool]]:
    """Yield the ways to read a label as (low, high, low is excluded, high is excluded); one value is both ends."""
    yield label, label, False, False
    brackets = re.fullmatch(r"([\[(\]])(.*)([\])\[])", label)
    body, after, before = (brackets[2], brackets[1] in "(]", brackets[3] in ")[") if brackets else (label, False, False)
    for separator in RANGE_SEPARATORS:
        for match in re.finditer(re.escape(separator), body):
            yield body[: match.start()].strip(), body[match.end() :].strip(), after, before


def _masked(label: str, codes: Mapping[str, int]) -> Meaning:
    """Return the values that a label such as `130**` stands for: they are as long and begin alike."""
    start = label.rstrip(TOP)
    if start == label:
        return ()
    return tuple(
        sorted({code for value, code in codes.items() if len(value) == len(label) and value.startswith(start)})
    )


def _set_reader(domain: AnyDomain) -> Callable[[str], Meaning | None]:
    """Return a reader of `a | b`, `a,b`, `{a, b}` and `130**`, and of ranges if all values are on one scale.

    Values on a scale that form sets are decimals, whole numbers and moments with more digits than a double holds.
    """
    codes = {label.strip(): code for code, label in enumerate(domain.labels)}
    codes |= {label: code for code, label in enumerate(domain.labels)}
    present = [code for code in range(len(domain)) if code != domain.missing]
    kind, scale = "", list[tuple[Number, int]]()
    with suppress(ValueError):
        kind, places = places_of([domain.labels[code] for code in present])
        scale = sorted(zip(places, present, strict=True))

    def read(label: str) -> Meaning | None:
        if label in codes:
            return (codes[label],)
        if label == TOP:
            return tuple(range(len(domain)))
        body = label[1:-1] if label.startswith("{") and label.endswith("}") else label
        for separator in SET_SEPARATORS:
            parts = [part.strip() for part in body.split(separator)]
            if all(part in codes for part in parts):
                return tuple(sorted({codes[part] for part in parts}))
        inside = _inside(label, partial(_on_scale, kind), [place for place, _ in scale]) if kind else None
        if inside is not None:
            return tuple(sorted(code for _, code in scale[slice(*inside)]))
        return _masked(label, codes) or None

    return read


def _uncovered(name: str, row: int, label: str, domain: AnyDomain, code: int) -> InputError:
    raw, place = domain.labels[code], f"Row {row + 1} of the release, column {name!r}:"
    if isinstance(domain, TreeDomain):
        problem = f"{label!r} is not above the original value {raw!r} in the hierarchy"
    elif _label_reader(domain)(label.strip()) is None:
        return InputError(
            f"{place} {label!r} cannot be read as a value, range or set of values such as {raw!r}. Write it with these "
            "values, or give the hierarchy of the column."
        )
    else:
        problem = f"{label!r} does not cover the original value {raw!r}"
    return InputError(f"{place} {problem}. Give the same rows in the same order.")


def _shown(domain: AnyDomain, meanings: list[Meaning]) -> Any:
    """Convert the meanings of the classes to the form of the domain."""
    if isinstance(domain, TreeDomain):
        return np.array([meaning[0] for meaning in meanings], np.int32)
    if isinstance(domain, RangeDomain):
        ends = np.array(meanings, np.int32).reshape(-1, 2)
        return Ranges(ends[:, 0].copy(), ends[:, 1].copy())
    starts = np.cumsum([0, *map(len, meanings)]).astype(np.int64)
    return Sets(starts, np.array([code for meaning in meanings for code in meaning], np.int32))
