"""row-order: rows in an order that tells more than their labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

import narwhals as nw
import pyarrow as pa

from shoal.data.table import Table
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.kernels.arrays import Ints
from shoal.release.request import Request
from shoal.release.review.finding import Finding
from shoal.release.row_order import FEW_ROWS, Order, RowOrder, in_order

UNIQUE_SHARE = 0.5  # of the rows that have different values of an index
SHUFFLE = "Release them shuffled (order='shuffled', --shuffle)."
FIRST_SHUFFLE = "Shuffle the table first."  # for engines that write a release in parts


def order_that_tells(
    source: Source, request: Request, table: Table, *, generalized: Collection[str], inside: pa.Array | None
) -> list[Finding]:
    """List the columns that the rows are sorted by and whose values are not released, and an index that stays.

    generalized  the quasi-identifiers that do not show all values
    inside       which rows are in classes, None for all: nothing may be disclosed about suppressed rows
    """
    if len(source) < FEW_ROWS or request.order == "shuffled":
        return []
    return [*_index(source), *_sorted(source, request, table, generalized, inside)]


def _index(source: Source) -> Iterator[Finding]:
    """Warn of a pandas index that is more than row numbers."""
    index = nw.maybe_get_index(source.frame)
    if index is None or (index.dtype.kind in "iu" and index.name is None):
        return
    distinct = index.nunique()
    if distinct > UNIQUE_SHARE * len(source):
        yield Finding(
            "unique-combination",
            f"The index of the frame is released unchanged, with {distinct} different values in {len(source)} rows: "
            f"it may identify people. Drop it if so; saved files do not contain it.",
        )


def _sorted(
    source: Source, request: Request, table: Table, generalized: Collection[str], inside: pa.Array | None
) -> Iterator[Finding]:
    """Warn of columns that the rows are sorted by and whose values are not released: the order reveals them."""
    by_class = request.order == "classes"

    def sorted_by(column: pa.ChunkedArray | pa.Array) -> Order:
        return in_order(column if inside is None else column.filter(inside))

    def sorted_by_code(codes: Ints, missing: int) -> Order:
        rows = RowOrder()
        if missing >= 0 or inside is not None:
            there = codes != missing
            codes = codes[there if inside is None else there & inside.to_numpy(zero_copy_only=False)]
        rows.add(codes)
        return rows.sorted

    for name, domain, codes in zip(table.quasi, table.domains, table.codes.T, strict=True):
        if name in generalized and (order := sorted_by_code(codes, domain.missing) or sorted_by(source.arrow(name))):
            yield sorted_rows(name, order, by_class=by_class)
    for name in (*request.roles.identifying, *request.roles.pseudonymized):
        with suppress(InputError):  # of values that cannot be compared
            if order := sorted_by(source.arrow(name)):
                yield sorted_rows(name, order, gone=True, by_class=by_class)


def sorted_rows(
    name: str,
    order: Order,
    *,
    gone: bool = False,
    by_class: bool = False,
    rows: str = "The rows",
    instead: str = SHUFFLE,
    suppressed_too: bool = False,
) -> Finding:
    """Warn of rows that are in an order by a column which is generalized in the release, or `gone` from it.

    If suppressed rows may be among them, the sentence is not published.
    """
    keep = "keep their order within the classes" if by_class else "keep their order"
    effect = "which reveals whose rows they are" if gone else "which reveals more than the released labels"
    sentence = f"{rows} are {order} by {name!r} and {keep}, {effect}. {instead}"
    return Finding("row-order", sentence, (name,), sentence if suppressed_too else "")


def first_rows_sorted(rows: pa.Table | pa.RecordBatch, gone: Iterable[str]) -> list[Finding]:
    """List the columns without a place in the release by which the first rows are sorted."""
    if len(rows) < FEW_ROWS:
        return []
    first = f"The first {len(rows)} rows"
    return [
        sorted_rows(name, order, gone=True, rows=first, instead=FIRST_SHUFFLE, suppressed_too=True)
        for name in gone
        if (order := in_order(rows.column(name)))
    ]
