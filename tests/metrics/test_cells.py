"""The cells of an attribute, counted by value and steps, against going through the rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal.data.recoding import Recoding
from shoal.metrics import cells
from shoal.metrics.cells import cells_of, steps_up
from strategies import tables


@pytest.mark.parametrize("most", [cells.MAX_EMPTY, -1_000_000])  # all pairs have a count, or only those that occur
@given(table=tables(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_against_the_rows(most, table, data):
    ids = np.array([data.draw(st.integers(-1, 3)) for _ in table.weights])
    ids = np.where(ids < 0, -1, np.unique(ids, return_inverse=True)[1] - (ids < 0).any()).astype(np.int32)
    recoding = Recoding.of_groups(table, ids)
    heavier = replace(table, weights=3 * table.weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "MAX_EMPTY", most)
        for counted in (table, heavier, table):  # the same recoding of another table is counted anew
            for attribute, domain in enumerate(table.domains):
                codes = table.codes[:, attribute]
                steps = steps_up(domain, recoding.shown[attribute], recoding, codes)
                expected = Counter()
                for step, code, weight in zip(steps.tolist(), codes.tolist(), counted.weights.tolist(), strict=True):
                    expected[step, code] += weight
                found = cells_of(counted, recoding, attribute)
                pairs = zip(found.steps.tolist(), found.codes.tolist(), strict=True)
                assert dict(zip(pairs, found.rows.tolist(), strict=True)) == expected
