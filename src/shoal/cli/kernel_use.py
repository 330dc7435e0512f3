"""Small runs that together use every kernel, so that all of them are compiled."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

KERNELS = 210  # that are compiled in all, about: the progress bar is drawn by it
COLUMNS: dict[str, list[Any]] = {
    "age": [23, 25, 25, None, 31, 31, 38, 40, 40, 41, 52, 55, 57, None, 61, 64],
    "zip": ["131", "132", "131", "141"] * 4,
    "job": ["cook", "nurse", "cook", "clerk", "clerk", "nurse", None, "cook"] * 2,
    "illness": ["flu", "cold", "flu", "asthma"] * 4,
}
QUASI = ["age", "zip", "job"]
ROLES: dict[str, Any] = {"quasi_identifiers": QUASI, "sensitive": "illness"}


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Name the runs, those that compile longest first."""
    from shoal.algorithms import Auto, LocalRecoding, Mondrian, SequentialClustering

    yield "auto", partial(_release, Auto())
    yield "local recoding", partial(_release, LocalRecoding())
    yield "local recoding, balanced", partial(_release, LocalRecoding("balanced"))
    for algorithm in _others():
        yield algorithm.name.replace("_", " "), partial(_release, algorithm)
    for variant in (Mondrian(relaxed=True), Mondrian(cut="median"), SequentialClustering(measure="entropy")):
        yield f"{variant.name.replace('_', ' ')}, variant", partial(_release, variant)
    yield "people", _people
    yield "people's rows", _events
    yield "attack", _attack
    yield "files in parts", _in_parts


def _others() -> list[Any]:
    """Return one of each algorithm that `steps` does not name."""
    from shoal.algorithms import ALGORITHMS

    return [kind() for name, kind in ALGORITHMS.items() if name not in ("auto", "local")]


def _table() -> Any:
    import pyarrow as pa

    return pa.table(COLUMNS)


def _guide() -> Any:
    from shoal.data.hierarchy import Hierarchy

    return Hierarchy.from_parents(["*", "13", "14", "131", "132", "141"], [-1, 0, 0, 1, 1, 2])


def _anonymized(table: Any, **asked: Any) -> Any:
    from shoal import api

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return api.anonymize(table, hierarchies={"zip": _guide()}, **ROLES, **asked)


def _release(algorithm: Any) -> None:
    """Anonymize with and without a model of sensitive values, and with suppression where there is any."""
    from shoal.models import Closeness, DistinctDiversity, EntropyDiversity, KAnonymity

    for model in (
        KAnonymity(2),
        KAnonymity(2) & DistinctDiversity(2),
        KAnonymity(2) & EntropyDiversity(1.2),
        KAnonymity(2) & Closeness(0.6),
    ):
        release = _anonymized(_table(), model=model, algorithm=algorithm)
        if algorithm.suppresses:
            _anonymized(_table(), model=model, algorithm=algorithm, max_suppression=0.2)
    with tempfile.TemporaryDirectory() as folder:
        release.save(Path(folder, "out.csv"))


def _people() -> None:
    import pyarrow as pa

    from shoal.algorithms import LocalRecoding
    from shoal.models import KAnonymity

    table = _table()
    table = table.append_column("who", pa.array([row // 2 for row in range(table.num_rows)]))
    _anonymized(table, unit="who", model=KAnonymity(2), algorithm=LocalRecoding())


def _events() -> None:
    """Group people of two rows each, among them groups that must join, and cut them into blocks."""
    import numpy as np

    from shoal.algorithms.people.bags import group_bags
    from shoal.algorithms.people.blocks import blocks_of
    from shoal.data.encoding import encode
    from shoal.data.style import Style

    columns = {name: _table()[name] for name in QUASI}
    events = encode(columns, quasi=QUASI, sensitive=[], guides={"zip": _guide()}, style=Style())
    owners = np.arange(len(events.weights)) // 2

    def holds(groups: list[tuple[Any, Any]]) -> Any:
        return np.array([np.unique(owners[rows]).size > 2 for rows, _ in groups])

    group_bags(events, owners, k=2, max_dropped=0, holds=holds)
    blocks_of(events, events.codes, static=len(columns), events=1, smallest=2)


def _attack() -> None:
    from shoal.algorithms import Mondrian
    from shoal.analysis.attack.attack import attack
    from shoal.models import KAnonymity

    table = _table()
    frame = _anonymized(table, model=KAnonymity(2), algorithm=Mondrian()).frame
    attack(frame, table, known=QUASI, sensitive="illness", original=table)
    attack(frame, kind="all", original=table, known=QUASI, sensitive="illness")


def _in_parts() -> None:
    from pyarrow import csv

    from shoal.algorithms import Mondrian
    from shoal.engines.streams.run import anonymize_files
    from shoal.models import Closeness, KAnonymity

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        csv.write_csv(_table(), source)
        model = KAnonymity(2) & Closeness(0.6)
        anonymize_files(source, target, memory="1GB", model=model, algorithm=Mondrian(), **ROLES)
