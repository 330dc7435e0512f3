"""Guessed roles, scored on labelled tables; the same for any number of rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from analysis.suggestions.labelled_tables import table, tables
from analysis.suggestions.reference_labels import LABELS
from analysis.suggestions.scores import Scores, scores
from depth import every
from shoal import suggest_roles
from shoal.analysis.suggestions import worst_first
from shoal.analysis.suggestions.roles import keys_of

TABLES = tables()


def roles(title, rows, seed=1):
    return {one.column: one.role for one in suggest_roles(table(TABLES[title], rows, seed))}


def test_recall_over_the_labelled_tables(capsys):
    assert len(TABLES) >= 60
    found = scores(rows=200)
    with capsys.disabled():
        print(f"\n{len(TABLES)} labelled tables\n{found}")  # noqa: T201  # the score is the result
    assert found.recall("identifying") >= 0.98
    assert found.recall("quasi") >= 0.90


@pytest.mark.parametrize("seed", [2, 3])
def test_other_values_of_the_same_kinds_score_alike(seed):
    found = scores(rows=60, seed=seed)
    assert found.recall("identifying") >= 0.98
    assert found.recall("quasi") >= 0.90


@pytest.mark.parametrize("title", every(5, TABLES))
def test_the_number_of_rows_does_not_change_a_guess(title):
    few = roles(title, 50)
    assert roles(title, 500) == few
    assert roles(title, 5000) == few


@pytest.mark.parametrize("title", every(4, ["Opaque export", "Adult census income", "Patientenliste", "Web log"]))
def test_nor_do_many_rows(title):
    assert roles(title, 50_000) == roles(title, 50)


def test_names_and_ids_of_a_large_table_identify_although_they_repeat():
    rows = 40_000
    data = pa.table(
        {
            "name": [f"{given} Smith" for given in ("Ann", "Bob", "Carl", "Dora")] * (rows // 4),
            "id": [row % 1000 for row in range(rows)],
            "type id": [row % 4 for row in range(rows)],
        }
    )
    assert [one.role for one in suggest_roles(data)] == ["identifying", "unit", "other"]


def test_recall_over_the_reference_tables(reference_data):
    found = Scores()
    for path, labels in LABELS.items():
        found.add(path, str(reference_data / path), labels)
    assert found.recall("identifying") >= 0.98, found.wrong
    assert found.recall("quasi") >= 0.90, found.wrong


def test_pairs_that_agree_count_the_values_of_a_column():
    draw = np.random.default_rng(4)
    for rows in (1000, 50_000):
        counts = np.unique(draw.integers(0, 100, rows), return_counts=True)[1]
        assert 90 < keys_of(counts) < 110
    pairs = [(a, b) for a in "aabbbc" for b in "aabbbc"]
    ordered = len(pairs) - 6  # a row with itself is no pair
    alike = sum(a == b for a, b in pairs) - 6
    assert keys_of(np.array([2, 3, 1])) == ordered / alike


@pytest.mark.parametrize("rows", [50, 5000])
def test_a_frequent_value_does_not_hide_that_all_others_differ(rows):
    data = pa.table({"x": [0 if row % 5 == 0 else 7919 * row % 1_000_003 for row in range(rows)]})
    assert [one.role for one in suggest_roles(data)] == ["identifying"]


def test_columns_that_are_released_as_they_are_come_worst_first():
    data = pa.table(
        {
            "flag": [0, 1] * 50,
            "bmi": [20 + row / 7 for row in range(100)],
            "age": list(range(20, 70)) * 2,
            "some": [*range(30), *[0] * 70],
        }
    )
    assert [one.column for one in worst_first(suggest_roles(data))] == ["bmi", "some", "flag"]
