"""Labels of any tool are read back into a recoding."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from shoal import Hierarchy, InputError, Ordered, Style
from shoal.analysis.read_labels import read_release
from shoal.data.domain import Ranges, Sets
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from strategies import tables


def column(values):
    return pa.chunked_array([pa.array(values)])


def read(before, after, guide=None, missing=()):
    """The table of one column and what a release of it shows."""
    guides = {} if guide is None else {"x": guide}
    table = encode(
        {"x": column(before)}, quasi=["x"], sensitive=[], guides=guides, missing_values=missing, style=Style()
    )
    return table, read_release(table, {"x": column(after)})


def ranges(before, after):
    """The values between which each row is shown, None for a suppressed row."""
    table, recoding = read(before, after)
    labels, shown = table.domains[0].labels, recoding.shown[0]
    return [
        None if group < 0 else (labels[shown.low[group]], labels[shown.high[group]]) for group in recoding.ids.tolist()
    ]


@pytest.mark.parametrize(
    ("label", "ends"),
    [
        ("20-29", ("20", "29")),
        ("20 - 29", ("20", "29")),
        ("20–29", ("20", "29")),
        ("20 to 29", ("20", "29")),
        ("[20, 29]", ("20", "29")),
        ("[20,30)", ("20", "29")),
        ("[20, 30[", ("20", "29")),
        ("]19, 30]", ("20", "30")),
        (">=20", ("20", "30")),
        ("> 20", ("25", "30")),
        ("≤ 29", ("-1", "29")),
        ("<30", ("-1", "29")),
        ("(19, 30]", ("20", "30")),
        ("(20, 30]", ("25", "30")),
        ("(20, 30)", ("25", "29")),
        ("[-5, 30)", ("-1", "29")),
        ("-5 - 25", ("-1", "25")),
        ("-5-25", ("-1", "25")),
        ("18.5-25.0", ("20", "25")),
        (" 25 ", ("25", "25")),
        ("25.0", ("25", "25")),
        ("1e1-3e1", ("20", "30")),
        ("2*", ("20", "29")),
    ],
)
def test_ranges_of_numbers(label, ends):
    assert ranges([-1, 20, 25, 29, 30], ["-1", "20", label, "29", "30"])[2] == ends


def test_both_ends_of_a_range_may_be_negative():
    assert ranges([-5, -3, -1, 7], ["-5 - -1", "-5--1", "[-5, -1]", "7"])[:3] == [("-5", "-1")] * 3


def test_the_top_and_cells_without_a_value_are_everything():
    assert ranges([1, 2, 3, 4, 5], ["*", "?", "", None, "5"]) == [None, None, None, None, ("5", "5")]
    _, recoding = read([1, 2, 3], ["1-3", "1-3", "*"])
    assert recoding.ids.tolist() == [0, 0, -1]


def test_numbers_may_be_released_as_numbers():
    assert ranges([1, 2], [1, 2]) == ranges([1.0, 2.0], [1.0, 2.0]) == [("1", "1"), ("2", "2")]


def test_ranges_of_dates():
    days = ["2024-01-01", "2024-01-15", "2024-02-03"]
    before = pa.array(days).cast(pa.date32()).to_pylist()
    after = ["2024-01-01 - 2024-01-15", "[2024-01-01, 2024-02-01)", "2024-02-03"]
    assert ranges(before, after) == [(days[0], days[1])] * 2 + [(days[2], days[2])]


def test_ranges_of_an_order():
    _, recoding = read(["S", "M", "L"], ["S - M", "S - M", "L"], Ordered(["S", "M", "L"]))
    assert (recoding.shown[0].low.tolist(), recoding.shown[0].high.tolist()) == ([0, 2], [1, 2])


@pytest.mark.parametrize("label", ["a | c", "a|c", "a,c", "{a, c}", "a;c", "c | a"])
def test_sets(label):
    _, recoding = read(["a", "b", "c"], [label, "b", label])
    shown = recoding.shown[0]
    assert shown.codes[shown.starts[0] : shown.starts[1]].tolist() == [0, 2]
    assert recoding.ids.tolist() == [0, 1, 0]


def test_masks():
    assert ranges([13001, 13002, 14001], ["1300*", "1300*", "14***"]) == [("13001", "13002")] * 2 + [("14001",) * 2]
    _, recoding = read(["A11", "A12", "B11", "A1"], ["A1*", "A1*", "B**", "A1"])
    shown = recoding.shown[0]
    sets = [shown.codes[first:last].tolist() for first, last in zip(shown.starts, shown.starts[1:], strict=False)]
    assert sets == [[1, 2], [3], [0]]
    with pytest.raises(InputError, match=r"'A\*' cannot be read"):
        read(["A11", "B11"], ["A*", "B11"])
    with pytest.raises(InputError, match=r"'A\*\*' does not cover the original value 'B11'"):
        read(["A11", "B11"], ["A**", "A**"])


def test_a_value_with_a_comma_is_itself():
    _, recoding = read(["a,b", "a", "b"], ["a,b", "a", "b"])
    assert recoding.shown[0].sizes.tolist() == [1, 1, 1]


def test_a_set_with_an_unknown_part_is_refused():
    with pytest.raises(InputError, match=r"Row 1 of .*, column 'x': 'a \| z' cannot be read as .* 'a'\. Write"):
        read(["a", "b"], ["a | z", "b"])


TWICE = Hierarchy.from_parents(["Any", "single", "single", "widowed", "married"], [-1, 0, 1, 1, 0])


def test_a_label_that_stands_twice_is_found_lowest_first():
    table, recoding = read(["single", "widowed", "married"], ["single", "single", "married"], TWICE)
    depths = table.domains[0].hierarchy.depths[recoding.shown[0]]
    assert depths[recoding.ids].tolist() == [2, 1, 1]


def test_a_star_is_the_root_whatever_the_root_is_called():
    _, recoding = read(["single", "widowed", "married"], ["*", "Any", "married"], TWICE)
    assert recoding.ids.tolist() == [-1, -1, 0]


def test_a_label_that_is_no_ancestor_is_refused_with_row_column_and_value():
    with pytest.raises(InputError) as refused:
        read(["single", "married"], ["single", "single"], TWICE)
    assert str(refused.value) == (
        "Row 2 of the release, column 'x': 'single' is not above the original value 'married' in the hierarchy. "
        "Give the same rows in the same order."
    )


def test_a_range_beside_the_value_is_refused():
    with pytest.raises(
        InputError, match="Row 2 of the release, column 'x': '1-2' does not cover the original value '3'"
    ):
        read([1, 3], ["1-2", "1-2"])


def test_another_number_of_rows_is_refused():
    with pytest.raises(
        InputError, match="The release has 1 rows and the original 2: give a release with the same rows"
    ):
        read([1, 2], ["1-2"])


def test_a_missing_value_stays_one_until_its_label_hides_another():
    _, recoding = read([None, 1, 2], ["?", "1", "2"])
    assert recoding.shown[0].high.tolist() == [0, 1, 2]
    _, recoding = read([None, 1, 2, 3], ["?", "?", "2", "3"])
    assert recoding.ids.tolist() == [-1, -1, 0, 1]
    tree = Hierarchy.flat(["a", "b"])
    _, recoding = read(["a", "b", "-"], ["*", "b", None], tree, missing=["-"])
    assert recoding.ids.tolist() == [-1, 0, 1]


def test_only_rows_that_show_the_top_everywhere_are_suppressed():
    columns = {"a": column([1, 2, 2]), "b": column(["u", "u", "u"])}
    table = encode(columns, quasi=["a", "b"], sensitive=[], guides={}, style=Style())
    recoding = read_release(table, {"a": column(["*", "*", "2"]), "b": column(["u", "*", "*"])})
    assert recoding.ids.tolist() == [0, -1, 1]


def seen(domain, shown, ids):
    """For each row that is not suppressed, what it shows."""
    if isinstance(shown, Ranges):
        each = list(zip(shown.low.tolist(), shown.high.tolist(), strict=True))
    elif isinstance(shown, Sets):
        each = [tuple(shown.codes[a:b].tolist()) for a, b in zip(shown.starts[:-1], shown.starts[1:], strict=True)]
    else:
        each = shown.tolist()
    return [None if group < 0 else each[group] for group in ids.tolist()]


@given(table=tables(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_what_shoal_writes_is_read_back(table, data):
    ids = np.array([data.draw(st.integers(-1, 3)) for _ in table.weights], np.int32)
    ids[ids >= 0] = np.unique(ids[ids >= 0], return_inverse=True)[1]
    made = Recoding.of_groups(table, ids)
    style = Style()
    labels = {}
    for name, domain, shown in zip(table.quasi, table.domains, made.shown, strict=True):
        written = [*domain.write(shown, style), domain.top(style)]
        labels[name] = column([written[group] for group in made.ids.tolist()])
    found = read_release(table, labels)
    rows = list(zip(*(labels[name].to_pylist() for name in table.quasi), strict=True))
    top = tuple(domain.top(style) for domain in table.domains)
    for domain, before, after in zip(table.domains, made.shown, found.shown, strict=True):
        old, new = seen(domain, before, made.ids), seen(domain, after, found.ids)
        assert all(o == n for o, n, row in zip(old, new, rows, strict=True) if row != top and o is not None)
    for row, group in zip(rows, found.ids.tolist(), strict=True):
        if group < 0:
            assert row == top
    assert found.sizes.sum() == (found.ids >= 0).sum()
