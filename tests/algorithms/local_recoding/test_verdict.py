"""Compiled verdicts: the same answer as the models themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal.algorithms.local_recoding.verdict import verdict_of
from shoal.data.domain import NumericDomain, SetDomain
from shoal.data.table import Table
from shoal.kernels.local_recoding.verdicts import deficit
from shoal.models import (
    Closeness,
    DistinctDiversity,
    EntropyDiversity,
    FrequencyDiversity,
    KAnonymity,
    RecursiveDiversity,
)

MODELS = st.one_of(
    st.integers(1, 5).map(DistinctDiversity),
    st.sampled_from([1, 1.5, 2, 3]).map(FrequencyDiversity),
    st.sampled_from([1.5, 2.1, 2.7, 3.3]).map(EntropyDiversity),  # none that equally frequent values reach exactly
    st.builds(RecursiveDiversity, st.sampled_from([0.5, 1, 4]), st.integers(1, 4)),
)


def one_class(values: list[int], width: int) -> Table:
    """A table of one class with these sensitive values."""
    rows = len(values)
    return Table(
        quasi=("age",),
        domains=(NumericDomain(("1",), -1, np.ones(1)),),
        codes=np.zeros((rows, 1), np.int32),
        sensitive=("ill",),
        sensitive_domains=(SetDomain(tuple("abcdef"[:width])),),
        sensitive_codes=np.array(values, np.int32).reshape(rows, 1),
        weights=np.ones(rows, np.int64),
    )


@settings(max_examples=300, deadline=None)
@given(values=st.lists(st.integers(0, 5), min_size=1, max_size=30), model=MODELS)
def test_a_deficit_is_there_where_the_model_is_not_satisfied(values, model):
    table = one_class(values, 6)
    conditions, columns = verdict_of(table, KAnonymity(2) & model)
    assert columns.shape == (len(values), len(conditions.rule))
    count = np.bincount(values, minlength=6).astype(np.int32)
    good = all(deficit(conditions, j, count, 0, 6, len(values)) <= 0 for j in range(len(conditions.rule)))
    assert good == bool(model.satisfied(table.whole()).all())


@pytest.mark.parametrize("values", [2, 3, 4])
def test_a_class_at_the_edge_of_an_entropy_counts_as_good(values):
    """Equally frequent values have the entropy exactly; the model itself decides in the end."""
    table = one_class(list(range(values)) * 3, 6)
    conditions, _ = verdict_of(table, EntropyDiversity(values))
    count = np.bincount(table.sensitive_codes[:, 0], minlength=6).astype(np.int32)
    assert deficit(conditions, 0, count, 0, 6, 3 * values) <= 0


def test_sizes_alone_have_no_conditions_and_other_models_no_verdict():
    table = one_class([0, 1, 2], 3)
    assert verdict_of(table, KAnonymity(2))[0].rule.shape == (0, 4)
    assert verdict_of(table, KAnonymity(2) & Closeness(0.2)) is None
