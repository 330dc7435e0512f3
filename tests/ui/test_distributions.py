"""Distributions: the bars of a column before and after."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given, settings, strategies as st

from shoal.ui.charts.distributions import MAX_BARS, MISSING, NOT_A_NUMBER, SUPPRESSED, Bars, Distribution, distribution


def look(
    values: list[str | None], classes: list[int], after: list[str | None] | None = None, role: str = "quasi"
) -> Distribution:
    """Compute the distribution of one column."""
    released = pa.table({"class": pa.array(classes, pa.int32()), "after x": pa.array(after or values, pa.string())})
    original = pa.table({"x": pa.array(values, pa.string())})
    return distribution(original, released, name="x", role=role, missing=["?"])


def test_words() -> None:
    """Words are counted, the most frequent first, and missing ones last."""
    found = look(["b", "a", "b", "?", "", None], [1, 1, 0, 1, 1, -1], ["*", "*", "*", "c", "c", None])
    assert found.before == Bars(["b", "a", MISSING], [2, 1, 3])
    assert found.after == Bars(["*", "c", SUPPRESSED], [2, 2, 1])
    assert found.left_out == 1


def test_few_numbers_are_in_their_order() -> None:
    """Numbers are in their order, and labels in the order of their numbers."""
    found = look(["10", "9", "100", "9"], [1, 1, 2, 1], ["0-19", "0-19", "20-199", "0-19"])
    assert found.before == Bars(["9", "10", "100"], [2, 1, 1])
    assert found.after == Bars(["0-19", "20-199"], [3, 1])


def test_many_numbers_are_put_into_ranges() -> None:
    """Ranges have equal widths; empty ranges are included."""
    values = [str(number) for number in range(40)] + ["100", "x", "?"]
    found = look(values, [1] * 43, role="other")
    assert found.before.labels == [f"{low}–{low + 4}" for low in range(0, 105, 5)] + [NOT_A_NUMBER, MISSING]
    assert found.before.counts == [5] * 8 + [0] * 12 + [1, 1, 1]
    assert found.after == found.before


def test_a_removed_column() -> None:
    """An identifying column is not in the release."""
    assert look(["a"], [1], role="identifying").after is None


def test_only_the_most_frequent_words() -> None:
    """Rarer words are summed up."""
    values = [f"w{number}" for number in range(MAX_BARS + 5) for _ in range(2 if number < MAX_BARS else 1)]
    found = look(values, [1] * len(values)).before
    assert len(found.labels) == MAX_BARS
    assert (found.others, found.other_labels, found.rows) == (5, 5, len(values))


@given(st.lists(st.one_of(st.none(), st.integers(-1000, 1000).map(str), st.decimals(-9, 9, places=2).map(str))))
@settings(deadline=None)
def test_no_row_is_lost(values: list[str | None]) -> None:
    """Every row is in a bar, or among the others."""
    found = look(values, [1] * len(values), role="other")
    assert found.before.rows == len(values)
    missing = Counter(values)[None]
    assert dict(zip(found.before.labels, found.before.counts, strict=True)).get(MISSING, 0) == missing
