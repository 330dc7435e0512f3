"""Assessments compared with plain counting."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from assessment_tables import QUASI, rows, table_of, usable
from oracles import assessment as oracle
from shoal import Hierarchy, InputError, Ordered
from shoal.models import KMap


@settings(deadline=None)
@given(rows=rows().filter(usable))
def test_the_values_are_those_of_plain_counting(rows):
    found = shoal.assess(table_of(rows), quasi_identifiers=QUASI, sensitive=["s", "n"])
    sizes = [len(members) for members in oracle.classes_of(rows, QUASI)]
    assert found.k == min(sizes)
    assert found.classes == len(sizes)
    assert found.class_sizes == {size: sizes.count(size) for size in sizes}
    assert found.unique_rows == sizes.count(1)
    assert found.prosecutor.average == pytest.approx(len(sizes) / len(rows))
    assert found.prosecutor.rows_above == sum(size for size in sizes if size < 5)
    assert found.prosecutor == found.journalist
    for name in ("s", "n"):
        numeric = name == "n" and any(row["n"] is not None for row in rows)
        expected = oracle.sensitive(rows, QUASI, name, ordered=numeric)
        for field, value in expected.items():
            reached = getattr(found.sensitive[name], field)
            assert reached is None if value is None else reached == pytest.approx(float(value)), field
    json.dumps(found.to_dict(), allow_nan=False)


@settings(deadline=None)
@given(rows=rows().filter(usable))
def test_the_riskiest_rows_are_those_of_the_smallest_classes(rows):
    found = shoal.assess(table_of(rows), quasi_identifiers=QUASI)
    keys = [tuple(row[name] for name in QUASI) for row in rows]
    sizes = [keys.count(key) for key in keys]
    order = sorted(range(len(rows)), key=lambda place: sizes[place])[:10]
    assert [(one.row, one.class_size) for one in found.riskiest] == [(place + 1, sizes[place]) for place in order]


def test_a_riskiest_row_says_what_it_shows():
    found = shoal.assess(pa.table({"age": [30, 30, 41], "sex": ["f", "f", None]}), quasi_identifiers=["age", "sex"])
    assert found.riskiest[0].values == {"age": "41", "sex": "(missing)"}
    assert found.riskiest[0].row == 3


@settings(deadline=None)
@given(rows=rows().filter(usable), more=rows(), threshold=st.sampled_from([0, 0.1, 0.2, 0.25, 0.5, 1]))
def test_the_journalist_looks_among_the_population(rows, more, threshold):
    people = rows + more
    found = shoal.assess(table_of(rows), quasi_identifiers=QUASI, population=table_of(people), threshold=threshold)
    keys = [tuple(row[name] for name in QUASI) for row in people]
    among = [keys.count(key) for key in keys[: len(rows)]]
    assert found.journalist.highest == 1 / min(among)
    assert found.journalist.average == pytest.approx(sum(1 / size for size in among) / len(rows))
    assert found.journalist.rows_above == sum(Fraction(1, size) > Fraction(str(threshold)) for size in among)
    assert found.marketer == found.journalist.average
    assert found.population_rows == len(people)
    assert found.population_unique_rows == among.count(1)
    assert found.population_sizes == {size: among.count(size) for size in among}
    assert found.notes == ()


def test_numbers_of_a_population_are_the_same_however_they_are_written():
    people = pd.DataFrame({"x": [1.5, 2.0, 2.0, 7.0]})
    found = shoal.assess(pa.table({"x": ["1.50", "2"]}), quasi_identifiers="x", population=people)
    assert (found.journalist.highest, found.journalist.average) == (1, 0.75)


def test_a_population_without_a_row_of_the_table_is_refused():
    with pytest.raises(InputError) as caught:
        shoal.assess(pa.table({"x": ["a", "b"]}), quasi_identifiers="x", population=pa.table({"x": ["a", "c"]}))
    assert str(caught.value) == (
        "The population has 0 rows with x=b and the table 1 (the first is row 2): "
        "the population must contain every row of the table, written the same way."
    )


def test_a_population_has_the_columns_of_the_table():
    with pytest.raises(InputError) as caught:
        shoal.assess(pa.table({"x": ["a"]}), quasi_identifiers="x", population=pa.table({"y": ["a"]}))
    assert str(caught.value) == "The population has no column 'x', which is a quasi-identifier."


def test_models_of_a_population_can_be_required():
    data, people = pa.table({"x": ["a", "b"]}), pa.table({"x": ["a", "a", "b"]})
    found = shoal.assess(data, quasi_identifiers="x", population=people, require=KMap(2, people))
    assert (found.requirements[0].failing_classes, found.requirements[0].example.first_row) == (1, 2)


def test_without_a_population_the_journalist_is_the_prosecutor_and_it_is_said():
    found = shoal.assess(pa.table({"x": ["a", "b"]}), quasi_identifiers="x")
    assert found.journalist == found.prosecutor
    assert found.notes == (
        "No population is given, so the journalist's risk equals the prosecutor's: "
        "the attacker is assumed to know who is in the table.",
    )


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), "half"])
def test_a_threshold_is_a_share(threshold):
    with pytest.raises(InputError, match="threshold"):
        shoal.assess(pa.table({"x": ["a", "b"]}), quasi_identifiers="x", threshold=threshold)


def test_suppressed_rows_are_in_no_class_but_in_the_whole():
    data = pa.table({"x": ["a", "a", "*"], "y": ["1", "1", "any"], "s": ["u", "v", "w"]})
    with_all = shoal.assess(data, quasi_identifiers=["x", "y"], sensitive="s")
    found = shoal.assess(data, quasi_identifiers=["x", "y"], sensitive="s", suppressed=["*", "any"])
    assert (with_all.k, found.k, found.rows, found.suppressed_rows) == (1, 2, 3, 1)
    assert found.sensitive["s"].t_equal == pytest.approx(1 / 3)
    assert found.sensitive["s"].delta == inf
    assert [one.row for one in found.riskiest] == [1, 2]
    with pytest.raises(InputError, match="Every row is suppressed"):
        shoal.assess(pa.table({"x": ["*"]}), quasi_identifiers="x", suppressed="*")


def test_rows_that_may_be_suppressed_are_pointed_out():
    found = shoal.assess(pa.table({"x": ["a", "*"]}), quasi_identifiers="x")
    assert found.notes[1] == (
        "1 rows show * for every quasi-identifier and count as a class: if they are suppressed, "
        "name the label as suppressed."
    )


def test_hierarchies_and_orders_of_sensitive_attributes():
    data = pa.table({"x": ["a", "a", "b", "b"], "s": ["flu", "cold", "cancer", None], "z": ["S", "M", "L", "L"]})
    tree = Hierarchy.from_parents(["*", "mild", "flu", "cold", "cancer"], [-1, 0, 1, 1, 0])
    found = shoal.assess(
        data,
        quasi_identifiers="x",
        sensitive=["s", "z"],
        sensitive_hierarchies={"s": tree, "z": Ordered(["S", "M", "L"])},
    )
    assert found.sensitive["s"].t_hierarchical == pytest.approx(0.5)  # half of the rows cross the root
    assert found.sensitive["s"].t_ordered is None
    assert found.sensitive["z"].t_ordered == pytest.approx((0.25 + 0.5) / 2)
    flat = shoal.assess(data, quasi_identifiers="x", sensitive="s", sensitive_hierarchies={"s": "flat"})
    assert flat.sensitive["s"].t_hierarchical == flat.sensitive["s"].t_equal


def test_ordered_categories_are_ordered():
    size = pd.Categorical(["S", "M", "L", "L"], ["S", "M", "L"], ordered=True)
    found = shoal.assess(pd.DataFrame({"x": list("aabb"), "size": size}), quasi_identifiers="x", sensitive="size")
    assert found.sensitive["size"].t_ordered == pytest.approx((0.25 + 0.5) / 2)


def test_dates_are_ordered():
    days = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-03"])
    found = shoal.assess(pd.DataFrame({"x": list("aabb"), "day": days}), quasi_identifiers="x", sensitive="day")
    assert found.sensitive["day"].t_ordered == pytest.approx((0.25 + 0.5) / 2)


def test_the_index_of_a_frame_does_not_count():
    frame = pd.DataFrame({"x": list("aabb"), "s": list("uvuv")}, index=[7, 7, 0, 3])
    found = shoal.assess(frame, quasi_identifiers="x", sensitive="s")
    assert (found.k, found.distinct_sensitive) == (2, {"s": 2})


def test_many_values_in_many_classes_are_seen_in_blocks():
    random = np.random.default_rng(1)
    data = pa.table({"x": random.integers(0, 2000, 6000), "s": random.integers(0, 5000, 6000)})
    found = shoal.assess(data, quasi_identifiers="x", sensitive="s")
    groups = data.to_pandas().groupby("x")["s"]
    assert found.sensitive["s"].distinct_l == groups.nunique().min()
    assert found.sensitive["s"].alpha == 1


def test_values_that_are_written_differently_are_different():
    import pandas as pd

    import shoal

    assert shoal.assess(pd.DataFrame({"a": ["1.5", "1.50"]}), quasi_identifiers="a").k == 1
    assert shoal.assess(pd.DataFrame({"a": ["?", None]}), quasi_identifiers="a").k == 1
    assert shoal.assess(pd.DataFrame({"a": [1.0, 1.0]}), quasi_identifiers="a").k == 2
