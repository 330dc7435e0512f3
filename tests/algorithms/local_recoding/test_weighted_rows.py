"""Local recoding of different rows with weights: every class satisfies the model by the rows that it stands for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from shoal.data.encoding import encode
from shoal.data.style import Style
from shoal.io.source import Source
from shoal.metrics import METRICS

MODELS = [
    shoal.KAnonymity(4),
    shoal.KAnonymity(3) & shoal.DistinctDiversity(2),
    shoal.FrequencyDiversity(2),
    shoal.KAnonymity(2) & shoal.Closeness(0.4),
]


def table_of(rows, weights):
    import pyarrow as pa

    names = ("age", "town", "secret")
    frame = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    source = Source.of(frame)
    table = encode(
        {name: source.arrow(name) for name in names},
        quasi=names[:2],
        sensitive=names[2:],
        guides={},
        style=Style(),
    )
    return replace(table, weights=np.array(weights, np.int64))


@pytest.mark.parametrize("effort", ["fast", "balanced"])
@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_classes_satisfy_the_model_by_weight(effort, model, data):
    rows = data.draw(
        st.lists(
            st.tuples(st.integers(0, 12), st.sampled_from("abc"), st.sampled_from("xyz")),
            min_size=4,
            max_size=40,
            unique=True,
        )
    )
    table = table_of(rows, data.draw(st.lists(st.integers(1, 9), min_size=len(rows), max_size=len(rows))))
    assume(model.satisfied(table.whole()).all())
    found = shoal.LocalRecoding(effort).recode(table, model)
    assert (found.ids >= 0).all()
    assert model.satisfied(table.classes(found.ids)).all()
    assert found.sizes.sum() == table.rows
    assert found.certificate.loss == pytest.approx(METRICS["loss"](table, found))
    assert found.certificate.bound <= found.certificate.loss + 1e-12
    assert METRICS["loss"](table, found) <= METRICS["loss"](table, shoal.Mondrian().recode(table, model)) + 1e-12


def test_a_heavy_row_stays_as_it_is():
    rows = [(30, "a", "x"), (31, "a", "y"), (60, "b", "x"), (61, "b", "y"), (62, "b", "z")]
    found = shoal.LocalRecoding().recode(table_of(rows, [1000, 1000, 2, 2, 1]), shoal.KAnonymity(5))
    assert sorted(found.sizes.tolist()) == [5, 1000, 1000]


@pytest.mark.parametrize("effort", ["fast", "balanced"])
def test_classes_that_are_joined_count_the_rows_they_stand_for(effort):
    rows = [(1, "a", "x"), (0, "a", "y"), (0, "a", "x"), (1, "a", "y"), (1, "b", "x"), (1, "b", "y")]
    table = table_of(rows, [6, 4, 4, 1, 1, 1])
    tree = shoal.Hierarchy.flat(["x", "y"])
    for model in (shoal.Closeness(0.2), shoal.Closeness(0.2, "hierarchical", hierarchy=tree)):
        found = shoal.LocalRecoding(effort).recode(table, model)
        assert model.satisfied(table.classes(found.ids)).all()
