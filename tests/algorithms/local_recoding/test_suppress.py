"""Suppressed rows of local recoding: those of the literal version, no more than allowed, and only for less loss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st
from test_compose import price_of

import shoal
from contract.lists import MODELS
from oracles import suppression as oracle
from shoal.algorithms.local_recoding.leaving_rows import cost_of_suppressed, without_dear_classes, without_outliers
from shoal.algorithms.local_recoding.local_recoding import LocalRecoding
from shoal.algorithms.local_recoding.suppress import can_be_told, cost_with_suppressed, with_suppression
from shoal.algorithms.row_moves import measure_of
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.metrics import METRICS
from strategies import tables

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
STEPS = {without_outliers: oracle.without_outliers, without_dear_classes: oracle.without_dear_classes}
OBJECTIVES = {"loss": "loss", "certainty_penalty": "certainty_penalty", "entropy": "entropy_loss"}
FAR = {"age": [30, 30, 31, 31, 30, 31, 90, 30], "town": list("aaaaaabb"), "ill": list("xyxyxyxy")}


@st.composite
def grouped(draw, groups=4):
    """A table of rows that stand for several, and groups of them, numbered without gaps."""
    table = draw(tables(max_rows=14))
    rows = len(table.weights)
    weights = draw(st.lists(st.integers(1, 3), min_size=rows, max_size=rows)) if draw(st.booleans()) else [1] * rows
    ids = draw(st.lists(st.integers(0, groups - 1), min_size=rows, max_size=rows))
    table = replace(table, weights=np.array(weights, np.int64))
    return table, np.unique(ids, return_inverse=True)[1].astype(np.int32)


def holds_of(table, model):
    """Whether some rows may be a class, beside the whole table."""

    def holds(rows):
        ids = np.full(len(table.weights), -1, np.int32)
        ids[rows] = 0
        return bool(model.satisfied(table.classes(ids)).all())

    return holds


def same(ids):
    """The classes numbered without gaps; suppressed rows stay −1."""
    numbers = {number: at for at, number in enumerate(sorted(set(ids) - {-1}))}
    return [numbers.get(number, -1) for number in ids]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@settings(max_examples=200, deadline=None)
@given(case=grouped(), model=st.sampled_from(MODELS), most=st.integers(0, 8))
def test_each_step_is_that_of_the_literal_version(step, case, model, most):
    table, ids = case
    measure = measure_of(table, "loss")
    found = step(table, ids, model, measure, most=most)
    literal = STEPS[step](
        table.codes.tolist(),
        table.weights.tolist(),
        ids.tolist(),
        price_of(table),
        cost_of_suppressed(measure),
        holds_of(table, model),
        most,
    )
    assert found.tolist() == same(literal)


def test_the_literal_versions_suppress_rows():
    rows, holds = [[0], [0], [0], [9]], lambda own: len(own) >= 2
    asked = (rows, [1] * 4, [0] * 4, lambda own: max(own)[0] - min(own)[0], 10, holds)
    assert oracle.without_outliers(*asked, most=1) == [0, 0, 0, -1]
    assert oracle.without_outliers(*asked, most=0) == [0] * 4
    rows = [[0], [0], [1], [9]]
    asked = (rows, [1] * 4, [0, 0, 1, 1], lambda own: max(own)[0] - min(own)[0], 10, holds)
    assert oracle.without_dear_classes(*asked, most=1) == [0, 0, 0, -1]


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=100, deadline=None)
@given(case=grouped(groups=2), model=st.sampled_from(MODELS), most=st.integers(0, 8))
def test_less_is_lost_within_the_limit_and_the_model_holds(objective, case, model, most):
    table, ids = case
    assume(model.satisfied(table.classes(ids)).all())
    measure = measure_of(table, objective)
    found = with_suppression(table, ids, model, measure, most=most)
    assert table.weights[found < 0].sum() <= most
    assert (found >= 0).any()
    assert model.satisfied(table.classes(found)).all()
    assert can_be_told(table, found, model, measure)
    assert cost_with_suppressed(table, found, measure) <= cost_with_suppressed(table, ids, measure)
    before, after = Recoding.of_groups(table, ids), Recoding.of_groups(table, found)
    assert model.satisfied(table.classes(after.ids)).all()
    metric = METRICS[OBJECTIVES[objective]]
    assert metric(table, after) <= metric(table, before) * (1 + 1e-9) + 1e-9


@settings(max_examples=60, deadline=None)
@given(table=tables(), model=st.sampled_from(MODELS), most=st.integers(0, 8))
def test_a_release_loses_no_more_with_a_limit_than_without(table, model, most):
    assume(model.satisfied(table.whole()).all())
    without = LocalRecoding("fast").recode(table, model)
    found = LocalRecoding("fast").recode(table, model, max_suppressed=most)
    assert (without.ids >= 0).all()
    assert (found.ids < 0).sum() <= most
    assert model.satisfied(table.classes(found.ids)).all()
    assert METRICS["loss"](table, found) <= METRICS["loss"](table, without) + 1e-9
    assert found.certificate.loss == pytest.approx(METRICS["loss"](table, found))
    assert found.certificate.bound <= found.certificate.loss + 1e-12


def release(model, limit, **options):
    asked = {"quasi_identifiers": ["age", "town"], "model": model, "algorithm": LocalRecoding(), "keep": "ill"}
    return shoal.anonymize(pa.table(FAR), max_suppression=limit, **asked | options)


def test_a_row_far_from_all_others_is_suppressed():
    rows = pa.table({"age": [30] * 6 + [90], "town": ["a"] * 6 + ["b"]})
    asked = {"quasi_identifiers": ["age", "town"], "model": shoal.KAnonymity(6), "algorithm": LocalRecoding()}
    kept, made = (shoal.anonymize(rows, max_suppression=limit, **asked) for limit in (0, 1))
    assert (kept.report.suppressed_rows, kept.report.metrics["loss"]) == (0, 1.0)
    assert (made.report.suppressed_rows, made.report.k) == (1, 6)
    assert made.frame["age"].to_pylist() == ["30"] * 6 + ["*"]
    assert made.report.metrics["loss"] == made.report.certificate["loss"] == pytest.approx(1 / 7)
    dropped = shoal.anonymize(rows, max_suppression=1, suppressed="drop", **asked)
    assert dropped.frame.num_rows == 6


def test_people_are_never_suppressed():
    rows = pa.table(
        {"who": [n for n in range(7) for _ in "12"], "age": [30] * 12 + [90] * 2, "town": ["a"] * 12 + ["b"] * 2}
    )
    for age in ([30] * 12 + [90] * 2, [30, 31] * 6 + [90, 89]):  # one row for each person, or rows that differ
        made = shoal.anonymize(
            rows.set_column(1, "age", pa.array(age)),
            quasi_identifiers=["age", "town"],
            unit="who",
            model=shoal.KAnonymity(6),
            algorithm=LocalRecoding(),
            max_suppression=0.5,
        )
        assert made.report.suppressed_rows == 0


def test_no_row_is_suppressed_that_would_break_a_class_that_shows_nothing():
    rows = pa.table({"age": [50] * 6 + [100, 0, 100], "ill": list("xxyyzzxxy")})
    columns = {name: rows[name] for name in rows.column_names}
    table = encode(columns, quasi=["age"], sensitive=["ill"], guides={}, style=Style())
    table = replace(table, weights=np.array([1] * 7 + [2] * 2))
    ids, measure = np.array([0] * 7 + [1] * 2, np.int32), measure_of(table, "loss")
    outlier = np.array([0] * 6 + [-1] + [1] * 2, np.int32)
    for model, found in ((shoal.KAnonymity(2), outlier), (shoal.FrequencyDiversity(2), ids)):
        assert model.satisfied(table.classes(outlier)).all()
        assert can_be_told(table, outlier, model, measure) == (found is outlier)
        assert with_suppression(table, ids, model, measure, most=1).tolist() == found.tolist()


def test_a_model_that_all_rows_fail_is_left_to_full_domain():
    model = shoal.EntropyDiversity(2.5, sensitive="ill")
    with pytest.raises(shoal.InfeasibleError, match=r"Local recoding begins with all rows.*: choose full-domain\."):
        release(model, 3, keep=(), sensitive="ill")
    with pytest.raises(shoal.InfeasibleError, match="No release of this table can satisfy"):
        release(model, 0, keep=(), sensitive="ill")
