"""A release that breaks its promise is neither returned nor written, whatever caused it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import DistinctDiversity, InputError, KAnonymity, VerificationError
from shoal.data.recoding import Recoding
from shoal.io import files

PEOPLE = pa.table(
    {
        "age": [21, 22, 23, 31, 32, 33, 41, 42, 43, 44],
        "sex": list("ffmmfmfmfm"),
        "illness": ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold", "flu", "flu"],
    }
)


@dataclass(frozen=True)
class Groups:
    """An algorithm that returns predefined groups."""

    ids: tuple[int, ...]
    name: ClassVar[str] = "groups"
    needs_hierarchies: ClassVar[bool] = False

    def recode(self, table, model, *, max_suppressed=0, progress=None):
        return Recoding.of_groups(table, np.array(self.ids, np.int32))


def release(ids, model, **options):
    return shoal.anonymize(
        PEOPLE,
        quasi_identifiers=["age", "sex"],
        sensitive="illness",
        model=model,
        algorithm=Groups(tuple(ids)),
        **options,
    )


@pytest.mark.parametrize(
    ("ids", "model"),
    [
        (range(10), KAnonymity(2)),
        ([0, 0, 0, 0, 0, 0, 0, 0, 1, 1], KAnonymity(3)),
        ([0, 0, 0, 1, 1, 1, 2, 2, 3, 3], DistinctDiversity(2)),
        ([0, 0, 0, 1, 1, 1, 2, 2, 3, 3], KAnonymity(2) & DistinctDiversity(2)),
    ],
)
def test_a_class_that_fails_is_caught(ids, model):
    with pytest.raises(VerificationError, match="Nothing was released"):
        release(ids, model)


def test_more_suppressed_rows_than_allowed_are_caught():
    ids = [0, 0, 0, 0, 1, 1, 1, 1, -1, -1]
    made = release(ids, KAnonymity(3), max_suppression=2)
    assert made.report.suppressed_rows == 2
    assert made.frame.to_pylist()[8] == {"age": "*", "sex": "*", "illness": "flu"}
    assert made.report.k == 4
    for limit in (1, 0.1, 0):
        with pytest.raises(VerificationError):
            release(ids, KAnonymity(3), max_suppression=limit)


def test_suppressed_rows_can_be_dropped():
    made = release([0, 0, 0, 0, 1, 1, 1, 1, -1, -1], KAnonymity(3), max_suppression=2, suppressed="drop")
    assert made.frame.num_rows == 8
    assert made.frame["illness"].to_pylist() == PEOPLE["illness"].to_pylist()[:8]
    assert made.report.suppressed_rows == 2


def test_more_dropped_rows_than_allowed_are_caught():
    with pytest.raises(VerificationError):
        release([0, 0, 0, 0, 1, 1, 1, 1, -1, -1], KAnonymity(3), max_suppression=1, suppressed="drop")


def test_an_algorithm_that_answers_for_other_rows_is_caught(monkeypatch):
    whole = Groups.recode
    monkeypatch.setattr(Groups, "recode", lambda *args, **kw: replace(whole(*args, **kw), ids=np.zeros(4, np.int32)))
    with pytest.raises(VerificationError, match="assigned classes to 4 rows, but the table has 10"):
        release([0] * 10, KAnonymity(2))


def test_a_file_that_is_written_wrongly_never_gets_its_name(monkeypatch, tmp_path):
    made = release([0] * 5 + [1] * 5, KAnonymity(3))
    target = tmp_path / "safe.csv"
    target.write_text("as it was")
    honest = files.write

    def careless(table, file, kind, dialect):
        honest(table.set_column(0, "age", pa.array([str(i) for i in range(10)])), file, kind, dialect)

    monkeypatch.setattr(files, "write", careless)
    with pytest.raises(VerificationError):
        made.save(target)
    assert target.read_text() == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == ["safe.csv"]


def test_a_written_file_that_lost_rows_never_gets_its_name(monkeypatch, tmp_path):
    made = release([0] * 5 + [1] * 5, KAnonymity(3))
    honest = files.write
    monkeypatch.setattr(files, "write", lambda table, *rest: honest(table.slice(0, 9), *rest))
    with pytest.raises(VerificationError):
        made.save(tmp_path / "safe.csv")
    assert not any(tmp_path.iterdir())


def test_an_unknown_way_to_suppress_is_refused():
    with pytest.raises(InputError) as refusal:
        release([0] * 10, KAnonymity(3), suppressed="hide")
    assert str(refusal.value) == "suppressed = 'hide' is not known: choose keep or drop."
