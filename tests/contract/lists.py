"""The algorithms, models and kinds of frame that must work with one another; new ones join by being listed."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa

from shoal import DistinctDiversity, KAnonymity, Mondrian

# Algorithms whose classes do not depend on the order of the rows.
ORDER_FREE = [
    Mondrian(),
    Mondrian(cut="median"),
    Mondrian(dimension="widest"),
    Mondrian(dimension="widest", cut="median", categorical="order"),
]
ALGORITHMS = [
    *ORDER_FREE,
    Mondrian(dimension="random", seed=3),
    Mondrian(relaxed=True),
    Mondrian(dimension="widest", relaxed=True, ties="rows"),
]

MODELS = [
    KAnonymity(2),
    KAnonymity(5),
    DistinctDiversity(2),
    KAnonymity(3) & DistinctDiversity(2),
]

FRAMES = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "polars": lambda columns: pl.DataFrame(columns),
    "pyarrow": lambda columns: pa.table(columns),
}


def rows_of(frame) -> list[dict[str, object]]:
    """The rows of a frame of any kind, as dictionaries."""
    if isinstance(frame, pd.DataFrame):
        return pa.Table.from_pandas(frame, preserve_index=False).to_pylist()
    return frame.to_dicts() if isinstance(frame, pl.DataFrame) else frame.to_pylist()
