from __future__ import annotations

from hierarchies.trees import refusal
from shoal import Hierarchy


def test_each_value_stands_under_the_root():
    tree = Hierarchy.flat(["Male", "Female"])
    assert tree.labels == ("*", "Male", "Female")
    assert tree.parents.tolist() == [-1, 0, 0]


def test_the_root_may_be_named():
    assert Hierarchy.flat(["a"], root="Any").path("a") == ("a", "Any")


def test_a_value_may_bear_the_name_of_the_root():
    assert Hierarchy.flat(["*", "a"]).path("*") == ("*", "*")


def test_values_are_text_named_once_in_their_order_without_missing_ones():
    assert Hierarchy.flat([2.0, "b", 2, -1.5, None, float("nan"), "", "nan", True]).leaves == (
        *("2", "b", "-1.5", "", "nan", "true"),
    )


def test_no_values_are_refused():
    assert refusal(Hierarchy.flat, [None]) == "A hierarchy needs at least one value, and none was given."


def test_builders_say_what_they_take():
    import pytest

    from shoal import Hierarchy, HierarchyError

    for build, sentence in (
        (lambda: Hierarchy.by_frequency([1]), "The frequencies [1] must be a dictionary of values and counts."),
        (
            lambda: Hierarchy.prefix(["12"], steps=["a"]),
            "The masking steps ['a'] must be whole numbers, such as [2, 4].",
        ),
        (lambda: Hierarchy.intervals([1], widths=5), "The interval widths 5 must be a list, such as [5, 10, 20]."),
    ):
        with pytest.raises(HierarchyError) as refusal:
            build()
        assert str(refusal.value) == sentence
