"""Numbers of numpy are taken wherever numbers are meant, and kept as Python's own."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.algorithms import AgglomerativeClustering, Samarati
from shoal.data.parameters import plain

TABLE = pa.table({"age": [20 + row % 7 for row in range(60)], "zip": [row % 3 for row in range(60)]})

GIVEN = [
    (shoal.Auto(effort=np.int64(1)), shoal.Auto(effort=1)),
    (shoal.LocalRecoding(effort=np.float64(0.5), seed=np.int64(3)), shoal.LocalRecoding(effort=0.5, seed=3)),
    (shoal.LocalRecoding(weights={"age": np.float32(2)}), shoal.LocalRecoding(weights={"age": 2.0})),
    (shoal.LocalRecoding(rounds=np.int16(2)), shoal.LocalRecoding(rounds=2)),
    (shoal.SequentialClustering(starts=np.int64(2)), shoal.SequentialClustering(starts=2)),
    (shoal.FullDomain(levels={"age": (np.int64(0), 1)}), shoal.FullDomain(levels={"age": (0, 1)})),
    (Samarati(), Samarati()),
    (AgglomerativeClustering(), AgglomerativeClustering()),
]


@pytest.mark.parametrize(("given", "meant"), GIVEN, ids=lambda one: type(one).__name__)
def test_parameters_of_algorithms(given, meant):
    assert repr(given) == repr(meant)
    assert given == meant


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_record_has_numbers_that_json_knows(tmp_path):
    release = shoal.anonymize(
        TABLE, quasi_identifiers=["age", "zip"], model=shoal.KAnonymity(np.int64(3)),
        algorithm=shoal.Auto(effort=np.int64(1)), max_suppression=np.float64(0.1),
    )  # fmt: skip
    release.save(tmp_path / "safe.csv", report=tmp_path / "safe.json")
    assert "np." not in release.to_python()
    assert "np." not in (tmp_path / "safe.json").read_text()


@pytest.mark.parametrize("effort", [np.int64(0), np.float64("nan"), np.bool_(True)])
def test_numbers_that_are_no_effort_are_refused(effort):
    with pytest.raises(shoal.InputError, match="a number of seconds above 0"):
        shoal.Auto(effort=effort)


def test_other_places():
    assert shoal.Hierarchy.prefix(["1234"], steps=np.array([2, 4]).tolist()).path("1234") == shoal.Hierarchy.prefix(
        ["1234"], steps=[np.int64(2), np.int64(4)]
    ).path("1234")
    assert type(plain(np.float32(1))) is float
    assert plain(None) is None
