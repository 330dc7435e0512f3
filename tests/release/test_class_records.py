"""Classes with their records, statistics, class numbers, rows by class, and means."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal import InputError, KAnonymity, Style

PATIENTS = {
    "name": list("abcdef"),
    "age": [30, 31, 32, 47, 48, 50],
    "town": list("xyxxyx"),
    "ill": ["flu", None, "cold", "<b>", "flu", "flu"],
}
pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def release(data=None, **options):
    return shoal.anonymize(
        pa.table(PATIENTS) if data is None else data,
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        identifying="name",
        **{"model": KAnonymity(3), "algorithm": "mondrian"} | options,
    )


def test_the_records_of_each_class():
    made = release()
    groups = list(made.groups)
    assert [group.rows.tolist() for group in groups] == [[0, 1, 2], [3, 4, 5]]
    assert groups[0].shown == {"age": "30-32", "town": "x | y"}
    assert made.groups.records(groups[1]) == [("47", "x", "<b>"), ("48", "y", "flu"), ("50", "x", "flu")]
    assert made.groups.records(groups[0])[1] == ("31", "y", "(missing)")


def test_statistics_hold_what_is_released_and_no_more():
    text = release().groups.statistics()
    assert text == (
        "2 classes of 6 rows\n\n"
        "class 1: 3 rows\n  age: 30-32\n  town: x | y\n  ill: (missing) 1, cold 1, flu 1\n\n"
        "class 2: 3 rows\n  age: 47-50\n  town: x | y\n  ill: <b> 1, flu 2\n"
    )


def test_statistics_count_original_values_where_asked_to(tmp_path):
    made = release(pa.table({**PATIENTS, "age": ["30", "9", "101", "47", "48", None], "town": list("xyxxyx")}))
    shown = [group.shown for group in made.groups]
    text = made.groups.statistics(values=True)
    assert text.startswith(
        "Counts of original values: for those who may see them, and not part of the release.\n\n"
        f"{len(shown)} classes of 6 rows\n  age: 6 different values, 9 to 101\n  town: 2 different values\n\nclass 1: "
    )
    for group, part in zip(made.groups, text.split("\nclass ")[1:], strict=True):
        lines = part.splitlines()
        assert lines[1] == f"  age: {group.shown['age']}"
        ages = [["30", "9", "101", "47", "48", "(missing)"][row] for row in group.rows.tolist()]
        order = ["(missing)", "9", "30", "47", "48", "101"]
        assert lines[2] == "    " + ", ".join(f"{age} 1" for age in sorted(ages, key=order.index))
        towns = [PATIENTS["town"][row] for row in group.rows.tolist()]
        assert lines[4] == "    " + ", ".join(f"{town} {towns.count(town)}" for town in sorted(set(towns)))
    assert made.groups.save_statistics(tmp_path / "counts.txt", values=True).read_text() == text
    plain = [line for line in text.splitlines()[2:] if not line.startswith("    ") and "different value" not in line]
    assert "\n".join(plain) + "\n" == made.groups.statistics()


def test_the_page_of_groups(tmp_path):
    made = release()
    page = made.groups.save_html(tmp_path / "groups.html").read_text()
    assert "not part of the release" in page
    assert "<td>47</td><td>x</td><td>&lt;b&gt;</td>" in page
    assert "<td>released</td><td>30-32</td><td>x | y</td>" in page
    assert "more classes" not in page
    assert "… and 1 more classes" in made.groups.to_html(limit=1)
    assert (made.groups.save_statistics(tmp_path / "classes.txt")).read_text() == made.groups.statistics()


@pytest.mark.parametrize("frame", [pa.table, pl.DataFrame, pd.DataFrame])
def test_rows_by_class_with_their_numbers(frame):
    made = release(frame(PATIENTS), order="classes", class_column="cluster", algorithm=shoal.RandomGrouping(seed=5))
    assert isinstance(made.frame, type(frame(PATIENTS)))
    numbers = list(pa.table(made.frame)["cluster"].to_pylist() if frame is pa.table else made.frame["cluster"])
    assert numbers == ["1"] * 3 + ["2"] * 3
    names = {"1": set(), "2": set()}
    for number, group in zip(("1", "2"), made.groups, strict=True):
        names[number] = {PATIENTS["ill"][row] for row in group.rows.tolist()}
    ills = list(pa.table(made.frame)["ill"].to_pylist() if frame is pa.table else made.frame["ill"])
    assert {None if value != value else value for value in ills[:3]} == names["1"]


def test_suppressed_rows_come_last_and_have_no_number():
    table = pa.table({"age": [1, 2, 2, 2, 3], "town": list("axxxb"), "ill": list("abcde"), "name": list("abcde")})
    made = release(
        table,
        algorithm="full-domain",
        max_suppression=2,
        order="classes",
        class_column="class",
        hierarchies={"age": "flat", "town": "flat"},
    )
    assert made.frame["class"].to_pylist() == ["1", "1", "1", "*", "*"]
    dropped = release(
        table, algorithm="full-domain", max_suppression=2, order="classes", class_column="class", suppressed="drop"
    )
    assert dropped.frame["class"].to_pylist() == ["1", "1", "1"]


def test_means_in_place_of_ranges(tmp_path):
    made = release(style=Style(numbers="mean"))
    assert made.frame["age"].to_pylist() == ["31.0"] * 3 + ["48.333333"] * 3
    made.save(tmp_path / "means.csv")
    missing = release(
        pa.table(PATIENTS).set_column(1, "age", [[30, None, 32, 47, 48, 50]]), style=Style(numbers="mean")
    )
    assert missing.frame["age"].to_pylist()[0] in ("*", "?")
    dates = pa.table(PATIENTS).set_column(1, "age", [[f"2020-01-0{day}" for day in range(1, 7)]])
    assert "mean" not in release(dates, style=Style(numbers="mean")).frame["age"].to_pylist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "random"}, "order = 'random' is not known: choose rows, classes or shuffled."),
        ({"class_column": "age"}, "The table already has a column 'age': choose another name for the class numbers."),
        ({"class_column": ""}, "class_column = '' must be the name of a new column."),
    ],
)
def test_refusals(options, message):
    with pytest.raises(InputError) as refusal:
        release(**options)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("values", "style", "algorithm"),
    [
        ([0, 10, 4, 6], Style(numbers="mean"), shoal.RandomGrouping(0)),
        ([1e-9, 2e-9, 3e-9, 5e-9], Style(numbers="mean"), "mondrian"),
        (["a | b", "a | b", "a", "b"], Style(), "mondrian"),
    ],
)
def test_classes_that_show_the_same_are_one_in_every_account(values, style, algorithm):
    made = shoal.anonymize(
        pa.table({"a": values, "s": ["flu", "flu", "x", "y"]}),
        quasi_identifiers="a",
        sensitive="s",
        model=KAnonymity(2),
        algorithm=algorithm,
        style=style,
        class_column="class",
    )
    shown = len(set(made.frame["a"].to_pylist()))
    assert len(made.groups) == made.report.classes == len(made.classes) == shown
    assert len(set(made.frame["class"].to_pylist())) == shown
    assert made.report.k == made.classes.sizes.min()
    assert made.groups.statistics().count("\nclass ") == shown


def test_the_input_is_never_overwritten(tmp_path):
    path = tmp_path / "in.csv"
    pd.DataFrame(PATIENTS).to_csv(path, index=False)
    before = path.read_bytes()
    groups = release(path).groups
    for save in (groups.save_statistics, groups.save_html):
        with pytest.raises(InputError, match="this is the input, which shoal never overwrites"):
            save(path)
    assert path.read_bytes() == before


def test_records_are_numbered_as_in_the_original_table():
    table = pa.table({"a": [None, 1, 2, 30, None, 31], "s": list("uvwxyz")})
    made = shoal.anonymize(
        table, quasi_identifiers="a", sensitive="s", model=KAnonymity(2), algorithm="k-member", drop_missing=True
    )
    rows = {group.shown["a"]: group.rows.tolist() for group in made.groups}
    assert rows == {"1-2": [1, 2], "30-31": [3, 5]}
    records = {group.shown["a"]: made.groups.records(group) for group in made.groups}
    assert records["30-31"] == [("30", "x"), ("31", "z")]
    assert "<td>4</td><td>30</td><td>x</td>" in made.groups.to_html()


def test_means_of_numbers_of_any_size():
    table = pa.table({"a": [1e308, 1.1e308, 1e308, 1.2e308], "s": list("uvwx")})
    made = shoal.anonymize(
        table, quasi_identifiers="a", sensitive="s", model=KAnonymity(4), style=Style(numbers="mean")
    )
    assert made.frame["a"].to_pylist() == ["1.075e+308"] * 4


def test_statistics_cannot_be_forged_by_values():
    forged = "y\n\nclass 99: 1 rows\n  a: 7"
    made = shoal.anonymize(
        pa.table({"a": [1, 2], "s": [forged, "flu 3, cold"]}), quasi_identifiers="a", sensitive="s", model=KAnonymity(2)
    )
    text = made.groups.statistics()
    assert text.count("\nclass ") == 1
    assert '"flu 3, cold" 1' in text


@pytest.mark.parametrize("limit", [-1, 1.5, "3", True])
def test_a_limit_is_a_number_of_classes(limit):
    with pytest.raises(InputError, match="must be a whole number of classes, or None for all"):
        release().groups.to_html(limit=limit)


def test_suppressed_rows_are_one_with_a_class_that_shows_the_same():
    tree = shoal.Hierarchy.from_parents(["*", "g", "a", "b", "h", "d", "e", "c"], [-1, 0, 1, 1, 0, 4, 4, 0])
    made = shoal.anonymize(
        pa.table({"x": list("ccccaabbd"), "s": list("uvwxuvwxy")}),
        quasi_identifiers="x",
        sensitive="s",
        hierarchies={"x": tree},
        model=KAnonymity(4),
        algorithm=shoal.FullDomain(levels={"x": 1}),
        max_suppression=1,
        class_column="class",
    )
    assert made.frame["x"].to_pylist() == [*"****", *"gggg", "*"]
    assert made.report.suppressed_rows == 1
    assert sorted(group.size for group in made.groups) == sorted(made.classes.sizes.tolist()) == [4, 5]
    assert len(set(made.frame["class"].to_pylist())) == 2
    assert made.groups.statistics().startswith("2 classes of 9 rows\n")
