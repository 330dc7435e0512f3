from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from hierarchies.trees import refusal
from shoal import Hierarchy


def test_one_place_more_is_masked_at_each_level():
    tree = Hierarchy.prefix(["13053", "13068", "14850"])
    assert tree.path("13053") == ("13053", "1305*", "130**", "13***", "1****", "*****")
    assert tree.labels[:4] == ("*****", "1****", "13***", "130**")


def test_the_steps_may_be_given():
    assert Hierarchy.prefix(["13053"], steps=[2, 4]).path("13053") == ("13053", "130**", "1****", "*****")


def test_steps_longer_than_the_code_mask_all_of_it():
    assert Hierarchy.prefix(["13053"], steps=[2, 5, 9]).path("13053") == ("13053", "130**", "*****")


def test_another_mask():
    assert Hierarchy.prefix(["AB", "AC"], mask="#").path("AB") == ("AB", "A#", "##")


def test_codes_of_unequal_length():
    tree = Hierarchy.prefix(["1", "130", "131", "13053"])
    assert tree.path("13053") == ("13053", "1305*", "130**", "13***", "1****", "*")
    assert tree.path("130") == ("130", "13*", "1**", "***", "*")
    assert tree.path("1") == ("1", "*")


def test_a_masked_code_among_the_values_stands_in_the_group_of_its_name():
    tree = Hierarchy.prefix(["13053", "1305*", "13068", "130**"])
    assert tree.path("1305*") == ("1305*", "1305*", "130**", "13***", "1****", "*****")
    assert tree.path("130**") == ("130**", "130**", "130**", "13***", "1****", "*****")
    assert tree.path("13053") == ("13053", "1305*", "130**", "13***", "1****", "*****")
    low, high = sorted(tree.codes[value] for value in ("13053", "1305*"))
    (node,) = tree.cover([low], [high])
    assert (tree.labels[node], tree.highs[node] - tree.lows[node] + 1) == ("1305*", 2)


def test_an_empty_code_stands_under_the_root():
    assert Hierarchy.prefix(["", "12"]).path("") == ("", "*")
    assert Hierarchy.prefix([""]).path("") == ("", "*")


def test_values_are_text_named_once_and_sorted():
    assert Hierarchy.prefix([130.0, "130", 129, None]).leaves == ("129", "130")


def test_letters_of_any_script():
    assert Hierarchy.prefix(["äö", "日本"]).path("日本") == ("日本", "日*", "**")


@given(st.sets(st.text("01*", max_size=4), min_size=1, max_size=12), st.sets(st.integers(1, 5), max_size=3))
def test_each_group_holds_the_codes_of_one_length_and_start(values, steps):
    tree = Hierarchy.prefix(values, steps=sorted(steps))
    assert set(tree.leaves) == values
    for node in set(tree.parents.tolist()) - {-1, 0}:
        group = tree.leaves[tree.lows[node] : tree.highs[node] + 1]
        (size,) = {len(value) for value in group}
        starts = [kept for kept in range(size) if _alike(group[0], kept, values) == set(group)]
        assert any(group[0][:kept] + "*" * (size - kept) == tree.labels[node] for kept in starts)


def _alike(value, kept, values):
    return {other for other in values if len(other) == len(value) and other[:kept] == value[:kept]}


@pytest.mark.parametrize("steps", [[0], [-1, 2], [3, 2], [2, 2]])
def test_steps_that_do_not_grow_are_refused(steps):
    assert refusal(Hierarchy.prefix, ["13053"], steps=steps) == (
        f"The masking steps {', '.join(map(str, steps))} must grow from 1 upwards."
    )


def test_an_empty_mask_is_refused():
    assert refusal(Hierarchy.prefix, ["13053"], mask="") == (
        "The mask is empty: give the character that replaces a masked one, such as *."
    )


def test_no_values_are_refused():
    assert refusal(Hierarchy.prefix, []) == "A hierarchy needs at least one value, and none was given."
