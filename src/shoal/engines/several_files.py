"""Several files of a pattern as one table in memory, for what does not go through them in parts."""

from __future__ import annotations

from pathlib import Path

import narwhals as nw
import pyarrow as pa

from shoal.data.arrow_categories import values_named_once
from shoal.engines.scan import Scan
from shoal.io import files
from shoal.io.csv_layout import Names
from shoal.io.databases import Address
from shoal.io.source import Source


def stands_for_several(place: str) -> bool:
    """Return whether a text is a pattern such as visits-*.csv, and neither a file of that name nor an address."""
    return Address.of(place) is None and files.is_pattern(Path(place))


def read_several(pattern: str, *, separator: str | None, encoding: str, names: Names) -> Source:
    """Read the files that a pattern stands for, in the order of their names; they must have the same columns."""
    scan = Scan.of(Path(pattern), separator=separator, encoding=encoding, names=names)
    batches = [batch.cast(scan.schema) for batch in scan.batches(scan.columns)]
    table = values_named_once(pa.Table.from_batches(batches, scan.schema))
    return Source(nw.from_native(table, eager_only=True), None, scan.dialect, pattern)
