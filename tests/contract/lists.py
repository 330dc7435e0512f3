"""The algorithms, models and kinds of frame that must work with one another.

Every algorithm of shoal is here with its defaults; models need a definition in plain Python beside them.
"""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import polars as pl
import pyarrow as pa

from oracles import models as oracle
from shoal import algorithms
from shoal.algorithms import (
    AgglomerativeClustering,
    BottomUp,
    Datafly,
    FullDomain,
    GraphClustering,
    Incognito,
    KMember,
    LocalRecoding,
    Mondrian,
    RandomGrouping,
    Samarati,
    SequentialClustering,
)
from shoal.models import (
    AlphaK,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    HighestRisk,
    KAnonymity,
    PSensitivity,
    RecursiveDiversity,
)

# Algorithms whose classes do not depend on the order of the rows.
ORDER_FREE = [
    Mondrian(),
    Mondrian(cut="median"),
    Mondrian(blind=True),
    Mondrian(dimension="widest"),
    Mondrian(dimension="widest", cut="median", categorical="order"),
    BottomUp(),
    Samarati(),
    Datafly(),
    Incognito(),
    FullDomain(),
    FullDomain("discernibility"),
]
VARIANTS = [
    Mondrian(dimension="random", seed=3),
    Mondrian(relaxed=True),
    Mondrian(dimension="widest", relaxed=True, ties="rows"),
    RandomGrouping(seed=2),
    AgglomerativeClustering("row", shrink=True),
    GraphClustering(variant="dissolve"),
    GraphClustering(by="distance"),
    KMember(start="random"),
    LocalRecoding("fast"),
    SequentialClustering(measure="entropy", starts=2),
    SequentialClustering(exchange=True),
]
ALGORITHMS = [
    *ORDER_FREE,
    *(kind() for kind in algorithms.ALGORITHMS.values() if kind() not in ORDER_FREE),
    *VARIANTS,
]

# Each model with its definition in plain Python: (values of a class, values of the table) -> bool.
DEFINITIONS = [
    (KAnonymity(2), lambda values, table: len(values) >= 2),
    (KAnonymity(5), lambda values, table: len(values) >= 5),
    (HighestRisk(0.34), lambda values, table: len(values) >= 3),
    (DistinctDiversity(2), lambda values, table: len(set(values)) >= 2),
    (PSensitivity(2, 3), lambda values, table: len(values) >= 3 and len(set(values)) >= 2),
    (FrequencyDiversity(1.5), lambda values, table: oracle.frequency(values, 1.5)),
    (EntropyDiversity(1.8), lambda values, table: oracle.entropy(values, 1.8)),
    (RecursiveDiversity(2, 2), lambda values, table: oracle.recursive(values, 2, 2)),
    (AlphaK(0.7, 2), lambda values, table: len(values) >= 2 and oracle.alpha(values, 0.7)),
    (BetaLikeness(1), lambda values, table: oracle.beta(values, table, 1, enhanced=False)),
    (BetaLikeness(1, enhanced=True), lambda values, table: oracle.beta(values, table, 1, enhanced=True)),
    (DeltaDisclosure(1.2), lambda values, table: oracle.delta(values, table, 1.2)),
    (Closeness(0.4), lambda values, table: oracle.equal_distance(values, table) <= Fraction("0.4")),
    (
        KAnonymity(3) & DistinctDiversity(2),
        lambda values, table: len(values) >= 3 and len(set(values)) >= 2,
    ),
    (
        KAnonymity(2) & Closeness(0.3) & FrequencyDiversity(1.2),
        lambda values, table: (
            len(values) >= 2
            and oracle.equal_distance(values, table) <= Fraction("0.3")
            and oracle.frequency(values, 1.2)
        ),
    ),
]
MODELS = [model for model, _ in DEFINITIONS]

FRAMES = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "polars": lambda columns: pl.DataFrame(columns),
    "pyarrow": lambda columns: pa.table(columns),
}


def rows_of(frame) -> list[dict[str, object]]:
    """Return the rows of a frame of any kind as dictionaries."""
    if isinstance(frame, pd.DataFrame):
        return pa.Table.from_pandas(frame, preserve_index=False).to_pylist()
    return frame.to_dicts() if isinstance(frame, pl.DataFrame) else frame.to_pylist()
