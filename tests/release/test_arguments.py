"""Arguments: what callers may pass, and the message for what they may not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import DistinctDiversity, InputError, KAnonymity, VerificationError
from shoal.data.budget import budget_of

TABLE = pa.table({"age": [1, 2, 3, 4], "town": ["a", "b", "a", "b"], "ill": ["x", "y", "x", "y"]})


def release(**options):
    given = {"quasi_identifiers": ["age", "town"], "sensitive": "ill", "model": KAnonymity(2) & DistinctDiversity(2)}
    return shoal.anonymize(TABLE, **(given | options))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"model": 5}, "5 is not a privacy model; give one such as shoal.KAnonymity(10)."),
        ({"model": DistinctDiversity(1)}, "distinct l = 1 protects nobody: choose at least 2."),
        (
            {"model": KAnonymity(1) & DistinctDiversity(1)},
            "k = 1 and distinct l = 1 protects nobody: choose at least 2.",
        ),
        ({"algorithm": 5}, "5 is not an algorithm; give a name such as 'mondrian', or shoal.Mondrian()."),
        (
            {"algorithm": shoal.Mondrian},
            "<class 'shoal.algorithms.mondrian.Mondrian'> is not an algorithm; give a name such as 'mondrian', "
            "or shoal.Mondrian().",
        ),
        ({"hierarchies": ["x"]}, "hierarchies = ['x'] must be a dictionary by column, or a folder."),
        (
            {"hierarchies": {"age": 5}},
            "The hierarchy of column 'age' is 5: give a shoal.Hierarchy, a file or a spelling.",
        ),
        ({"hierarchies": {"agee": "flat"}}, "There is no column 'agee'. Did you mean 'age'?"),
        (
            {"style": "x"},
            "'x' is not a label style; give one such as shoal.Style(numbers='{low} to {high}').",
        ),
        (
            {"hierarchies": {"town": "intervals:5"}},
            "Column 'town': The interval value 'a' is not a number: fix it, or name it as missing.",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refusals(options, sentence):
    with pytest.raises(InputError) as refusal:
        release(**options)
    assert str(refusal.value) == sentence


def test_a_diversity_model_may_stand_alone():
    assert release(model=DistinctDiversity(2)).report.distinct_sensitive == {"ill": 2}
    assert release(model=KAnonymity(1) & DistinctDiversity(2)).report.distinct_sensitive == {"ill": 2}


def test_hierarchies_for_other_columns_are_left_alone():
    assert release(hierarchies={"ill": "flat", "salary": "flat", "town": "flat"}).report.parameters["hierarchies"] == [
        "town"
    ]


@pytest.mark.parametrize(
    ("limit", "rows"), [(0, 0), (3, 3), (99, 10), (0.25, 2), (1.0, 10), (np.int64(4), 4), (np.float64(0.5), 5)]
)
def test_suppression_as_a_share_or_a_count(limit, rows):
    assert budget_of(limit, 10) == rows


def test_an_order_that_names_the_missing_value_puts_it_first():
    table = pa.table({"size": ["S", "L", None, "S", "L", None, "M", "M"]})
    made = shoal.anonymize(
        table,
        quasi_identifiers="size",
        hierarchies={"size": shoal.Ordered(["S", "?", "M", "L"])},
        model=KAnonymity(3),
    )
    assert made.frame["size"].to_pylist() == ["*", "M - L", "*", "*", "M - L", "*", "M - L", "M - L"]


def test_a_release_without_any_row_is_none(monkeypatch):
    from shoal.data.recoding import Recoding

    class Nothing:
        name = "nothing"

        def recode(self, table, model, **options):
            return Recoding.of_groups(table, np.full(4, -1, np.int32))

    with pytest.raises(VerificationError, match="suppressed every row"):
        release(algorithm=Nothing(), max_suppression=4, suppressed="drop")
