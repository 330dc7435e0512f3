"""On any table: moved ranges cover their classes, move no further than they may, and stop where the definition says."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles.range_ends import nearest_outside
from shoal import KAnonymity
from shoal.data.recoding import Recoding
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.io.source import Source
from shoal.release.range_ends.limits import Limits
from shoal.release.range_ends.widening import widened

KEY = "a secret key of more than sixteen characters"
OTHER = "another key of more than sixteen characters"
pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def released(table, quasi, k=2, **options):
    asked = {"algorithm": "mondrian", "ranges": "stepped", "key": KEY, "rows_are_people": True} | options
    return shoal.anonymize(table, quasi_identifiers=quasi, model=KAnonymity(k), **asked)


def encoded(columns, guides=None):
    source = Source.of(pa.table(columns))
    roles = Roles.of(source.columns, quasi_identifiers=list(columns))
    return source.encode(roles, guides=guides or {}, missing_values=(), style=Style())


def ends(label):
    return [int(end) for end in (label.split("-") * 2)[:2]]


@given(
    rows=st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12), st.sampled_from("ab")), min_size=6, max_size=40),
    algorithm=st.sampled_from(["mondrian", "local", "k-member"]),
    ranges=st.sampled_from(["stepped", "closed"]),
    key=st.sampled_from([KEY, OTHER]),
)
@settings(max_examples=60, deadline=None)
def test_every_range_covers_its_class_and_no_end_moves_further_than_it_may(rows, algorithm, ranges, key):
    columns = dict(zip(("age", "hours", "sex"), map(list, zip(*rows, strict=True)), strict=True))
    table, quasi = pa.table(columns), ["age", "hours", "sex"]
    if ranges == "closed":
        algorithm = "mondrian"
    release = released(table, quasi, 3, algorithm=algorithm, ranges=ranges, key=key if ranges == "stepped" else None)
    tight = released(table, quasi, 3, algorithm=algorithm, ranges="tight", key=None)
    assert release.report.k >= 3
    scales = release.report.parameters["ranges"]["scales"]
    classes = defaultdict(list)
    for row in range(len(rows)):
        classes[tuple(tight.frame[name][row].as_py() for name in quasi)].append(row)
    for name in quasi[:2]:
        least, most, count = int(scales[name]["first"][0]), int(scales[name]["last"]), scales[name]["steps"]
        values, shown = table[name].to_pylist(), [ends(str(label)) for label in release.frame[name].to_pylist()]
        for members in classes.values():
            low, high = shown[members[0]]
            inside = [values[row] for row in members]
            assert all(shown[row] == [low, high] for row in members)
            assert least <= low <= min(inside)
            assert max(inside) <= high <= most
            if ranges == "stepped":
                assert max(min(inside) - low, high - max(inside)) < count


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)), min_size=4, max_size=30), st.data())
@settings(max_examples=100, deadline=None)
def test_neighbours_stop_ranges_as_the_literal_definition_says(rows, data):
    table = encoded({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})
    groups = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    ids = np.unique(groups, return_inverse=True)[1].astype(np.int32)
    recoding = Recoding.of_groups(table, ids)
    moved_table, _, moved = widened(table, recoding, KAnonymity(1), share=9, secret=KEY.encode())
    records = [{"a": a, "b": b} for a, b in rows]
    shown = {
        name: [
            (int(domain.labels[low]), int(domain.labels[high]))
            for low, high in zip(ranges.low, ranges.high, strict=True)
        ]
        for name, domain, ranges in zip(("a", "b"), table.domains, recoding.shown, strict=True)
    }
    for at, name in enumerate(("a", "b")):
        bins = moved_table.domains[at].bins
        limits = Limits.of_neighbours(bins, table, recoding, at)
        assert (limits.first == moved.limits[name].first).all()
        begin = int(bins.lows[0])
        for box in range(recoding.sizes.size):
            low, high = shown[name][box]
            first, last = int(limits.first[box]) + begin, int(limits.last[box]) + begin
            if low == high:
                assert (first, last) == (low, high)
                continue
            below = nearest_outside(records, recoding.ids.tolist(), box, shown, name, 0)
            above = nearest_outside(records, recoding.ids.tolist(), box, shown, name, 1)
            reach = 2 * (bins.steps - 1)
            near = below is not None and low - below <= reach
            assert first == (min((below - begin + low - begin) // 2 + 1 + begin, low) if near else begin)
            near = above is not None and above - high <= reach
            assert last == (max((above - begin + high - begin) // 2 + begin, high) if near else int(bins.highs[-1]))
