"""Groups of people that show the same are one class, and are joined with others if that class fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import FrequencyDiversity, KAnonymity
from shoal.algorithms.people.rejoining import recoding_of
from shoal.data.roles import Roles
from shoal.io.source import Source

# q is in both groups of "*", with another value in each: flu is had by one of two in each, and by two of three in both.
TABLE = pa.table(
    {
        "who": ["p", "q", "r", "q", "s", "t"],
        "zip": ["a", "b", "c", "d", "e", "e"],
        "ill": ["flu", "cold", "flu", "gout", "cold", "gout"],
    }
)
MODEL = FrequencyDiversity(2) & KAnonymity(2)


def encoded():
    tree = shoal.Hierarchy.flat(["a", "b", "c", "d", "e"])
    roles = Roles.of(TABLE.column_names, quasi_identifiers="zip", sensitive="ill", identifying="who")
    table = Source.of(TABLE).encode(roles, guides={"zip": tree}, missing_values=(), style=shoal.Style())
    return replace(table, units=np.array([0, 1, 2, 1, 3, 4], np.int32))


def test_groups_that_hold_and_fail_as_one_class_are_joined():
    table, ids = encoded(), np.array([0, 0, 1, 1, 2, 2], np.int32)
    assert MODEL.satisfied(table.classes(ids)).all()
    assert not MODEL.satisfied(table.classes(np.array([0, 0, 0, 0, 1, 1], np.int32))).all()
    recoding = recoding_of(table, ids, MODEL)
    assert recoding.ids.tolist() == [0] * 6
    assert MODEL.satisfied(table.classes(recoding.ids)).all()


def test_groups_of_rows_are_left_as_they_are():
    table = replace(encoded(), units=None)
    assert recoding_of(table, np.array([0, 0, 1, 1, 2, 2], np.int32), MODEL).ids.tolist() == [0, 0, 0, 0, 1, 1]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("algorithm", ["mondrian", "local"])
def test_the_table_is_released(algorithm):
    tree = shoal.Hierarchy.flat(["a", "b", "c", "d", "e"])
    asked = {"quasi_identifiers": "zip", "sensitive": "ill", "hierarchies": {"zip": tree}, "model": MODEL}
    assert shoal.anonymize(TABLE, unit="who", algorithm=algorithm, **asked).report.k >= 2
