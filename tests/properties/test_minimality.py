"""What the need to generalize tells, on tables where it can be counted by hand."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import shoal

FILE = Path(__file__).parents[2] / "benchmarks" / "minimality.py"
COLUMNS = {"age": [0, 0, 1, 1, 1, 1], "zip": ["a"] * 6}  # two of the six are ill


@pytest.fixture(scope="module")
def benchmark():
    sys.path.append(str(FILE.parent))  # for what it imports
    spec = importlib.util.spec_from_file_location("minimality", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def beliefs(benchmark, name, **columns):
    model = shoal.FrequencyDiversity(2)
    found = benchmark.measure(benchmark.METHODS[name], COLUMNS | columns, 2, model)
    return sorted(belief for belief, _, _ in found)


def test_the_two_who_had_to_be_hidden_are_known_to_be_ill(benchmark):
    # Both who are 0 years old are ill in one of 15 cases, and only then ages are hidden; otherwise classes show 1/2.
    assert beliefs(benchmark, "Mondrian") == [0.5] * 14 + [1.0]


def test_a_size_that_does_for_anybody_tells_nothing(benchmark):
    assert beliefs(benchmark, "Mondrian by k alone, k that does for anybody") == pytest.approx([1 / 3] * 15)


def test_blind_cuts_hide_whose_need_it_was(benchmark):
    # Three pairs, and a class for each pair unless both of it are ill, which is so in three of 15 cases. Then blind
    # cuts hide all ages, and the three cases look alike; other cuts hide them of two pairs.
    ages = [0, 0, 4, 4, 8, 8]
    assert beliefs(benchmark, "Mondrian, blind", age=ages) == pytest.approx([1 / 3] * 3 + [0.5] * 12)
    assert beliefs(benchmark, "Mondrian", age=ages)[-1] > 0.5
