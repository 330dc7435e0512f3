"""Columns that make people unique within their class."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import shoal
from release.review.warned import ROWS, table, warned
from shoal import KAnonymity
from shoal.release.review.evidence import Evidence, Passed
from shoal.release.review.unique_combinations import unique_combinations

OTHERS = ("small-k", "range-ends", "rare-value")
SOMEONE = "someone who knows these values of a person finds the row. Give {} a role, such as quasi-identifier, unless "


def found(classes, **columns):
    passed = {name: Passed.of(pa.array(values)) for name, values in columns.items()}
    return unique_combinations(Evidence(len(classes), np.array(classes, np.int32), {}, passed))


def test_half_the_rows_is_not_too_many_different_values():
    assert warned(pa.table(table(kind=[i // 4 for i in range(ROWS)])), accept=OTHERS) == []


def test_one_column():
    doses = [i // 2 + 0.5 for i in range(ROWS)]  # each value in two rows, of different classes
    (said,) = warned(pa.table(table(dose=doses)), accept=OTHERS)
    assert said.startswith("Column 'dose' has no role and makes 100% of the rows unique within their class: someone")


def test_two_columns_together():
    left, right = [i // 2 % 5 for i in range(ROWS)], [i // 10 for i in range(ROWS)]
    (said,) = warned(pa.table(table(left=left, right=right)), accept=OTHERS)
    assert said.startswith(
        "The columns 'left', 'right' have no role and make 100% of the rows unique within their class: "
        + SOMEONE.format("them")
    )


def test_other_columns_are_counted():
    classes = [0] * 20
    (finding,) = found(classes, a=list(range(20)), b=[i // 2 for i in range(20)], c=[*range(10), *[99] * 10])
    assert (finding.columns, finding.figures) == (("a",), {"unique_share": 1.0})
    assert "unique within their class (1 other column also would): " in finding.sentence


def test_a_share_of_one_in_twenty():
    values = [0] * 19 + [1]
    (finding,) = found([0] * 20, a=values)
    assert finding.figures == {"unique_share": 0.05}
    assert found([0] * 21, a=[0] * 20 + [1]) == []
    assert found([0] * 19, a=list(range(19))) == []  # too few rows
    assert found([0] * 20 + [-1] * 5, a=[0] * 20 + list(range(5))) == []  # suppressed ones are in no class


def test_missing_values_are_a_value():
    (finding,) = found([0] * 20, a=[None, *[1] * 19])
    assert finding.figures == {"unique_share": 0.05}


def test_rows_of_a_sample_are_named():
    passed = {"a": Passed.of(pa.array(range(20)))}
    (finding,) = unique_combinations(Evidence(1000, np.zeros(20, np.int32), {}, passed))
    assert "unique within their class, counted in 20 rows: " in finding.sentence


@given(
    st.lists(st.tuples(st.integers(-1, 2), *[st.none() | st.integers(0, 3)] * 3), min_size=20, max_size=40),
)
def test_the_smallest_and_worst_combination_is_named(rows):
    classes, columns = [row[0] for row in rows], [[row[at] for row in rows] for at in (1, 2, 3)]
    inside = [at for at, number in enumerate(classes) if number >= 0]
    expected = None
    for size in (1, 2, 3):
        shares = {}
        for chosen in combinations(range(3), size):
            keys = [(classes[at], *(columns[one][at] for one in chosen)) for at in inside]
            shares[chosen] = sum(count == 1 for count in Counter(keys).values()) / max(1, len(inside))
        if len(inside) >= 20 and max(shares.values()) >= 0.05:
            expected = max(shares.items(), key=lambda item: item[1])
            break
    names = ("a", "b", "c")
    got = found(classes, **dict(zip(names, columns, strict=True)))
    if expected is None:
        assert got == []
    else:
        assert [(one.columns, one.figures) for one in got] == [
            (tuple(names[at] for at in expected[0]), {"unique_share": round(expected[1], 4)})
        ]


UNCOUNTED = {
    "lists": [[1], [2]] * 20,
    "nothing": pa.nulls(ROWS),
    "structs": [{"a": 1}] * ROWS,
}


@pytest.mark.parametrize("column", UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_cannot_be_counted_stops_no_release(column):
    assert warned(pa.table(table(other=column)), accept=OTHERS) == []


def test_objects_of_different_types_stop_no_release():
    assert warned(pd.DataFrame(table(other=np.array([1, "a"] * 20, dtype=object))), accept=OTHERS) == []


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_many_columns_do_not_take_long():
    draw = random.Random(1)
    columns = {f"c{at}": [draw.randrange(2) for _ in range(400)] for at in range(60)}
    release = shoal.anonymize(
        pa.table({"age": [i % 4 for i in range(400)], **columns}), quasi_identifiers="age", model=KAnonymity(5)
    )
    assert "unique-combination" in release.review.clean
