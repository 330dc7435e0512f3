"""Labels with more text than one Arrow array can hold."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from shoal.data.style import text_array
from shoal.engines.lookup import Labels
from shoal.engines.memory import relabel
from shoal.io.csv_dialect import Dialect
from shoal.io.csv_output import csv_rows, pieces


@settings(deadline=None)
@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 40))
def test_pieces_hold_all_rows_in_order_and_no_more_than_they_may(sizes, most):
    found = list(pieces(np.array(sizes, np.int64), most))
    assert [row for start, stop in found for row in range(start, stop)] == list(range(len(sizes)))
    assert all(stop == start + 1 or sum(sizes[start:stop]) <= most for start, stop in found)
    assert all(sum(sizes[start : stop + 1]) > most for start, stop in found if stop < len(sizes))


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=5), min_size=1, max_size=9), st.integers(1, 40))
def test_texts_beyond_the_limit_are_long_texts(texts, most):
    size = len("".join(texts).encode())
    array = text_array(texts, most)
    assert array.to_pylist() == texts
    assert array.type == (pa.string() if size <= most else pa.large_string())


@pytest.mark.parametrize("lines", [1, 9, 1000])
def test_lines_are_the_same_in_any_pieces(monkeypatch, lines):
    table = pa.table({"a": ["x,y", None, "long " * 9, "x,y"], "b": [1, 2, None, 4]})
    whole = b"".join(csv_rows(table, Dialect()))
    monkeypatch.setattr("shoal.io.csv_output.LINES", lines)
    parts = list(csv_rows(table, Dialect()))
    assert b"".join(parts) == whole
    assert len(parts) == {1: 4, 9: 3, 1000: 1}[lines]
    rows = list(csv.reader(io.StringIO(whole.decode())))
    assert rows == [["x,y", "1"], ["", "2"], ["long " * 9, ""], ["x,y", "4"]]


def test_labels_of_many_rows_are_long_texts(monkeypatch):
    monkeypatch.setattr(relabel, "MAX_TEXT", 9)
    ids = np.array([0, 1, -1, 0], np.int32)
    array = relabel._label_column(Labels(["one", "two"], "*").of(ids))
    assert (array.type, array.to_pylist()) == (pa.large_string(), ["one", "two", "*", "one"])


def test_labels_that_are_too_long_together_are_long_texts(monkeypatch):
    monkeypatch.setattr("shoal.engines.lookup.text_array", lambda texts: text_array(texts, 5))
    ids = np.array([0, 1, -1, 0], np.int32)
    array = Labels(["one", "two"], "*").of(ids)
    assert relabel._label_column(array).type == pa.large_string()
    assert (array.type.value_type, array.to_pylist()) == (pa.large_string(), ["one", "two", "*", "one"])
