"""Rows: a page at a time, sorted and filtered, compared with plain lists."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from shoal.ui.state.rows import MAX_CHARACTERS, Rows, View, counts, sortable, texts

WORDS = st.one_of(st.none(), st.text("abAB?é", max_size=3))
NUMBERS = st.one_of(st.none(), st.integers(-20, 20))


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A table of words, numbers and numbers as texts, cut into chunks anywhere."""
    rows = draw(st.lists(st.tuples(WORDS, NUMBERS, NUMBERS), max_size=30))
    word, number, digits = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    whole = pa.table(
        {
            "word": pa.array(word, pa.string()),
            "number": pa.array(number, pa.int64()),
            "digits": pa.array([None if one is None else str(one) for one in digits], pa.string()),
        }
    )
    if draw(st.booleans()):
        whole = whole.set_column(0, "word", whole["word"].dictionary_encode())
    cut = draw(st.integers(0, len(rows)))
    return pa.concat_tables([whole.slice(0, cut), whole.slice(cut)], promote_options="permissive")


def shown(rows: Rows, view: View) -> list[int]:
    """Return the numbers of all rows of a view, page by page."""
    found: list[int] = []
    total, page = rows.page(view, start=0, count=7)
    while page:
        found += [row["row"] for row in page]
        again, page = rows.page(view, start=len(found), count=7)
        assert again == total
    assert len(found) == total
    return found


@given(tables(), st.sampled_from(["word", "number", "digits", "row"]), st.booleans())
@settings(max_examples=80, deadline=None)
def test_sorting(table: pa.Table, name: str, descending: bool) -> None:
    """The order is that of the values, numbers as numbers, rows with equal values as they are, missing values last."""
    values = list(range(len(table))) if name == "row" else table[name].to_pylist()
    if name == "digits":
        values = [None if value is None else int(value) for value in values]
    there = [place for place, value in enumerate(values) if value is not None]
    key = (lambda place: values[place].encode()) if name == "word" else values.__getitem__
    expected = sorted(there, key=key, reverse=descending)  # type: ignore[arg-type]
    expected += [place for place, value in enumerate(values) if value is None]
    assert shown(Rows(table), View(name, descending)) == [place + 1 for place in expected]


@given(tables(), st.text("abA?1-", max_size=2), st.sampled_from(["word", "number", "digits"]))
@settings(max_examples=80, deadline=None)
def test_filtering(table: pa.Table, text: str, name: str) -> None:
    """Filtered rows contain the text, ignoring case, or equal it."""
    values = ["" if value is None else str(value) for value in table[name].to_pylist()]
    rows = Rows(table)
    expected = [place + 1 for place, value in enumerate(values) if text.lower() in value.lower()]
    assert shown(rows, View.of(containing={name: text})) == expected
    exact = [
        place + 1 for place, value in enumerate(table[name].to_pylist()) if value is not None and str(value) == text
    ]
    assert shown(rows, View.of(equal={name: text})) == exact


def test_filter_and_order_together() -> None:
    """A filter keeps the requested order."""
    rows = Rows(pa.table({"age": ["9", "10", "11", "9"], "sex": ["f", "m", "f", "f"]}))
    assert shown(rows, View.of("age", descending=True, containing={"sex": "F"})) == [3, 1, 4]


def test_row_numbers_can_be_looked_for() -> None:
    """The row's number is a column, too, unless the table has one of that name."""
    rows = Rows(pa.table({"a": ["x"] * 30}))
    assert shown(rows, View.of(containing={"row": "3"})) == [3, 13, 23, 30]
    assert shown(rows, View.of(equal={"row": "3"})) == [3]


def test_special_signs_are_only_signs() -> None:
    """A filter is not a pattern."""
    rows = Rows(pa.table({"a": ["a.c", "abc", "[0-9)"]}))
    assert shown(rows, View.of(containing={"a": "."})) == [1]
    assert shown(rows, View.of(containing={"a": "[0"})) == [3]


def test_texts_of_many_kinds() -> None:
    """Values of every type become texts, and long ones are cut."""
    table = pa.table(
        {
            "date": [date(2020, 1, 2), None],
            "list": [[1, 2], None],
            "bytes": [b"\xff", None],
            "bool": [True, None],
            "none": pa.nulls(2),
            "long": ["x" * 200, ""],
        }
    )
    _, (first, second) = Rows(table).page(View(), start=0, count=5)
    long = "x" * (MAX_CHARACTERS - 1) + "…"
    assert first == {"row": 1, "date": "2020-01-02", "list": "[1, 2]", "bytes": "b'\\xff'", "bool": "true"} | {
        "none": None,
        "long": long,
    }
    assert second == {"row": 2, "date": None, "list": None, "bytes": None, "bool": None, "none": None, "long": ""}
    for name in table.column_names:
        assert sorted(shown(Rows(table), View(name))) == [1, 2]


def test_numbers_as_texts() -> None:
    """Texts of which half are numbers are sorted as numbers; a column of words stays one."""
    assert sortable(pa.chunked_array([["10", "9", "?"]])).to_pylist() == [10, 9, None]
    assert sortable(pa.chunked_array([["10", "a", "b"]])).to_pylist() == ["10", "a", "b"]
    assert sortable(pa.chunked_array([pa.array([], pa.string())])).to_pylist() == []
    assert sortable(pa.chunked_array([pa.array([None, None], pa.string())])).to_pylist() == [None, None]


def test_few_different_texts() -> None:
    """A few texts that repeat often are sorted like all others."""
    values = ["b", None, "a", "?", "b", "a"] * 20
    table = pa.concat_tables([pa.table({"a": values[:50]}), pa.table({"a": values[50:]})])
    there = sorted((place for place, value in enumerate(values) if value is not None), key=values.__getitem__)
    missing = [place for place, value in enumerate(values) if value is None]
    assert shown(Rows(table), View("a")) == [place + 1 for place in there + missing]


def test_counts() -> None:
    """Values by their number of rows, without those that mean missing."""
    column = pa.chunked_array(
        [pa.array(["a", "b", None, "b"]).dictionary_encode(), pa.array(["?"]).dictionary_encode()]
    )
    assert counts(column, ["?"]) == {"b": 2, "a": 1}
    assert texts(column).to_pylist() == ["a", "b", None, "b", "?"]


def test_a_file_is_mapped(tmp_path: Path) -> None:
    """An Arrow file is mapped, not read, and a page beyond its end is empty."""
    table = pa.table({"a": list(range(10))})
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    rows = Rows.in_file(tmp_path / "t.arrow")
    assert len(rows) == 10
    assert rows.page(View(), start=8, count=5) == (10, [{"row": 9, "a": "8"}, {"row": 10, "a": "9"}])
    assert rows.page(View("a"), start=20, count=5) == (10, [])


def test_an_unknown_column() -> None:
    """What is not there cannot be filtered by."""
    with pytest.raises(KeyError):
        Rows(pa.table({"a": [1]})).page(View.of(containing={"b": "x"}), start=0, count=1)
