"""Each method builds the same hierarchy as its spelling on the command line, or refuses in a sentence."""

from __future__ import annotations

import pyarrow as pa
import pytest

import shoal
from shoal.ui.trees.guides import History, build, summary
from shoal.ui.trees.methods import applicable, in_order, method_of, tree_of

AGES = in_order({"30": 5, "9": 1, "100": 2, "18": 7})
SIZES = in_order({"S": 3, "L": 1, "M": 9})
has_cuts = pytest.mark.skipif(not hasattr(shoal.Hierarchy, "cuts"), reason="shoal.Hierarchy.cuts is not there yet")

SPELLINGS = [
    "intervals:5,10",
    "intervals:5,10@3",
    pytest.param("cuts:18,30,45/30", marks=has_cuts),
    "prefix",
    "prefix:1,2",
    "by-order:3",
    "by-frequency:3",
    "by-frequency",
    "flat",
]


def test_numbers_stand_in_their_order_and_other_values_by_name() -> None:
    assert list(AGES) == ["9", "18", "30", "100"]
    assert list(SIZES) == ["L", "M", "S"]
    assert list(in_order({"10": 1, "9": 1, "010": 1})) == ["010", "10", "9"]  # 010 is a code, so all are


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_spelling_builds_the_tree_of_a_release(spelling: str) -> None:
    rows = [value for value, count in AGES.items() for _ in range(count)]
    release = shoal.anonymize(
        pa.table({"age": rows}), quasi_identifiers="age", hierarchies={"age": spelling}, model=shoal.KAnonymity(2)
    )
    tree = tree_of(spelling, AGES)
    assert tree is not None
    assert release.table.domains[0].hierarchy == tree


def test_dates_and_trees() -> None:
    days = {"2024-03-15": 1, "2024-04-01": 2}
    tree = tree_of("dates:month,year", days)
    assert tree is not None
    assert tree.path("2024-03-15") == ("2024-03-15", "2024-03", "2024", "*")
    assert tree_of(tree, days) is tree
    assert tree_of(None, days) is None


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("intervals:5,12", "do not nest"),
        ("intervals:", "No widths are given"),
        ("intervals:x", "is not a number"),
        ("by-order:1", "fanout 1 is too small"),
        ("by-order:two", "'two' is not a whole number"),
        ("prefix:2,1", "must grow"),
        ("dates", "is not a date"),
        ("ordered:9,18", "leaves out '30', '100' \\(2 values, 7 rows\\)"),
        ("ordered:9,9,18,30,100", "names '9' twice"),
        ("/etc/passwd", "is not a method of the workbench"),
        ("age.txt", "is not a method of the workbench"),
    ],
)
def test_what_cannot_be_built_is_said_in_a_sentence(spelling: str, sentence: str) -> None:
    with pytest.raises(shoal.InputError, match=sentence):
        tree_of(spelling, AGES)
    assert build(spelling, AGES).obstacle


def test_only_ways_that_fit_are_offered() -> None:
    assert {"intervals", "cuts"} <= set(applicable(AGES))
    assert not {"intervals", "cuts", "dates"} & set(applicable(SIZES))
    assert "dates" in applicable({"2024-03-15": 1})
    assert "ordered" not in applicable({"a, b": 1, "c": 1})


def test_a_guide_in_a_few_words() -> None:
    tree = shoal.Hierarchy.flat(["S", "M"])
    assert summary(build(None, AGES), AGES) == "free ranges"
    assert summary(build(None, SIZES), SIZES) == "sets of values"
    assert summary(build("flat", SIZES), SIZES) == "flat"
    assert summary(build(tree, SIZES), SIZES) == "tree, 2 values, height 1"
    assert [method_of(guide) for guide in (None, "cuts:1", tree)] == ["free", "cuts", "tree"]
    assert build(tree, SIZES).obstacle.startswith("The tree lacks 1 value of the table (1 row): 'L'")


def test_history_goes_back_and_forth() -> None:
    history = History(None)
    history.take("flat")
    history.take("prefix")
    assert (history.undo(), history.undo(), history.redo()) == ("flat", None, "flat")
    history.take("by-order:2")
    assert history.later == []
    assert (history.undo(), history.undo(), history.undo()) == ("flat", None, None)
