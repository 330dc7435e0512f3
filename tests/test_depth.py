"""How deep the tests go is said once, by --depth, and reaches random examples and marks alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from depth import QUICK_EXAMPLES, QUICK_SHARE, quick

EXAMPLES = 200
seen = []


@settings(max_examples=EXAMPLES, deadline=None)
@given(number=st.floats())
def test_random_examples_are_drawn(number):
    seen.append(number)


def test_as_many_examples_were_drawn_as_the_depth_says(request):
    if request.config.getoption("depth") == "all":
        assert len(seen) >= EXAMPLES
    else:
        assert EXAMPLES * QUICK_SHARE <= len(seen) < EXAMPLES


@pytest.mark.parametrize(("whole", "fewer"), [(1000, 100), (200, 20), (100, QUICK_EXAMPLES), (8, 8)])
def test_few_examples_stay(whole, fewer):
    assert quick(settings(max_examples=whole)).max_examples == fewer


@pytest.mark.deep("it is about the mark")
def test_deep_tests_run_where_all_run(request):
    assert request.config.getoption("depth") == "all"


def test_each_mark_has_a_reason(request):
    marks = [mark for item in request.session.items for name in ("alone", "deep") for mark in item.iter_markers(name)]
    assert all(mark.args for mark in marks)
