"""The measures against the worked examples of the literature."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from shoal import Hierarchy, Style
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding, distinct
from shoal.metrics import (
    METRICS,
    discernibility,
    distortion,
    loss,
    loss_by_attribute,
    loss_rows,
    loss_sum,
)
from strategies import tables


def table_of(columns, trees):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides=trees, style=Style())


def tree(nested, root="*"):
    """A tree from nested dictionaries and lists."""
    labels, parents = [root], [-1]

    def add(children, parent):
        for label in children:
            labels.append(label)
            parents.append(parent)
            if isinstance(children, dict):
                add(children[label], len(labels) - 1)

    add(nested, 0)
    return Hierarchy.from_parents(labels, parents)


def one_class(table):
    return Recoding.of_groups(table, np.zeros(len(table.weights), np.int32))


def test_the_two_records_of_the_assignment():
    job = tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]}, root="Any")
    sex = tree(["Male", "Female"], root="Any")
    table = table_of({"Job": ["Engineer", "Lawyer"], "Sex": ["Male", "Male"]}, {"Job": job, "Sex": sex})
    together = one_class(table)
    assert loss(table, together) == pytest.approx(1 / 6, abs=1e-15)
    assert distortion(table, together) == 2
    assert 2 * (job.height + sex.height) == 6


ZIP = tree({"130**": ["13053", "13068"], "1485*": ["14853", "14850"]}, root="Any")
AGE = tree({"<30": ["21", "23", "28", "29"], ">40": ["47", "50", "55", "59"]}, root="Any")
NATION = tree(["Russian", "American", "Japanese", "Indian"])
EIGHT = {
    "Zip": ["13053", "13068", "13068", "13053", "14853", "14853", "14850", "14850"],
    "Age": [28, 29, 21, 23, 50, 55, 47, 59],
    "Nationality": ["Russian", "American", "Japanese", "American", "Indian", "Russian", "American", "American"],
}


def test_the_zip_age_nationality_table_of_the_assignment():
    table = table_of(EIGHT, {"Zip": ZIP, "Age": AGE, "Nationality": NATION})
    recoding = Recoding.of_groups(table, np.repeat([0, 1], 4).astype(np.int32))
    assert distortion(table, recoding) == 24
    assert loss_rows(table, recoding) == pytest.approx(float(Fraction(296, 63)), abs=1e-12)
    assert loss(table, recoding) == pytest.approx(float(Fraction(296, 63)) / 8, abs=1e-12)
    assert loss_sum(table, recoding) == pytest.approx(float(Fraction(296, 63)) * 3 / 8, abs=1e-12)


def test_state_in_the_lab_loses_two_sevenths():
    states = tree({"State": ["a", "b", "c"], "Other": ["d", "e", "f", "g", "h"]})
    table = table_of({"x": ["a", "b", "c"]}, {"x": states})
    assert loss(table, one_class(table)) == pytest.approx(2 / 7, abs=1e-15)


def test_a_range_of_ages_in_the_lab_loses_a_half():
    table = table_of({"age": [20, 30, 40, 40]}, {})
    recoding = Recoding.of_groups(table, np.array([0, 0, 1, 1], np.int32))
    assert loss_by_attribute(table, recoding) == {"age": pytest.approx(0.25)}
    assert table.domains[0].loss(recoding.shown[0]).tolist() == [0.5, 0.0]


def test_a_one_leaf_tree_and_a_constant_column_lose_nothing():
    table = table_of({"x": ["a", "a"], "y": [3, 3], "z": ["w", "w"]}, {"x": Hierarchy.flat(["a"])})
    assert loss(table, one_class(table)) == 0
    assert METRICS["certainty_penalty"](table, one_class(table)) == 0


def test_certainty_penalty_counts_leaves_of_nodes_and_is_zero_for_unchanged_cells():
    table = table_of({"Zip": ["13053", "13068", "14853"], "Sex": ["m", "m", "f"]}, {"Zip": ZIP})
    recoding = Recoding.of_groups(table, np.array([0, 0, 1], np.int32))
    assert METRICS["certainty_penalty"](table, recoding) == pytest.approx((2 / 4 + 2 / 4) / 6)


def test_suppressed_rows_lose_everything():
    table = table_of(EIGHT, {"Zip": ZIP, "Age": AGE, "Nationality": NATION})
    ids = np.array([0, 0, 0, 0, -1, -1, -1, -1], np.int32)
    recoding = Recoding.of_groups(table, ids)
    first_half = float(Fraction(1, 2) * (Fraction(1, 3) + Fraction(3, 7) + 1) / 3)
    assert loss(table, recoding) == pytest.approx(first_half + 0.5)
    assert distortion(table, recoding) == 12 + 4 * (2 + 2 + 1)
    assert discernibility(table, recoding) == 4 * 4 + 4 * 8
    assert METRICS["certainty_penalty"](table, recoding) == pytest.approx((4 * (2 / 4 + 4 / 8 + 4 / 4) + 4 * 3) / 24)


def test_everything_suppressed():
    table = table_of(EIGHT, {"Zip": ZIP, "Age": AGE, "Nationality": NATION})
    recoding = Recoding.of_groups(table, np.full(8, -1, np.int32))
    assert loss(table, recoding) == 1
    assert discernibility(table, recoding) == 64
    assert METRICS["average_class_size"](table, recoding) == 0


@given(table=tables(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_measures_lie_in_their_ranges(table, data):
    ids = np.unique([data.draw(st.integers(0, 3)) for _ in table.weights], return_inverse=True)[1].astype(np.int32)
    recoding = Recoding.of_groups(table, ids)
    assert 0 <= loss(table, recoding) <= 1 + 1e-12
    assert 0 <= METRICS["certainty_penalty"](table, recoding) <= 1 + 1e-12
    assert distortion(table, recoding) >= 0
    assert table.rows <= discernibility(table, recoding) <= table.rows**2
    assert METRICS["average_class_size"](table, recoding) == table.rows / recoding.sizes.size


@given(table=tables(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_equal_rows_of_a_class_measure_as_one_row_with_their_weight(table, data):
    ids = np.array([data.draw(st.integers(-1, 3)) for _ in table.weights])
    ids = np.where(ids < 0, -1, np.unique(ids, return_inverse=True)[1] - (ids < 0).any()).astype(np.int32)
    recoding = Recoding.of_groups(table, ids)
    small, of_small = distinct(table, recoding)
    assert small.rows == table.rows
    rows = zip(small.codes.tolist(), small.sensitive_codes.tolist(), of_small.ids.tolist(), strict=True)
    assert len({str(row) for row in rows}) == len(small.weights)
    for name, measured in measured_both(table, recoding, small, of_small).items():
        assert measured[0] == pytest.approx(measured[1], abs=1e-9), name


def test_each_measure_has_names_of_its_own():
    for words in ("title", "short"):
        assert len({getattr(metric, words) for metric in METRICS.values()}) == len(METRICS)


def measured_both(table, recoding, small, of_small):
    found = {}
    for name, metric in METRICS.items():
        found[name] = metric(table, recoding), metric(small, of_small)
    return found
