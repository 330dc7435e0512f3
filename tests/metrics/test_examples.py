"""The measures of the literature on tables small enough to check by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log2, sqrt

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import Hierarchy, Style, datasets
from shoal.algorithms import Mondrian
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.kernels.mixtures import add_boxes
from shoal.metrics import METRICS, measured
from shoal.models import KAnonymity

ZIP = Hierarchy.prefix(["13053", "13068", "14850", "14853"], steps=[2, 3, 5])  # 130**, 13***, *****


def table_of(columns, *, sensitive=None, trees=None):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in (columns | (sensitive or {})).items()}
    return encode(data, quasi=list(columns), sensitive=list(sensitive or {}), guides=trees or {}, style=Style())


def grouped(table, ids):
    return Recoding.of_groups(table, np.array(ids, np.int32))


@pytest.fixture
def four():
    """Two rows of one class, one alone, one suppressed."""
    columns = {"zip": ["13053", "13068", "14850", "14853"], "age": [20, 30, 40, 60]}
    table = table_of(columns, sensitive={"ill": ["flu", "cold", "flu", "flu"]}, trees={"zip": ZIP})
    return table, grouped(table, [0, 0, 1, -1])


def test_class_sizes(four):
    assert METRICS["discernibility"](*four) == 2 * 2 + 1 + 1 * 4
    assert METRICS["discernibility_star"](*four) == 2 * 2 + 1 + 1
    assert METRICS["average_class_size"](*four) == 3 / 2
    assert METRICS["average_class_size_all"](*four) == 4 / 3
    assert METRICS["normalized_class_size"](*four) == 3 / 2


def test_precision_counts_steps(four):
    # zip: one of three steps for two rows, none, all; age: one of one for two rows, none, all.
    assert METRICS["precision"](*four) == pytest.approx(1 - (2 / 3 + 0 + 1 + 2 + 0 + 1) / 8)


def test_precision_of_an_uneven_tree_is_nothing_at_the_top():
    tree = Hierarchy.from_parents(["*", "a", "group", "b", "c"], [-1, 0, 0, 2, 2])
    table = table_of({"x": ["a", "b"]}, trees={"x": tree})
    assert METRICS["precision"](table, grouped(table, [0, 0])) == 0


def test_ambiguity_counts_records(four):
    assert METRICS["ambiguity"](*four) == (2 * (2 * 2) + 1 + 4 * 4) / 4


def test_ambiguity_of_very_many_records_stays_finite():
    table = table_of({f"q{j}": list(range(2000)) for j in range(100)})
    assert 1e300 < METRICS["ambiguity"](table, grouped(table, [0] * 2000)) < float("inf")


def test_classification_counts_minorities_and_suppressed_rows(four):
    assert METRICS["classification"](*four) == (1 + 0 + 1) / 4


def test_entropy_loss_in_bits_per_cell(four):
    # One of two for the first two rows, itself, one of four, in both attributes.
    assert METRICS["entropy_loss"](*four) == pytest.approx((1 + 1 + 0 + 2) / 4)


def test_entropy_loss_follows_the_frequencies_of_the_whole_table():
    table = table_of({"x": ["a", "a", "a", "b"]})
    # The last two rows show a | b: three quarters of the column are a, one is b.
    assert METRICS["entropy_loss"](table, grouped(table, [0, 0, 1, 1])) == pytest.approx((log2(4 / 3) + log2(4)) / 4)


def test_private_entropy_loss_in_bits_per_cell(four):
    # flu and cold are one of two each; the third row's own value has flu alone; flu is three of all four.
    expected = (1 + 1 + 0 + log2(4 / 3)) / 4
    assert METRICS["private_entropy_loss"](*four) == pytest.approx(expected)


def test_non_uniform_entropy_is_the_entropy_loss_where_a_whole_column_is_generalized():
    columns = {"zip": ["13053", "13068", "13068", "14850", "14853", "14853"]}
    table = table_of(columns, trees={"zip": ZIP})
    recoding = grouped(table, [0, 0, 0, 1, 1, 1])
    most = METRICS["entropy_loss"](table, grouped(table, [0] * 6))
    assert METRICS["non_uniform_entropy"](table, recoding) == pytest.approx(
        METRICS["entropy_loss"](table, recoding) / most
    )


def test_non_uniform_entropy_counts_at_each_level_the_rows_shown_there_or_higher():
    table = table_of({"zip": ["13053", "13053", "13068", "14850"]}, trees={"zip": ZIP})
    recoding = grouped(table, [0, -1, 0, 1])
    # Levels 0 (fourth row), 1 (first and third) and 3 (second, suppressed). At level 1 the first three rows pay
    # 3/2, 3/2 and 3 to 1; at level 3 the second is alone and pays nothing.
    most = 2 * log2(2) + 2 * log2(4)
    assert METRICS["non_uniform_entropy"](table, recoding) == pytest.approx((2 * log2(3 / 2) + log2(3)) / most)


def test_divergence_spreads_each_class_over_what_it_covers(four):
    # Four records of 1/4 each. A class covers 2 · 2 combinations with 2/4 of the rows, one covers its own, and the
    # suppressed row is spread over 4 · 4.
    shared, alone, hidden = 2 / 4 / 4, 1 / 4, 1 / 4 / 16
    expected = (2 * log2(0.25 / (shared + hidden)) + log2(0.25 / (alone + hidden)) + log2(0.25 / hidden)) / 4
    assert METRICS["divergence"](*four) == pytest.approx(expected)


def test_divergence_of_an_unchanged_table_is_zero():
    table = table_of({"x": [1, 1, 2, 3], "y": ["a", "a", "b", "b"]})
    assert METRICS["divergence"](table, grouped(table, [0, 0, 1, 2])) == 0


def test_divergence_counts_more_classes_than_a_word_has_bits():
    # A hundred classes of four rows, one and three of them alike.
    table = table_of({"x": [n // 4 * 2 + (n % 4 > 0) for n in range(400)]})
    expected = log2(1 / 2) / 4 + log2(3 / 2) * 3 / 4
    assert METRICS["divergence"](table, grouped(table, [n // 4 for n in range(400)])) == pytest.approx(expected)


def test_divergence_is_compiled_once_for_parts_of_tables_too(four):
    table, recoding = four
    part = replace(table, codes=np.repeat(table.codes, 2, axis=1)[:, ::2])
    assert not part.codes.flags.c_contiguous
    assert METRICS["divergence"](part, recoding) == METRICS["divergence"](table, recoding)
    assert len(add_boxes.signatures) == 1


def test_the_geometric_mean_of_the_losses():
    table = table_of({"x": [0, 5, 10, 10], "y": [1, 1, 2, 3]})
    # Mean losses 1/4 and 1/4 of the two attributes.
    recoding = grouped(table, [0, 0, 1, 1])
    assert METRICS["loss_geometric"](table, recoding) == pytest.approx(sqrt((1 + 0.25) * (1 + 0.25)) - 1)


def test_measures_of_sensitive_attributes_are_left_out_where_there_is_none(four):
    table, recoding = four
    bare, _ = table.distinct(sensitive=False)
    assert set(measured(table, recoding)) == set(METRICS)
    assert set(measured(bare, recoding)) == {name for name, metric in METRICS.items() if not metric.needs_sensitive}


def test_every_measure_explains_itself_and_is_finite_on_adult():
    adult = datasets.adult().to_pydict()
    quasi = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
    trees = {name: tree for name, tree in datasets.adult_hierarchies().items() if name in quasi and name != "age"}
    columns = {name: adult[name] for name in quasi}
    table = table_of(columns, sensitive={"occupation": adult["occupation"]}, trees=trees)
    recoding = Mondrian().recode(table, KAnonymity(10), max_suppressed=0)
    found = measured(table, recoding)
    assert all(np.isfinite(value) for value in found.values())
    assert found["divergence"] < log2(found["ambiguity"]) + log2(table.rows)
    for metric in METRICS.values():
        assert metric.__doc__


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_the_top_of_a_ragged_tree_is_one_label():
    tree = shoal.Hierarchy.from_parents(["*", "g", "a", "b", "c"], [-1, 0, 1, 1, 0])
    made = shoal.anonymize(
        pa.table({"x": list("aabbcc")}),
        quasi_identifiers="x",
        hierarchies={"x": tree},
        model=shoal.KAnonymity(6),
        algorithm="bottom-up",
    )
    assert made.report.metrics["non_uniform_entropy"] == 1
