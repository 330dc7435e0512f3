"""relabel(): the second pass over a table, which writes its rows with the labels of their equivalence classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_categories import plain_type, taken
from shoal.data.domain import RangeDomain
from shoal.engines.lookup import Labels
from shoal.engines.scan import ReadProgress, Scan
from shoal.engines.streams.count import Counted, KnownValues
from shoal.engines.streams.sampled_rows import SampledRows
from shoal.engines.streams.shuffle import Shuffle
from shoal.engines.streams.sink import Sink
from shoal.engines.streams.solve import Answered
from shoal.engines.streams.verify import WrittenRows
from shoal.errors import InputError
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request
from shoal.release.row_order import RowOrder


def relabel(
    scan: Scan,
    relabeller: Relabeller,
    *,
    sink: Sink,
    rows: WrittenRows,
    tell: ReadProgress,
    shuffle: Shuffle | None = None,
) -> None:
    """Write the rows of a table with their labels, after checking each batch against its original rows."""
    schema, csv = relabeller.schema, sink.kind == "csv"
    ordered = [field.name for field in schema if pa.types.is_dictionary(field.type) and field.type.ordered]
    if ordered and not csv:
        relabeller.collect_categories(scan, ordered)
    for batch in relabeller.batches(scan, schema.names, tell):
        released, kept = relabeller.relabel(batch, csv=csv)
        rows.check(batch, released, kept=kept)
        if shuffle is None:
            sink.write(released)
        else:
            shuffle.add(released)
    for released in shuffle.batches() if shuffle is not None else ():
        sink.write(released)


class Relabeller:
    """Puts labels in place of the quasi-identifiers, batch by batch.

    schema  the columns of the release
    orders  for each ordered quasi-identifier, whether its released rows come sorted
    sample  some of the rows, for the review
    """

    def __init__(self, schema: pa.Schema, request: Request, counted: Counted, answered: Answered, *, rows: int) -> None:
        self.schema = _released_schema(schema, request, answered.labels)
        self._request, self._counted, self._coding = request, counted, answered.answer.coding
        self._lookup, self._people = answered.lookup, answered.people
        self._labels = {name: Labels(labels, answered.tops[name]) for name, labels in answered.labels.items()}
        self.orders = {
            name: RowOrder()
            for name, domain in zip(self._coding.quasi, self._coding.domains, strict=False)
            if isinstance(domain, RangeDomain)
        }
        self.sample = SampledRows(
            request, self._coding, labels=answered.labels, tops=answered.tops, columns=schema.names, rows=rows
        )
        self._categories: dict[str, tuple[KnownValues, pa.Array, NDArray[np.int32]]] = {}
        self._blanks = {name: [False, False] for name in request.roles.sensitive}

    def batches(self, scan: Scan, names: list[str], tell: ReadProgress | None = None) -> Iterator[pa.RecordBatch]:
        """Read the table once more: these columns, and the one that says whose row it is."""
        unit = self._request.unit
        if self._people is not None:
            self._people.restart()
        return scan.batches([*names, *(() if unit is None else unit.columns)], tell)

    def collect_categories(self, scan: Scan, names: list[str]) -> None:
        """Find the ordered categories that released rows have, which must be the same in all parts of a file."""
        known = {name: KnownValues(name, scan.schema.field(name).type) for name in names}
        for batch in self.batches(scan, list(dict.fromkeys([*self._request.names, *names]))):
            released, _, _ = self._rows(batch)
            for name, values in known.items():
                values.places(batch.column(name).filter(pa.array(released)), learn=True)
        self._categories = {name: (values, *values.in_order()) for name, values in known.items()}

    def relabel(self, batch: pa.RecordBatch, *, csv: bool) -> tuple[pa.RecordBatch, NDArray[np.int64] | None]:
        """Return the released rows of a batch with their labels, and their numbers in the batch; None: all rows."""
        roles = self._request.roles
        released, codes, ids = self._rows(batch)
        unsuppressed = ids >= 0  # nothing may be disclosed about suppressed rows
        for at, name in enumerate(self._coding.quasi):
            if name in self.orders:
                self.orders[name].add(codes[unsuppressed, at])
        if self._request.drops_suppressed:
            codes, ids = codes[unsuppressed], ids[unsuppressed]
        numbers = None if released.all() else np.flatnonzero(released)
        self.sample.add(batch, codes, ids, numbers=numbers)
        columns = {}
        for name in self.schema.names:
            if name in self._labels:
                columns[name] = self._labels[name].of(ids)
                continue
            column = batch.column(name)
            if numbers is not None:
                column = taken(column, pa.array(numbers))
            if name in self._categories:
                column = self._with_categories(name, column)
            if name in roles.pseudonymized:
                column = pseudonyms(name, pa.chunked_array([column]), self._request.key)
            if csv and name in roles.sensitive:
                self._check_blank(name, column)
            columns[name] = column
        return pa.RecordBatch.from_pydict(columns), numbers

    def _rows(self, batch: pa.RecordBatch) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.int32]]:
        """Tell which rows are released; return the codes and classes of the complete rows."""
        places = self._counted.places([batch.column(name) for name in self._request.names])
        complete = self._counted.complete(places)
        codes = self._coding.of_places(places[complete] if not complete.all() else places)
        ids = self._classes(codes, batch, complete)
        released = complete
        if self._request.drops_suppressed and (ids < 0).any():
            released = complete.copy()
            released[complete] = ids >= 0
        return released, codes, ids

    def _classes(
        self, codes: NDArray[np.int32], batch: pa.RecordBatch, complete: NDArray[np.bool_]
    ) -> NDArray[np.int32]:
        """Return the classes of the complete rows of a batch, given their codes."""
        if self._people is None:
            return self._lookup.classes(codes)
        people = self._people.add(batch.column(self._people.name), learn=False)
        return self._lookup.classes(np.column_stack([codes, people[complete]]))

    def _with_categories(self, name: str, column: pa.DictionaryArray) -> pa.DictionaryArray:
        """Return a column with the categories that released rows have, in this batch or in others."""
        known, dictionary, rank = self._categories[name]
        places = known.places(column, learn=False)
        indices = pa.array(np.append(rank, np.int32(-1))[places], mask=places < 0)
        return pa.DictionaryArray.from_arrays(indices, dictionary, ordered=True)

    def _check_blank(self, name: str, column: pa.Array) -> None:
        """Refuse a sensitive column with both missing values and empty texts, which a CSV file shows alike."""
        blanks = self._blanks[name]
        blanks[0] |= column.null_count > 0
        values = column.dictionary if pa.types.is_dictionary(column.type) else column
        if pa.types.is_string(values.type):
            blanks[1] |= bool(pc.any(pc.equal(column.cast(values.type), "")).as_py())
        if all(blanks):
            raise InputError(
                f"Column {name!r} holds missing values and empty texts, which CSV cannot tell apart: write Parquet."
            )


def _released_schema(schema: pa.Schema, request: Request, labels: Mapping[str, list[str]]) -> pa.Schema:
    """Return the columns of the release, without metadata, which may disclose something about the original table."""
    texts = {*labels, *request.roles.pseudonymized}
    return pa.schema(
        [
            pa.field(field.name, pa.string())
            if field.name in texts
            else pa.field(field.name, plain_type(field.type), field.nullable)
            for field in schema
            if field.name not in request.roles.identifying
        ]
    )
