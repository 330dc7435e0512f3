"""Adult: a table of the United States census, and hierarchies of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shoal.data.hierarchy import Hierarchy

if TYPE_CHECKING:
    import pyarrow

_ADULT = Path(__file__).parent / "adult"


def adult(*, test: bool = False, drop_missing: bool = False) -> pyarrow.Table:
    """Return the Adult table (Becker and Kohavi, 1996, UCI Machine Learning Repository, CC BY 4.0).

    test          whether the 16,281 test rows follow the 32,561 training rows
    drop_missing  whether rows with a `?`, the table's mark for a missing value, are left out
    >>> from shoal.datasets import adult
    >>> adult().num_rows, adult(test=True, drop_missing=True).num_rows
    (32561, 45222)
    """
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    # The file has two row groups: the training rows, then the test rows.
    with pq.ParquetFile(_ADULT / "adult.parquet") as file:
        table = file.read_row_groups([0, 1] if test else [0])
    if drop_missing:
        for name in ("workclass", "occupation", "native-country"):
            table = table.filter(pc.not_equal(table[name], "?"))
    return table


def adult_hierarchies() -> dict[str, Hierarchy]:
    """Return shoal's own hierarchy for each quasi-identifier of the Adult table, by column name.

    >>> from shoal.datasets import adult_hierarchies
    >>> adult_hierarchies()["education"].path("Masters")
    ('Masters', 'Bachelors-or-masters', 'University-degree', '*')
    """
    paths = {path.stem: path for path in _ADULT.glob("*.txt")}
    return {column: Hierarchy.from_tab_tree(paths[column]) for column in sorted(paths)}
