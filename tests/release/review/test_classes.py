"""Weak points of classes, labels and tables: they are stated once, as a warning and in the report."""

from __future__ import annotations

import pyarrow as pa
import pytest

import shoal
from release.review.warned import ROWS, table, warned
from shoal import DistinctDiversity, KAnonymity

K2 = (
    "With k = 2 each of the two people of a class knows everything that is released about the other, and one "
    "error of fact about a person leaves one row. Choose k = 5 or more."
)


def test_a_release_without_weak_points_says_nothing():
    assert warned(pa.table(table(kind=["a", "b", "c", "d"] * 10))) == []
    assert warned(pa.table(table(kind=["a", "b", "c", "d"] * 10)), model=KAnonymity(3), accept=()) == []


def test_classes_of_one_sensitive_value():
    diseases = ["flu", "flu", "flu", "cold"] * 10
    assert warned(pa.table(table(disease=diseases)), sensitive="disease") == [
        "k = 2 does not protect 'disease': 1 class (20 rows) holds one value. Ask for diversity too."
    ]
    spread = ["flu", "flu", "cold", "cold"] * 10
    assert warned(pa.table(table(disease=spread)), sensitive="disease") == []
    model = KAnonymity(2) & DistinctDiversity(2)
    assert warned(pa.table(table(disease=spread)), sensitive="disease", model=model) == []


def test_classes_of_nearly_one_sensitive_value():
    diseases = ["flu"] * (ROWS - 1) + ["cold"]
    nearly = (
        "{} does not protect 'disease': 1 class (20 rows) holds one value in at least 95% of their rows. "
        "Ask for closeness too."
    )
    one = "{} does not protect 'disease': 1 class (20 rows) holds one value. Ask for diversity too."
    assert warned(pa.table(table(disease=diseases)), sensitive="disease") == [
        one.format("k = 2"),
        nearly.format("k = 2"),
    ]
    diseases[0] = "cold"
    assert warned(
        pa.table(table(disease=diseases)), sensitive="disease", model=KAnonymity(2) & DistinctDiversity(2)
    ) == [nearly.replace("1 class (20 rows) holds", "2 classes (40 rows) hold").format("k = 2 and distinct l = 2")]
    diseases[2:4] = ["cold", "cold"]  # two of twenty in each class
    assert warned(pa.table(table(disease=diseases)), sensitive="disease") == []


def test_classes_of_two():
    pairs = pa.table({"age": [*range(20)] * 2})
    assert warned(pairs, accept=()) == [K2]
    assert warned(pairs, accept="small-k") == []
    assert warned(pairs, model=KAnonymity(3), accept=["range-ends", "row-order"]) == []


def test_the_size_of_the_classes_counts_and_not_what_a_model_promises():
    assert warned(pa.table(table()), accept=()) == []  # two classes of twenty, under k = 2
    risk = {"model": shoal.AverageRisk(0.5), "algorithm": "full-domain", "hierarchies": {"age": "flat"}}
    assert warned(pa.table(table()), accept=(), **risk) == []
    alone = pa.table({"age": [*range(9), *[9] * 31]})
    assert warned(alone, accept="range-ends", order="shuffled", **risk) == [
        "Some rows are alone in their class: k = 1. Choose k = 5 or more."
    ]


def test_a_tiny_table():
    assert warned(pa.table({"age": [30, 31, 32]})) == [
        "The table has 3 rows, too few for two classes under k = 2: all rows are one class."
    ]
    assert warned(pa.table({"age": [30, 31, 32, 33]})) == []


def test_labels_that_can_be_misread():
    towns = pa.table({"town": ["Bonn | Ulm", "Oslo", "Rome", "Bari"] * 10})
    (said,) = warned(towns, quasi_identifiers="town")
    assert said == "Column 'town' holds 'Bonn | Ulm', which reads like a set. Choose another separator for sets."


def test_numbers_with_another_text_become_sets():
    ages = pa.table({"age": ["30", "31", "32", "33", "unknown"] * 8})
    (said,) = warned(ages)
    assert said == (
        "Column 'age' holds numbers and 'unknown', so it is released as sets. If that text means missing, declare it "
        "as missing to get ranges."
    )


@pytest.mark.parametrize("k", [2, 5])
def test_a_weak_point_is_in_the_review_with_its_code(k):
    ages = [row % (ROWS // k) for row in range(ROWS)]
    release = shoal.anonymize(pa.table({"age": ages}), quasi_identifiers="age", model=KAnonymity(k))
    assert [finding.code for finding in release.review.open] == (["small-k"] if k == 2 else [])
    assert ("small-k" in release.review.clean) == (k == 5)
    assert release.report.review == release.review.to_dict()


def test_values_that_nearly_all_people_of_a_class_have_are_said_of_people():
    expected = (
        "k = 2 does not protect 'disease': 1 class (200 rows) holds a value that at least 95% of their people have in "
        "some row. Ask for closeness too."
    )
    assert expected in warned(visits(lambda number: number % 2 == 0), **UNIT)  # all of one class, nobody of the other


@pytest.mark.parametrize(("without", "warns"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_value_that_nearly_everybody_has_is_told_by_no_class(without, warns):
    """Of 40 people, two are 5 %; those without the value are in one class, of which it says nothing."""
    said = warned(visits(lambda number: number % 2 == 0 or number >= 2 * without), **UNIT)
    assert any("have in some row" in sentence for sentence in said) == warns


UNIT = {"unit": "person", "sensitive": "disease", "key": "a secret of at least 16 bytes"}


def visits(has_flu):
    """Return ten visits of each of 40 people in two classes, one of them for flu if a person has it."""
    rows = [(number, visit) for number in range(40) for visit in range(10)]
    return pa.table(
        {
            "person": [f"p{number}" for number, _ in rows],
            "age": [number % 2 for number, _ in rows],
            "disease": [
                "flu" if visit == 0 and has_flu(number) else f"other {(number + visit) % 7}" for number, visit in rows
            ],
        }
    )
