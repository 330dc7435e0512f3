"""verify(): weights, rows left out, missing values, types that a file changes, suppressed rows, populations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal.release.verification.classes as verification
from shoal import (
    AverageRisk,
    Closeness,
    DeltaPresence,
    DistinctDiversity,
    FrequencyDiversity,
    Hierarchy,
    KAnonymity,
    KMap,
    Ordered,
    Style,
    VerificationError,
    verify,
)
from strategies import histogram


def refusal(released, **options):
    with pytest.raises(VerificationError) as error:
        verify(released, **options)
    return str(error.value)


# Rows and weights


def test_rows_that_are_missing_or_too_many_are_told():
    table = pa.table({"a": ["x", "x", "x"]})
    options = {"quasi_identifiers": "a", "model": KAnonymity(2)}
    assert verify(table, rows=3, **options).sizes.tolist() == [3]
    for rows in (2, 4):
        assert refusal(table, rows=rows, **options) == (
            f"The release has 3 rows and should have {rows}. Do not publish it as it is."
        )


def test_a_row_may_stand_for_several():
    table = pa.table({"a": ["x", "y", "x"], "s": ["p", "p", "q"]})
    weights = np.array([2, 4, 3])
    options = {"quasi_identifiers": "a", "sensitive": "s", "weights": weights}
    classes = verify(table, model=KAnonymity(4), rows=9, **options)
    assert classes.sizes.tolist() == [5, 4]
    assert histogram(classes, "s").tolist() == [[2, 3], [4, 0]]
    assert classes.sensitive["s"].counts.tolist() == [6, 3]
    assert "should have 3" in refusal(table, model=KAnonymity(4), rows=3, **options)
    # Which row fails is not told, as rows that are alike are given as one.
    assert refusal(table, model=KAnonymity(5), **options) == (
        "The release does not satisfy k = 5: 1 of 2 classes fail, the first with 4 rows (a=y). "
        "Do not publish it as it is."
    )


def test_rows_that_differ_in_one_of_many_columns_are_in_different_classes():
    # Seventy columns of two values are more than 64 bits can number.
    for odd in (0, 35, 69):
        columns = {str(at): ["x", "y", "x", "x"] for at in range(70)}
        columns[str(odd)] = ["x", "y", "x", "z"]
        table = pa.table(columns)
        classes = verify(table, quasi_identifiers=list(columns), model=KAnonymity(1))
        assert classes.sizes.tolist() == [2, 1, 1]


def test_wide_columns_are_numbered_rightly():
    rng = np.random.default_rng(1)
    lines = rng.integers(0, 40, (60, 14))
    lines = np.concatenate([lines, lines[::2]])
    ids, firsts = verification.grouped([column.astype(np.int32) for column in lines.T])
    keys = [tuple(line) for line in lines.tolist()]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    assert ids.tolist() == [numbers[key] for key in keys]
    assert firsts.tolist() == [keys.index(key) for key in numbers]


def test_wide_numbers_do_not_run_over():
    wide = 2**21 - 1
    # The first column is beyond 64 bits where the others are not numbered anew.
    lines = [[0, 1, 0], *([[0, 0, wide]] * 4)]
    assert verification.grouped([np.array(line, np.int32) for line in lines])[0].tolist() == [0, 1, 2]
    lines = [*([[0, wide, 0]] * 4), *([[0, 0, wide]] * 4)]
    assert verification.grouped([np.array(line, np.int32) for line in lines])[0].tolist() == [0, 1, 2]


def test_wide_numbers_stay_exact():
    high = 2**20 - 1
    # The last two rows differ by 1 in 2**60, which a double does not see.
    lines = [[0, high, high], [0, high, high], [0, high, high - 1]]
    assert verification.grouped([np.array(line, np.int32) for line in lines])[0].tolist() == [0, 1, 2]
    # Numbered anew, as 0 and 1, they need more than 32 bits again.
    lines = [*([[0, high, 0]] * 4), *([[0, 0, high]] * 2)]
    assert verification.grouped([np.array(line, np.int32) for line in lines])[0].tolist() == [0, 1, 2]


def test_categories_are_grouped_by_what_they_show():
    chunks = [pa.array(["x", "y"]).dictionary_encode(), pa.array(["y", "x", None]).dictionary_encode()]
    table = pa.table({"a": pa.chunked_array(chunks)})
    assert verify(table, quasi_identifiers="a", model=KAnonymity(1)).sizes.tolist() == [2, 2, 1]


def test_values_and_weights_stay_with_their_rows():
    groups = [f"g{number}" for number in range(9) for _ in range(2)]
    values = ["x", "y"] * 8 + ["z", "z"]
    table = pa.table({"a": groups, "s": values, "t": values[::-1]})
    weights = np.array([1, 2] * 9)
    options = {"quasi_identifiers": "a", "weights": weights}
    assert len(verify(table, sensitive=["s", "t"], model=FrequencyDiversity(1), **options)) == 9
    assert "1 of 9 classes fail, the first with 3 rows (a=g8)" in refusal(
        table, sensitive="s", model=DistinctDiversity(2), **options
    )
    assert "1 of 9 classes fail, the first with 3 rows (a=g0)" in refusal(
        table, sensitive=["s", "t"], model=FrequencyDiversity(1.5, "t"), **options
    )
    assert len(verify(table, sensitive="s", model=AverageRisk(0.34), **options)) == 9
    assert "9 of 9 classes fail" in refusal(table, sensitive="s", model=AverageRisk(0.33), **options)


def test_all_classes_are_asked_where_a_model_needs_them():
    # Three classes of six rows: 1/2 on the whole.
    table = pa.table({"a": list("xyzzzz")})
    assert len(verify(table, quasi_identifiers="a", model=AverageRisk(0.5))) == 3
    assert "3 of 3" in refusal(table, quasi_identifiers="a", model=AverageRisk(0.49))
    people = pa.table({"a": list("xxyyzz")})
    assert len(verify(table, quasi_identifiers="a", model=KMap(2, people))) == 3
    weights = np.array([3, 3, 1, 1, 1, 1])
    assert len(verify(table, quasi_identifiers="a", model=KAnonymity(3), weights=weights)) == 3
    assert "2 of 3" in refusal(table, quasi_identifiers="a", model=KAnonymity(4), weights=weights)
    few = {"quasi_identifiers": "a", "model": KAnonymity(2), "suppressed": {"a": "x"}}
    assert "1 of 3" in refusal(table, max_suppressed=1, **few)
    assert verify(pa.table({"a": list("xzzzz")}), max_suppressed=1, **few).sizes.tolist() == [1, 4]


# The sensitive values of the input


def test_a_class_is_compared_with_the_whole_input():
    released = pa.table({"a": ["x", "x"], "s": ["p", "q"]})
    whole = {"s": pa.chunked_array([["p"] * 9, ["q"]])}
    options = {"quasi_identifiers": "a", "sensitive": "s", "model": Closeness(0.1)}
    assert verify(released, **options).sensitive["s"].counts.tolist() == [1, 1]
    assert "t = 0.1" in refusal(released, whole=whole, **options)
    assert verify(released, whole=whole, **options | {"model": Closeness(0.4)}).sensitive["s"].counts.tolist() == [9, 1]


def test_the_whole_input_may_have_weights_of_its_own():
    released = pa.table({"a": ["x", "x"], "s": ["p", "q"], "t": ["m", "n"]})
    whole = {"s": pa.chunked_array([["p", "q", "r"]])}
    classes = verify(
        released,
        quasi_identifiers="a",
        sensitive=["s", "t"],
        model=KAnonymity(2),
        whole=whole,
        whole_weights={"s": np.array([5, 6, 7])},
        weights=np.array([2, 3]),
    )
    assert classes.sensitive["s"].counts.tolist() == [5, 6, 7]
    assert classes.sensitive["t"].counts.tolist() == [2, 3], "not in the whole, so its own rows count"
    assert histogram(classes, "s").tolist() == [[2, 3, 0]]


def counted(released, whole=None, **options):
    """Return the values of a verified column with their counts in the input."""
    classes = verify(
        pa.table({"a": ["x"] * len(released), "s": released}),
        quasi_identifiers="a",
        sensitive="s",
        model=KAnonymity(1),
        whole=None if whole is None else {"s": pa.chunked_array([whole])},
        **options,
    )
    seen = classes.sensitive["s"]
    return dict(
        zip(seen.labels, zip(histogram(classes, "s")[0].tolist(), seen.counts.tolist(), strict=True), strict=True)
    )


def test_texts_that_mean_missing_are_one_value():
    assert counted(["?", "NA", None, "p"]) == {"?": (1, 1), "NA": (1, 1), None: (1, 1), "p": (1, 1)}
    assert counted(["?", "NA", None, "p"], missing_values=["?", "NA"]) == {None: (3, 3), "p": (1, 1)}
    assert "distinct l = 2" in refusal(
        pa.table({"a": ["x", "x"], "s": ["?", None]}),
        quasi_identifiers="a",
        sensitive="s",
        model=DistinctDiversity(2),
        missing_values=["?"],
    )


def test_no_number_is_missing():
    assert counted(pa.array([1.5, float("nan"), None])) == {"1.5": (1, 1), None: (2, 2)}


def test_an_empty_cell_of_a_csv_is_the_missing_value_of_the_input():
    assert counted(["", "p"], pa.array([None, "p", "p"])) == {None: (1, 1), "p": (1, 2)}
    # Where the input has both, they are two values; where it has no missing one, the text is itself.
    assert counted(["", None, "p"], pa.array([None, "p", ""])) == {"": (1, 1), None: (1, 1), "p": (1, 1)}
    assert counted(["", "p"], pa.array(["", "p"])) == {"": (1, 1), "p": (1, 1)}
    assert counted(["", "7"], pa.array([None, 7])) == {None: (1, 1), "7": (1, 1)}
    both = pa.array([None, "p", ""]).dictionary_encode()
    for released in (pa.array(["", None, "p"]), both):
        assert counted(released, both) == {"": (1, 1), None: (1, 1), "p": (1, 1)}


def test_numbers_are_compared_as_numbers():
    assert list(counted(pa.array([1e20]), pa.array([1e20], pa.float32())).values()) == [(1, 0), (0, 1)]
    assert list(counted(pa.array([1e15]), pa.array([10**15])).values()) == [(1, 1)]


def test_a_value_that_the_input_does_not_have_is_seen():
    assert counted(["p", "new"], pa.array(["p", "p"])) == {"p": (1, 2), "new": (1, 0)}
    assert counted(pa.array([1, 2]), pa.array(["1", "2", "x"])) == {"1": (1, 1), "2": (1, 1), "x": (0, 1)}
    assert counted(pa.array([1, 2]), pa.array(["1", "02"])) == {"1": (1, 1), "2": (1, 0), "02": (0, 1)}


@pytest.mark.parametrize(
    ("released", "whole"),
    [
        (pa.array(["1", "2"]), pa.array([1, 2, 2])),
        (pa.array([1, 2], pa.int8()), pa.array([1, 2, 2], pa.int64())),
        (pa.array(["1", "2"], pa.large_string()), pa.array(["1", "2", "2"])),
        (pa.array(["1", "2"], pa.string_view()), pa.array(["1", "2", "2"])),
        (pa.array(["1", "2"]).dictionary_encode(), pa.array(["1", "2", "2"])),
        (pa.array(["1", "2"]), pa.array(["1", "2", "2"]).dictionary_encode()),
        (pa.array([1, 2]), pa.array(["1", "2", "2"], pa.large_string())),
        (pa.array([1, 2]), pa.array(["1", "2", "2"], pa.string_view())),
        (pa.array([1.0, 2.0]), pa.array([1, 2, 2])),
    ],
    ids=range(9),
)
def test_a_file_may_change_the_type_of_a_column(released, whole):
    assert counted(released, whole) == {"1": (1, 1), "2": (1, 2)}


# Suppressed rows

TOPS = {"a": "*", "b": "any"}


def suppressed(rows, **options):
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate("ab")})
    return {"released": table, "quasi_identifiers": ["a", "b"], "model": KAnonymity(2), "suppressed": TOPS} | options


def test_suppressed_rows_may_fail_up_to_their_limit():
    rows = [("x", "y")] * 3 + [("*", "any")] * 2
    assert verify(**suppressed(rows, model=KAnonymity(3), max_suppressed=2)).sizes.tolist() == [3, 2]
    assert "1 of 2 classes fail" in refusal(**suppressed(rows, model=KAnonymity(3), max_suppressed=1))
    assert "1 of 2 classes fail" in refusal(**suppressed(rows, model=KAnonymity(3), max_suppressed=0))
    assert "1 of 2" in refusal(**suppressed(rows, model=KAnonymity(3), max_suppressed=2, suppressed=None))
    assert "1 of 2" in refusal(**suppressed([("x", "y")] * 2 + [("*", "any")])), "none may fail unless that is said"


def test_suppressed_rows_hide_no_other_class_that_fails():
    rows = [("x", "y"), ("*", "any"), ("*", None), (None, "any"), ("z", "z"), ("z", "z")]
    assert refusal(**suppressed(rows, max_suppressed=4)) == (
        "The release does not satisfy k = 2: 3 of 5 classes fail, the first with 1 row at row 1 (a=x, b=y). "
        "Do not publish it as it is."
    )


def test_many_rows_of_the_top_are_a_class_like_others():
    # They satisfy the model themselves, so they do not count as suppressed.
    rows = [("x", "y")] * 2 + [("*", "any")] * 5
    assert verify(**suppressed(rows, max_suppressed=1)).sizes.tolist() == [2, 5]


def test_a_condition_on_all_classes_is_asked_without_the_suppressed_rows():
    rows = [("x", "y")] * 4 + [("*", "any")]
    assert len(verify(**suppressed(rows, model=AverageRisk(0.25), max_suppressed=1))) == 2
    assert refusal(**suppressed(rows, model=AverageRisk(0.24), max_suppressed=1)).startswith(
        "The release does not satisfy average risk = 0.24: 1 of 2 classes fail, the first with 4 rows at row 1"
    )
    both = AverageRisk(0.25) & KAnonymity(2)
    assert len(verify(**suppressed(rows, model=both, max_suppressed=1))) == 2
    assert "1 of 3 classes" in refusal(**suppressed([*rows, ("z", "z")], model=KAnonymity(2), max_suppressed=1))
    assert "2 of 3 classes" in refusal(**suppressed([*rows, ("z", "z")], model=both, max_suppressed=1))


# A population

TOWNS = Hierarchy.from_parents(["*", "north", "a", "b", "south", "c"], [-1, 0, 1, 1, 0, 4])
PEOPLE = pa.table({"town": ["a", "a", "b", "c", "c", None], "age": [1, 2, 3, 4, 5, 6]})


def test_people_are_counted_by_what_the_labels_mean():
    released = pa.table({"town": ["north", "c", "?"]})
    options = {"quasi_identifiers": "town", "model": KMap(1, PEOPLE)}
    classes = verify(released, hierarchies={"town": TOWNS}, **options)
    assert classes.people.tolist() == [3, 2, 1]
    assert "3 classes fail" in refusal(released, **options), "nobody lives in a town called north"
    shown = pa.table({"town": ["a/b", "c"]})
    assert verify(shown, style=Style(separator="/"), **options).people.tolist() == [3, 2]
    unknown = pa.table({"town": ["unknown", "c"]})
    assert verify(unknown, style=Style(missing="unknown"), **options).people.tolist() == [1, 2]
    assert verify(pa.table({"town": [None, "c"]}), **options).people.tolist() == [1, 2]
    gone = verify(pa.table({"town": ["a", "?"]}), missing_values=["c"], **options)
    assert gone.people.tolist() == [2, 3], "those of c are missing, too"


def test_a_person_must_fit_every_label():
    released = pa.table({"town": ["north", "north", "*"], "age": ["1-2", "3", "2-4"]})
    trees = {"town": TOWNS, "age": Ordered([1, 2, 3, 4, 5, 6])}
    for hierarchies in (trees, {"town": TOWNS}):
        style = Style(ordered="{low}-{high}")
        classes = verify(
            released,
            quasi_identifiers=["town", "age"],
            model=KMap(1, PEOPLE),
            hierarchies=hierarchies,
            style=style,
        )
        assert classes.people.tolist() == [2, 1, 3]


def test_people_who_are_seen_to_be_absent_are_told():
    released = pa.table({"town": ["a", "b", "b"]})
    few = pa.table({"town": ["a", "a", "b", "b", "b", "c"]})
    options = {"quasi_identifiers": "town"}
    assert verify(released, model=DeltaPresence(0, 0.9, few), **options).people.tolist() == [2, 3]
    assert verify(released, model=KMap(2, few), **options).people.tolist() == [2, 3]
    for model in (DeltaPresence(0.5, 0.9, few), KMap(2, few) & DeltaPresence(0.5, 0.9, few)):
        assert refusal(released, model=model, **options) == (
            f"The release does not satisfy {model}: it shows that 1 people of the population are not in it. "
            "Do not publish it as it is."
        )
    nobody = pa.table({"town": ["a", "a", "b", "b", "b"]})
    assert verify(released, model=DeltaPresence(0.5, 0.9, nobody), **options).people.tolist() == [2, 3]
