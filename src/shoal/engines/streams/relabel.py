"""The second pass: each batch with the labels of its rows' classes in place of the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_categories import plain_type, taken
from shoal.data.coding import Coding
from shoal.data.domain import RangeDomain
from shoal.data.style import text_array
from shoal.engines.streams.count import Counted
from shoal.engines.streams.known_values import KnownValues
from shoal.engines.streams.lookup import Lookup
from shoal.engines.streams.scan import Reading, Scan
from shoal.engines.streams.sink import Sink
from shoal.engines.streams.verify import Seen
from shoal.errors import InputError
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request


class Labels:
    """What each class shows of one quasi-identifier, as places in a dictionary of labels; the top is the last."""

    def __init__(self, shown: list[str], top: str) -> None:
        different = {label: number for number, label in enumerate(dict.fromkeys([*shown, top]))}
        self._dictionary = text_array(list(different))
        self._place = np.array([different[label] for label in (*shown, top)], np.int32)

    def of(self, ids: NDArray[np.int32]) -> pa.Array:
        """The label of each row's class, the top where the class is −1."""
        return pa.DictionaryArray.from_arrays(pa.array(self._place[ids]), self._dictionary)


class Relabelling:
    """All that the second pass needs to know."""

    def __init__(
        self,
        request: Request,
        counted: Counted,
        coding: Coding,
        lookup: Lookup,
        labels: Mapping[str, list[str]],
        tops: Mapping[str, str],
    ) -> None:
        self._request, self._counted, self._coding = request, counted, coding
        self._classes = lookup.classes
        self._labels = {name: Labels(shown, tops[name]) for name, shown in labels.items()}
        self._drops = request.drops_suppressed
        self.orders = {
            name: Order()
            for name, domain in zip(coding.quasi, coding.domains, strict=False)
            if isinstance(domain, RangeDomain)
        }
        self._ordered: dict[str, tuple[KnownValues, pa.Array, NDArray[np.int32]]] = {}
        self._blanks = {name: [False, False] for name in request.roles.sensitive}

    def schema(self, given: pa.Schema) -> pa.Schema:
        """The columns of the release."""
        roles = self._request.roles
        texts = {*self._labels, *roles.pseudonymized}
        kept = [field for field in given if field.name not in roles.identifying]
        # What else is said of a column may tell of the table as it was.
        return pa.schema(
            [
                pa.field(one.name, pa.string())
                if one.name in texts
                else pa.field(one.name, plain_type(one.type), one.nullable)
                for one in kept
            ]
        )

    def run(self, scan: Scan, sink: Sink, seen: Seen, tell: Reading) -> None:
        """Write the rows of the table with their labels, once they have been seen to be right."""
        schema, csv = self.schema(scan.schema), sink.kind == "csv"
        ordered = [one.name for one in schema if pa.types.is_dictionary(one.type) and one.type.ordered]
        if ordered and not csv:
            self._ordered = self._categories(scan, ordered)
        for batch in scan.batches(schema.names, tell):
            made, kept = self._batch(batch, csv=csv)
            seen.see(batch, made, kept=kept)
            sink.write(made)

    def _categories(self, scan: Scan, names: list[str]) -> dict[str, tuple[KnownValues, pa.Array, NDArray[np.int32]]]:
        """The ordered categories that released rows have, which have to be the same in all parts of a file."""
        known = {name: KnownValues(name, scan.schema.field(name).type) for name in names}
        for batch in scan.batches(list(dict.fromkeys([*self._request.names, *names]))):
            keep, _, _ = self._rows(batch)
            for name, values in known.items():
                values.places(batch.column(name).filter(pa.array(keep)), learn=True)
        return {name: (values, *values.in_order()) for name, values in known.items()}

    def _rows(self, batch: pa.RecordBatch) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.int32]]:
        """Which rows are released, and the codes and classes of those that miss no value."""
        places = self._counted.places([batch.column(name) for name in self._request.names])
        whole = self._counted.whole(places)
        codes = self._coding.of_places(places[whole] if not whole.all() else places)
        ids = self._classes(codes)
        keep = whole
        if self._drops and (ids < 0).any():
            keep = whole.copy()
            keep[whole] = ids >= 0
        return keep, codes, ids

    def _batch(self, batch: pa.RecordBatch, *, csv: bool) -> tuple[pa.RecordBatch, NDArray[np.int64] | None]:
        """The rows of a batch that stay, with their labels, and which these are; None where all of them stay."""
        asked = self._request
        keep, codes, ids = self._rows(batch)
        inside = ids >= 0  # nothing is told of suppressed rows
        for at, name in enumerate(self._coding.quasi):
            if name in self.orders:
                self.orders[name].see(codes[inside, at])
        if self._drops:
            ids = ids[inside]
        columns = {}
        for name in batch.schema.names:
            if name in self._labels:
                columns[name] = self._labels[name].of(ids)
                continue
            column = batch.column(name)
            if not keep.all():
                column = taken(column, pa.array(np.flatnonzero(keep)))
            if name in self._ordered:
                column = self._in_order(name, column)
            if name in asked.roles.pseudonymized:
                column = pseudonyms(name, pa.chunked_array([column]), self._request.key)
            if csv and name in asked.roles.sensitive:
                self._check_blank(name, column)
            columns[name] = column
        return pa.RecordBatch.from_pydict(columns), None if keep.all() else np.flatnonzero(keep)

    def _in_order(self, name: str, column: pa.DictionaryArray) -> pa.DictionaryArray:
        """A column with the categories that released rows have, here or elsewhere."""
        known, dictionary, rank = self._ordered[name]
        places = known.places(column, learn=False)
        indices = pa.array(np.append(rank, np.int32(-1))[places], mask=places < 0)
        return pa.DictionaryArray.from_arrays(indices, dictionary, ordered=True)

    def _check_blank(self, name: str, column: pa.Array) -> None:
        blanks = self._blanks[name]
        blanks[0] |= column.null_count > 0
        values = column.dictionary if pa.types.is_dictionary(column.type) else column
        if pa.types.is_string(values.type):
            blanks[1] |= bool(pc.any(pc.equal(column.cast(values.type), "")).as_py())
        if all(blanks):
            raise InputError(
                f"Column {name!r} holds missing values and empty texts, which CSV cannot tell apart: write Parquet."
            )


class Order:
    """Whether the values of a column come in order."""

    def __init__(self) -> None:
        self._up = self._down = True
        self._different = False
        self._last: int | None = None

    def see(self, codes: NDArray[np.int32]) -> None:
        """Look at the next values."""
        if not codes.size or not (self._up or self._down):
            return
        steps = np.diff(codes, prepend=codes[0] if self._last is None else np.int32(self._last))
        self._up &= bool((steps >= 0).all())
        self._down &= bool((steps <= 0).all())
        self._different |= bool(steps.any())
        self._last = int(codes[-1])

    @property
    def sorted(self) -> bool:
        """Whether all are in order, and not all alike."""
        return self._different and (self._up or self._down)
