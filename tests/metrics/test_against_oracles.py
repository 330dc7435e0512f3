"""Every measure against its slow and literal version, on random small tables."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles import metrics as oracles
from shoal.data.domain import TreeDomain
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.metrics import METRICS, measured
from strategies import tables

LITERAL = [name for name in METRICS if hasattr(oracles, name)]


@st.composite
def recodings(draw, table):
    """A minimal generalization of random groups, or one whose trees are climbed further; some rows are suppressed."""
    ids = np.array([draw(st.integers(-1, 3)) for _ in table.weights], np.int32)
    numbers, place = np.unique(ids[ids >= 0], return_inverse=True)
    ids[ids >= 0] = place
    recoding = Recoding.of_groups(table, ids)
    steps = [draw(st.integers(0, 2)) for _ in table.domains]
    if not any(steps) or not numbers.size:
        return recoding
    shown = tuple(
        domain.hierarchy.ancestors(what, up) if isinstance(domain, TreeDomain) else what
        for domain, what, up in zip(table.domains, recoding.shown, steps, strict=True)
    )
    # Classes that come to show the same are one; only trees change, so the others tell apart by their numbers.
    alike = [np.unique(d.alike(what), return_inverse=True)[1] for d, what in zip(table.domains, shown, strict=True)]
    merged, firsts = group_rows(
        [column.astype(np.int32) for column in alike], [int(c.max()) + 1 for c in alike], recoding.sizes.size
    )
    if firsts.size < merged.size:
        return recoding
    return Recoding(recoding.ids, recoding.sizes, shown)


@pytest.mark.parametrize("name", LITERAL)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_measure_is_what_its_definition_says(name, data):
    table = data.draw(tables(max_rows=12))
    recoding = data.draw(recodings(table))
    assert METRICS[name](table, recoding) == pytest.approx(float(getattr(oracles, name)(table, recoding)), abs=1e-9)


@given(table=tables(max_rows=12), data=st.data())
@settings(max_examples=60, deadline=None)
def test_divergence_is_the_same_when_records_and_classes_are_divided(table, data):
    recoding = data.draw(recodings(table))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("shoal.metrics.divergence"), "MAX_PAIRS", 0)
        divided = METRICS["divergence"](table, recoding)
    assert divided == pytest.approx(oracles.divergence(table, recoding), abs=1e-9)


@given(table=tables(max_rows=12), data=st.data())
@settings(max_examples=60, deadline=None)
def test_private_entropy_loss_is_the_same_in_small_steps(table, data):
    recoding = data.draw(recodings(table))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.metrics.entropy.MAX_NUMBERS", 2)
        stepped = METRICS["private_entropy_loss"](table, recoding)
    assert stepped == pytest.approx(oracles.private_entropy_loss(table, recoding), abs=1e-9)


def test_every_new_measure_has_a_literal_version():
    tested_by_example = {
        "average_class_size",
        "certainty_penalty",
        "discernibility",
        "distortion",
        "loss",
        "loss_rows",
        "loss_sum",
    }
    assert set(LITERAL) | tested_by_example == set(METRICS)


@given(table=tables(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_weighted_row_counts_as_that_many_rows(table, data):
    distinct, place = table.distinct()
    short = data.draw(recodings(distinct))
    assert measured(distinct, short) == pytest.approx(
        measured(table, Recoding(short.ids[place], short.sizes, short.shown)), abs=1e-9
    )


@given(table=tables(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_new_measures_lie_in_their_ranges(table, data):
    found = measured(table, data.draw(recodings(table)))
    for name in ("classification", "non_uniform_entropy", "precision", "loss_geometric"):
        assert -1e-12 <= found[name] <= 1 + 1e-12, name
    assert 0 <= found["entropy_loss"] <= np.log2(table.rows) + 1e-12
    assert 0 <= found["information_loss"] <= table.rows * len(table.quasi)
    assert found["ambiguity"] >= 1
    assert found["divergence"] >= 0
    assert found["discernibility_star"] <= found["discernibility"]
