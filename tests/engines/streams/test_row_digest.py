"""The digest of whole rows beside a literal version: the same for any batches, another one for other rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from shoal.engines.streams.digests import RowDigest
from shoal.engines.value_hashes import hash_values

SALT, MASK = 0xFEDCBA9876543210, 2**64 - 1
ROWS = pa.table({"a": ["x", "y", None, "x", ""] * 4, "b": range(20), "c": [1.5, None, -0.0, 0.0, 2.0] * 4})


def mixed(number: int) -> int:
    """Splitmix64, by whole numbers."""
    number = (number + 0x9E3779B97F4A7C15) & MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def literal(table: pa.Table, start: int | None) -> int:
    """Hash each row, cell by cell, after its number, and add all up."""
    cells = [hash_values(column.combine_chunks()).tolist() for column in table.columns]
    total = 0
    for number, row in enumerate(zip(*cells, strict=True)):
        hashed = SALT if start is None else mixed((SALT + start + number) & MASK)
        for cell in row:
            hashed = mixed((hashed + cell) & MASK)
        total += hashed
    return total & MASK


def digest(table: pa.Table, *, start: int | None, size: int = 7) -> int:
    found = RowDigest(table.column_names, text=False, salt=SALT)
    for batch in table.to_batches(size):
        found.add(batch, start=None if start is None else start + found.rows)
    assert found.rows == table.num_rows
    return found.sum


@pytest.mark.parametrize("start", [None, 0, 5 << 40, 2**64 - 1 - 20])
def test_it_is_the_sum_of_the_hashes_of_rows(start):
    expected = literal(ROWS, start)
    coded = ROWS.set_column(0, "a", ROWS["a"].dictionary_encode())
    assert {digest(table, start=start, size=size) for table in (ROWS, coded) for size in (1, 7, 20)} == {expected}


def test_rows_count_with_their_numbers_or_without():
    turned = ROWS.take([1, 0, *range(2, 20)])
    assert digest(turned, start=None) == digest(ROWS, start=None)
    assert digest(turned, start=3) != digest(ROWS, start=3)
    assert digest(ROWS, start=4) != digest(ROWS, start=3)
    rolled = ROWS.set_column(0, "a", pa.array([*ROWS["a"].to_pylist()[-1:], *ROWS["a"].to_pylist()[:-1]]))
    for start in (None, 3):
        assert digest(rolled, start=start) != digest(ROWS, start=start)
        assert digest(ROWS.slice(1), start=start) != digest(ROWS, start=start)
